import type { JSX } from 'react'
import type { AuthorizationQuestion, UrlQuestion } from '../../src/protocol.ts'
import { visible, visibleLine } from '../content/visible.ts'
import type { AnswerWith } from './question-card.tsx'

const isWeb = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)

/** The whole address, with the part that says whose page it is set off. */
function Address({ url }: { url: string }): JSX.Element {
  if (!isWeb(url)) return <p className="mono address">{visibleLine(url)}</p>
  const { protocol, host, href, origin } = new URL(url)
  return (
    <p className="mono address">
      {`${protocol}//`}
      <strong>{visibleLine(host)}</strong>
      {visibleLine(href.slice(origin.length))}
    </p>
  )
}

/** A page that a server wants to be opened: nothing is opened before the person has seen where it leads. */
export function UrlQuestionView({ question, answer }: { question: UrlQuestion; answer: AnswerWith }): JSX.Element {
  const { message, url } = question
  return (
    <>
      <p className="pre-line">{visible(message)}</p>
      <Address url={url} />
      {!isWeb(url) && <p className="issue">Only http and https are opened.</p>}
      <div className="row answer-foot">
        {isWeb(url) && (
          <a
            className="button primary"
            href={url}
            target="_blank"
            rel="noopener noreferrer"
            onClick={() => void answer({ action: 'accept' })}
          >
            Open the page
          </a>
        )}
        <button type="button" className="button" onClick={() => void answer({ action: 'decline' })}>
          Decline
        </button>
        <button type="button" className="button quiet" onClick={() => void answer({ action: 'cancel' })}>
          Cancel
        </button>
      </div>
    </>
  )
}

/** The page of an authorization server; the person comes back by themselves. */
export function AuthorizationQuestionView(props: { question: AuthorizationQuestion; answer: AnswerWith }): JSX.Element {
  const { question, answer } = props
  return (
    <>
      <p>The server wants to know who you are. Sign in on this page; the workbench goes on when you are back.</p>
      <Address url={question.url} />
      <div className="row answer-foot">
        {isWeb(question.url) && (
          <a className="button primary" href={question.url} target="_blank" rel="noopener noreferrer">
            Sign in
          </a>
        )}
        <button type="button" className="button" onClick={() => void answer({ action: 'cancel' })}>
          Not now
        </button>
      </div>
    </>
  )
}
