import { type ReferenceServer, referenceServers } from '@tenon/host/reference-servers'
import { type JSX, useId, useState } from 'react'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { useShow } from './use-show.ts'

/** The reference servers. Each is fetched and started by `npx` once a person says so. */
export function ReferenceServers(): JSX.Element {
  return (
    <section className="card" aria-label="Reference servers">
      <ul className="body stack">
        {referenceServers.map((server) => (
          <ReferenceRow key={server.name} server={server} />
        ))}
      </ul>
    </section>
  )
}

function ReferenceRow({ server }: { server: ReferenceServer }): JSX.Element {
  const id = useId()
  const [typed, setTyped] = useState('')
  const show = useShow()
  const { busy, problem, start } = useBusy()
  const { name, summary, argument } = server
  const value = typed.trim()
  const args = ['-y', server.package, ...(value === '' ? [] : [value])]
  return (
    <li>
      <form
        className="row reference-row"
        onSubmit={(event) => {
          event.preventDefault()
          void start(() => show(run('server.add', { spec: { kind: 'command', name, command: 'npx', args } })))
        }}
      >
        <div className="grow">
          <strong>{name}</strong>
          <div className="small muted">{summary}</div>
        </div>
        {argument !== undefined && (
          <div className="field">
            <label className="visually-hidden" htmlFor={id}>{`${argument.label} for ${name}`}</label>
            <input
              id={id}
              className="input mono"
              value={typed}
              placeholder={argument.example}
              spellCheck={false}
              required
              onChange={(event) => setTyped(event.target.value)}
            />
          </div>
        )}
        <button type="submit" className="button" disabled={busy} aria-label={`Connect ${name}`}>
          Connect
        </button>
      </form>
      {problem !== undefined && <ProblemNotice problem={problem} />}
    </li>
  )
}
