import { useEffect, useState } from 'react'
import type { Problem } from '../../src/protocol.ts'
import { problemOf } from '../state/api.ts'

interface Loaded<T> {
  value: T | undefined
  problem: Problem | undefined
}

/**
 * Reads something for the page, and again whenever the way to read it is another. The value before stays until the next one
 * is there, and an answer that comes after that of a later question is dropped.
 */
export function useLoaded<T>(load: () => Promise<T>): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ value: undefined, problem: undefined })
  useEffect(() => {
    let isWanted = true
    load().then(
      (value) => isWanted && setLoaded({ value, problem: undefined }),
      (error) => isWanted && setLoaded({ value: undefined, problem: problemOf(error) }),
    )
    return () => {
      isWanted = false
    }
  }, [load])
  return loaded
}
