import { useState } from 'react'

/** Keys in the order in which they came: whatever comes later stands below, and moves nothing that was there. */
export function useSteadyOrder(keys: readonly string[]): string[] {
  const [seen, setSeen] = useState(keys)
  const fresh = keys.filter((key) => !seen.includes(key))
  if (fresh.length > 0) setSeen([...seen, ...fresh])
  return [...seen, ...fresh].filter((key) => keys.includes(key))
}
