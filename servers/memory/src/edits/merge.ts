import { ToolError } from '@tenon/sdk/server'
import { type Effect, type Entity, type Graph, originOf, type Relation, relationKey } from '../graph.ts'
import type { Plan } from '../store/store.ts'
import { existing } from './additions.ts'

export interface Merged {
  readonly entity: Pick<Entity, 'name' | 'entityType' | 'observations'>
  readonly movedObservations: number
  readonly movedRelations: number
}

/**
 * Makes one entity of several: observations move with their time and source, relations are led to the one that stays, and
 * relations among the merged ones disappear.
 */
export function mergeEntities(graph: Graph, into: string, from: readonly string[]): Plan<Merged> {
  const target = existing(graph, into)
  const names = new Set(from)
  if (names.has(into)) throw new ToolError(`Expected other entities than ${into} in "from". Nothing was changed.`)
  const sources = [...names].map((name) => existing(graph, name))
  const moved = collectObservations(target, sources)
  const { old, led } = leadRelations(graph, into, names)
  const effects: Effect[] = [
    ...old.map((relation): Effect => ({ op: 'unrelate', relation })),
    ...sources.map((entity): Effect => ({ op: 'remove', entity })),
    ...(moved.observations.length > 0 ? [{ op: 'observe', name: into, ...moved } as const] : []),
    ...led.map((relation): Effect => ({ op: 'relate', relation })),
  ]
  const { name, entityType } = target
  const observations = [...target.observations, ...moved.observations]
  return {
    effects,
    result: {
      entity: { name, entityType, observations },
      movedObservations: moved.observations.length,
      movedRelations: led.length,
    },
  }
}

function collectObservations(target: Entity, sources: readonly Entity[]): Pick<Entity, 'observations' | 'origins'> {
  const known = new Set(target.observations)
  const observations: string[] = []
  const origins: ReturnType<typeof originOf>[] = []
  for (const source of sources) {
    source.observations.forEach((text, index) => {
      if (known.has(text)) return
      known.add(text)
      observations.push(text)
      origins.push(originOf(source.origins, index))
    })
  }
  return { observations, origins }
}

function leadRelations(graph: Graph, into: string, names: ReadonlySet<string>): { old: Relation[]; led: Relation[] } {
  const old = new Map<string, Relation>()
  const led = new Map<string, Relation>()
  const replaced = (name: string): string => (names.has(name) ? into : name)
  for (const name of names) {
    for (const relation of graph.relationsOf(name)) {
      old.set(relationKey(relation), relation)
      const moved = { ...relation, from: replaced(relation.from), to: replaced(relation.to) }
      const isLoop = moved.from === moved.to && relation.from !== relation.to
      if (!isLoop && !graph.has(moved)) led.set(relationKey(moved), moved)
    }
  }
  return { old: [...old.values()], led: [...led.values()] }
}
