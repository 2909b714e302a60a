import type { Effect, Graph, Relation } from '../graph.ts'
import { originOf, relationKey } from '../graph.ts'
import type { Plan } from '../store/store.ts'

/** The number of things that were removed, and the names that were not there. */
export interface Removed {
  readonly removed: number
  readonly missing: readonly string[]
}

/** Removes entities and all relations that begin or end at them. */
export function deleteEntities(graph: Graph, names: readonly string[]): Plan<Removed> {
  const wanted = new Set(names)
  const known = [...wanted].filter((name) => graph.entities.has(name))
  const relations = new Map<string, Relation>()
  // Names without an entity may have relations: the original lets them be created, and removes them here.
  for (const name of wanted) {
    for (const relation of graph.relationsOf(name)) relations.set(relationKey(relation), relation)
  }
  const effects: Effect[] = [...relations.values()].map((relation) => ({ op: 'unrelate', relation }))
  for (const name of known) effects.push({ op: 'remove', entity: graph.entities.get(name)! })
  const missing = [...wanted].filter((name) => !graph.entities.has(name))
  return { effects, result: { removed: known.length, missing } }
}

export function deleteRelations(graph: Graph, given: readonly Relation[]): Plan<Removed> {
  const wanted = new Map(given.map((relation) => [relationKey(relation), relation]))
  const known = [...wanted.values()].filter((relation) => graph.has(relation))
  const missing = [...wanted.values()].filter((relation) => !graph.has(relation)).map(shown)
  const effects = known.map(({ from, to, relationType }): Effect => {
    return { op: 'unrelate', relation: { from, to, relationType } }
  })
  return { effects, result: { removed: known.length, missing } }
}

const shown = ({ from, to, relationType }: Relation): string => `${from} ${relationType} ${to}`

export function deleteObservations(
  graph: Graph,
  given: readonly { readonly entityName: string; readonly observations: readonly string[] }[],
): Plan<Removed> {
  const wanted = new Map<string, Set<string>>()
  for (const { entityName, observations } of given) {
    const texts = wanted.get(entityName) ?? new Set()
    for (const text of observations) texts.add(text)
    wanted.set(entityName, texts)
  }
  const effects: Effect[] = []
  const missing: string[] = []
  let removed = 0
  for (const [name, texts] of wanted) {
    const effect = forget(graph, name, texts)
    if (effect !== undefined) effects.push(effect)
    removed += effect?.observations.length ?? 0
    if (effect?.observations.length !== texts.size) missing.push(name)
  }
  return { effects, result: { removed, missing } }
}

/** Forgets observations, and notes their places and origins, so that it can be undone. */
function forget(
  graph: Graph,
  name: string,
  texts: ReadonlySet<string>,
): (Effect & { op: 'forget' | 'observe' }) | undefined {
  const entity = graph.entities.get(name)
  const positions = entity?.observations.flatMap((text, index) => (texts.has(text) ? [index] : [])) ?? []
  if (entity === undefined || positions.length === 0) return undefined
  return {
    op: 'forget',
    name,
    observations: positions.map((index) => entity.observations[index]!),
    origins: positions.map((index) => originOf(entity.origins, index)),
    positions,
  }
}
