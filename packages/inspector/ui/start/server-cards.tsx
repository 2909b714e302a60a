import type { JSX } from 'react'
import type { CatalogKind, ServerView } from '../../src/protocol.ts'
import { visibleLine } from '../content/visible.ts'
import { Icon } from '../parts/icon.tsx'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { ServerMark } from '../servers/server-mark.tsx'
import { serverStatusWords, targetLine } from '../servers/status-words.ts'
import { useConnect } from '../servers/use-connect.tsx'
import { hrefTo } from '../state/route.ts'
import { useBench } from '../state/store.ts'

const most = 5

/** Those that can be used come first; the order of the others is that of the rail. */
const connectedFirst = (servers: readonly ServerView[]): ServerView[] =>
  servers.toSorted((a, b) => Number(b.status === 'connected') - Number(a.status === 'connected'))

/** Servers with its state, its offers and the next step. */
export function ServerCards(): JSX.Element {
  const servers = useBench((bench) => bench.servers)
  const shown = servers.length <= most ? servers : connectedFirst(servers).slice(0, most)
  return (
    <section aria-labelledby="start-servers" className="stack">
      <div className="row">
        <h2 id="start-servers">Your servers</h2>
        {shown.length < servers.length && (
          <a className="small" href={hrefTo('servers')}>
            All {servers.length}
          </a>
        )}
      </div>
      <ul className="card-grid">
        {shown.map((server) => (
          <li key={server.id} className="card server-card">
            <ServerCard server={server} />
          </li>
        ))}
        <li>
          <a className="card start-card add-card" href={hrefTo('add')}>
            <Icon name="add" />
            <strong>Add a server</strong>
          </a>
        </li>
      </ul>
    </section>
  )
}

const offers: readonly [screen: string, kinds: readonly CatalogKind[], one: string][] = [
  ['tools', ['tools'], 'tool'],
  ['resources', ['resources', 'templates'], 'resource'],
  ['prompts', ['prompts'], 'prompt'],
]

function ServerCard({ server }: { server: ServerView }): JSX.Element {
  const catalogs = useBench((bench) => bench.catalogs.get(server.id))
  const connect = useConnect()
  const { busy, problem, start } = useBusy()
  const isOn = server.status === 'connected'
  const counted = offers.map(([screen, kinds, one]) => ({
    screen,
    one,
    count: kinds.reduce((sum, kind) => sum + (catalogs?.[kind]?.items.length ?? 0), 0),
  }))
  return (
    <>
      <div className="server-card-head">
        <ServerMark server={server} />
        <a className="grow" href={hrefTo('servers', server.id)}>
          <strong>{visibleLine(server.spec.name)}</strong>
        </a>
        <span className={isOn ? 'badge accent' : 'badge'}>
          {isOn ? server.revision : serverStatusWords[server.status]}
        </span>
      </div>
      <div className="small muted mono target" title={targetLine(server)}>
        {visibleLine(targetLine(server))}
      </div>
      <div className="row server-card-foot">
        {isOn &&
          counted
            .filter(({ count }) => count > 0)
            .map(({ screen, one, count }) => (
              <a key={screen} className="small" href={hrefTo(screen, { server: server.id })}>
                {count.toLocaleString('en')} {count === 1 ? one : `${one}s`}
              </a>
            ))}
        {!isOn && server.status !== 'connecting' && (
          <>
            <button
              type="button"
              className="button small"
              disabled={busy}
              onClick={() => void start(() => connect(server.id))}
            >
              Connect
            </button>
            {server.problem !== undefined && (
              <a className="small" href={hrefTo('servers', server.id, 'diagnosis')}>
                Find out why it failed
              </a>
            )}
          </>
        )}
      </div>
      {problem !== undefined && <ProblemNotice problem={problem} />}
    </>
  )
}
