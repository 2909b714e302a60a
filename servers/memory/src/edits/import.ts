import { type Effect, type Entity, type Graph, type Origin, type Relation, relationKey } from '../graph.ts'
import { parseRecord } from '../records.ts'
import type { Plan } from '../store/store.ts'

/** Lines that could not be read are named up to this number. */
const maxProblems = 20

export interface Imported {
  readonly createdEntities: number
  readonly addedObservations: number
  readonly createdRelations: number
  readonly unreadableLines: number
  readonly problems: readonly string[]
}

/** Adds the records of a memory file to the graph. Nothing that is known is changed or removed. */
export function importLines(graph: Graph, text: string, origin: Origin): Plan<Imported> {
  const entities = new Map<string, Entity>()
  const relations = new Map<string, Relation>()
  const problems: string[] = []
  let unreadableLines = 0
  text.split('\n').forEach((line, index) => {
    if (line.trim() === '') return
    const record = parseRecord(line)
    if (record.kind === 'entity')
      entities.set(record.entity.name, joined(entities.get(record.entity.name), record.entity))
    else if (record.kind === 'relation') relations.set(relationKey(record.relation), record.relation)
    else if (record.kind === 'unreadable') {
      unreadableLines++
      if (problems.length < maxProblems) problems.push(`line ${index + 1}: ${record.problem}`)
    }
  })
  const newEntities = [...entities.values()].filter(({ name }) => !graph.entities.has(name))
  const grown = [...entities.values()].flatMap((entity) => growth(graph.entities.get(entity.name), entity))
  const newRelations = [...relations.values()].filter((relation) => !graph.has(relation))
  const dated = <T extends Pick<Entity, 'origins'>>(given: T): T => ({ origins: origin, ...given })
  const effects: Effect[] = [
    ...newEntities.map((entity): Effect => ({ op: 'create', entity: dated(entity) })),
    ...grown.map((observed): Effect => ({ op: 'observe', ...dated(observed) })),
    ...newRelations.map((relation): Effect => ({ op: 'relate', relation })),
  ]
  const count = (lists: readonly { observations: readonly string[] }[]): number =>
    lists.reduce((sum, { observations }) => sum + observations.length, 0)
  return {
    effects,
    result: {
      createdEntities: newEntities.length,
      addedObservations: count(newEntities) + count(grown),
      createdRelations: newRelations.length,
      unreadableLines,
      problems,
    },
  }
}

/** A name that comes twice has the observations of both lines. */
function joined(known: Entity | undefined, entity: Entity): Entity {
  const observations = [...new Set([...(known?.observations ?? []), ...entity.observations])]
  // Origins belong to observations by their place.
  if (known === undefined && observations.length === entity.observations.length) return entity
  const { name, entityType } = known ?? entity
  return { name, entityType, observations }
}

function growth(
  known: Entity | undefined,
  { name, observations }: Entity,
): { name: string; observations: string[]; origins?: Origin }[] {
  if (known === undefined) return []
  const added = observations.filter((text) => !known.observations.includes(text))
  return added.length === 0 ? [] : [{ name, observations: added }]
}
