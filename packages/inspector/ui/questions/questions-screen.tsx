import type { JSX } from 'react'
import { Empty } from '../parts/empty.tsx'
import { useBench } from '../state/store.ts'
import { QuestionCard } from './question-card.tsx'

/** Everything that servers wait for. */
export function QuestionsScreen(): JSX.Element {
  const questions = useBench((bench) => bench.questions)
  return (
    <div className="column stack wide">
      <header>
        <h1>Questions</h1>
        <p className="muted">Questions of servers to you, or to the model, while they work.</p>
      </header>
      {questions.map((question) => (
        <QuestionCard key={question.id} question={question} />
      ))}
      {questions.length === 0 && (
        <Empty title="No open questions">
          <p>A tool that needs to know something, or wants a model to write, shows its question here.</p>
        </Empty>
      )}
    </div>
  )
}
