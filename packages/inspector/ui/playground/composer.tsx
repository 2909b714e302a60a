import { type JSX, useId } from 'react'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { useKept } from '../state/use-kept.ts'

/** The next message. */
export function Composer({ answering }: { answering: boolean }): JSX.Element {
  const id = useId()
  const [text, setText] = useKept('playground message', () => '')
  const { busy, problem, start } = useBusy()
  const send = (): void => {
    if (text.trim() === '' || answering || busy) return
    void start(async () => {
      await run('playground.send', { text })
      setText('')
    })
  }
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <label className="visually-hidden" htmlFor={id}>
        Message
      </label>
      <div className="composer-line">
        <textarea
          id={id}
          className="textarea"
          rows={2}
          placeholder="Write to the model. Shift+Enter begins a new line."
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
            event.preventDefault()
            send()
          }}
        />
        {answering ? (
          <button type="button" className="button" onClick={() => void run('playground.stop', {})}>
            Stop
          </button>
        ) : (
          <button type="submit" className="button primary" disabled={busy || text.trim() === ''}>
            Send
          </button>
        )}
      </div>
    </form>
  )
}
