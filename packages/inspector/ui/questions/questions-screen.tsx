import type { JSX } from 'react'
import { Empty } from '../parts/empty.tsx'
import { Icon } from '../parts/icon.tsx'
import { Term } from '../parts/term.tsx'
import { hrefTo } from '../state/route.ts'
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
          <p>
            A tool that needs to know something (<Term>elicitation</Term>), or wants a model to write (
            <Term>sampling</Term>), shows its question here and in the panel of every page.
          </p>
          <a className="button primary" href={hrefTo('tools')}>
            <Icon name="tools" />
            Go to the tools
          </a>
        </Empty>
      )}
    </div>
  )
}
