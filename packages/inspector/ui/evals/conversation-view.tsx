import { type JSX, useState } from 'react'
import type { EvalCallView, EvalConversation, PlaygroundAnswer } from '../../src/protocol.ts'
import { duration } from '../content/format.ts'
import { visible, visibleLine } from '../content/visible.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { AnswerView } from '../playground/answer-view.tsx'
import { run } from '../state/api.ts'
import { timelineAddress } from '../timeline/address.ts'

/** One conversation: the checks that failed, its calls with their messages, and all of it when it is opened. */
export function ConversationView(props: { suite: string; conversation: EvalConversation }): JSX.Element {
  const { suite, conversation } = props
  const { status, name, model, steps, tokens, durationMs, failures, calls } = conversation
  const facts = [steps === 1 ? '1 step' : `${steps} steps`, `${tokens} tokens`, duration(durationMs)]
  return (
    <article className="conversation" aria-label={`${visibleLine(name)} with ${visibleLine(model)}`}>
      <div className="row">
        <span className={status === 'passed' ? 'badge ok' : 'badge danger'}>{status}</span>
        <strong>{visible(name)}</strong>
        <span className="small mono">{visible(model)}</span>
        <span className="grow" />
        <span className="small muted">{facts.join(' · ')}</span>
      </div>
      {failures.map(({ path, message, line }) => (
        <div key={`${path} ${message}`} className="notice danger failure">
          <strong>
            <code>{visible(path)}</code> {visible(message)}
          </strong>
          {line !== undefined && <span className="small muted">line {line} of the file</span>}
        </div>
      ))}
      {calls.length > 0 && (
        <ul className="row eval-calls" aria-label="Tool calls">
          {calls.map((call, index) => (
            <li key={String(index)}>
              <CallLink call={call} />
            </li>
          ))}
        </ul>
      )}
      <Transcript suite={suite} number={conversation.number} />
    </article>
  )
}

/** A tool call, which leads to its messages in the timeline. */
function CallLink({ call: { tool, outcome, row } }: { call: EvalCallView }): JSX.Element {
  const words = (
    <>
      <span className="mono">{visible(tool)}</span>
      {outcome !== undefined && outcome !== 'ok' && <span className="badge warn">{outcome}</span>}
    </>
  )
  if (row === undefined) return <span className="row small">{words}</span>
  return (
    <a
      className="row small"
      href={timelineAddress({ q: `of:${row}` })}
      title="The messages of this call, in the timeline"
    >
      {words}
    </a>
  )
}

/** The whole conversation, which is loaded when it is opened. */
function Transcript({ suite, number }: { suite: string; number: number }): JSX.Element {
  const [loaded, setLoaded] = useState<{ prompt: string; answer: PlaygroundAnswer }>()
  const { problem, start } = useBusy()
  const open = (isOpen: boolean): void => {
    if (isOpen && loaded === undefined) {
      void start(async () => setLoaded(await run('evals.conversation', { suite, number })))
    }
  }
  return (
    <details onToggle={(event) => open(event.currentTarget.open)}>
      <summary className="small muted">Transcript</summary>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {loaded !== undefined && (
        <div className="stack transcript">
          <p className="pre-line message-of-person">{visible(loaded.prompt)}</p>
          <AnswerView answer={loaded.answer} />
        </div>
      )}
    </details>
  )
}
