import { type JSX, useState } from 'react'
import { hrefTo, useRoute } from '../state/route.ts'
import { useBench } from '../state/store.ts'
import { QuestionCard } from './question-card.tsx'

/** The oldest open question, over the corner of whatever screen is shown. */
export function QuestionDock(): JSX.Element | null {
  const all = useBench((bench) => bench.questions)
  const { screen, parts } = useRoute()
  const [put, putAway] = useState<string>()
  // The page of a task shows what that one asks.
  const questions = all.filter(
    ({ server, task }) => !(screen === 'tasks' && task !== undefined && server === parts[0] && task === parts[1]),
  )
  const [first] = questions
  if (first === undefined || screen === 'questions') return null
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
