import { useEffect, useState } from 'react'
import { run } from '../state/api.ts'
import { useBench } from '../state/store.ts'
import { type EvalState, withEval } from './evaluations.ts'

/** The evaluation of a file that is going on, or the last one: as it was when the page came, and everything told since. */
export function useEvaluation(suite: string): EvalState | undefined {
  const told = useBench((bench) => bench.evaluations.get(suite))
  const [loaded, setLoaded] = useState<EvalState>()
  const knowsNothing = told === undefined
  // A stream of events that began anew has told nothing yet.
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when everything that was told is gone.
  useEffect(() => {
    let isShown = true
    const load = async (): Promise<void> => {
      const { run: last, conversations } = await run('evals.last', { suite })
      if (isShown) setLoaded(last && { run: last, conversations })
    }
    load().catch(() => {})
    return () => {
      isShown = false
    }
  }, [suite, knowsNothing])
  if (told === undefined) return loaded
  return (loaded ? withEval(new Map([[suite, loaded]]), told) : new Map([[suite, told]])).get(suite)
}
