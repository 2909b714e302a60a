import type { MethodStats } from '../protocol.ts'
import type { Entry } from './entry.ts'

/** A server, or a file, can make up as many methods as it likes. */
const maxMethods = 200

/** How long methods took, from every answered request: exact, not sampled. Requests without an answer do not count. */
export function methodStats(entries: Iterable<Entry>): MethodStats[] {
  const groups = new Map<string, { server: string; method: string; durations: number[]; errors: number }>()
  for (const { kind, server, method, durationMs, status, pair } of entries) {
    if (kind !== 'request' || durationMs === undefined || pair === undefined) continue
    const key = `${server} ${method}`
    const group = groups.get(key) ?? { server, method, durations: [], errors: 0 }
    groups.set(key, group)
    group.durations.push(durationMs)
    if (status !== 'ok' && status !== 'asks') group.errors++
  }
  return [...groups.values()]
    .map(({ server, method, durations, errors }) => {
      const sorted = durations.toSorted((a, b) => a - b)
      const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)]!
      return { server, method, count: sorted.length, errors, p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) }
    })
    .toSorted((a, b) => b.count - a.count)
    .slice(0, maxMethods)
}
