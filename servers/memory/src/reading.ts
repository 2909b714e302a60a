import { ToolError } from '@tenon/sdk/server'
import { type Entity, type Graph, type Origin, originOf, type Relation, relationKey } from './graph.ts'

/** Bounds of one answer. At least one item is in it, so that paging always goes on. */
export interface PageLimits {
  readonly items: number
  readonly bytes: number
}

export interface ShownEntity {
  readonly name: string
  readonly entityType: string
  readonly observations: readonly string[]
  /** One for each observation, in their order; null if nothing is known. */
  readonly origins?: readonly (Origin | null)[]
}

export interface GraphPage {
  readonly entities: ShownEntity[]
  readonly relations: Relation[]
  /** The place to go on; missing if this is the end. */
  readonly nextCursor?: string
}

export function shownEntity(entity: Entity, withOrigins: boolean): ShownEntity {
  const { name, entityType, observations } = entity
  if (!withOrigins) return { name, entityType, observations }
  return { name, entityType, observations, origins: observations.map((_text, at) => originOf(entity.origins, at)) }
}

/** Counts the items and bytes of an answer. */
export class Room {
  #items: number
  #bytes: number
  #isEmpty = true

  constructor({ items, bytes }: PageLimits) {
    this.#items = items
    this.#bytes = bytes
  }

  /** True if the item fits, which is then taken into account. */
  take(item: unknown): boolean {
    const bytes = Buffer.byteLength(JSON.stringify(item)) + 2
    if (!this.#isEmpty && (this.#items < 1 || this.#bytes < bytes)) return false
    this.#isEmpty = false
    this.#items--
    this.#bytes -= bytes
    return true
  }
}

/** One page of the graph: first all entities, then all relations, each in the order of their creation. */
export function readGraph(
  graph: Graph,
  cursor: string | undefined,
  limits: PageLimits,
  withOrigins: boolean,
): GraphPage {
  const after = cursor === undefined ? undefined : readCursor(cursor)
  const room = new Room(limits)
  const entities: ShownEntity[] = []
  const relations: Relation[] = []
  if (after === undefined || after.kind === 'entity') {
    for (const entity of following(graph.entities, after?.key)) {
      const shown = shownEntity(entity, withOrigins)
      if (!room.take(shown)) return { entities, relations, nextCursor: entityCursor(entities) }
      entities.push(shown)
    }
  }
  for (const relation of following(graph.relations, after?.kind === 'relation' ? after.key : undefined)) {
    if (!room.take(relation)) {
      const nextCursor = relations.length === 0 ? entityCursor(entities) : relationCursor(relations)
      return { entities, relations, nextCursor }
    }
    relations.push(relation)
  }
  return { entities, relations }
}

const entityCursor = (page: readonly ShownEntity[]): string => writeCursor('entity', page.at(-1)!.name)
const relationCursor = (page: readonly Relation[]): string => writeCursor('relation', relationKey(page.at(-1)!))

function* following<T>(items: ReadonlyMap<string, T>, key: string | undefined): Iterable<T> {
  if (key !== undefined && !items.has(key)) {
    throw new ToolError('The cursor is of an item that was deleted since. Begin again without a cursor.')
  }
  let isReached = key === undefined
  for (const [name, item] of items) {
    if (isReached) yield item
    else isReached = name === key
  }
}

type CursorKind = 'entity' | 'relation' | 'offset'

export const writeCursor = (kind: CursorKind, key: string): string =>
  Buffer.from(JSON.stringify([kind, key])).toString('base64url')

export function readCursor(cursor: string): { kind: CursorKind; key: string } {
  try {
    const [kind, key] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (['entity', 'relation', 'offset'].includes(kind) && typeof key === 'string') return { kind, key }
  } catch {
    // Reported below.
  }
  throw new ToolError('The cursor is none that this server gave. Begin again without a cursor.')
}

/** The place in a list that has no names, such as the result of a search. */
export function readOffset(cursor: string | undefined): number {
  if (cursor === undefined) return 0
  const { kind, key } = readCursor(cursor)
  const offset = Number(key)
  if (kind === 'offset' && Number.isSafeInteger(offset) && offset >= 0) return offset
  throw new ToolError('The cursor is of another list. Begin again without a cursor.')
}

/** The relations that begin or end at one of the entities, as many as fit. */
export function relationsAmong(
  graph: Graph,
  names: Iterable<string>,
  room: Room,
): { relations: Relation[]; leftOut: number } {
  const found = new Map<string, Relation>()
  for (const name of names) for (const relation of graph.relationsOf(name)) found.set(relationKey(relation), relation)
  const relations: Relation[] = []
  for (const relation of found.values()) if (room.take(relation)) relations.push(relation)
  return { relations, leftOut: found.size - relations.length }
}
