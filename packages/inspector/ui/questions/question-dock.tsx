import { type JSX, useState } from 'react'
import type { Question } from '../../src/protocol.ts'
import { showsAuthorization } from '../authorization/halt-notice.tsx'
import { hrefTo, type Route, useRoute } from '../state/route.ts'
import { useBench } from '../state/store.ts'
import { QuestionCard } from './question-card.tsx'

/** The oldest open question, over the corner of every screen. */
export function QuestionDock(): JSX.Element | null {
  const open = useBench((bench) => bench.questions)
  const route = useRoute()
  const [put, putAway] = useState<string>()
  const questions = open.filter((question) => !isShownInPage(question, route))
  const [first] = questions
  if (first === undefined || route.screen === 'questions') return null
  if (put === first.id) {
    return (
      <button type="button" className="button primary dock-button" onClick={() => putAway(undefined)}>
        {questions.length === 1 ? '1 question waits' : `${questions.length} questions wait`}
      </button>
    )
  }
  return (
    <aside className="dock" aria-label="A server asks">
      <div className="row dock-head">
        <span className="grow small" role="status">
          {questions.length === 1 ? 'A server waits for you' : `${questions.length} questions wait for you`}
        </span>
        {first.task !== undefined && (
          <a className="button small quiet" href={hrefTo('tasks', first.server, first.task)}>
            Go to the task
          </a>
        )}
        <button type="button" className="button small quiet" onClick={() => putAway(first.id)}>
          Later
        </button>
      </div>
      <QuestionCard key={first.id} question={first} />
    </aside>
  )
}

/** The page of a task shows the questions of the task, and a sign-in step by step shows its question as a step. */
function isShownInPage({ kind, server, task }: Question, route: Route): boolean {
  if (kind === 'authorization') return showsAuthorization(route, server)
  const [shownServer, shownTask] = route.screen === 'tasks' ? route.parts : []
  return task !== undefined && server === shownServer && task === shownTask
}
