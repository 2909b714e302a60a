import { useEffect, useRef, useState } from 'react'
import type { TimelineRow } from '../../src/protocol.ts'
import { run } from '../state/api.ts'
import { useBench } from '../state/store.ts'
import { useSource } from './source.ts'

/** A stretch of the rows that match a query. */
interface Rows {
  /** Undefined until the first answer. */
  query: string | undefined
  offset: number
  rows: readonly TimelineRow[]
  total: number
  problems: readonly string[]
}

const nothing: Rows = { query: undefined, offset: 0, rows: [], total: 0, problems: [] }

/** The rows in view, kept up to date. One request at a time; while one is on its way the latest one waits. */
export function useRows(query: string, offset: number, count: number, folded: boolean): Rows {
  const range = useBench((bench) => bench.timeline)
  const source = useSource()
  const [rows, setRows] = useState(nothing)
  const wish = useRef({ query, offset, count, folded })
  const loading = useRef(false)
  const again = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: new traffic means looking again, at the same place.
  useEffect(() => {
    wish.current = { query, offset, count, folded }
    const load = async (): Promise<void> => {
      loading.current = true
      do {
        again.current = false
        const wanted = wish.current
        try {
          setRows({
            ...(await run('timeline.query', { ...wanted, ...source })),
            query: wanted.query,
            offset: wanted.offset,
          })
        } catch {
          // The stream of events shows whether the backend is there.
        }
      } while (again.current)
      loading.current = false
    }
    if (loading.current) again.current = true
    else void load()
  }, [query, offset, count, folded, range, source])
  return rows
}
