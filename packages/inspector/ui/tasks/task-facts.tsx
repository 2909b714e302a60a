import type { JSX } from 'react'
import type { TaskView } from '../../src/protocol.ts'
import { hasEnded } from '../../src/protocol-tasks.ts'
import { clock } from '../content/format.ts'
import { visible } from '../content/visible.ts'
import { about, forgottenAt, moment, originWords } from './task-words.ts'
import { useNow } from './use-now.ts'

/** The state of a task, and its age. */
export function TaskFacts({ view }: { view: TaskView }): JSX.Element {
  const { task, isFollowed, origin, seenAt } = view
  const isOver = hasEnded(task)
  const now = useNow(!isOver)
  const created = Date.parse(task.createdAt)
  return (
    <section className="card" aria-label="State of the task">
      <header>
        <h2 className="grow">State</h2>
        <span className="small muted">{isFollowed ? 'live' : `as of ${clock(seenAt)}`}</span>
      </header>
      <dl className="facts body">
        <dt>Id</dt>
        <dd>
          <code className="task-id">{visible(task.taskId)}</code>
        </dd>
        {task.statusMessage !== undefined && (
          <>
            <dt>Message</dt>
            <dd className="pre-line">{visible(task.statusMessage)}</dd>
          </>
        )}
        <dt>Created</dt>
        <dd>
          {moment(task.createdAt)}
          {!isOver && now - created >= 1_000 && <span className="muted">, {about(now - created)} ago</span>}
        </dd>
        <dt>Updated</dt>
        <dd>{moment(task.lastUpdatedAt)}</dd>
        <dt>Time to live</dt>
        <dd>
          <TimeToLive view={view} now={now} />
        </dd>
        <dt>Poll interval</dt>
        <dd>{task.pollIntervalMs === undefined ? 'the server does not say' : about(task.pollIntervalMs)}</dd>
        <dt>Known because</dt>
        <dd>{originWords[origin]}</dd>
      </dl>
    </section>
  )
}

/** How long the server keeps a task, and the consequence after that time. */
function TimeToLive({ view: { task }, now }: { view: TaskView; now: number }): JSX.Element {
  const until = forgottenAt(task)
  if (task.ttlMs === null) return <>as long as the server likes</>
  if (until === undefined) return <>{about(task.ttlMs)}</>
  const end = moment(new Date(until).toISOString())
  if (now <= until) {
    return (
      <>
        {about(task.ttlMs)}, until {end}
      </>
    )
  }
  return (
    <>
      {about(task.ttlMs)}, over since {end}
      <span className="badge warn">{hasEnded(task) ? 'the server may have forgotten it' : 'it may never end'}</span>
    </>
  )
}
