import { type JSX, useId } from 'react'
import { textOfDraft, Unread } from '../form/draft.ts'
import { JsonInput, UnreadProblem } from '../form/json-input.tsx'
import { parseNumber, readJsonObject } from '../form/read-json.ts'
import { CheckRows } from '../saved/check-rows.tsx'
import type { CallDraft, CaseDraft } from './case-draft.ts'

interface Props {
  draft: CaseDraft
  change: (part: Partial<CaseDraft>) => void
  /** The tools of the connected servers, as `server.tool`. */
  tools: readonly string[]
}

/** Everything that has to be true of a conversation: its calls, its answer, and its length. */
export function ChecksEditor({ draft, change, tools }: Props): JSX.Element {
  const id = useId()
  const set = (index: number, part: Partial<CallDraft>): void =>
    change({ calls: draft.calls.map((call, at) => (at === index ? { ...call, ...part } : call)) })
  return (
    <div className="stack eval-checks">
      <datalist id={`${id}-tools`}>
        {tools.map((tool) => (
          <option key={tool} value={tool} />
        ))}
      </datalist>
      <fieldset className="bare stack">
        <legend>The model calls</legend>
        {draft.calls.map((call, index) => (
          <CallRow
            key={String(index)}
            call={call}
            number={index + 1}
            list={`${id}-tools`}
            change={(part) => set(index, part)}
            remove={() => change({ calls: draft.calls.filter((_, at) => at !== index) })}
          />
        ))}
        <div>
          <button
            type="button"
            className="button small"
            onClick={() => change({ calls: [...draft.calls, { tool: '', arguments: undefined, outcome: '' }] })}
          >
            Add a call
          </button>
        </div>
      </fieldset>
      <div className="field">
        <label htmlFor={`${id}-never`}>It never calls</label>
        <textarea
          id={`${id}-never`}
          className="textarea mono one-line"
          rows={Math.min(6, draft.never.split('\n').length)}
          placeholder="server.delete_*"
          spellCheck={false}
          value={draft.never}
          onChange={(event) => change({ never: event.target.value })}
        />
      </div>
      <fieldset className="bare stack">
        <legend>The last answer</legend>
        <CheckRows part="text" expect={draft.text} change={(text) => change({ text })} />
      </fieldset>
      <div className="row number-fields">
        <NumberField label="Steps at most" value={draft.maxSteps} change={(maxSteps) => change({ maxSteps })} />
        <NumberField label="Tokens at most" value={draft.maxTokens} change={(maxTokens) => change({ maxTokens })} />
      </div>
    </div>
  )
}

const outcomes: readonly [name: string, words: string][] = [
  ['', 'any end'],
  ['ok', 'and it works'],
  ['error', 'and it fails'],
  ['refused', 'and it is refused'],
]

interface RowProps {
  call: CallDraft
  number: number
  list: string
  change: (part: Partial<CallDraft>) => void
  remove: () => void
}

function CallRow({ call, number, list, change, remove }: RowProps): JSX.Element {
  const id = useId()
  const { tool, outcome, arguments: args } = call
  const known = outcomes.some(([name]) => name === outcome) ? outcomes : [...outcomes, [outcome, outcome] as const]
  return (
    <fieldset className="bare call-row" aria-label={`Call ${number}`}>
      <input
        className="input mono"
        aria-label="Tool"
        placeholder="server.tool"
        list={list}
        spellCheck={false}
        value={tool}
        onChange={(event) => change({ tool: event.target.value })}
      />
      <select
        className="select"
        aria-label="How it ends"
        value={outcome}
        onChange={(event) => change({ outcome: event.target.value })}
      >
        {known.map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
      <div className="call-arguments">
        <JsonInput
          id={id}
          rows={args === undefined ? 1 : Math.min(8, textOfDraft(args).split('\n').length)}
          label="With at least these arguments"
          value={args}
          read={readJsonObject}
          change={(next) => change({ arguments: next })}
        />
      </div>
      <button type="button" className="button small quiet icon" aria-label={`Remove call ${number}`} onClick={remove}>
        ✕
      </button>
    </fieldset>
  )
}

interface NumberProps {
  label: string
  value: unknown
  change: (value: unknown) => void
  placeholder?: string
}

/** A number, or nothing. */
export function NumberField({ label, value, change, placeholder }: NumberProps): JSX.Element {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="input short"
        inputMode="decimal"
        autoComplete="off"
        placeholder={placeholder}
        aria-invalid={value instanceof Unread || undefined}
        aria-describedby={value instanceof Unread ? `${id}-problem` : undefined}
        value={textOfDraft(value)}
        onChange={(event) => change(parseNumber(event.target.value))}
      />
      <UnreadProblem id={`${id}-problem`} value={value} />
    </div>
  )
}
