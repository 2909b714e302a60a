import type { JSX } from 'react'
import type { TaskView } from '../../src/protocol.ts'
import { visible } from '../content/visible.ts'
import { Empty } from '../parts/empty.tsx'
import { Icon } from '../parts/icon.tsx'
import { ServerFilter } from '../parts/server-filter.tsx'
import { Split } from '../parts/split.tsx'
import { hrefTo, useParam, withParams } from '../state/route.ts'
import { useBench } from '../state/store.ts'
import { toolOf } from '../tools/tool-list.ts'
import { AddTask } from './add-task.tsx'
import { ListTasks } from './list-tasks.tsx'
import { NoTasks } from './no-tasks.tsx'
import { findTask, phaseOf } from './task-list.ts'
import { TaskPage } from './task-page.tsx'
import { taskStatusWords, taskTitle } from './task-words.ts'
import { UnknownTask } from './unknown-task.tsx'

const groups = [
  ['running', 'Running'],
  ['lost', 'Lost'],
  ['ended', 'Ended'],
] as const

/** The tasks of all servers, and the one that is chosen. */
export function TasksScreen({ server, id }: { server: string | undefined; id: string | undefined }): JSX.Element {
  const tasks = useBench((bench) => bench.tasks)
  const [only, setOnly] = useParam('server')
  const shown = only === undefined ? tasks : tasks.filter((view) => view.server === only)
  const isChosen = server !== undefined && id !== undefined
  const chosen = isChosen ? findTask(tasks, server, id) : undefined
  if (tasks.length === 0 && !isChosen) return <NoTasks />
  return (
    <Split
      isChosen={isChosen}
      list={
        <nav className="list-pane" aria-label="Tasks">
          {!isChosen && <h1 className="visually-hidden">Tasks</h1>}
          <div className="list-head row">
            <ListTasks />
            <AddTask />
            <ServerFilter only={only} choose={setOnly} />
          </div>
          <div className="list-scroll">
            {groups.map(([phase, label]) => (
              <Group
                key={phase}
                label={label}
                tasks={shown.filter((view) => phaseOf(view) === phase)}
                chosen={chosen}
                only={only}
              />
            ))}
            {shown.length === 0 && <p className="muted pane-note">This server has no tasks.</p>}
          </div>
        </nav>
      }
    >
      {chosen !== undefined && <TaskPage key={`${server} ${id}`} view={chosen} />}
      {isChosen && chosen === undefined && <UnknownTask key={`${server} ${id}`} server={server} id={id} />}
      {!isChosen && (
        <Empty title="Choose a task">
          <p>Its state, its questions and its result are shown here.</p>
        </Empty>
      )}
    </Split>
  )
}

interface GroupProps {
  label: string
  tasks: readonly TaskView[]
  chosen: TaskView | undefined
  /** The server whose tasks are listed. */
  only: string | undefined
}

function Group({ label, tasks, chosen, only }: GroupProps): JSX.Element | null {
  if (tasks.length === 0) return null
  return (
    <section aria-label={label}>
      <div className="list-group">{label}</div>
      <ul>
        {tasks.toReversed().map((view) => (
          <li key={`${view.server} ${view.task.taskId}`}>
            <TaskLink view={view} isChosen={view === chosen} only={only} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function TaskLink(props: { view: TaskView; isChosen: boolean; only: string | undefined }): JSX.Element {
  const { view, isChosen, only } = props
  const { server, task } = view
  const name = useBench((bench) => bench.servers.find(({ id }) => id === server)?.spec.name ?? '')
  const tool = useBench((bench) => toolOf(view, bench))
  const { text, tone } = taskStatusWords[task.status]
  const about = [name, task.statusMessage].filter(Boolean).join(' · ')
  return (
    <a
      className="list-item"
      href={withParams(hrefTo('tasks', server, task.taskId), { server: only })}
      aria-current={isChosen ? 'page' : undefined}
      title={task.taskId}
    >
      <Icon name="tasks" />
      <span className="title">
        {taskTitle(view, tool)}
        <span className={`badge ${tone}`}>{text}</span>
      </span>
      <span className="about">{visible(about)}</span>
    </a>
  )
}
