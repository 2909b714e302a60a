import { type JSX, useId, useState } from 'react'
import type { PlaygroundTurn } from '../../src/protocol.ts'
import { visible } from '../content/visible.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { AnswerView } from './answer-view.tsx'
import { SaveCase } from './save-case.tsx'

/** A message and its answers, side by side if there are two. */
export function TurnView({ turn, disabled }: { turn: PlaygroundTurn; disabled: boolean }): JSX.Element {
  const { id, text, answers } = turn
  return (
    <article className="turn">
      <Message turn={id} text={text} disabled={disabled} />
      <div className={answers.length > 1 ? 'answers two' : 'answers'}>
        {answers.map((answer, index) => (
          <AnswerView key={String(index)} answer={answer}>
            <SaveCase turn={id} index={index} />
          </AnswerView>
        ))}
      </div>
    </article>
  )
}

/** The words of the person, which can be changed and sent again: everything after them is taken back. */
function Message({ turn, text, disabled }: { turn: string; text: string; disabled: boolean }): JSX.Element {
  const id = useId()
  const [edited, setEdited] = useState<string>()
  const { busy, problem, start } = useBusy()
  const again = (words: string): Promise<void> => start(() => run('playground.send', { text: words, turn }))
  return (
    <section className="message-of-person" aria-label="You">
      {edited === undefined ? (
        <>
          <p className="pre-line">{visible(text)}</p>
          <div className="row">
            <button type="button" className="button small quiet" disabled={disabled} onClick={() => setEdited(text)}>
              Edit
            </button>
            <button
              type="button"
              className="button small quiet"
              disabled={disabled || busy}
              onClick={() => void again(text)}
            >
              Run again
            </button>
          </div>
        </>
      ) : (
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault()
            void again(edited)
          }}
        >
          <label className="field-label" htmlFor={id}>
            Your message, changed
          </label>
          <textarea id={id} className="textarea" value={edited} onChange={(event) => setEdited(event.target.value)} />
          <p className="small muted">The messages after this one are taken back.</p>
          <div className="row">
            <button type="submit" className="button small primary" disabled={disabled || busy || edited.trim() === ''}>
              Run from here
            </button>
            <button type="button" className="button small" onClick={() => setEdited(undefined)}>
              Cancel
            </button>
          </div>
        </form>
      )}
      {problem !== undefined && <ProblemNotice problem={problem} />}
    </section>
  )
}
