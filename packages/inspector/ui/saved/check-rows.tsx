import { type JSX, useId, useState } from 'react'
import { Unread } from '../form/draft.ts'
import { UnreadProblem } from '../form/json-input.tsx'
import { type Check, checksOf, checkValue, type ExpectDraft, operators, withChecks } from './checks.ts'

const paths = [
  'text',
  'count',
  'structured',
  'content[0].text',
  'contents[0].mimeType',
  'messages[0].role',
  'error.message',
]

interface Props {
  expect: ExpectDraft
  change: (expect: ExpectDraft) => void
  /** The only part that is checked; any one if it is missing. */
  part?: string
}

/** The checks of an answer, a row each. */
export function CheckRows({ expect, change, part }: Props): JSX.Element {
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
          list={part === undefined ? `${id}-paths` : undefined}
          change={(next) => set(rows.map((other, at) => (at === index ? next : other)))}
          remove={() => set(rows.filter((_, at) => at !== index))}
        />
      ))}
      <div>
        <button
          type="button"
          className="button small"
          onClick={() => setRows([...rows, { path: part ?? 'text', operator: 'contains', value: '' }])}
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
  /** The list of parts to choose from; without one the part stays as it is. */
  list: string | undefined
  change: (check: Check) => void
  remove: () => void
}

function CheckRow({ id, check, read, number, list, change, remove }: RowProps): JSX.Element {
  return (
    <fieldset className={list === undefined ? 'bare check-row short' : 'bare check-row'} aria-label={`Check ${number}`}>
      {list !== undefined && (
        <input
          className="input mono"
          aria-label="Part of the answer"
          list={list}
          value={check.path}
          spellCheck={false}
          onChange={(event) => change({ ...check, path: event.target.value })}
        />
      )}
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
