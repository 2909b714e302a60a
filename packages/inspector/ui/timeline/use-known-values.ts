import { useEffect, useMemo, useState } from 'react'
import { run } from '../state/api.ts'
import { useBench } from '../state/store.ts'
import { useSource } from './source.ts'
import type { KnownValues } from './suggest-terms.ts'

const maxValues = 200

/** Names of servers, and methods that were answered: those are read when a person begins to type one. */
export function useKnownValues(wantsMethods: boolean): KnownValues {
  const servers = useBench((bench) => bench.servers)
  const source = useSource()
  const [methods, setMethods] = useState<readonly string[]>([])
  useEffect(() => {
    if (!wantsMethods) return
    run('timeline.stats', { query: '', ...source }).then(
      (stats) => setMethods([...new Set(stats.methods.map(({ method }) => method))].slice(0, maxValues)),
      () => {},
    )
  }, [wantsMethods, source])
  return useMemo(
    () => ({ server: [...new Set(servers.map(({ spec }) => spec.name))].slice(0, maxValues), method: methods }),
    [servers, methods],
  )
}
