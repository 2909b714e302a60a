import type { JSX } from 'react'
import type { Question } from '../../src/protocol.ts'
import { QuestionCard } from '../questions/question-card.tsx'
import { hrefTo } from '../state/route.ts'
import { NotifyButton } from './notify-button.tsx'

export const waits = (count: number): string => (count === 1 ? '1 question waits' : `${count} questions wait`)

interface Props {
  question: Question
  count: number
  later: () => void
}

/** The oldest open question. */
export function QuestionView({ question, count, later }: Props): JSX.Element {
  return (
    <div className="dock">
      <span className="visually-hidden" role="status">
        {count === 1 ? 'A server waits for you' : `${count} questions wait for you`}
      </span>
      <QuestionCard question={question} />
      <QuestionButtons question={question} later={later} />
    </div>
  )
}

/** The buttons of a question that do not answer it. */
function QuestionButtons({ question, later }: Omit<Props, 'count'>): JSX.Element {
  return (
    <div className="row question-buttons">
      <NotifyButton />
      {question.task !== undefined && (
        <a className="button small quiet" href={hrefTo('tasks', question.server, question.task)}>
          Go to the task
        </a>
      )}
      <button type="button" className="button small quiet" onClick={later}>
        Later
      </button>
    </div>
  )
}
