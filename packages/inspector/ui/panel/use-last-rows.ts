import { useEffect, useRef, useState } from 'react'
import type { TimelineRow } from '../../src/protocol.ts'
import { run } from '../state/api.ts'
import { useBench } from '../state/store.ts'

const most = 100

interface LastRows {
  query: string
  rows: readonly TimelineRow[]
  total: number
}

/** The last rows that match a query, kept up to date. One request at a time; while one is on its way the latest one waits. */
export function useLastRows(query: string): LastRows {
  const range = useBench((bench) => bench.timeline)
  const [last, setLast] = useState<LastRows>({ query, rows: [], total: 0 })
  const wish = useRef(query)
  const loading = useRef(false)
  const again = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: new traffic means looking again.
  useEffect(() => {
    wish.current = query
    const load = async (): Promise<void> => {
      loading.current = true
      do {
        again.current = false
        const wanted = wish.current
        try {
          const { total } = await run('timeline.query', { query: wanted, offset: 0, count: 0 })
          const offset = Math.max(0, total - most)
          setLast({ ...(await run('timeline.query', { query: wanted, offset, count: most })), query: wanted })
        } catch {
          // The stream of events shows whether the backend is there.
        }
      } while (again.current)
      loading.current = false
    }
    if (loading.current) again.current = true
    else void load()
  }, [query, range])
  return last.query === query ? last : { query, rows: [], total: 0 }
}
