import { type JSX, useLayoutEffect } from 'react'
import type { ServerView } from '../../src/protocol.ts'
import { visibleLine } from '../content/visible.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { panes, Splitter } from '../parts/splitter.tsx'
import { ServerMark } from '../servers/server-mark.tsx'
import { serverStatusWords } from '../servers/status-words.ts'
import { useMove } from '../servers/use-move.ts'
import { useChoice } from '../state/look.ts'
import { hrefTo, useRoute } from '../state/route.ts'
import { useBench } from '../state/store.ts'
import { runningTasks } from '../tasks/task-list.ts'
import { ThemeButton } from './theme-button.tsx'

/** The navigation: screens, and servers with their status. */
export function Rail({ openPalette, openHelp }: { openPalette: () => void; openHelp: () => void }): JSX.Element {
  const servers = useBench((bench) => bench.servers)
  const { screen, parts } = useRoute()
  return (
    <aside className="rail" id="rail" aria-label="Workbench">
      <div className="rail-body">
        <a className="brand" href={hrefTo('')}>
          <img src="./icon.svg" alt="" />
          Tenon Workbench
        </a>
        <button type="button" className="button palette-button" aria-keyshortcuts="Control+K" onClick={openPalette}>
          <Icon name="search" />
          <span className="grow">Go to…</span>
          <kbd>Ctrl K</kbd>
        </button>
        <Screens screen={screen} />
        <section className="rail-servers" aria-label="Servers">
          <div className="rail-heading">
            <h2>
              <a className="heading-link" href={hrefTo('servers')}>
                Servers
              </a>
            </h2>
            <a className="button small quiet icon" href={hrefTo('add')} aria-label="Add a server">
              <Icon name="add" />
            </a>
          </div>
          <ul>
            {servers.map((server, index) => (
              <li key={server.id}>
                <ServerLink server={server} index={index} isChosen={screen === 'servers' && parts[0] === server.id} />
              </li>
            ))}
          </ul>
          {servers.length === 0 && (
            <a className="button" href={hrefTo('add')}>
              Add a server
            </a>
          )}
        </section>
        <footer>
          <ThemeButton />
          <RowsButton />
          <button
            type="button"
            className="button small quiet icon"
            aria-label="Keys"
            title="Keys (?)"
            aria-keyshortcuts="?"
            onClick={openHelp}
          >
            <Icon name="keys" />
          </button>
        </footer>
      </div>
      <Splitter pane={panes.rail} resizes="before" />
    </aside>
  )
}

function Screens({ screen }: { screen: string }): JSX.Element {
  const catalogs = useBench((bench) => bench.catalogs)
  const servers = useBench((bench) => bench.servers)
  const questions = useBench((bench) => bench.questions.length)
  const tasks = useBench((bench) => runningTasks(bench.tasks))
  const sessions = useBench((bench) => bench.sessions.length)
  const messages = useBench(({ timeline }) => timeline.next - timeline.first)
  const count = (kind: 'tools' | 'resources' | 'templates' | 'prompts'): number =>
    servers
      .filter(({ status }) => status === 'connected')
      .reduce((sum, { id }) => sum + (catalogs.get(id)?.[kind]?.items.length ?? 0), 0)
  const links: { name: string; icon: IconName; label: string; shown?: number }[] = [
    { name: '', icon: 'start', label: 'Start' },
    { name: 'tools', icon: 'tools', label: 'Tools', shown: count('tools') },
    { name: 'resources', icon: 'resources', label: 'Resources', shown: count('resources') + count('templates') },
    { name: 'prompts', icon: 'prompts', label: 'Prompts', shown: count('prompts') },
    { name: 'playground', icon: 'playground', label: 'Playground' },
    { name: 'evals', icon: 'evals', label: 'Evals' },
    { name: 'questions', icon: 'questions', label: 'Questions', shown: questions },
    { name: 'tasks', icon: 'tasks', label: 'Tasks', shown: tasks },
    { name: 'timeline', icon: 'timeline', label: 'Timeline', shown: messages },
    { name: 'sessions', icon: 'sessions', label: 'Sessions', shown: sessions },
    { name: 'saved', icon: 'saved', label: 'Saved calls' },
  ]
  return (
    <nav className="nav" aria-label="Screens">
      <ul>
        {links.map(({ name, icon, label, shown = 0 }) => (
          <li key={name}>
            <a href={hrefTo(name)} aria-current={screen === name ? 'page' : undefined}>
              <Icon name={icon} />
              {label}
              {shown > 0 && (
                <span className={name === 'questions' ? 'count badge accent' : 'count'}>
                  {shown.toLocaleString('en')}
                </span>
              )}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function ServerLink(props: { server: ServerView; index: number; isChosen: boolean }): JSX.Element {
  const { server, index, isChosen } = props
  const move = useMove(server.id, index)
  const about = server.status === 'connected' ? (server.revision ?? '') : serverStatusWords[server.status]
  return (
    <a
      className="server-link"
      href={hrefTo('servers', server.id)}
      aria-current={isChosen ? 'page' : undefined}
      aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
      onKeyDown={(event) => {
        const by = event.altKey ? directions.get(event.key) : undefined
        if (by === undefined) return
        event.preventDefault()
        move(by, event.currentTarget)
      }}
    >
      <ServerMark server={server} />
      <span className="names">
        <span>{visibleLine(server.spec.name)}</span>
        <span className="small muted">{about}</span>
      </span>
      <span className="visually-hidden">{serverStatusWords[server.status]}</span>
    </a>
  )
}

/** With Alt, the arrows move a server in the list. */
const directions: ReadonlyMap<string, -1 | 1> = new Map([
  ['ArrowUp', -1],
  ['ArrowDown', 1],
])

/** How much room the rows of lists have. */
function RowsButton(): JSX.Element {
  const [rows, setRows] = useChoice('rows', ['roomy', 'compact'])
  useLayoutEffect(() => {
    document.documentElement.dataset.rows = rows
  }, [rows])
  const words = `Rows: ${rows}`
  return (
    <button
      type="button"
      className="button small quiet icon"
      aria-label={words}
      title={words}
      onClick={() => setRows(rows === 'roomy' ? 'compact' : 'roomy')}
    >
      <Icon name={rows} />
    </button>
  )
}
