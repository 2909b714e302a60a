import type { JSX } from 'react'
import type { ServerView } from '../../src/protocol.ts'
import { visible } from '../content/visible.ts'
import { hrefTo } from '../state/route.ts'
import { useBench } from '../state/store.ts'
import { toolTitle } from '../tools/tool-list.ts'
import { AddTask } from './add-task.tsx'
import { ListTasks } from './list-tasks.tsx'
import { clientDecides, taskSettings, taskSupport } from './task-support.ts'

/** The screen without tasks: it explains them, and names the servers that have them. */
export function NoTasks(): JSX.Element {
  const servers = useBench((bench) => bench.servers)
  const connected = servers.filter(({ status }) => status === 'connected')
  return (
    <div className="tasks-alone">
      <div className="column stack">
        <header className="stack">
          <h1>No tasks yet</h1>
          <p className="muted">
            A task is a call of a tool that is answered at once and goes on in the background: it has a state, may ask
            for something while it works, and keeps its result for a while. Choose a tool, and “Run as a task”.
          </p>
        </header>
        {connected.map((server) => (
          <Offer key={server.id} server={server} />
        ))}
        {connected.length === 0 && (
          <p className="notice">
            No server is connected.
            <a href={hrefTo('add')}>Add a server</a>
          </p>
        )}
        <div className="row">
          <ListTasks />
          <AddTask />
        </div>
      </div>
    </div>
  )
}

function Offer({ server }: { server: ServerView }): JSX.Element {
  const catalog = useBench((bench) => bench.catalogs.get(server.id)?.tools)
  const tools = (catalog?.items ?? []).filter((tool) => ['optional', 'required'].includes(taskSupport(tool, server)))
  const hasTasks = taskSettings(server) !== undefined
  return (
    <section className="card" aria-label={visible(server.spec.name)}>
      <header>
        <h2>{visible(server.spec.name)}</h2>
        <span className={hasTasks ? 'badge ok' : 'badge'}>{hasTasks ? 'has tasks' : 'has no tasks'}</span>
        <span className="badge">{server.revision}</span>
      </header>
      <div className="body">
        {!hasTasks && <p className="muted">{whyNot(server)}</p>}
        {hasTasks && tools.length > 0 && (
          <>
            <p className="muted">These of its tools can run as a task:</p>
            <ul className="row">
              {tools.map((tool) => (
                <li key={tool.name}>
                  <a href={hrefTo('tools', server.id, tool.name)}>{visible(toolTitle(tool))}</a>
                </li>
              ))}
            </ul>
          </>
        )}
        {hasTasks && tools.length === 0 && (
          <p className="muted">
            {clientDecides(server)
              ? 'None of its tools can run as a task.'
              : 'It decides for each call whether it becomes a task, and lists none: those that you start are shown here.'}
          </p>
        )}
      </div>
    </section>
  )
}

const whyNot = ({ facts }: ServerView): string =>
  facts?.tasks === undefined ? 'Its revision is older than tasks.' : 'It does not declare them.'
