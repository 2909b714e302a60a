import { useCallback, useEffect, useState } from 'react'
import type { Params, Problem, Result } from '../../src/protocol.ts'
import { problemOf, run } from '../state/api.ts'
import { useBench } from '../state/store.ts'

type Report = Result<'lint.report'>
type Provider = NonNullable<Params<'lint.report'>['providers']>[number]

interface Wanted {
  server: string
  /** One thing of the server; all of it if missing. */
  kind?: Params<'lint.report'>['kind']
  name?: string
  provider?: Provider
}

/** The findings about a server or a part of it, which are looked for again when a list or a call of it changes. */
export function useLintReport({ server, kind, name, provider }: Wanted): {
  report: Report | undefined
  problem: Problem | undefined
  again: () => void
} {
  const [found, setFound] = useState<{ report?: Report; problem?: Problem }>({})
  const [round, setRound] = useState(0)
  const catalogs = useBench((bench) => bench.catalogs.get(server))
  const isLoading = Object.values(catalogs ?? {}).some(({ loading }) => loading)
  const calls = useBench((bench) => {
    let count = 0
    for (const call of bench.calls.values()) if (call.server === server && call.outcome !== undefined) count++
    return count
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list or call is another report
  useEffect(() => {
    let isWanted = true
    const wanted = {
      server,
      ...(kind && { kind }),
      ...(name !== undefined && { name }),
      ...(provider && { providers: [provider] }),
    }
    if (isLoading || catalogs === undefined) return
    run('lint.report', wanted).then(
      (report) => isWanted && setFound({ report }),
      (error) => isWanted && setFound({ problem: problemOf(error) }),
    )
    return () => {
      isWanted = false
    }
  }, [server, kind, name, provider, catalogs, isLoading, calls, round])
  const again = useCallback(() => setRound((count) => count + 1), [])
  return { report: found.report, problem: found.problem, again }
}
