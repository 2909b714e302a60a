import { useState } from 'react'

/** Keys in the order in which they came: later ones stand below, and move nothing that was there. */
export function useSteadyOrder(keys: readonly string[]): string[] {
  const [seen, setSeen] = useState(keys)
  const fresh = keys.filter((key) => !seen.includes(key))
  if (fresh.length > 0) setSeen([...seen, ...fresh])
  return [...seen, ...fresh].filter((key) => keys.includes(key))
}
