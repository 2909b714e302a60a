import type { JsonObject } from '@tenon/sdk/client'
import type { BackendHandlers, BackendRequest } from '@tenon/sdk/relay'
import { type ItemKind, type ListKind, listByKind } from './kinds.ts'

/** The most pages, and items in them, that are taken of one list: an upstream could go on for ever. */
const maxPages = 1_000
const maxItems = 20_000

/** The most items that are kept of all callers together. */
const maxKept = 200_000

/** For so long the definition of an item is used without asking again, where nothing tells of changes. */
const definitionsMs = 5_000

/** A list of an upstream, as one caller gets it. */
interface ItemList {
  readonly items: readonly JsonObject[]
  readonly byName: ReadonlyMap<string, JsonObject>
  /** Whether a client may still be answered with it. */
  readonly isFresh: () => boolean
}

interface KeptList {
  readonly list: Promise<ItemList>
  readonly at: number
  /** Until then a list may be answered with it. */
  freshUntil: number
  size: number
  /** Set when another list took its place, or its items may have changed. */
  isOver: boolean
}

/**
 * The lists of one upstream. They belong to the session or the principal that they were made for, unless the upstream
 * says that everybody gets the same.
 */
export class ItemLists {
  readonly #handlers: Pick<BackendHandlers, 'answer'>
  readonly #cacheMs: number | undefined
  readonly #sessions = new WeakMap<object, Map<ItemKind, KeptList>>()
  /** The least recently made first. */
  readonly #principals = new Map<string, KeptList>()
  #kept = 0

  constructor(handlers: Pick<BackendHandlers, 'answer'>, cacheMs: number | undefined) {
    this.#handlers = handlers
    this.#cacheMs = cacheMs
  }

  /** A list for a client: a new one, unless the upstream or the configuration let it be kept. */
  async list(request: BackendRequest, kind: ListKind): Promise<ItemList> {
    const known = this.#find(request, kind.kind)
    if (known !== undefined && isFresh(known)) return known.list
    return this.#read(request, kind)
  }

  /** The definition of an item, as far as the upstream lists it. */
  async definition(request: BackendRequest, kind: ItemKind, name: string): Promise<JsonObject | undefined> {
    const list = listByKind.get(kind)!
    const known = this.#find(request, kind)
    const isNew = known !== undefined && (request.live || performance.now() < known.at + definitionsMs)
    const found = isNew ? (await known.list).byName.get(name) : undefined
    return found ?? (await this.#read(request, list)).byName.get(name)
  }

  /** Items may have changed, for this session or for everybody. */
  forget(line: object | undefined): void {
    if (line !== undefined) {
      for (const kept of this.#sessions.get(line)?.values() ?? []) kept.isOver = true
      this.#sessions.delete(line)
    }
    for (const kept of this.#principals.values()) kept.isOver = true
    this.#principals.clear()
    this.#kept = 0
  }

  #find(request: BackendRequest, kind: ItemKind): KeptList | undefined {
    if (request.line !== undefined) return this.#sessions.get(request.line)?.get(kind)
    return this.#principals.get(keyOf(request, kind)) ?? this.#principals.get(publicKey(kind))
  }

  #read(request: BackendRequest, kind: ListKind): Promise<ItemList> {
    const hints: CacheHints = { ttlMs: 0, isPublic: false }
    const kept: KeptList = {
      list: readPages(this.#handlers, request, kind, hints, () => isFresh(kept)),
      at: performance.now(),
      freshUntil: 0,
      size: 0,
      isOver: false,
    }
    const { list } = kept
    this.#keep(request, kind.kind, kept)
    list.then(
      ({ items }) => {
        kept.freshUntil = kept.at + (this.#cacheMs ?? hints.ttlMs)
        kept.size = items.length
        this.#kept += request.line === undefined ? items.length : 0
        if (hints.isPublic && request.line === undefined) this.#principals.set(publicKey(kind.kind), kept)
        this.#bound()
      },
      () => this.#drop(request, kind.kind, kept),
    )
    return list
  }

  #keep(request: BackendRequest, kind: ItemKind, kept: KeptList): void {
    const { line } = request
    if (line === undefined) {
      const key = keyOf(request, kind)
      const before = this.#principals.get(key)
      if (before !== undefined) before.isOver = true
      this.#kept -= before?.size ?? 0
      this.#principals.delete(key)
      this.#principals.set(key, kept)
      return
    }
    const lists = this.#sessions.get(line) ?? new Map<ItemKind, KeptList>()
    const before = lists.get(kind)
    if (before !== undefined) before.isOver = true
    this.#sessions.set(line, lists.set(kind, kept))
  }

  #drop(request: BackendRequest, kind: ItemKind, kept: KeptList): void {
    if (this.#find(request, kind) !== kept) return
    if (request.line === undefined) this.#principals.delete(keyOf(request, kind))
    else this.#sessions.get(request.line)?.delete(kind)
  }

  #bound(): void {
    for (const [key, { size }] of this.#principals) {
      if (this.#kept <= maxKept) return
      this.#principals.delete(key)
      this.#kept -= size
    }
  }
}

const isFresh = ({ isOver, freshUntil }: KeptList): boolean => !isOver && performance.now() < freshUntil

const keyOf = ({ auth }: BackendRequest, kind: ItemKind): string =>
  JSON.stringify([kind, ...(auth === undefined ? [] : [auth.principal])])
const publicKey = (kind: ItemKind): string => `public ${kind}`

interface CacheHints {
  ttlMs: number
  isPublic: boolean
}

async function readPages(
  handlers: Pick<BackendHandlers, 'answer'>,
  request: BackendRequest,
  { method, items: member, name }: ListKind,
  hints: CacheHints,
  stillFresh: () => boolean,
): Promise<ItemList> {
  const items: JsonObject[] = []
  let cursor: unknown
  for (let page = 0; page < maxPages && items.length < maxItems; page++) {
    const params = cursor === undefined ? {} : { cursor }
    const result = (await handlers.answer(request.with({ method, params }))) as JsonObject
    const listed: unknown[] = Array.isArray(result[member]) ? result[member] : []
    for (const item of listed.slice(0, maxItems - items.length)) if (isNamed(item, name)) items.push(item)
    if (page === 0 && typeof result.ttlMs === 'number') hints.ttlMs = result.ttlMs
    hints.isPublic = result.cacheScope === 'public' && (page === 0 || hints.isPublic)
    cursor = result.nextCursor
    if (typeof cursor !== 'string' || cursor === '') break
  }
  return { items, byName: new Map(items.map((item) => [item[name] as string, item])), isFresh: stillFresh }
}

const isNamed = (item: unknown, name: string): item is JsonObject =>
  typeof item === 'object' && item !== null && typeof (item as JsonObject)[name] === 'string'
