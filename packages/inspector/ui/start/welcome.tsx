import { referenceServers } from '@tenon/host/reference-servers'
import type { JSX } from 'react'
import { Icon, type IconName } from '../parts/icon.tsx'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { ByPaste } from '../servers/add-server.tsx'
import { KeptProblems } from '../servers/kept-problems.tsx'
import { useShow } from '../servers/use-show.ts'
import { run } from '../state/api.ts'
import { hrefTo } from '../state/route.ts'

const ways: readonly { way: string; icon: IconName; title: string; about: string }[] = [
  { way: 'command', icon: 'command', title: 'Run a command', about: 'A server that talks over stdio' },
  { way: 'url', icon: 'http', title: 'Enter a URL', about: 'Streamable HTTP, HTTP+SSE or WebSocket' },
  { way: 'import', icon: 'resources', title: 'Import', about: 'From other applications on this computer' },
]

/** The first visit: paste something, or take one of the other ways to a server. */
export function Welcome(): JSX.Element {
  return (
    <div className="column stack wide">
      <header>
        <h1>Connect your first server</h1>
        <p className="muted">Paste what you have, or take one of the ways below.</p>
      </header>
      <KeptProblems />
      <ByPaste />
      <section aria-label="Other ways" className="card-grid two">
        {ways.map(({ way, icon, title, about }) => (
          <a key={way} className="card start-card" href={hrefTo('add', way)}>
            <Icon name={icon} />
            <span>
              <strong>{title}</strong>
              <span className="small muted">{about}</span>
            </span>
          </a>
        ))}
        <TryEverything />
      </section>
    </div>
  )
}

const everything = referenceServers.find(({ name }) => name === 'everything')

/** The server that has everything of the protocol. It is started after a person has seen its command. */
function TryEverything(): JSX.Element | null {
  const show = useShow()
  const { busy, problem, start } = useBusy()
  if (everything === undefined) return null
  const args = ['-y', everything.package]
  return (
    <>
      <button
        type="button"
        className="card start-card"
        disabled={busy}
        onClick={() =>
          void start(() =>
            show(run('server.add', { spec: { kind: 'command', name: everything.name, command: 'npx', args } })),
          )
        }
      >
        <Icon name="playground" />
        <span>
          <strong>Try the everything server</strong>
          <span className="small muted">Every feature of the protocol, ready-made</span>
        </span>
      </button>
      {problem !== undefined && <ProblemNotice problem={problem} />}
    </>
  )
}
