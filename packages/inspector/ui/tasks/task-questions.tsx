import type { JSX } from 'react'
import type { TaskView } from '../../src/protocol.ts'
import { QuestionCard } from '../questions/question-card.tsx'
import { useBench } from '../state/store.ts'

/** The questions of a task, on its page. */
export function TaskQuestions({ view }: { view: TaskView }): JSX.Element | null {
  const all = useBench((bench) => bench.questions)
  const questions = all.filter(({ server, task }) => server === view.server && task === view.task.taskId)
  if (questions.length > 0) {
    return (
      <>
        {questions.map((question) => (
          <QuestionCard key={question.id} question={question} />
        ))}
      </>
    )
  }
  if (view.task.status !== 'input_required' || view.problem !== undefined) return null
  return (
    <div className="notice warn">
      <strong>The task waits for input</strong>
      <span>
        {view.isFollowed
          ? 'Its question is on its way, or was answered a moment ago.'
          : 'Its question is shown here as soon as the task is looked after.'}
      </span>
    </div>
  )
}
