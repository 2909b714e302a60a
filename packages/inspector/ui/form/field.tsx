import { type JSX, type ReactNode, useId } from 'react'
import { visible } from '../content/visible.ts'
import { type Issues, pathOf } from './check.ts'
import { Control } from './control.tsx'
import { isPlainObject } from './draft.ts'
import { ExtraMembers } from './extra-members.tsx'
import { limitsOf } from './limits.ts'
import type { Schema } from './resolve.ts'
import { describe } from './shape.ts'

/** The props of every part of a form. */
export interface PartProps {
  schema: unknown
  root: Schema
  path: string
  value: unknown
  /** `undefined` takes the value away. */
  change: (value: unknown) => void
  issues: Issues
  depth: number
}

interface FieldProps extends PartProps {
  name: string
  required: boolean
  /** Buttons beside the label, such as those that move an item. */
  actions?: ReactNode
  /** An item of a list: where its value is one input, all of it is one line. */
  isItem?: boolean
}

/** A value with its label, description, input and validation errors. */
export function Field({ name, required, actions, isItem = false, ...part }: FieldProps): JSX.Element {
  const { schema, root, path, value, change, issues } = part
  const id = useId()
  const described = describe(schema, root)
  const { title = name, description, nullable } = described
  const found = issues.get(path) ?? []
  const isGroup = groups.has(described.shape.kind)
  const limits = limitsOf(described)
  const describedBy = [
    description === undefined ? '' : `${id}-about`,
    limits === '' ? '' : `${id}-limits`,
    found.length > 0 ? `${id}-issues` : '',
  ]
  return (
    <div
      data-path={path}
      className={isItem && !isGroup ? 'field item' : 'field'}
      {...(isGroup && { role: 'group', 'aria-labelledby': `${id}-label` })}
    >
      <div className="field-head">
        <FieldLabel id={id} name={name} title={title} isGroup={isGroup} isMarked={required && !isItem} />
        <span className="row field-actions">
          <ValueActions title={title} value={value} change={change} nullable={nullable} required={required} />
          {actions}
        </span>
      </div>
      {description !== undefined && (
        <p id={`${id}-about`} className="small muted">
          {visible(description)}
        </p>
      )}
      {limits !== '' && (
        <p id={`${id}-limits`} className="small muted field-limits">
          {visible(limits)}
        </p>
      )}
      {value === null && nullable ? (
        <p className="mono muted">null</p>
      ) : (
        <Control
          {...part}
          id={id}
          name={title}
          required={required}
          described={described}
          describedBy={describedBy.filter(Boolean).join(' ')}
        />
      )}
      {found.length > 0 && (
        <p id={`${id}-issues`} className="issue small">
          {found.map(visible).join('; ')}
        </p>
      )}
    </div>
  )
}

/** Shapes that have several inputs: their label is that of a group. */
const groups: ReadonlySet<string> = new Set(['object', 'list', 'union', 'choices'])

interface LabelProps {
  id: string
  name: string
  title: string
  isGroup: boolean
  /** Whether a star says that it is required. */
  isMarked: boolean
}

function FieldLabel({ id, name, title, isGroup, isMarked }: LabelProps): JSX.Element {
  const label = (
    <>
      {visible(title)}
      {title !== name && <code className="muted"> {visible(name)}</code>}
      {isMarked && (
        <span className="required" title="required">
          {' '}
          *
        </span>
      )}
    </>
  )
  return isGroup ? (
    <span id={`${id}-label`} className="field-label">
      {label}
    </span>
  ) : (
    <label id={`${id}-label`} className="field-label" htmlFor={id}>
      {label}
    </label>
  )
}

interface ActionsProps extends Pick<FieldProps, 'value' | 'change' | 'required'> {
  title: string
  nullable: boolean
}

/** Buttons that set the value to null, or take it away. */
function ValueActions({ title, value, change, nullable, required }: ActionsProps): JSX.Element {
  return (
    <>
      {nullable && (
        <button
          type="button"
          className="button small quiet"
          aria-pressed={value === null}
          onClick={() => change(value === null ? undefined : null)}
        >
          null
        </button>
      )}
      {value !== undefined && !required && (
        <button
          type="button"
          className="button small quiet"
          aria-label={`Clear ${title}`}
          onClick={() => change(undefined)}
        >
          Clear
        </button>
      )}
    </>
  )
}

/** The fields of an object. */
export function Fields(props: PartProps): JSX.Element | null {
  const { schema, root, path, value, change, issues, depth } = props
  const { shape } = describe(schema, root)
  const members = isPlainObject(value) ? value : {}
  const set = (name: string, member: unknown): void => change(withMember(members, name, member))
  if (shape.kind !== 'object') return null
  return (
    <>
      {shape.fields.map(({ name, schema: field, required }) => (
        <Field
          key={name}
          name={name}
          required={required}
          schema={field}
          root={root}
          path={pathOf(path, name)}
          value={Object.hasOwn(members, name) ? members[name] : undefined}
          change={(member) => set(name, member)}
          issues={issues}
          depth={depth + 1}
        />
      ))}
      <ExtraMembers
        {...props}
        fields={shape.fields}
        extra={shape.extra}
        canAdd={shape.extra !== undefined && depth > 0}
      />
    </>
  )
}

/** A copy with one member set, or without it. Names come from servers: `__proto__` is a name like any other. */
export function withMember(
  members: { [name: string]: unknown },
  name: string,
  member: unknown,
): { [name: string]: unknown } {
  const entries = Object.entries(members).filter(([other]) => other !== name || member !== undefined)
  const next = Object.fromEntries(entries)
  if (member !== undefined)
    Object.defineProperty(next, name, { value: member, enumerable: true, writable: true, configurable: true })
  return next
}
