import type { RefusedInput } from '@tenon/sdk/client'
import { type JSX, useEffect, useId, useState } from 'react'
import type { SentRequest, TimelineEntry } from '../../src/protocol.ts'
import { visible } from '../content/visible.ts'
import { run } from '../state/api.ts'
import { CopyButton } from './copy-button.tsx'
import { ProblemNotice } from './problem.tsx'
import { useBusy } from './use-busy.ts'

const maxShown = 200_000

/** The request of a call and its answer as they went over the wire, for those who open it. */
export function WireTexts({ sent }: { sent: SentRequest }): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="small muted">Request and answer as text</summary>
      {isOpen && (
        <div className="stack">
          <WireText label="Request as it was sent" text={sent.text} />
          <CopyRequest key={`copy ${sent.row}`} row={sent.row} />
          <AnswerText key={sent.row} row={sent.row} />
        </div>
      )}
    </details>
  )
}

/** Buttons that copy the request as something that makes it again. */
function CopyRequest({ row }: { row: number }): JSX.Element | null {
  const [copyAs, setCopyAs] = useState<TimelineEntry['copyAs']>()
  useEffect(() => {
    run('timeline.get', { id: row }).then(
      (entry) => setCopyAs(entry.copyAs),
      () => {},
    )
  }, [row])
  if (copyAs === undefined) return null
  const { tenon, curl, typescript } = copyAs
  return (
    <div className="row">
      {typescript !== undefined && <CopyButton text={typescript} label="Copy as TypeScript" />}
      {tenon !== undefined && <CopyButton text={tenon} label="Copy as tenon command" />}
      {curl !== undefined && <CopyButton text={curl} label="Copy as curl" />}
    </div>
  )
}

/** The timeline has the answer, for as long as it is kept there. */
function AnswerText({ row }: { row: number }): JSX.Element | null {
  const [answer, setAnswer] = useState<TimelineEntry | 'none'>()
  const { problem, start } = useBusy()
  useEffect(() => {
    void start(async () => {
      const { pair } = await run('timeline.get', { id: row })
      setAnswer(pair === undefined ? 'none' : await run('timeline.get', { id: pair }))
    })
  }, [row, start])
  if (problem !== undefined) return <ProblemNotice problem={problem} />
  if (answer === undefined) return null
  if (answer === 'none') return <p className="small muted">No answer came.</p>
  if (answer.kind !== 'refused') return <WireText label="Answer as it came" text={answer.text} />
  const { input } = answer.payload as { input?: RefusedInput }
  if (input === undefined) return <p className="small muted">The bytes of the answer were not kept.</p>
  return <WireText label="Answer as it came" text={input.start} bytes={input.bytes} />
}

function WireText({ label, text, bytes }: { label: string; text: string; bytes?: number }): JSX.Element {
  const id = useId()
  const shown = text.slice(0, maxShown)
  const whole = bytes ?? new TextEncoder().encode(text).length
  const isCut = shown.length < text.length || (bytes !== undefined && new TextEncoder().encode(text).length < bytes)
  return (
    <div>
      <div className="block-head">
        <h3 id={id} className="grow">
          {label}
        </h3>
        <span className="small muted">
          {whole.toLocaleString('en')} bytes
          {isCut && `, of which the first ${shown.length.toLocaleString('en')} are here`}
        </span>
        <CopyButton text={text} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys have to reach that. */}
      <section className="plain-text mono wire-text" aria-labelledby={id} tabIndex={0}>
        {visible(shown)}
      </section>
    </div>
  )
}
