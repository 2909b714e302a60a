import { type JSX, useState } from 'react'
import { CodeEditor } from '../editor/code-editor.tsx'
import { textOfDraft, Unread } from './draft.ts'
import { readJson } from './read-json.ts'
import type { Schema } from './resolve.ts'

interface Props {
  id: string
  value: unknown
  /** Gets an `Unread` for as long as the text is no value. */
  change: (value: unknown) => void
  /** Makes a value of the text, or an `Unread`. */
  read?: (text: string) => unknown
  rows?: number
  label?: string
  /** Completes names and values, and marks those that do not fit. */
  schema?: Schema | undefined
  'aria-describedby'?: string | undefined
  'aria-invalid'?: true | undefined
}

/** The texts of values that were typed here, as they were typed: another look at the same value shows the same text. */
const typedTexts = new WeakMap<object, string>()

const typedFor = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null ? typedTexts.get(value) : undefined

/** Any value, written as JSON; an empty text is no value. */
export function JsonInput({
  id,
  value,
  change,
  read = readJson,
  rows = 3,
  label,
  schema,
  ...aria
}: Props): JSX.Element {
  const [typed, setTyped] = useState<{ text: string; means: string } | undefined>(() => {
    const text = typedFor(value)
    return text === undefined ? undefined : { text, means: textOfDraft(value) }
  })
  const current = textOfDraft(value)
  // A typed text is shown for as long as it means the value, however it is spaced.
  const text = typed?.means === current ? typed.text : current
  const problem = value instanceof Unread ? value.problem : undefined
  const describedBy = [problem === undefined ? undefined : `${id}-json`, aria['aria-describedby']].filter(Boolean)
  const set = (next: string): void => {
    const made = read(next)
    setTyped({ text: next, means: textOfDraft(made) })
    if (typeof made === 'object' && made !== null) typedTexts.set(made, next)
    change(made)
  }
  return (
    <>
      <CodeEditor
        id={id}
        text={text}
        change={set}
        language="json"
        rows={rows}
        label={label}
        placeholder="JSON"
        read={read}
        schema={schema}
        aria-invalid={problem !== undefined || aria['aria-invalid']}
        aria-describedby={describedBy.length === 0 ? undefined : describedBy.join(' ')}
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
