import { type JSX, useState } from 'react'
import type { KeptView } from '../../src/protocol.ts'
import { visibleLine } from '../content/visible.ts'
import { Dialog } from '../parts/dialog.tsx'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'

const words: { [Where in KeptView['secrets']['where']]: string } = {
  keychain: 'They are in a file that is sealed with a key in the keychain of this system:',
  file: 'No keychain can be used here, so they are in a file that only you can read:',
  memory: 'This workbench keeps nothing: they are gone when it ends.',
}

/** The place of secrets, and a button that forgets all of them. */
export function KeptSecrets({ secrets: { where, path } }: Pick<KeptView, 'secrets'>): JSX.Element {
  const [asking, setAsking] = useState(false)
  return (
    <section className="card kept-card" aria-label="Secrets">
      <header>
        <h2 className="grow">Secrets</h2>
        <button type="button" className="button small danger" onClick={() => setAsking(true)}>
          Forget all secrets
        </button>
      </header>
      <div className="body stack">
        <p>Values of variables and headers, secrets of clients, the key of the model, and logins.</p>
        <p>
          {words[where]} {path !== undefined && <span className="mono path">{visibleLine(path)}</span>}
        </p>
      </div>
      {asking && <ForgetSecrets isShared={where !== 'memory'} done={() => setAsking(false)} />}
    </section>
  )
}

function ForgetSecrets({ isShared, done }: { isShared: boolean; done: () => void }): JSX.Element {
  const { busy, problem, start } = useBusy()
  const forget = (): Promise<void> =>
    start(async () => {
      await run('kept.forgetSecrets', {})
      done()
    })
  return (
    <Dialog label="Forget all secrets?" close={done}>
      <div className="inside stack">
        <h1>Forget all secrets?</h1>
        <p>
          The values of variables and headers of every server, the secrets of clients, the key of the model, every login
          {isShared && (
            <>
              {' '}
              (also those of <code>tenon auth login</code>)
            </>
          )}{' '}
          and your agreements to start programs are gone after this. The servers stay in the list; those that need a
          secret are disconnected until you give it again.
        </p>
        {problem !== undefined && <ProblemNotice problem={problem} />}
        <div className="row dialog-foot">
          {/* biome-ignore lint/a11y/noAutofocus: the focus belongs to the answer that does nothing. */}
          <button type="button" className="button" autoFocus onClick={done}>
            Keep them
          </button>
          <button type="button" className="button primary" disabled={busy} onClick={() => void forget()}>
            Forget them
          </button>
        </div>
      </div>
    </Dialog>
  )
}
