import { type JSX, type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { visibleLine } from '../content/visible.ts'
import { suggestTerms, type TermSuggestion } from './suggest-terms.ts'
import { useKnownValues } from './use-known-values.ts'

interface Props {
  value: string
  change: (value: string) => void
  /** The parts of the query that were not understood. */
  problems: readonly string[]
}

/** The query of the timeline, with suggestions for the term at the cursor. */
export function QueryBox({ value, change, problems }: Props): JSX.Element {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [caret, setCaret] = useState<number>()
  const [at, setAt] = useState(0)
  const known = useKnownValues(caret !== undefined && /\bmethod:/i.test(value))
  const found = caret === undefined ? [] : suggestTerms(value, caret, known)
  const next = useRef<number>(undefined)
  useLayoutEffect(() => {
    if (next.current === undefined) return
    input.current?.setSelectionRange(next.current, next.current)
    next.current = undefined
  })
  const take = ({ query, caret: place }: TermSuggestion): void => {
    next.current = place
    change(query)
    setCaret(place)
    setAt(0)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const suggestion = found[at]
    if (by !== undefined && found.length > 0) setAt((at + by + found.length) % found.length)
    else if ((event.key === 'Enter' || event.key === 'Tab') && suggestion !== undefined && !event.shiftKey)
      take(suggestion)
    else if (event.key === 'Escape' && found.length > 0) setCaret(undefined)
    else {
      if (event.key === 'Escape' && value !== '') change('')
      return
    }
    event.preventDefault()
  }
  return (
    <div className="query-box">
      <input
        ref={input}
        type="search"
        className="input"
        role="combobox"
        aria-label="Filter messages"
        aria-keyshortcuts="/"
        aria-autocomplete="list"
        aria-expanded={found.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={found.length > 0 ? `${id}-${at}` : undefined}
        aria-invalid={problems.length > 0 || undefined}
        aria-describedby={problems.length > 0 ? `${id}-problems` : undefined}
        data-search
        placeholder="server:name method:tools/* status:error duration:>100ms text"
        value={value}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => {
          change(event.target.value)
          setCaret(event.target.selectionStart ?? event.target.value.length)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setCaret(undefined)}
      />
      <div id={`${id}-list`} role="listbox" aria-label="Terms" className="query-terms" hidden={found.length === 0}>
        {found.map((one, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the input above.
          // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus.
          <div
            key={one.label}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            className="query-term"
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(one)}
          >
            <span className="mono">{visibleLine(one.label)}</span>
            <span className="small muted">{one.about}</span>
          </div>
        ))}
      </div>
      {problems.length > 0 && (
        <p id={`${id}-problems`} className="issue small" role="status">
          {problems.join('; ')}
        </p>
      )}
    </div>
  )
}
