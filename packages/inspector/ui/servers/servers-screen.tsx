import { type JSX, useState } from 'react'
import type { Result, ServerView } from '../../src/protocol.ts'
import { visibleLine } from '../content/visible.ts'
import { AddServerLink } from '../parts/add-server-link.tsx'
import { Empty } from '../parts/empty.tsx'
import { download } from '../parts/files.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { hrefTo } from '../state/route.ts'
import { useBench } from '../state/store.ts'
import { KeptProblems } from './kept-problems.tsx'
import { KeptSecrets } from './kept-secrets.tsx'
import { ServerRow } from './server-row.tsx'

/** Every server, in an order that can be changed, and how it is kept. */
export function ServersScreen(): JSX.Element {
  const servers = useBench((bench) => bench.servers)
  const kept = useBench((bench) => bench.kept)
  return (
    <div className="column stack wide">
      <header className="page-head">
        <div>
          <h1>Servers</h1>
          <p className="muted">
            {kept.path === undefined ? (
              'This workbench keeps none of them for the next time.'
            ) : (
              <>
                Your servers are kept in <span className="mono path">{visibleLine(kept.path)}</span>
              </>
            )}
          </p>
        </div>
        <a className="button primary" href={hrefTo('add')}>
          Add a server
        </a>
      </header>
      <KeptProblems />
      {servers.length === 0 ? (
        <Empty title="No servers">
          <p>A server is added by its command, its URL, or from the settings of another application.</p>
          <AddServerLink />
        </Empty>
      ) : (
        <Rows servers={servers} />
      )}
      <ExportList isEmpty={servers.length === 0} />
      <KeptSecrets secrets={kept.secrets} />
    </div>
  )
}

function Rows({ servers }: { servers: readonly ServerView[] }): JSX.Element {
  return (
    <ul className="card server-rows" aria-label="All servers">
      {servers.map((server, index) => (
        <ServerRow key={server.id} server={server} index={index} count={servers.length} />
      ))}
    </ul>
  )
}

/** Gives the servers to other applications, without their secrets. */
function ExportList({ isEmpty }: { isEmpty: boolean }): JSX.Element {
  const [exported, setExported] = useState<Result<'list.export'>>()
  const { busy, problem, start } = useBusy()
  const save = (): Promise<void> =>
    start(async () => {
      const list = await run('list.export', {})
      download(list.name, list.text)
      setExported(list)
    })
  return (
    <section className="card kept-card" aria-label="For other applications">
      <header>
        <h2 className="grow">For other applications</h2>
        <a className="button small" href={hrefTo('add')}>
          Import
        </a>
        <button type="button" className="button small" disabled={busy || isEmpty} onClick={() => void save()}>
          Export as .mcp.json
        </button>
      </header>
      <div className="body stack">
        <p className="muted">Secrets are not exported: variables of the environment stand for them.</p>
        {exported !== undefined && (
          <div className="notice ok" role="status">
            <strong>{exported.name} was saved</strong>
            {exported.variables.length > 0 && (
              <span>
                These variables have to be set where it is used:{' '}
                <span className="mono">{exported.variables.join(', ')}</span>
              </span>
            )}
            {exported.notes.map((note) => (
              <span key={note}>{visibleLine(note)}</span>
            ))}
          </div>
        )}
        {problem !== undefined && <ProblemNotice problem={problem} />}
      </div>
    </section>
  )
}
