import { isDeepStrictEqual } from 'node:util'
import type { GatewayConfig } from './model.ts'

/** A difference between two configurations. */
export interface ConfigChange {
  readonly kind: 'added' | 'removed' | 'changed'
  /** The members that lead to it. */
  readonly path: readonly string[]
}

const groups: ReadonlySet<string> = new Set(['upstreams', 'servers'])

/** The upstreams, servers and sections that are different. Values are not told: they may be secrets. */
export const changesOf = (before: GatewayConfig, after: GatewayConfig): ConfigChange[] =>
  compare({ ...before }, { ...after }, [])

function compare(
  before: { [key: string]: unknown },
  after: { [key: string]: unknown },
  path: string[],
): ConfigChange[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].flatMap((key): ConfigChange[] => {
    const [old, now] = [before[key], after[key]]
    const place = [...path, key]
    if (path.length === 0 && groups.has(key)) return compare({ ...(old as object) }, { ...(now as object) }, place)
    if (isDeepStrictEqual(old, now)) return []
    return [{ kind: old === undefined ? 'added' : now === undefined ? 'removed' : 'changed', path: place }]
  })
}
