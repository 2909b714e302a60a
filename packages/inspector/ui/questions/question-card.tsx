import type { JSX } from 'react'
import type { Answer, Question } from '../../src/protocol.ts'
import { visible } from '../content/visible.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { useBench } from '../state/store.ts'
import { FormQuestionView } from './form-question.tsx'
import { AuthorizationQuestionView, UrlQuestionView } from './link-questions.tsx'
import { SamplingView } from './sampling-question.tsx'

export type AnswerWith = (answer: Answer) => Promise<void>

const asks: { [Kind in Question['kind']]: string } = {
  form: 'asks you',
  url: 'wants you to open a page',
  sampling: 'asks the model',
  authorization: 'wants you to sign in',
}

/** A question of a server, with its name, and the possible answers. */
export function QuestionCard({ question }: { question: Question }): JSX.Element {
  const server = useBench((bench) => bench.servers.find(({ id }) => id === question.server))
  const { busy, problem, start } = useBusy()
  const name = visible(server?.spec.name ?? 'A server')
  const answer: AnswerWith = (given) => start(() => run('question.answer', { question: question.id, answer: given }))
  return (
    <section className="card question" aria-label={`${name} ${asks[question.kind]}`} data-question={question.kind}>
      <header>
        <h2>
          {name} <span className="muted">{asks[question.kind]}</span>
        </h2>
      </header>
      <fieldset className="body stack" disabled={busy}>
        <legend className="visually-hidden">Answer</legend>
        {question.kind === 'form' && <FormQuestionView question={question} answer={answer} />}
        {question.kind === 'url' && <UrlQuestionView question={question} answer={answer} />}
        {question.kind === 'sampling' && <SamplingView question={question} answer={answer} />}
        {question.kind === 'authorization' && <AuthorizationQuestionView question={question} answer={answer} />}
        {problem !== undefined && <ProblemNotice problem={problem} />}
      </fieldset>
    </section>
  )
}
