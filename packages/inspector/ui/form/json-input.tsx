import { type JSX, useState } from 'react'
import { textOfDraft, Unread } from './draft.ts'
import { readJson } from './read-json.ts'

interface Props {
  id: string
  value: unknown
  /** Gets an `Unread` for as long as the text is no value. */
  change: (value: unknown) => void
  /** Makes a value of the text, or an `Unread`. */
  read?: (text: string) => unknown
  rows?: number
  label?: string
  'aria-describedby'?: string | undefined
  'aria-invalid'?: true | undefined
}

/** Any value, written as JSON; an empty text is no value. */
export function JsonInput({ id, value, change, read = readJson, rows = 3, label, ...aria }: Props): JSX.Element {
  const [typed, setTyped] = useState<{ text: string; means: string }>()
  const current = textOfDraft(value)
  // A typed text is shown for as long as it means the value, however it is spaced.
  const text = typed?.means === current ? typed.text : current
  const problem = value instanceof Unread ? value.problem : undefined
  const describedBy = [problem === undefined ? undefined : `${id}-json`, aria['aria-describedby']].filter(Boolean)
  const set = (next: string): void => {
    const made = read(next)
    setTyped({ text: next, means: textOfDraft(made) })
    change(made)
  }
  return (
    <>
      <textarea
        id={id}
        className="textarea mono"
        rows={rows}
        value={text}
        aria-label={label}
        aria-invalid={problem !== undefined || aria['aria-invalid']}
        aria-describedby={describedBy.length === 0 ? undefined : describedBy.join(' ')}
        placeholder="JSON"
        spellCheck={false}
        onChange={(event) => set(event.target.value)}
      />
      <UnreadProblem id={`${id}-json`} value={value} />
    </>
  )
}

/** Says beside a field why its text is no value. */
export function UnreadProblem({ id, value }: { id: string; value: unknown }): JSX.Element | null {
  if (!(value instanceof Unread)) return null
  return (
    <p id={id} className="issue small">
      {value.problem}
    </p>
  )
}
