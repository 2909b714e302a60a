import { type JSX, useId, useState } from 'react'
import { isPlainObject, textOfDraft, Unread } from '../form/draft.ts'
import { JsonInput, UnreadProblem } from '../form/json-input.tsx'
import { parseNumber } from '../form/read-json.ts'
import { CheckRows } from './check-rows.tsx'
import type { ExpectDraft } from './checks.ts'

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
