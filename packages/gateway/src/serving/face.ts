import { ErrorCode, isRpcError, type JsonObject, RpcError } from '@tenon/sdk/client'
import type { AuthInfo, Caller, Middleware } from '@tenon/sdk/server'
import { type ListKind, listByMethod, unknownItem } from '../catalogue/kinds.ts'
import type { NamedItem, Naming } from '../catalogue/naming.ts'
import { findTools, searchTools } from '../catalogue/search.ts'
import type { GatewayCaller } from '../model.ts'
import type { RunningUpstream } from '../upstreams/upstream.ts'
import { wantsList } from './gate.ts'
import { KeptLists } from './kept-lists.ts'
import { ListScope, listing } from './list-scope.ts'

/** An upstream in a virtual server, and how its names begin inside. */
export interface FaceMember {
  readonly upstream: RunningUpstream
  readonly prefix: string
}

interface FacePlan {
  naming(): Naming
  members(): readonly FaceMember[]
  member(prefix: string): FaceMember | undefined
  /** Whether tools are found with `find_tools`, and not listed. */
  searches(): boolean
  callerOf(auth: AuthInfo | undefined): GatewayCaller
  collides(problem: string): void
}

type Next = (params?: JsonObject) => Promise<JsonObject>

const maxReported = 1_000

/** The names that clients see, in front of the names that lead to upstreams. */
export function faceOf(plan: FacePlan): Middleware {
  const face = new Face(plan)
  return ({ method, params, ctx }, next) =>
    face.answer(method, params as JsonObject, ctx.caller, next as unknown as Next)
}

class Face {
  readonly #plan: FacePlan
  readonly #reported = new Set<string>()
  readonly #kept = new KeptLists()

  constructor(plan: FacePlan) {
    this.#plan = plan
  }

  async answer(method: string, params: JsonObject, caller: Caller, next: Next): Promise<JsonObject> {
    const list = listByMethod.get(method)
    if (list !== undefined) return this.#list(list, params, caller, next)
    if (method === 'tools/call') return this.#call(params, next)
    if (method === 'prompts/get') return this.#use('prompt', params.name, params, next)
    if (method === 'completion/complete') return this.#complete(params, next)
    return next(params)
  }

  async #list(list: ListKind, params: JsonObject, from: Caller, next: Next): Promise<JsonObject> {
    if (list.kind === 'tool' && this.#plan.searches()) return { tools: [...searchTools] }
    const key = this.#kept.keyOf(list.method, params, from, this.#plan.callerOf(from.auth))
    const kept = this.#kept.get(key)
    if (kept !== undefined) return kept
    const naming = this.#plan.naming()
    const scope = new ListScope(list)
    scope.holdsWhile(() => this.#plan.naming() === naming)
    const made = await listing(scope, () => this.#newList(scope, params, next))
    this.#kept.add(key, made, () => scope.holds())
    return made
  }

  async #newList(scope: ListScope, params: JsonObject, next: Next): Promise<JsonObject> {
    const { kind: list } = scope
    const result = await next(params)
    this.#refusePartial(scope)
    const items = result[list.items] as JsonObject[]
    const named = list.name === 'name' ? await this.#named(list, items, next) : items
    return { ...result, [list.items]: named, ...missingNote(scope) }
  }

  /** A list without an upstream that must not be missing is none. */
  #refusePartial({ kind: { capability }, failed, listed }: ListScope): void {
    for (const { upstream } of this.#plan.members()) {
      if (upstream.config.failure !== 'closed' || listed.has(upstream.name)) continue
      const reason = failed.get(upstream.name)
      if (reason === undefined) continue
      const problem = `The list of ${capability} is not complete: ${upstream.name} cannot be used`
      throw new RpcError(ErrorCode.InternalError, problem, { reason, upstream: upstream.name })
    }
  }

  /** The items with their outward names. Of several with one name none is served: calls could mean any of them. */
  async #named(list: ListKind, page: readonly JsonObject[], next: Next): Promise<JsonObject[]> {
    const taken = this.#plan.naming().mayCollide ? await this.#collisions(list, next) : undefined
    return page.flatMap((item) => {
      const name = this.#outward(item.name as string)
      return name === undefined || taken?.has(name) ? [] : [{ ...item, name }]
    })
  }

  /** The names that several items have, on all pages of a list. */
  async #collisions(list: ListKind, next: Next): Promise<Set<string>> {
    const items = new Map<string, string[]>()
    let cursor: unknown
    do {
      const page: JsonObject = await next(cursor === undefined ? {} : { cursor })
      for (const { name } of page[list.items] as { name: string }[]) {
        const outward = this.#outward(name)
        if (outward !== undefined) items.set(outward, [...(items.get(outward) ?? []), name])
      }
      cursor = page.nextCursor
    } while (cursor !== undefined)
    const several = [...items].filter(([, names]) => names.length > 1)
    for (const [name, names] of several) this.#report(name, names)
    return new Set(several.map(([name]) => name))
  }

  async #call(params: JsonObject, next: Next): Promise<JsonObject> {
    const { name } = params
    const given = (params.arguments ?? {}) as JsonObject
    const searches = this.#plan.searches()
    if (searches && name === 'find_tools') return this.#find(given, next)
    if (!searches || name !== 'call_tool') return this.#use('tool', name, params, next)
    return this.#use('tool', given.name, { ...params, arguments: given.arguments ?? {} }, next)
  }

  /** Uses an item under its name inside. An upstream that does not know it is answered for with the name of the client. */
  async #use(kind: 'tool' | 'prompt', name: unknown, params: JsonObject, next: Next): Promise<JsonObject> {
    const { upstream, inside } = await this.#inward(kind, name, next)
    try {
      return await next({ ...params, name: inside })
    } catch (error) {
      const isUnknown = isRpcError(error) && error.message === unknownItem(kind, upstream.name).message
      throw isUnknown ? unknownItem(kind, name) : error
    }
  }

  async #find({ query, limit }: JsonObject, next: Next): Promise<JsonObject> {
    if (typeof query !== 'string') throw new RpcError(ErrorCode.InvalidParams, 'find_tools: expected a text as query')
    const most = Number.isInteger(limit) ? Math.min(Math.max(limit as number, 1), 50) : 10
    const lists = this.#plan.members().map(async ({ upstream, prefix }) => {
      const tools = await this.#itemsOf('tool', prefix, next).catch(() => [])
      const naming = this.#plan.naming()
      return tools.map((tool) => ({
        ...tool,
        name: naming.outward({ upstream: upstream.name, name: String(tool.name) }),
      }))
    })
    const tools = findTools((await Promise.all(lists)).flat(), query, most).map(
      ({ name, title, description, inputSchema }) => ({ name, title, description, inputSchema }),
    )
    return { content: [{ type: 'text', text: JSON.stringify(tools, null, 1) }] }
  }

  async #complete(params: JsonObject, next: Next): Promise<JsonObject> {
    const ref = params.ref as JsonObject
    if (ref.type !== 'ref/prompt') return next(params)
    const { inside } = await this.#inward('prompt', ref.name, undefined)
    return next({ ...params, ref: { ...ref, name: inside } })
  }

  /** The item of a name. One that leads to several upstreams which have it leads nowhere. */
  async #inward(
    kind: 'tool' | 'prompt',
    name: unknown,
    next: Next | undefined,
  ): Promise<{ upstream: NamedItem; inside: string }> {
    const found = typeof name === 'string' ? this.#plan.naming().inward(name) : []
    const having = found.length > 1 && next !== undefined ? await this.#having(kind, found, next) : found
    if (having.length > 1)
      this.#report(
        name as string,
        having.map((item) => this.#inside(item)!),
      )
    const inside = having.length === 1 ? this.#inside(having[0]!) : undefined
    if (inside === undefined) throw unknownItem(kind, name)
    return { upstream: having[0]!, inside }
  }

  async #having(kind: 'tool' | 'prompt', found: readonly NamedItem[], next: Next): Promise<NamedItem[]> {
    const asked = found.map(async (item): Promise<NamedItem[]> => {
      const prefix = this.#prefixOf(item.upstream)
      const items = prefix === undefined ? [] : await this.#itemsOf(kind, prefix, next).catch(() => [])
      return items.some(({ name }) => name === item.name) ? [item] : []
    })
    return (await Promise.all(asked)).flat()
  }

  /** The items that the caller sees of one upstream. */
  async #itemsOf(kind: 'tool' | 'prompt', prefix: string, next: Next): Promise<JsonObject[]> {
    const result = await next({ name: `${prefix}list`, arguments: wantsList })
    return result[kind === 'tool' ? 'tools' : 'prompts'] as JsonObject[]
  }

  #prefixOf(upstream: string): string | undefined {
    return this.#plan.members().find((member) => member.upstream.name === upstream)?.prefix
  }

  #inside({ upstream, name }: NamedItem): string | undefined {
    const prefix = this.#prefixOf(upstream)
    return prefix === undefined ? undefined : prefix + name
  }

  /** The name for clients; undefined for one of an upstream that is leaving. */
  #outward(inside: string): string | undefined {
    // No upstream has two underscores in its name, so the prefix ends with the first ones.
    const prefix = inside.slice(0, inside.indexOf('__') + 2)
    const member = this.#plan.member(prefix)
    if (member === undefined) return undefined
    const item = { upstream: member.upstream.name, name: inside.slice(prefix.length) }
    return this.#plan.naming().outward(item)
  }

  #report(name: string, inside: readonly string[]): void {
    const problem = `${JSON.stringify(name)} is the name of several items, and none of them is served: ${inside.join(', ')}`
    if (this.#reported.has(problem) || this.#reported.size >= maxReported) return
    this.#reported.add(problem)
    this.#plan.collides(problem)
  }
}

/** Says which upstreams are missing in a list. */
function missingNote({ failed }: ListScope): JsonObject {
  if (failed.size === 0) return {}
  return { _meta: { 'tenon/missing': [...failed].map(([upstream, reason]) => ({ upstream, reason })) } }
}
