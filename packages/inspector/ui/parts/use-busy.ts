import { useCallback, useState } from 'react'
import type { Problem } from '../../src/protocol.ts'
import { problemOf } from '../state/api.ts'

/** An action that takes a moment and may fail: whether it runs, its last problem, and how to start it. */
export function useBusy(): {
  busy: boolean
  problem: Problem | undefined
  start: (work: () => Promise<unknown>) => Promise<void>
  clear: () => void
} {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const start = useCallback(async (work: () => Promise<unknown>): Promise<void> => {
    setBusy(true)
    setProblem(undefined)
    try {
      await work()
    } catch (error) {
      setProblem(problemOf(error))
    }
    setBusy(false)
  }, [])
  const clear = useCallback(() => setProblem(undefined), [])
  return { busy, problem, start, clear }
}
