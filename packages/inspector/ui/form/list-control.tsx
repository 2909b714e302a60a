import { type JSX, useRef } from 'react'
import { pathOf } from './check.ts'
import type { ControlProps } from './control.tsx'
import { Field } from './field.tsx'
import type { Schema } from './resolve.ts'
import { initialValue } from './values.ts'

/** Items, one below the other, that can be added, moved and taken away. */
export function ListControl(props: ControlProps & { item: (index: number) => Schema }): JSX.Element {
  const { value, change, item, root, path, issues, depth, name } = props
  const items = Array.isArray(value) ? value : []
  const keys = useKeys(items.length)
  const adding = useRef<HTMLButtonElement>(null)
  const swap = (at: number, other: number): void => {
    keys.swap(at, other)
    change(items.map((old, index) => (index === at ? items[other] : index === other ? items[at] : old)))
  }
  return (
    <div className="nested">
      {items.map((member, index) => (
        <Field
          key={keys.at(index)}
          name={`${index + 1}`}
          required
          isItem
          schema={item(index)}
          root={root}
          path={pathOf(path, index)}
          value={member}
          change={(next) => change(items.map((old, at) => (at === index ? (next ?? null) : old)))}
          issues={issues}
          depth={depth + 1}
          actions={
            <>
              <button
                type="button"
                className="button small quiet icon"
                aria-label={`Move item ${index + 1} up`}
                disabled={index === 0}
                onClick={() => swap(index, index - 1)}
              >
                ↑
              </button>
              <button
                type="button"
                className="button small quiet icon"
                aria-label={`Remove item ${index + 1}`}
                onClick={() => {
                  keys.remove(index)
                  // The button that had the focus is gone.
                  adding.current?.focus()
                  change(items.filter((_, at) => at !== index))
                }}
              >
                ✕
              </button>
            </>
          }
        />
      ))}
      <button
        ref={adding}
        type="button"
        className="button small"
        onClick={() => change([...items, initialValue(item(items.length), root) ?? emptyFor(item(items.length))])}
      >
        Add to {name}
      </button>
    </div>
  )
}

/** An item has to be something: JSON arrays have no gaps. */
const emptyFor = ({ type }: Schema): unknown =>
  type === 'string' ? '' : type === 'number' || type === 'integer' ? 0 : null

/** A key per item that moves along with it, so that typed text stays in its item. */
function useKeys(length: number): {
  at: (index: number) => number
  swap: (a: number, b: number) => void
  remove: (index: number) => void
} {
  const state = useRef({ keys: [] as number[], next: 0 })
  const { keys } = state.current
  while (keys.length < length) keys.push(state.current.next++)
  keys.length = length
  return {
    at: (index) => keys[index]!,
    swap: (a, b) => {
      ;[keys[a], keys[b]] = [keys[b]!, keys[a]!]
    },
    remove: (index) => void keys.splice(index, 1),
  }
}
