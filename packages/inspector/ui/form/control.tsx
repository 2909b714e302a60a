import { type JSX, useId, useState } from 'react'
import { visible } from '../content/visible.ts'
import { ExtraMembers } from './extra-members.tsx'
import type { PartProps } from './field.tsx'
import { Fields } from './field.tsx'
import { JsonInput } from './json-input.tsx'
import { ListControl } from './list-control.tsx'
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

/** What a value is given with, by its shape. */
export function Control(props: ControlProps): JSX.Element {
  const { described, depth, value, change, required, id, describedBy, issues, path } = props
  const { shape } = described
  const attributes = {
    id,
    'aria-describedby': describedBy === '' ? undefined : describedBy,
    'aria-invalid': issues.has(path) || undefined,
  }
  if (depth > maxDepth) return <JsonInput {...attributes} value={value} change={change} />
  switch (shape.kind) {
    case 'text':
      return <TextInput {...attributes} {...props} input={shape.input} />
    case 'number':
      return <NumberInput {...attributes} value={value} change={change} integer={shape.integer} />
    case 'boolean':
      return required ? (
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
      return <ObjectControl {...props} shape={shape} />
    case 'list':
      return <ListControl {...props} item={shape.item} />
    case 'union':
      return <UnionControl {...props} variants={shape.variants} />
    case 'json':
      return <JsonInput {...attributes} value={value} change={change} />
  }
}

interface Attributes {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

const htmlTypes = { text: 'text', email: 'email', url: 'url', date: 'date', datetime: 'text', time: 'text' } as const

function TextInput(
  props: Attributes & ControlProps & { input: Extract<Shape, { kind: 'text' }>['input'] },
): JSX.Element {
  const { input, value, required, change, described } = props
  const text = typeof value === 'string' ? value : ''
  // An emptied field that may be missing is missing; one that has to be there is an empty text.
  const set = (next: string): void => change(next === '' && !required ? undefined : next)
  const example = Array.isArray(described.schema.examples) ? described.schema.examples[0] : undefined
  const hint = input === 'datetime' ? '2026-07-28T12:00:00Z' : typeof example === 'string' ? example : undefined
  const shared = {
    id: props.id,
    'aria-describedby': props['aria-describedby'],
    'aria-invalid': props['aria-invalid'],
    'aria-required': required || undefined,
    value: text,
    placeholder: hint ?? (value === undefined ? 'not set' : ''),
    spellCheck: false,
  }
  if (input === 'long')
    return <textarea {...shared} className="textarea" onChange={(event) => set(event.target.value)} />
  return (
    <input
      {...shared}
      className="input"
      type={htmlTypes[input]}
      autoComplete="off"
      onChange={(event) => set(event.target.value)}
    />
  )
}

function NumberInput(
  props: Attributes & { value: unknown; change: (value: unknown) => void; integer: boolean },
): JSX.Element {
  const { value, change, integer, ...attributes } = props
  // What is being typed, such as "-" or "1e", is not a number yet.
  const [typed, setTyped] = useState<string>()
  const shown =
    typed !== undefined && toNumber(typed) === value ? typed : value === undefined ? (typed ?? '') : String(value)
  return (
    <input
      {...attributes}
      className="input number"
      inputMode={integer ? 'numeric' : 'decimal'}
      autoComplete="off"
      placeholder="not set"
      value={shown}
      onChange={(event) => {
        setTyped(event.target.value)
        change(toNumber(event.target.value))
      }}
      onBlur={() => setTyped(undefined)}
    />
  )
}

function toNumber(text: string): number | undefined {
  const trimmed = text.trim()
  const found = Number(trimmed)
  return trimmed === '' || Number.isNaN(found) || !Number.isFinite(found) ? undefined : found
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
  const { options, value, change, required } = props
  const at = options.findIndex((option) => JSON.stringify(option.value) === JSON.stringify(value))
  return (
    <select
      id={props.id}
      className="select"
      aria-describedby={props['aria-describedby']}
      aria-invalid={props['aria-invalid']}
      value={at}
      onChange={(event) => change(options[Number(event.target.value)]?.value)}
    >
      {(at === -1 || !required) && <option value={-1}>{value === undefined ? 'not set' : labelOf(value)}</option>}
      {options.map(({ label }, index) => (
        <option key={label} value={index}>
          {visible(label)}
        </option>
      ))}
    </select>
  )
}

function Choices({ options, value, change }: ControlProps & { options: Option[] }): JSX.Element {
  const id = useId()
  const chosen = Array.isArray(value) ? value.map((item) => JSON.stringify(item)) : []
  const toggle = (toggled: Option, on: boolean): void => {
    const key = JSON.stringify(toggled.value)
    change(
      options
        .filter((option) => {
          const other = JSON.stringify(option.value)
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
            checked={chosen.includes(JSON.stringify(option.value))}
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
  if (required) return <code id={props.id}>{visible(JSON.stringify(constant))}</code>
  return <Choice {...props} options={[{ value: constant, label: labelOf(constant) }]} />
}

function ObjectControl(props: ControlProps & { shape: Extract<Shape, { kind: 'object' }> }): JSX.Element {
  const { shape, value, change, described, root } = props
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
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return <JsonInput id={props.id} value={value} change={change} />
  }
  return (
    <div className="nested">
      <Fields {...props} />
      {shape.extra !== undefined && <ExtraMembers {...props} shape={shape} extra={shape.extra} />}
    </div>
  )
}
