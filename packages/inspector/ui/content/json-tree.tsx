import { type JSX, useState } from 'react'
import { visible } from './visible.ts'

const firstShown = 100
const maxText = 2_000

interface Props {
  value: unknown
  name?: string | undefined
  /** How many levels are open to begin with. */
  open?: number
}

/** A JSON value whose parts can be opened and closed. Only open parts are rendered. */
export function JsonTree({ value, open = 2 }: Props): JSX.Element {
  return (
    <div className="json-tree mono">
      <JsonNode value={value} open={open} />
    </div>
  )
}

function JsonNode({ value, name, open = 0 }: Props): JSX.Element {
  if (typeof value !== 'object' || value === null) {
    return (
      <div className="json-line">
        <JsonName name={name} />
        <JsonLeaf value={value} />
      </div>
    )
  }
  return <JsonBranch value={value} name={name} open={open} />
}

function JsonBranch({ value, name, open = 0 }: Props & { value: object }): JSX.Element {
  const [shown, setShown] = useState(open > 0)
  const [limit, setLimit] = useState(firstShown)
  const isArray = Array.isArray(value)
  const entries = Object.entries(value)
  const summary = isArray ? `[${entries.length}]` : `{${entries.length}}`
  if (entries.length === 0) {
    return (
      <div className="json-line">
        <JsonName name={name} />
        <span className="json-mark">{isArray ? '[]' : '{}'}</span>
      </div>
    )
  }
  return (
    <details className="json-branch" open={shown} onToggle={(event) => setShown(event.currentTarget.open)}>
      <summary>
        <JsonName name={name} />
        <span className="json-mark">{summary}</span>
      </summary>
      {shown && (
        <div className="json-children">
          {entries.slice(0, limit).map(([key, child]) => (
            <JsonNode key={key} value={child} name={key} open={open - 1} />
          ))}
          {entries.length > limit && (
            <button type="button" className="button small" onClick={() => setLimit(limit * 10)}>
              {entries.length - limit} more
            </button>
          )}
        </div>
      )}
    </details>
  )
}

const JsonName = ({ name }: { name: string | undefined }): JSX.Element | null =>
  name === undefined ? null : <span className="json-name">{visible(name)}: </span>

function JsonLeaf({ value }: { value: unknown }): JSX.Element {
  const [all, setAll] = useState(false)
  if (typeof value === 'bigint') return <span className="json-number">{String(value)}</span>
  if (typeof value !== 'string') return <span className={`json-${typeof value}`}>{String(value)}</span>
  const long = value.length > maxText && !all
  return (
    <span className="json-string">
      "{visible(long ? value.slice(0, maxText) : value)}"
      {long && (
        <button type="button" className="button small" onClick={() => setAll(true)}>
          {value.length - maxText} more characters
        </button>
      )}
    </span>
  )
}
