import type { JSX } from 'react'
import type { Answer, Question } from '../../src/protocol.ts'
import { visible } from '../content/visible.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { Term } from '../parts/term.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { useBench } from '../state/store.ts'
import { ConsentView } from './consent-question.tsx'
import { FormQuestionView } from './form-question.tsx'
import { AuthorizationQuestionView, UrlQuestionView } from './link-questions.tsx'
import { SamplingView } from './sampling-question.tsx'

export type AnswerWith = (answer: Answer) => Promise<void>

/** How a question goes on after the name of its server. */
export const questionWords: { [Kind in Question['kind']]: string } = {
  form: 'asks you',
  url: 'wants you to open a page',
  sampling: 'asks the model',
  authorization: 'wants you to sign in',
  consent: 'has a tool that a model wants to call',
}

/** The request of the protocol that a question is. */
const terms: { [Kind in Question['kind']]?: string } = {
  form: 'elicitation/create',
  url: 'elicitation/create',
  sampling: 'sampling/createMessage',
  consent: 'tools/call',
}

/** A question of a server, or about one, with its name, and the possible answers. */
export function QuestionCard({ question }: { question: Question }): JSX.Element {
  const server = useBench((bench) => bench.servers.find(({ id }) => id === question.server))
  const { busy, problem, start } = useBusy()
  const name = visible(server?.spec.name ?? 'A server')
  const answer: AnswerWith = (given) => start(() => run('question.answer', { question: question.id, answer: given }))
  return (
    <section
      className="card question"
      aria-label={`${name} ${questionWords[question.kind]}`}
      data-question={question.kind}
    >
      <header>
        <h2>
          {name} <span className="muted">{questionWords[question.kind]}</span>{' '}
          {terms[question.kind] !== undefined && <Term>{terms[question.kind]!}</Term>}
        </h2>
      </header>
      <fieldset className="body stack" disabled={busy}>
        <legend className="visually-hidden">Answer</legend>
        {question.kind === 'form' && <FormQuestionView question={question} answer={answer} />}
        {question.kind === 'url' && <UrlQuestionView question={question} answer={answer} />}
        {question.kind === 'sampling' && <SamplingView question={question} answer={answer} />}
        {question.kind === 'authorization' && <AuthorizationQuestionView question={question} answer={answer} />}
        {question.kind === 'consent' && <ConsentView question={question} answer={answer} />}
        {problem !== undefined && <ProblemNotice problem={problem} />}
      </fieldset>
    </section>
  )
}
