import { type JSX, useState } from 'react'

interface Props {
  id: string
  value: unknown
  change: (value: unknown) => void
  rows?: number
  label?: string
  /** Told while what is written is no JSON. */
  broken?: (problem: string | undefined) => void
}

const toText = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, undefined, 2))

/** Any value, written as JSON; nothing is no value. What is no JSON yet stays here. */
export function JsonInput({ id, value, change, rows = 3, label, broken }: Props): JSX.Element {
  const [typed, setTyped] = useState<{ text: string; means: string }>()
  const [problem, setProblem] = useState<string>()
  const current = toText(value)
  // What is typed is shown for as long as it means the value, however it is spaced.
  const text = typed !== undefined && (problem !== undefined || typed.means === current) ? typed.text : current
  const set = (next: string): void => {
    const { found, wrong } = parse(next)
    setTyped({ text: next, means: wrong === undefined ? toText(found) : current })
    setProblem(wrong)
    broken?.(wrong)
    if (wrong === undefined) change(found)
  }
  return (
    <>
      <textarea
        id={id}
        className="textarea mono"
        rows={rows}
        value={text}
        aria-label={label}
        aria-invalid={problem !== undefined || undefined}
        aria-describedby={problem === undefined ? undefined : `${id}-json`}
        placeholder="JSON"
        spellCheck={false}
        onChange={(event) => set(event.target.value)}
      />
      {problem !== undefined && (
        <p id={`${id}-json`} className="issue small">
          {problem}
        </p>
      )}
    </>
  )
}

function parse(text: string): { found?: unknown; wrong?: string } {
  if (text.trim() === '') return {}
  try {
    return { found: JSON.parse(text) }
  } catch (error) {
    return { wrong: `No JSON yet: ${(error as Error).message}` }
  }
}
