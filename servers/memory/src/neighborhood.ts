import type { Graph, Relation } from './graph.ts'
import { relationKey } from './graph.ts'
import { type PageLimits, Room, type ShownEntity, shownEntity } from './reading.ts'

export interface NeighborhoodQuery {
  readonly names: readonly string[]
  readonly depth: number
  readonly direction: 'out' | 'in' | 'both'
  readonly relationTypes?: readonly string[] | undefined
}

export interface Neighborhood {
  readonly entities: (ShownEntity & { distance: number })[]
  readonly relations: Relation[]
  /** True if there was more than fits into one answer. */
  readonly isCut: boolean
}

/** The entities around others, step by step, and the relations that lead to them. */
export function readNeighborhood(graph: Graph, query: NeighborhoodQuery, limits: PageLimits): Neighborhood {
  const room = new Room(limits)
  const types = query.relationTypes && new Set(query.relationTypes)
  const distances = new Map<string, number>(query.names.map((name) => [name, 0]))
  const entities: Neighborhood['entities'] = []
  const relations = new Map<string, Relation>()
  const queue = [...distances.keys()]
  let isCut = false
  // The queue grows while it is walked: nearer ones come first.
  for (const name of queue) {
    const distance = distances.get(name)!
    const entity = graph.entities.get(name)
    if (entity !== undefined) {
      const shown = { ...shownEntity(entity, false), distance }
      if (!room.take(shown)) return { entities, relations: [...relations.values()], isCut: true }
      entities.push(shown)
    }
    if (distance === query.depth) continue
    for (const relation of graph.relationsOf(name)) {
      if (types !== undefined && !types.has(relation.relationType)) continue
      const next = otherEnd(relation, name, query.direction)
      if (next === undefined || relations.has(relationKey(relation))) continue
      if (!room.take(relation)) {
        isCut = true
        break
      }
      relations.set(relationKey(relation), relation)
      if (distances.has(next)) continue
      distances.set(next, distance + 1)
      queue.push(next)
    }
  }
  return { entities, relations: [...relations.values()], isCut }
}

function otherEnd({ from, to }: Relation, name: string, direction: 'out' | 'in' | 'both'): string | undefined {
  if (direction !== 'in' && from === name) return to
  if (direction !== 'out' && to === name) return from
  return undefined
}
