import { type JSX, useId, useMemo, useState } from 'react'
import { checkerFor, type Issues } from './check.ts'
import { Fields } from './field.tsx'
import { JsonInput } from './json-input.tsx'
import type { Schema } from './resolve.ts'
import { describe } from './shape.ts'

interface Props {
  schema: Schema
  value: unknown
  change: (value: unknown) => void
  /** Whether what is wrong is shown: not before somebody has tried. */
  showIssues: boolean
  /** What the form is for, to name it. */
  label: string
}

/** What does not fit a schema, and whether the schema can be used at all. */
export function useIssues(schema: Schema, value: unknown): { issues: Issues; problem: string | undefined } {
  const checker = useMemo(() => checkerFor(schema), [schema])
  const issues = useMemo(() => checker.issues(value ?? {}), [checker, value])
  return { issues, problem: checker.problem }
}

const none: Issues = new Map()

/** A form for an object, made from its schema; or its JSON, for whoever prefers to write. */
export function SchemaForm({ schema, value, change, showIssues, label }: Props): JSX.Element {
  const id = useId()
  const { shape } = describe(schema, schema)
  const hasFields = shape.kind === 'object' && (shape.fields.length > 0 || shape.extra !== undefined)
  const [asJson, setAsJson] = useState(shape.kind !== 'object')
  const { issues, problem } = useIssues(schema, value)
  const shown = showIssues ? issues : none
  const atRoot = shown.get('') ?? []
  return (
    <fieldset className="form bare" aria-label={label}>
      <div className="row form-head">
        <h2 className="grow">{label}</h2>
        <button type="button" className="button small quiet" aria-pressed={asJson} onClick={() => setAsJson(!asJson)}>
          JSON
        </button>
      </div>
      {problem !== undefined && (
        <div className="notice warn">
          <strong>The schema of this tool cannot be used, so nothing is checked here</strong>
          <span>{problem}</span>
        </div>
      )}
      {asJson && (
        <JsonInput id={id} label={`${label} as JSON`} rows={10} value={value} change={(next) => change(next ?? {})} />
      )}
      {!asJson && !hasFields && <p className="muted">Nothing to fill in.</p>}
      {!asJson && (
        <Fields schema={schema} root={schema} path="" value={value} change={change} issues={shown} depth={0} />
      )}
      {atRoot.length > 0 && <p className="issue small">{atRoot.join('; ')}</p>}
      {asJson && showIssues && issues.size > 0 && (
        <ul className="issue small">
          {[...issues].map(([path, messages]) => (
            <li key={path}>
              <code>{path || '/'}</code> {messages.join('; ')}
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  )
}
