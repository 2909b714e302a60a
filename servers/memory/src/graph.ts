/** When an observation was made, by which client, and where it is known from. */
export interface Origin {
  readonly at: string
  readonly by?: string
  readonly source?: string
}

/** A list has one origin for each observation, in their order. */
export type Origins = Origin | readonly (Origin | null)[]

export interface Entity {
  readonly name: string
  readonly entityType: string
  readonly observations: readonly string[]
  readonly origins?: Origins
}

export interface Relation {
  readonly from: string
  readonly to: string
  readonly relationType: string
}

/** Observations of one entity. With positions, that is where they stand among all of them. */
export interface Observed {
  readonly name: string
  readonly observations: readonly string[]
  readonly origins?: Origins
  readonly positions?: readonly number[]
}

/** One step of a change. Each has an opposite, and doing one twice is like doing it once. */
export type Effect =
  | { readonly op: 'create' | 'remove'; readonly entity: Entity }
  | { readonly op: 'relate' | 'unrelate'; readonly relation: Relation }
  | ({ readonly op: 'observe' | 'forget' } & Observed)

export const originOf = (origins: Origins | undefined, index: number): Origin | null =>
  origins === undefined ? null : isList(origins) ? (origins[index] ?? null) : origins

const isList = (origins: Origins): origins is readonly (Origin | null)[] => Array.isArray(origins)

/** The lengths keep two relations with the same letters apart, whatever characters their names have. */
export const relationKey = ({ from, to, relationType }: Relation): string =>
  `${from.length}:${to.length}:${from}${to}${relationType}`

/** Entities and the relations between them, in memory. */
export class Graph {
  readonly entities: Map<string, Entity> = new Map()
  readonly relations: Map<string, Relation> = new Map()
  /** Called with every entity that came, changed or went. */
  onEntity: ((before: Entity | undefined, after: Entity | undefined) => void) | undefined
  #touching: Map<string, Set<Relation>> | undefined
  #size = 0

  /** The characters of all names, types and observations, roughly the size of the file. */
  get size(): number {
    return this.#size
  }

  has(relation: Relation): boolean {
    return this.relations.has(relationKey(relation))
  }

  /** The relations that begin or end at an entity. */
  relationsOf(name: string): Iterable<Relation> {
    // Made when it is first wanted: a start would take longer with it.
    if (this.#touching === undefined) {
      this.#touching = new Map()
      for (const relation of this.relations.values()) this.#link(relation)
    }
    return this.#touching.get(name) ?? []
  }

  apply(effect: Effect): void {
    if ('entity' in effect) {
      if (effect.op === 'create') this.#create(effect.entity)
      else this.#set(effect.entity.name, undefined)
    } else if ('relation' in effect) {
      if (effect.op === 'relate') this.#relate(effect.relation)
      else this.#unrelate(effect.relation)
    } else {
      const entity = this.entities.get(effect.name)
      if (entity === undefined) return
      this.#set(entity.name, effect.op === 'observe' ? withObservations(entity, effect) : without(entity, effect))
    }
  }

  #create(entity: Entity): void {
    const known = this.entities.get(entity.name)
    this.#set(entity.name, known === undefined ? entity : withObservations(known, entity))
  }

  #set(name: string, after: Entity | undefined): void {
    const before = this.entities.get(name)
    if (before === after) return
    this.#size += sizeOf(after) - sizeOf(before)
    if (after === undefined) this.entities.delete(name)
    else this.entities.set(name, after)
    this.onEntity?.(before, after)
  }

  #relate(relation: Relation): void {
    const key = relationKey(relation)
    if (this.relations.has(key)) return
    this.relations.set(key, relation)
    this.#size += key.length
    if (this.#touching !== undefined) this.#link(relation)
  }

  #unrelate(relation: Relation): void {
    const key = relationKey(relation)
    const known = this.relations.get(key)
    if (known === undefined) return
    this.relations.delete(key)
    this.#size -= key.length
    for (const name of [relation.from, relation.to]) this.#touching?.get(name)?.delete(known)
  }

  #link(relation: Relation): void {
    for (const name of [relation.from, relation.to]) {
      const known = this.#touching!.get(name)
      if (known === undefined) this.#touching!.set(name, new Set([relation]))
      else known.add(relation)
    }
  }
}

function sizeOf(entity: Entity | undefined): number {
  if (entity === undefined) return 0
  let size = entity.name.length + entity.entityType.length + 100
  for (const observation of entity.observations) size += observation.length + 10
  return size
}

function withObservations(entity: Entity, added: Omit<Observed, 'name'>): Entity {
  const known = new Set(entity.observations)
  const texts = [...entity.observations]
  const origins = texts.map((_text, index) => originOf(entity.origins, index))
  added.observations.forEach((text, index) => {
    if (known.has(text)) return
    known.add(text)
    const place = added.positions?.[index] ?? texts.length
    texts.splice(place, 0, text)
    origins.splice(place, 0, originOf(added.origins, index))
  })
  return texts.length === entity.observations.length ? entity : { ...entity, observations: texts, origins }
}

function without(entity: Entity, { observations }: Observed): Entity {
  const gone = new Set(observations)
  const kept = entity.observations.flatMap((text, index) => (gone.has(text) ? [] : [index]))
  if (kept.length === entity.observations.length) return entity
  const texts = kept.map((index) => entity.observations[index]!)
  return { ...entity, observations: texts, origins: kept.map((index) => originOf(entity.origins, index)) }
}
