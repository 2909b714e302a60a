import { type JSX, useState } from 'react'
import type { Challenge } from '../../src/protocol.ts'
import { visibleLine } from '../content/visible.ts'
import { Dialog } from '../parts/dialog.tsx'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { useBench } from '../state/store.ts'

interface Props {
  challenge: Challenge
  done: () => void
  /** The action of the button, if it does not connect the server. */
  confirm?: () => Promise<unknown>
}

/** Shows the whole command, every part on its own line, and starts it only after a click. */
export function ConfirmCommand({ challenge, done, confirm: agree }: Props): JSX.Element {
  const { busy, problem, start } = useBusy()
  const [revealed, setRevealed] = useState<Challenge['env']>()
  const isKept = useBench(({ servers }) => servers.some(({ id, kept }) => id === challenge.server && kept === true))
  const isHidden = revealed === undefined && challenge.hidden === true && Object.keys(challenge.env).length > 0
  const reveal = (): Promise<void> =>
    start(async () => {
      const { spec } = await run('server.reveal', { server: challenge.server })
      if (spec.kind === 'command') setRevealed(spec.env ?? {})
    })
  const confirm = (): Promise<void> =>
    start(async () => {
      if (agree !== undefined) return await agree()
      await run('server.confirm', { challenge: challenge.id })
      done()
    })
  return (
    <Dialog label="Start this program?" close={done}>
      <div className="inside stack">
        <h1>Start this program?</h1>
        <p>It runs on this computer with your rights. Start it only if you know where it comes from.</p>
        <CommandDetails challenge={revealed === undefined ? challenge : { ...challenge, env: revealed }} />
        {isHidden && (
          <div>
            <button type="button" className="button small" disabled={busy} onClick={() => void reveal()}>
              Show values
            </button>
          </div>
        )}
        {isKept && <p className="small muted">You will not be asked again about exactly this program.</p>}
        {problem !== undefined && <ProblemNotice problem={problem} />}
        <div className="row dialog-foot">
          {/* Pressing Enter without reading is no agreement. */}
          {/* biome-ignore lint/a11y/noAutofocus: the focus belongs to the answer that does nothing. */}
          <button type="button" className="button" autoFocus onClick={done}>
            Do not start
          </button>
          <button type="button" className="button primary" disabled={busy} onClick={() => void confirm()}>
            Start the program
          </button>
        </div>
      </div>
    </Dialog>
  )
}

function CommandDetails({ challenge: { command, args, env, cwd } }: { challenge: Challenge }): JSX.Element {
  const variables = Object.entries(env)
  return (
    <dl className="facts command-facts">
      <dt>Program</dt>
      <dd className="mono">{visibleLine(command)}</dd>
      {args.length > 0 && (
        <>
          <dt>Arguments</dt>
          <dd>
            <ol>
              {args.map((arg, index) => (
                <li className="mono" key={String(index)}>
                  {visibleLine(arg) || '(empty)'}
                </li>
              ))}
            </ol>
          </dd>
        </>
      )}
      {variables.length > 0 && (
        <>
          <dt>Variables</dt>
          <dd>
            <ul>
              {variables.map(([name, value]) => (
                <li className="mono" key={name}>
                  {visibleLine(name)}={visibleLine(value)}
                </li>
              ))}
            </ul>
          </dd>
        </>
      )}
      {cwd !== undefined && (
        <>
          <dt>Folder</dt>
          <dd className="mono">{visibleLine(cwd)}</dd>
        </>
      )}
    </dl>
  )
}
