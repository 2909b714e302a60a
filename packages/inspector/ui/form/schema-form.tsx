import { type FocusEvent, type JSX, useId, useMemo, useState } from 'react'
import { checkerFor, type Issues } from './check.ts'
import { type Draft, draftOf, readObjectDraft, textOfDraft, Unread } from './draft.ts'
import { Fields } from './field.tsx'
import { JsonInput } from './json-input.tsx'
import { readExactJsonObject } from './read-json.ts'
import type { Schema } from './resolve.ts'
import { describe } from './shape.ts'

interface Props {
  schema: Schema
  draft: Draft
  change: (draft: Draft) => void
  /** Whether all validation errors are shown; before a person has tried, only those of fields that were filled in and left. */
  showIssues: boolean
  /** The name of the form. */
  label: string
}

/** The validation errors of a draft, and whether the schema can be used. A draft that stands for no value is not checked. */
export function useIssues(schema: Schema, draft: Draft): { issues: Issues; problem: string | undefined } {
  const checker = useMemo(() => checkerFor(schema, { formats: true }), [schema])
  const issues = useMemo(() => {
    const { value } = readObjectDraft(draft)
    return value === undefined ? none : checker.issues(value)
  }, [checker, draft])
  return { issues, problem: checker.problem }
}

const none: Issues = new Map()

/** A form for an object, made from its schema; or its JSON as text. */
export function SchemaForm({ schema, draft, change, showIssues, label }: Props): JSX.Element {
  const id = useId()
  const { shape } = describe(schema, schema)
  const hasFields = shape.kind === 'object' && (shape.fields.length > 0 || shape.extra !== undefined)
  const [prefersJson, setPrefersJson] = useState(shape.kind !== 'object' || (draft as unknown) instanceof Unread)
  const { issues, problem } = useIssues(schema, draft)
  const value: unknown = draft
  // Only JSON can show a text that is no object.
  const asJson = prefersJson || value instanceof Unread
  const [left, leave] = useLeftFields()
  const shown = showIssues ? issues : issuesAt(left, issues)
  const atRoot = shown.get('') ?? []
  const set = (next: unknown): void => change(draftOf(next))
  const toggle = (): void => {
    // As JSON, a field that was not read is a part of the text that was not read.
    if (!asJson && readObjectDraft(draft).problems !== undefined) set(readExactJsonObject(textOfDraft(draft)))
    setPrefersJson(!asJson)
  }
  return (
    <fieldset className="form bare" aria-label={label} onBlur={leave}>
      <div className="row form-head">
        <h2 className="grow">{label}</h2>
        <button
          type="button"
          className="button small quiet"
          aria-pressed={asJson}
          disabled={value instanceof Unread}
          onClick={toggle}
        >
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
        <JsonInput
          id={id}
          label={`${label} as JSON`}
          rows={10}
          value={value}
          change={set}
          read={readExactJsonObject}
          schema={problem === undefined ? schema : undefined}
        />
      )}
      {!asJson && !hasFields && <p className="muted">Nothing to fill in.</p>}
      {!asJson && <Fields schema={schema} root={schema} path="" value={value} change={set} issues={shown} depth={0} />}
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

/** The paths of fields that a person has filled in and left. An empty one is no mistake before the form is sent. */
function useLeftFields(): [ReadonlySet<string>, (event: FocusEvent) => void] {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const leave = ({ target }: FocusEvent): void => {
    const { path } = target.closest<HTMLElement>('[data-path]')?.dataset ?? {}
    const isFilled = 'value' in target && target.value !== ''
    if (path !== undefined && isFilled) setLeft((before) => (before.has(path) ? before : new Set(before).add(path)))
  }
  return [left, leave]
}

const issuesAt = (paths: ReadonlySet<string>, issues: Issues): Issues =>
  new Map([...issues].filter(([path]) => paths.has(path)))
