import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import { keepText } from '../../transport/to-json.ts'
import type { Codec } from '../../wire/codec.ts'
import { listRule, type ScopeRule } from '../access/scopes.ts'
import type { Visible } from '../access/visibility.ts'
import { keptPrivate } from '../definition/cache-policy.ts'
import type { Offers } from '../definition/offers.ts'
import type { Call } from '../dispatch/call.ts'
import type { ListedItem as Listed, PartList } from '../mounted-parts.ts'
import { isLasting } from './lasting-lists.ts'
import { paginate } from './pagination.ts'

interface Item {
  listed: Listed
  visible: Visible<never> | undefined
  scopes: ScopeRule<never> | undefined
}

interface Family {
  list: (ctx: never) => MaybePromise<Listed[]>
  visible: Visible<never> | undefined
}

/** One of the four lists: where its items are, and how they are told apart. */
interface ListKind extends PartList {
  items: (definition: Offers) => Item[]
  /** Families whose items only exist when asked for. */
  dynamic: (definition: Offers) => Family[]
}

const none = (): [] => []

const kinds: readonly ListKind[] = [
  {
    method: 'tools/list',
    needs: 'tools',
    field: 'tools',
    prefixed: true,
    keyOf: (tool) => tool.name,
    items: (definition) => [...definition.tools],
    dynamic: none,
  },
  {
    method: 'prompts/list',
    needs: 'prompts',
    field: 'prompts',
    prefixed: true,
    keyOf: (prompt) => prompt.name,
    items: (definition) => [...definition.prompts],
    dynamic: none,
  },
  {
    method: 'resources/list',
    needs: 'resources',
    field: 'resources',
    prefixed: false,
    keyOf: (resource) => resource.uri!,
    items: (definition) => [...definition.resources].filter((item) => item.kind === 'resource'),
    dynamic: (definition) =>
      [...definition.resources].flatMap((item) =>
        item.kind === 'template' && item.list ? [{ list: item.list, visible: item.visible }] : [],
      ),
  },
  {
    method: 'resources/templates/list',
    needs: 'resources',
    field: 'resourceTemplates',
    prefixed: false,
    keyOf: (template) => template.uriTemplate!,
    items: (definition) => [...definition.resources].filter((item) => item.kind === 'template'),
    dynamic: none,
  },
]

export const listKinds: ReadonlyMap<string, ListKind> = new Map(kinds.map((kind) => [kind.method, kind]))

/** A page of a list, in the model. */
function list(kind: ListKind, call: Call, definition: Offers, params: JsonObject): Promise<JsonObject> {
  return definition.layers.run(
    kind.method,
    params,
    () => call.contextOf(definition),
    async ({ cursor }) => {
      const all = await collect(kind, call, definition)
      const { items, nextCursor } = paginate(
        all,
        kind.keyOf,
        definition.pageSizes[kind.needs],
        cursor as string | undefined,
      )
      return { [kind.field]: items, ...(nextCursor !== undefined && { nextCursor }) }
    },
  )
}

/**
 * Everything that the caller sees, here and in mounted servers; the first of two with the same key wins. `prefix` is that of the
 * server among the names that clients use.
 */
async function collect(kind: ListKind, call: Call, definition: Offers, prefix = ''): Promise<Listed[]> {
  const found = new Map<string, Listed>()
  const keep = (item: Listed): void => {
    const key = kind.keyOf(item)
    if (!found.has(key)) found.set(key, item)
  }
  for (const item of kind.items(definition)) {
    if (await definition.sees(call.caller, listRule(item))) keep(item.listed)
  }
  for (const family of kind.dynamic(definition)) {
    if (!(await definition.sees(call.caller, family.visible))) continue
    for (const item of await family.list((await call.contextOf(definition)) as never)) keep(item)
  }
  // All at once: servers behind backends may take their time.
  const mounted = definition.mounts.map((mount) => collectMounted(kind, call, mount, prefix + mount.prefix))
  for (const [index, items] of (await Promise.all(mounted)).entries()) {
    const { prefix: added } = definition.mounts[index]!
    for (const item of items) keep(kind.prefixed ? { ...item, name: added + item.name } : item)
  }
  return [...found.values()]
}

/** A mounted server's own middleware may filter its offers, unpaged. */
async function collectMounted(
  kind: ListKind,
  call: Call,
  { definition }: { definition: Offers },
  prefix: string,
): Promise<Listed[]> {
  if (definition.options.backend !== undefined) return (await call.parts?.list(call, kind, prefix)) ?? []
  const result = await definition.layers.run(
    kind.method,
    {},
    () => call.contextOf(definition),
    async () => ({ [kind.field]: await collect(kind, call, definition, prefix) }),
  )
  return result[kind.field] as Listed[]
}

/** True if everybody sees the same list, so that it can be encoded once. */
function isSame(kind: ListKind, definition: Offers): boolean {
  return (
    !definition.layers.has(kind.method) &&
    kind.dynamic(definition).length === 0 &&
    kind.items(definition).every((item) => listRule(item) === undefined) &&
    definition.mounts.every((mount) => isSame(kind, mount.definition))
  )
}

/** Enough for a thousand items in each of four lists and five revisions, with the pages that hold them. */
const maxCost = 40_000
const maxKeyLength = 2_048

type Encode = (result: JsonObject) => JsonObject

/** Encoded pages of lists that everybody sees alike, kept until the definition changes. */
export class ListCache {
  readonly #definition: Offers
  readonly #pages = new Map<string, JsonObject>()
  readonly #same = new Map<string, boolean>()
  /** Lists of middleware that last, for each revision: as long as the middleware keeps them. */
  readonly #encoded = new WeakMap<JsonObject, Map<Codec, JsonObject>>()
  /** How many pages there are, and items in them. */
  #cost = 0
  #version = -1

  constructor(definition: Offers) {
    this.#definition = definition
  }

  page(kind: ListKind, call: Call, params: JsonObject, encode: Encode): MaybePromise<JsonObject> {
    this.#refresh()
    if (call.parts !== undefined || !this.#isSame(kind)) return this.#ownPage(kind, call, params, encode)
    const key = pageKey(call.caller.codec, kind, params)
    return this.#pages.get(key) ?? this.#newPage(key, kind, call, params, encode)
  }

  async #ownPage(kind: ListKind, call: Call, params: JsonObject, encode: Encode): Promise<JsonObject> {
    const result = await list(kind, call, this.#definition, params)
    const { codec } = call.caller
    const known = this.#encoded.get(result)?.get(codec)
    if (known !== undefined) return known
    const page = encode(keptPrivate(this.#hinted(kind, result)))
    if (isLasting(result)) this.#keepEncoded(result, codec, page)
    return page
  }

  #keepEncoded(result: JsonObject, codec: Codec, page: JsonObject): void {
    const pages = this.#encoded.get(result) ?? new Map<Codec, JsonObject>()
    keepText(page)
    this.#encoded.set(result, pages.set(codec, page))
  }

  async #newPage(key: string, kind: ListKind, call: Call, params: JsonObject, encode: Encode): Promise<JsonObject> {
    const version = this.#version
    const result = this.#hinted(kind, await list(kind, call, this.#definition, params))
    // An item that was added meanwhile may not be for everybody.
    if (version !== this.#definition.version) return encode(keptPrivate(result))
    const page = encode(result)
    this.#keep(key, page, (page[kind.field] as JsonObject[]).length)
    return page
  }

  /** Cursors come from the peer: made-up ones must not fill the memory. */
  #keep(key: string, page: JsonObject, items: number): void {
    const cost = items + 1
    if (this.#cost + cost > maxCost || key.length > maxKeyLength) return
    this.#cost += cost
    keepText(page)
    this.#pages.set(key, page)
  }

  #hinted(kind: ListKind, result: JsonObject): JsonObject {
    return { ...this.#definition.cache.lists.get(kind.field), ...result }
  }

  #refresh(): void {
    if (this.#version === this.#definition.version) return
    this.#version = this.#definition.version
    this.#pages.clear()
    this.#cost = 0
    this.#same.clear()
  }

  #isSame(kind: ListKind): boolean {
    const known = this.#same.get(kind.method)
    if (known !== undefined) return known
    const same = isSame(kind, this.#definition)
    this.#same.set(kind.method, same)
    return same
  }
}

const pageKey = (codec: Codec, kind: ListKind, { cursor }: JsonObject): string =>
  `${codec.revision} ${kind.method}${cursor === undefined ? '' : ` ${cursor}`}`
