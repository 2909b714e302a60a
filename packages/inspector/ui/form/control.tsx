import { type JSX, useId, useState } from 'react'
import { writeExact } from '../../src/exact-json.ts'
import { visible } from '../content/visible.ts'
import { isPlainObject, Unread } from './draft.ts'
import type { PartProps } from './field.tsx'
import { Fields } from './field.tsx'
import { JsonInput, UnreadProblem } from './json-input.tsx'
import { ListControl } from './list-control.tsx'
import { parseExactNumber, readExactJson } from './read-json.ts'
import { type Described, labelOf, type Option, type Shape } from './shape.ts'
import { UnionControl } from './union-control.tsx'
import { initialValue } from './values.ts'

export interface ControlProps extends PartProps {
  id: string
  name: string
  required: boolean
  described: Described
  describedBy: string
}

// Deeper than this a schema may refer to itself without end; JSON can be written for the rest.
const maxDepth = 12

/** The input for a value, by its shape. */
export function Control(props: ControlProps): JSX.Element {
  const { described, depth, value, change, required, id, describedBy, issues, path } = props
  const { shape } = described
  const attributes = {
    id,
    'aria-describedby': describedBy === '' ? undefined : describedBy,
    'aria-invalid': issues.has(path) || undefined,
  }
  if (depth > maxDepth || !canShow(shape, value))
    return <JsonInput {...attributes} value={value} change={change} read={readExactJson} />
  switch (shape.kind) {
    case 'text':
      return <TextInput {...attributes} {...props} input={shape.input} />
    case 'number':
      return <NumberInput {...attributes} value={value} change={change} integer={shape.integer} />
    case 'boolean':
      return required && value !== undefined ? (
        <Checkbox {...attributes} {...props} />
      ) : (
        <Choice {...attributes} {...props} options={yesOrNo} />
      )
    case 'constant':
      return <ConstantControl {...attributes} {...props} constant={shape.value} />
    case 'choice':
      return <Choice {...attributes} {...props} options={shape.options} />
    case 'choices':
      return <Choices {...props} options={shape.options} />
    case 'object':
      return <ObjectControl {...props} />
    case 'list':
      return <ListControl {...props} item={shape.item} />
    case 'union':
      return <UnionControl {...props} variants={shape.variants} />
    case 'json':
      return <JsonInput {...attributes} value={value} change={change} read={readExactJson} />
  }
}

/** Whether a control can show a value: one of another type, which may come from JSON, would be sent without being seen. */
function canShow(shape: Shape, value: unknown): boolean {
  if (value === undefined) return true
  switch (shape.kind) {
    case 'text':
      return typeof value === 'string'
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint' || value instanceof Unread
    case 'boolean':
      return typeof value === 'boolean'
    case 'choices':
      return Array.isArray(value) && isSelection(value, shape.options)
    case 'object':
      return isPlainObject(value)
    case 'list':
      return Array.isArray(value)
    default:
      return !(value instanceof Unread) || shape.kind === 'union' || shape.kind === 'json'
  }
}

/** Whether checkboxes can show a list: some of the options, each once, in their order. */
function isSelection(items: readonly unknown[], options: readonly Option[]): boolean {
  const keys = options.map(({ value }) => writeExact(value))
  const places = items.map((item) => (item instanceof Unread ? -1 : keys.indexOf(writeExact(item))))
  return places.every((place, at) => place > (places[at - 1] ?? -1))
}

interface Attributes {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

// Inputs of type email, url and date show other texts than they hold, or none at all.
const inputModes = { email: 'email', url: 'url' } as const
const hints = { date: '2026-12-31', datetime: '2026-12-31T12:00:00Z', time: '12:00:00Z' } as const

function TextInput(
  props: Attributes & ControlProps & { input: Extract<Shape, { kind: 'text' }>['input'] },
): JSX.Element {
  const { input, value, required, change, described } = props
  const text = typeof value === 'string' ? value : ''
  // An emptied field that may be missing is missing; one that has to be there is an empty text.
  const set = (next: string): void => change(next === '' && !required ? undefined : next)
  const example = Array.isArray(described.schema.examples) ? described.schema.examples[0] : undefined
  const hint = typeof example === 'string' ? example : hints[input as keyof typeof hints]
  const shared = {
    id: props.id,
    'aria-describedby': props['aria-describedby'],
    'aria-invalid': props['aria-invalid'],
    'aria-required': required || undefined,
    value: text,
    placeholder: hint ?? (value === undefined ? 'not set' : ''),
    spellCheck: false,
  }
  // A single line cannot show where a line ends.
  if (input === 'long' || text.includes('\n'))
    return <textarea {...shared} className="textarea" onChange={(event) => set(event.target.value)} />
  return (
    <input
      {...shared}
      className="input"
      inputMode={inputModes[input as keyof typeof inputModes]}
      autoComplete="off"
      onChange={(event) => set(event.target.value)}
    />
  )
}

function NumberInput(
  props: Attributes & { value: unknown; change: (value: unknown) => void; integer: boolean },
): JSX.Element {
  const { value, change, integer, ...attributes } = props
  const [typed, setTyped] = useState<{ text: string; means: unknown }>()
  const isUnread = value instanceof Unread
  // The typed text is shown for as long as it means the number, as "1.0" does for 1.
  const shown = isUnread ? value.text : typed?.means === value ? typed?.text : String(value ?? '')
  const describedBy = [isUnread ? `${props.id}-number` : '', props['aria-describedby'] ?? ''].join(' ').trim()
  return (
    <>
      <input
        {...attributes}
        aria-describedby={describedBy === '' ? undefined : describedBy}
        aria-invalid={isUnread || props['aria-invalid']}
        className="input number"
        inputMode={integer ? 'numeric' : 'decimal'}
        autoComplete="off"
        placeholder="not set"
        value={shown ?? ''}
        onChange={(event) => {
          const read = parseExactNumber(event.target.value)
          setTyped({ text: event.target.value, means: read })
          change(read)
        }}
        onBlur={() => setTyped(undefined)}
      />
      <UnreadProblem id={`${props.id}-number`} value={value} />
    </>
  )
}

function Checkbox({ id, value, change, ...props }: Attributes & ControlProps): JSX.Element {
  return (
    <input
      id={id}
      type="checkbox"
      aria-describedby={props['aria-describedby']}
      checked={value === true}
      onChange={(event) => change(event.target.checked)}
    />
  )
}

const yesOrNo: Option[] = [
  { value: true, label: 'true' },
  { value: false, label: 'false' },
]

function Choice(props: Attributes & ControlProps & { options: Option[] }): JSX.Element {
  const { options, value, change } = props
  const at = options.findIndex((option) => writeExact(option.value) === writeExact(value))
  // A value that is none of the options, which may come from JSON or a default, is shown as what it is.
  const isOther = at === -1 && value !== undefined
  return (
    <select
      id={props.id}
      className="select"
      aria-describedby={props['aria-describedby']}
      aria-invalid={props['aria-invalid']}
      value={isOther ? 'other' : at}
      onChange={(event) => change(options[Number(event.target.value)]?.value)}
    >
      <option value={-1}>not set</option>
      {isOther && (
        <option value="other" disabled>
          {visible(labelOf(value))}
        </option>
      )}
      {options.map(({ label }, index) => (
        <option key={String(index)} value={index}>
          {visible(label)}
        </option>
      ))}
    </select>
  )
}

function Choices({ options, value, change }: ControlProps & { options: Option[] }): JSX.Element {
  const id = useId()
  const chosen = Array.isArray(value) ? value.map((item) => writeExact(item)) : []
  const toggle = (toggled: Option, on: boolean): void => {
    const key = writeExact(toggled.value)
    change(
      options
        .filter((option) => {
          const other = writeExact(option.value)
          return other === key ? on : chosen.includes(other)
        })
        .map((option) => option.value),
    )
  }
  return (
    <div className="row choices">
      {options.map((option, index) => (
        <label key={option.label} htmlFor={`${id}-${index}`} className="row">
          <input
            id={`${id}-${index}`}
            type="checkbox"
            checked={chosen.includes(writeExact(option.value))}
            onChange={(event) => toggle(option, event.target.checked)}
          />
          {visible(option.label)}
        </label>
      ))}
    </div>
  )
}

function ConstantControl(props: Attributes & ControlProps & { constant: unknown }): JSX.Element {
  const { constant, required } = props
  // Only the constant itself is shown as text; any other value can be seen, and changed, as a choice.
  if (required && writeExact(props.value) === writeExact(constant))
    return <code id={props.id}>{visible(writeExact(constant))}</code>
  return <Choice {...props} options={[{ value: constant, label: labelOf(constant) }]} />
}

function ObjectControl(props: ControlProps): JSX.Element {
  const { value, change, described, root } = props
  if (value === undefined) {
    return (
      <button
        type="button"
        className="button small"
        onClick={() => change(initialValue({ ...described.schema, default: {} }, root) ?? {})}
      >
        Set {visible(props.name)}
      </button>
    )
  }
  return (
    <div className="nested">
      <Fields {...props} />
    </div>
  )
}
