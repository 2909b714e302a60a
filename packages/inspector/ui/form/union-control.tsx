import { type JSX, useState } from 'react'
import { visible } from '../content/visible.ts'
import { Control, type ControlProps } from './control.tsx'
import type { Schema } from './resolve.ts'
import { describe } from './shape.ts'
import { initialValue, variantOf } from './values.ts'

/** One of several kinds of value: first which kind, then the value. */
export function UnionControl(props: ControlProps & { variants: { label: string; schema: Schema }[] }): JSX.Element {
  const { variants, value, change, root, id, required, name } = props
  const [picked, pick] = useState<number>()
  const isSet = value !== undefined || picked !== undefined
  const chosen = picked ?? variantOf(value, variants, root)
  const choose = (index: number): void => {
    pick(index === -1 ? undefined : index)
    change(index === -1 ? undefined : initialValue(variants[index]!.schema, root))
  }
  const variant = variants[chosen]!
  return (
    <div className="nested">
      <select
        className="select"
        aria-label={`Kind of ${name}`}
        value={isSet ? chosen : -1}
        onChange={(event) => choose(Number(event.target.value))}
      >
        {(!required || !isSet) && <option value={-1}>not set</option>}
        {variants.map(({ label }, index) => (
          <option key={label} value={index}>
            {visible(label)}
          </option>
        ))}
      </select>
      {isSet && (
        <Control
          {...props}
          id={`${id}-${chosen}`}
          key={chosen}
          schema={variant.schema}
          described={describe(variant.schema, root)}
          name={`${name}, ${variant.label}`}
          required
          depth={props.depth + 1}
        />
      )}
    </div>
  )
}
