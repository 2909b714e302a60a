import { type JSX, useId, useState } from 'react'
import { pathOf } from './check.ts'
import type { ControlProps } from './control.tsx'
import { Field, withMember } from './field.tsx'
import type { Schema } from './resolve.ts'
import type { Shape } from './shape.ts'
import { initialValue } from './values.ts'

type Props = ControlProps & { shape: Extract<Shape, { kind: 'object' }>; extra: Schema }

/** Members that a schema allows without naming them: each has a name and a value. */
export function ExtraMembers({ shape, extra, value, change, root, path, issues, depth }: Props): JSX.Element {
  const id = useId()
  const [name, setName] = useState('')
  const members = (value ?? {}) as { [name: string]: unknown }
  const named = new Set(shape.fields.map((field) => field.name))
  const extras = Object.keys(members).filter((member) => !named.has(member))
  const add = (): void => {
    if (name === '' || Object.hasOwn(members, name)) return
    change(withMember(members, name, initialValue(extra, root) ?? ''))
    setName('')
  }
  return (
    <>
      {extras.map((member) => (
        <Field
          key={member}
          name={member}
          required={false}
          schema={extra}
          root={root}
          path={pathOf(path, member)}
          value={members[member]}
          change={(next) => change(withMember(members, member, next))}
          issues={issues}
          depth={depth + 1}
        />
      ))}
      <div className="row">
        <label className="visually-hidden" htmlFor={id}>
          Name of another member
        </label>
        <input
          id={id}
          className="input grow"
          value={name}
          placeholder="another member"
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
        <button type="button" className="button small" disabled={name === ''} onClick={add}>
          Add
        </button>
      </div>
    </>
  )
}
