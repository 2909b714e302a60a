import type { Tool } from '@tenon/sdk/client'
import { type JSX, useEffect } from 'react'
import type { ServerView, TaskView } from '../../src/protocol.ts'
import { hasEnded } from '../../src/protocol-tasks.ts'
import { JsonTree } from '../content/json-tree.tsx'
import { visible } from '../content/visible.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { goTo, hrefTo } from '../state/route.ts'
import { useBench } from '../state/store.ts'
import { timelineAddress } from '../timeline/address.ts'
import { toolOf } from '../tools/tool-list.ts'
import { TaskFacts } from './task-facts.tsx'
import { TaskOutcomeView } from './task-outcome.tsx'
import { TaskQuestions } from './task-questions.tsx'
import { canCancel } from './task-support.ts'
import { taskStatusWords, taskTitle } from './task-words.ts'

/** One task: its state, its questions, and its outcome. */
export function TaskPage({ view }: { view: TaskView }): JSX.Element {
  const server = useBench((bench) => bench.servers.find(({ id }) => id === view.server))
  const tool = useBench((bench) => toolOf(view, bench))
  const isOver = hasEnded(view.task)
  useFollowing(view, server)
  return (
    <div className="column stack wide">
      <TaskHead view={view} server={server} tool={tool} />
      {view.problem !== undefined && !isOver && <ProblemNotice problem={view.problem} />}
      {!isOver && server?.status !== 'connected' && (
        <div className="notice warn">
          <strong>Its server is not connected</strong>
          <span>This is how the task was when it was seen last. Connect the server, and it is gone on with.</span>
        </div>
      )}
      {!isOver && <TaskProgress view={view} />}
      {!isOver && <TaskQuestions view={view} />}
      {isOver && !view.isFollowed && (
        <TaskOutcomeView view={view} tool={tool} isConnected={server?.status === 'connected'} />
      )}
      <TaskFacts view={view} />
      <section className="card" aria-label="Arguments">
        <header>
          <h2>Arguments</h2>
        </header>
        <div className="body">
          {view.arguments === undefined ? (
            <p className="muted">It was not started here, and servers do not say how a task was called.</p>
          ) : (
            <JsonTree value={view.arguments} />
          )}
        </div>
      </section>
    </div>
  )
}

/** A task that is shown is followed; those that were started here are anyway. */
function useFollowing({ server: id, task, isFollowed, problem }: TaskView, server: ServerView | undefined): void {
  const isWanted = !hasEnded(task) && !isFollowed && problem === undefined && server?.status === 'connected'
  useEffect(() => {
    if (isWanted) void run('task.follow', { server: id, task: task.taskId }).catch(() => {})
  }, [isWanted, id, task.taskId])
}

interface HeadProps {
  view: TaskView
  server: ServerView | undefined
  tool: Tool | undefined
}

function TaskHead({ view, server, tool }: HeadProps): JSX.Element {
  const { task } = view
  const { text, tone } = taskStatusWords[task.status]
  return (
    <header className="stack">
      <a className="button small back-link" href={hrefTo('tasks')}>
        ← All tasks
      </a>
      <div>
        <h1>{taskTitle(view, tool)}</h1>
        <div className="row small muted">
          <span className={`badge ${tone}`} role="status" aria-label="State">
            {text}
          </span>
          {view.tool !== undefined && (
            <a href={hrefTo('tools', view.server, view.tool)}>
              <code>{visible(view.tool)}</code>
            </a>
          )}
          <span>
            of <a href={hrefTo('servers', view.server)}>{visible(server?.spec.name ?? 'a server')}</a>
          </span>
        </div>
      </div>
      <TaskActions view={view} server={server} />
    </header>
  )
}

function TaskActions({ view, server }: Omit<HeadProps, 'tool'>): JSX.Element {
  const { task, isFollowed } = view
  const { busy, problem, start } = useBusy()
  const named = { server: view.server, task: task.taskId }
  const isOver = hasEnded(task)
  const forget = async (): Promise<void> => {
    await run('task.forget', named)
    goTo('tasks')
  }
  return (
    <>
      <div className="row">
        {!isOver && view.problem === undefined && server !== undefined && canCancel(server) && (
          <button
            type="button"
            className="button small"
            disabled={busy}
            onClick={() => void start(() => run('task.cancel', named))}
          >
            Cancel task
          </button>
        )}
        {!isOver && !isFollowed && server?.status === 'connected' && (
          <button
            type="button"
            className="button small"
            disabled={busy}
            onClick={() => void start(() => run('task.follow', named))}
          >
            Look again
          </button>
        )}
        <CopyButton text={task.taskId} label="Copy id" />
        <a className="button small quiet" href={timelineAddress({ q: messagesOf(task.taskId) })}>
          Messages
        </a>
        {!isFollowed && (
          <button type="button" className="button small quiet" disabled={busy} onClick={() => void start(forget)}>
            Remove from list
          </button>
        )}
      </div>
      {problem !== undefined && <ProblemNotice problem={problem} />}
    </>
  )
}

/** The query that finds the messages about a task. */
const messagesOf = (id: string): string => `-kind:http "${id.split('"')[0]}"`

function TaskProgress({ view: { progress, task, isFollowed } }: { view: TaskView }): JSX.Element | null {
  if (!isFollowed || task.status !== 'working') return null
  const share = progress?.total ? { value: progress.progress, max: progress.total } : {}
  const words = [
    progress && `${progress.progress}${progress.total ? ` of ${progress.total}` : ''}`,
    progress?.message,
    task.statusMessage,
  ].filter(Boolean)
  return (
    <div className="progress-line">
      <progress {...share} aria-label="Progress" />
      <span className="small muted">{visible(words.join(' · ') || 'It works, and says no more.')}</span>
    </div>
  )
}
