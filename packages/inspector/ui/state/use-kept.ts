import { type Dispatch, type SetStateAction, useCallback, useState } from 'react'

const kept = new Map<string, unknown>()
const maxKept = 200

/** State that outlives its component, for as long as the page is open. */
export function useKept<Value>(key: string, initial: () => Value): [Value, Dispatch<SetStateAction<Value>>] {
  const [value, setValue] = useState<Value>(() => (kept.has(key) ? (kept.get(key) as Value) : initial()))
  const set = useCallback<Dispatch<SetStateAction<Value>>>(
    (next) =>
      setValue((before) => {
        const after = typeof next === 'function' ? (next as (before: Value) => Value)(before) : next
        kept.delete(key)
        kept.set(key, after)
        if (kept.size > maxKept) kept.delete(kept.keys().next().value!)
        return after
      }),
    [key],
  )
  return [value, set]
}
