import { type Dispatch, type SetStateAction, useCallback, useState } from 'react'
import { run } from './api.ts'
import { fromKeptText, toKeptText } from './kept-text.ts'

const kept = new Map<string, unknown>()
const maxKept = 200
const saveMs = 200
const unsaved = new Set<string>()

/** State that outlives its component, and a reload of the page. */
export function useKept<Value>(key: string, initial: () => Value): [Value, Dispatch<SetStateAction<Value>>] {
  const [value, setValue] = useState<Value>(() => (kept.has(key) ? (kept.get(key) as Value) : initial()))
  const set = useCallback<Dispatch<SetStateAction<Value>>>(
    (next) =>
      setValue((before) => {
        const after = typeof next === 'function' ? (next as (before: Value) => Value)(before) : next
        kept.delete(key)
        kept.set(key, after)
        if (kept.size > maxKept) kept.delete(kept.keys().next().value!)
        save(key)
        return after
      }),
    [key],
  )
  return [value, set]
}

/** Takes over what an earlier page has kept. Nothing that was typed since is overwritten. */
export function restoreKept(entries: { readonly [key: string]: string }): void {
  for (const [key, text] of Object.entries(entries)) if (!kept.has(key)) kept.set(key, fromKeptText(text))
}

function save(key: string): void {
  unsaved.add(key)
  if (unsaved.size > 1) return
  setTimeout(() => {
    const entries = Object.fromEntries([...unsaved].map((one) => [one, toKeptText(kept.get(one))]))
    unsaved.clear()
    // The stream of events shows whether the backend is there, and a form that is too long to keep is not worth a word.
    run('page.keep', { entries }).catch(() => {})
  }, saveMs)
}
