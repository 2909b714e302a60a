import type { Effect } from '../graph.ts'

/** The author of a change: the client, as it calls itself, and its principal if it is authenticated. */
export interface Author {
  readonly by?: string
}

/** A change as the log and the history keep it. */
export interface Change extends Author {
  readonly seq: number
  readonly at: string
  readonly tool: string
  /** The number of the change that this one takes back. */
  readonly undoes?: number
  readonly effects: readonly Effect[]
}

export function parseChange(line: string): Change | undefined {
  try {
    const value = JSON.parse(line) as Change
    return Number.isSafeInteger(value.seq) && Array.isArray(value.effects) ? value : undefined
  } catch {
    return undefined
  }
}

/** The names of the entities that a change is about. */
export function touchedBy({ effects }: Change): Set<string> {
  const names = new Set<string>()
  for (const effect of effects) {
    if ('entity' in effect) names.add(effect.entity.name)
    else if ('relation' in effect) names.add(effect.relation.from).add(effect.relation.to)
    else names.add(effect.name)
  }
  return names
}

/** The numbers of the changes that are undone. A change that took another back can be undone, too. */
export function undoneAmong(newestFirst: readonly Change[]): Set<number> {
  const undone = new Set<number>()
  for (const { seq, undoes } of newestFirst) {
    if (undoes !== undefined && !undone.has(seq)) undone.add(undoes)
  }
  return undone
}
