import { type JSX, useEffect, useState } from 'react'
import type { MethodStats } from '../../src/protocol.ts'
import { duration } from '../content/format.ts'
import { visibleLine } from '../content/visible.ts'
import { ColumnHeads } from '../parts/column-heads.tsx'
import { run } from '../state/api.ts'
import { useBench } from '../state/store.ts'
import { useSource } from './source.ts'

/** How long methods take, from every answered request that matches. */
export function MethodTable({ query }: { query: string }): JSX.Element {
  const [methods, setMethods] = useState<MethodStats[]>([])
  const servers = useBench((bench) => bench.servers)
  const source = useSource()
  const next = useBench((bench) => bench.timeline.next)
  // biome-ignore lint/correctness/useExhaustiveDependencies: counted again when there is more to count.
  useEffect(() => {
    const timer = setTimeout(
      () =>
        void run('timeline.stats', { query, ...source }).then(
          (found) => setMethods(found.methods),
          () => {},
        ),
      200,
    )
    return () => clearTimeout(timer)
  }, [query, next, source])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard.
    <section className="table-scroll method-table" aria-label="Latency by method" tabIndex={0}>
      <table>
        <caption className="visually-hidden">Latency by method</caption>
        <ColumnHeads names={['Server', 'Method', 'Calls', 'Failed', 'Median', '90 %', '99 %', 'Longest']} />
        <tbody>
          {methods.map(({ server, method, count, errors, p50, p90, p99, max }) => (
            <tr key={`${server} ${method}`}>
              <td>{visibleLine(servers.find(({ id }) => id === server)?.spec.name ?? '')}</td>
              <td className="mono">{visibleLine(method)}</td>
              <td>{count}</td>
              <td>{errors}</td>
              {[p50, p90, p99, max].map((ms, index) => (
                <td key={String(index)}>{duration(ms)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {methods.length === 0 && <p className="muted">No request was answered yet.</p>}
    </section>
  )
}
