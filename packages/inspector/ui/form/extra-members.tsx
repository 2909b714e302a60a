import { type JSX, useId, useState } from 'react'
import { pathOf } from './check.ts'
import { isPlainObject } from './draft.ts'
import { Field, type PartProps, withMember } from './field.tsx'
import type { Schema } from './resolve.ts'
import type { SchemaField } from './shape.ts'
import { initialValue } from './values.ts'

interface Props extends PartProps {
  fields: readonly SchemaField[]
  /** Their schema, if any are allowed. */
  extra: Schema | undefined
  canAdd: boolean
}

/**
 * Members that the schema does not name. All that are there are shown, as all of them are sent; more can be added where the
 * schema allows it.
 */
export function ExtraMembers({ fields, extra, canAdd, value, change, root, path, issues, depth }: Props): JSX.Element {
  const id = useId()
  const [name, setName] = useState('')
  const members = isPlainObject(value) ? value : {}
  const named = new Set(fields.map((field) => field.name))
  const extras = Object.keys(members).filter((member) => !named.has(member))
  const add = (): void => {
    if (name === '' || Object.hasOwn(members, name)) return
    change(withMember(members, name, initialValue(extra ?? {}, root) ?? ''))
    setName('')
  }
  return (
    <>
      {extras.map((member) => (
        <Field
          key={member}
          name={member}
          required={false}
          schema={extra ?? {}}
          root={root}
          path={pathOf(path, member)}
          value={members[member]}
          change={(next) => change(withMember(members, member, next))}
          issues={issues}
          depth={depth + 1}
        />
      ))}
      {canAdd && (
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
      )}
    </>
  )
}
