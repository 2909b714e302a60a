import { ToolError } from '@tenon/sdk/server'
import { type Effect, type Entity, type Graph, type Origin, type Relation, relationKey } from '../graph.ts'
import type { Plan } from '../store/store.ts'

export interface NewEntity {
  readonly name: string
  readonly entityType: string
  readonly observations: readonly string[]
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)]

/** Creates the entities whose names are free. */
export function createEntities(graph: Graph, given: readonly NewEntity[], origin: Origin): Plan<NewEntity[]> {
  const created = new Map<string, NewEntity>()
  for (const { name, entityType, observations } of given) {
    if (graph.entities.has(name) || created.has(name)) continue
    created.set(name, { name, entityType, observations: unique(observations) })
  }
  const result = [...created.values()]
  return { result, effects: result.map((entity) => ({ op: 'create', entity: withOrigin(entity, origin) })) }
}

/** An entity without observations has nothing that came from anywhere. */
const withOrigin = (entity: NewEntity, origins: Origin): Entity =>
  entity.observations.length === 0 ? entity : { ...entity, origins }

/** Creates the relations that are not there. */
export function createRelations(graph: Graph, given: readonly Relation[]): Plan<Relation[]> {
  const created = new Map<string, Relation>()
  for (const { from, to, relationType } of given) {
    const relation = { from, to, relationType }
    if (!graph.has(relation)) created.set(relationKey(relation), relation)
  }
  const result = [...created.values()]
  return { result, effects: result.map((relation) => ({ op: 'relate', relation })) }
}

export interface AddedObservations {
  readonly entityName: string
  readonly addedObservations: string[]
}

/** Adds the observations that their entities lack; if an entity does not exist, none is added. */
export function addObservations(
  graph: Graph,
  given: readonly { readonly entityName: string; readonly contents: readonly string[] }[],
  origin: Origin,
): Plan<AddedObservations[]> {
  const known = new Map<string, Set<string>>()
  const effects: Effect[] = []
  const result = given.map(({ entityName, contents }) => {
    const entity = existing(graph, entityName)
    const texts = known.get(entityName) ?? new Set(entity.observations)
    known.set(entityName, texts)
    const added = unique(contents).filter((text) => !texts.has(text))
    for (const text of added) texts.add(text)
    if (added.length > 0) effects.push({ op: 'observe', name: entityName, observations: added, origins: origin })
    return { entityName, addedObservations: added }
  })
  return { result, effects }
}

/** The entity of a name. The error has the original's sentence, and says what to do. */
export function existing(graph: Graph, name: string): Entity {
  const entity = graph.entities.get(name)
  if (entity !== undefined) return entity
  throw new ToolError(
    `Entity with name ${name} not found. Nothing was changed. Find its name with search_nodes, or create it with create_entities.`,
  )
}
