import { type JSX, useId, useState } from 'react'
import { isPlainObject, textOfDraft, Unread } from '../form/draft.ts'
import { JsonInput, UnreadProblem } from '../form/json-input.tsx'
import { parseNumber } from '../form/read-json.ts'
import { type Check, checksOf, checkValue, type ExpectDraft, operators, withChecks } from './checks.ts'

interface Props {
  expect: ExpectDraft
  change: (expect: ExpectDraft) => void
}

/** The expectation of a call: how it ends, the checks of its answer, and how long it may take. */
export function ExpectationEditor({ expect, change }: Props): JSX.Element {
  return (
    <fieldset className="bare stack" aria-label="Expectations">
      <EndChoice expect={expect} change={change} />
      <CheckRows expect={expect} change={change} />
      <ContentParts expect={expect} change={change} />
      <Limits expect={expect} change={change} />
    </fieldset>
  )
}

type End = 'works' | 'tool' | 'call'

function EndChoice({ expect, change }: Props): JSX.Element {
  const id = useId()
  const end: End = expect.error !== undefined ? 'call' : expect.isError === true ? 'tool' : 'works'
  const choose = (next: End): void => {
    const { error: _, isError: __, ...rest } = expect
    change({ ...rest, ...(next === 'tool' && { isError: true }), ...(next === 'call' && { error: true }) })
  }
  return (
    <div className="check-row">
      <label htmlFor={id}>The call</label>
      <select id={id} className="select" value={end} onChange={(event) => choose(event.target.value as End)}>
        <option value="works">works</option>
        <option value="tool">works, and the tool says that it failed</option>
        <option value="call">is refused with an error</option>
      </select>
      {end === 'call' && <ErrorCode expect={expect} change={change} />}
    </div>
  )
}

function ErrorCode({ expect, change }: Props): JSX.Element {
  const { error } = expect
  const known = isPlainObject(error) ? error : undefined
  const code = known === undefined ? error : known.code
  const set = (text: string): void => {
    const typed = text.trim()
    const next = typed === '' ? true : /^-?\d+$/.test(typed) ? Number(typed) : typed
    change({ ...expect, error: known === undefined ? next : { ...known, code: next } })
  }
  return (
    <input
      className="input"
      aria-label="Code of the error"
      placeholder="any code, or -32602"
      value={code === true || code === undefined ? '' : String(code)}
      onChange={(event) => set(event.target.value)}
    />
  )
}

const paths = [
  'text',
  'count',
  'structured',
  'content[0].text',
  'contents[0].mimeType',
  'messages[0].role',
  'error.message',
]

function CheckRows({ expect, change }: Props): JSX.Element {
  const id = useId()
  // Rows that say nothing yet are no part of the expectation.
  const [rows, setRows] = useState(() => checksOf(expect))
  const set = (next: Check[]): void => {
    setRows(next)
    change(withChecks(expect, next))
  }
  return (
    <div className="stack">
      <datalist id={`${id}-paths`}>
        {paths.map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
      {rows.map((check, index) => (
        <CheckRow
          key={String(index)}
          check={check}
          number={index + 1}
          id={`${id}-${index}`}
          read={checkValue(check, rows)}
          list={`${id}-paths`}
          change={(next) => set(rows.map((other, at) => (at === index ? next : other)))}
          remove={() => set(rows.filter((_, at) => at !== index))}
        />
      ))}
      <div>
        <button
          type="button"
          className="button small"
          onClick={() => setRows([...rows, { path: 'text', operator: 'contains', value: '' }])}
        >
          Add a check
        </button>
      </div>
    </div>
  )
}

interface RowProps {
  id: string
  check: Check
  /** The value that the row stands for. */
  read: unknown
  number: number
  list: string
  change: (check: Check) => void
  remove: () => void
}

function CheckRow({ id, check, read, number, list, change, remove }: RowProps): JSX.Element {
  return (
    <fieldset className="bare check-row" aria-label={`Check ${number}`}>
      <input
        className="input mono"
        aria-label="Part of the answer"
        list={list}
        value={check.path}
        spellCheck={false}
        onChange={(event) => change({ ...check, path: event.target.value })}
      />
      <select
        className="select"
        aria-label="How"
        value={check.operator}
        onChange={(event) => change({ ...check, operator: event.target.value })}
      >
        {operators.map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
      <textarea
        className="textarea mono one-line"
        aria-label="Value"
        aria-invalid={read instanceof Unread || undefined}
        aria-describedby={read instanceof Unread ? `${id}-problem` : undefined}
        rows={Math.min(6, check.value.split('\n').length)}
        value={check.value}
        spellCheck={false}
        onChange={(event) => change({ ...check, value: event.target.value })}
      />
      <button type="button" className="button small quiet icon" aria-label={`Remove check ${number}`} onClick={remove}>
        ✕
      </button>
      <UnreadProblem id={`${id}-problem`} value={read} />
    </fieldset>
  )
}

const parts: readonly [name: string, label: string][] = [
  ['structured', 'The structured content has at least'],
  ['structuredEquals', 'The structured content is exactly'],
  ['result', 'The result has at least'],
]

function ContentParts({ expect, change }: Props): JSX.Element {
  const id = useId()
  const [more, setMore] = useState<string[]>([])
  const shown = parts.filter(([name]) => expect[name] !== undefined || more.includes(name))
  const set = (name: string, value: unknown): void => {
    const { [name]: _, ...rest } = expect
    change(value === undefined ? rest : { ...rest, [name]: value })
  }
  return (
    <div className="stack">
      {shown.map(([name, label]) => (
        <div key={name}>
          <label htmlFor={`${id}-${name}`}>{label}</label>
          <JsonInput id={`${id}-${name}`} value={expect[name]} change={(value) => set(name, value)} rows={4} />
        </div>
      ))}
      <div className="row">
        {parts
          .filter((part) => !shown.includes(part))
          .map(([name, label]) => (
            <button key={name} type="button" className="button small" onClick={() => setMore([...more, name])}>
              {label}…
            </button>
          ))}
      </div>
    </div>
  )
}

function Limits({ expect, change }: Props): JSX.Element {
  const id = useId()
  const set = (name: string, value: unknown): void => {
    const { [name]: _, ...rest } = expect
    change(value === undefined ? rest : { ...rest, [name]: value })
  }
  return (
    <div className="row">
      <label className="row">
        <input
          type="checkbox"
          checked={expect.schema === true}
          onChange={(event) => set('schema', event.target.checked || undefined)}
        />
        Structured content fits the output schema
      </label>
      <span className="grow" />
      <label htmlFor={id} className="muted">
        Warn above
      </label>
      <input
        id={id}
        className="input short"
        inputMode="numeric"
        aria-invalid={expect.maxMs instanceof Unread || undefined}
        aria-describedby={expect.maxMs instanceof Unread ? `${id}-problem` : undefined}
        value={textOfDraft(expect.maxMs)}
        onChange={(event) => set('maxMs', parseNumber(event.target.value))}
      />
      <span className="muted">ms</span>
      <UnreadProblem id={`${id}-problem`} value={expect.maxMs} />
    </div>
  )
}
