import { ErrorCode, isRpcError, McpError } from '../../errors.ts'
import { isObject } from '../../jsonrpc/classify.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { CompleteParams } from '../../model/completion.ts'
import { tasksExtension } from '../../model/tasks.ts'
import type { Feature, Offers } from '../../server/definition/offers.ts'
import type { Call } from '../../server/dispatch/call.ts'
import type { ListedItem, MountedParts, OwnDescription, PartList, PartsListening } from '../../server/mounted-parts.ts'
import type { ListenFilter } from '../backend-handlers.ts'
import { mergedDescription } from './capabilities.ts'
import { goThrough, type Part, partFor } from './part.ts'
import type { PartCalls } from './part-calls.ts'
import { partOfState } from './part-request.ts'
import { PartsSubscription } from './parts-subscription.ts'
import { ResourceOwners } from './resource-owners.ts'
import { withTaskId } from './task-ids.ts'

/** The collisions that are remembered, so that each is reported once. */
const maxReported = 1_000

/** Answers for the parts of a server with everything that its own handlers do not have. */
export class MountedServers implements MountedParts {
  readonly #calls: PartCalls
  readonly #owners: ResourceOwners
  readonly #reported = new Set<string>()

  constructor(calls: PartCalls) {
    this.#calls = calls
    this.#owners = new ResourceOwners(calls, (part, problem) => this.#collides(part, problem))
  }

  async describe(call: Call, own: OwnDescription): Promise<OwnDescription> {
    const asked = this.#calls.parts.map(async (part) => {
      try {
        return { part, known: await this.#calls.introductionOf(call, part) }
      } catch (error) {
        this.#calls.report(error, part)
        return { part, known: undefined }
      }
    })
    return mergedDescription(own, await Promise.all(asked))
  }

  async list(call: Call, list: PartList, prefix: string): Promise<ListedItem[]> {
    const part = this.#calls.parts.find((one) => one.prefix === prefix)
    if (part === undefined) return []
    const { method, needs, field, keyOf } = list
    try {
      const { capabilities } = await this.#calls.introductionOf(call, part)
      if (capabilities[needs] === undefined) return []
      const items = (await this.#calls.list(call, part, method, field)) as unknown as ListedItem[]
      const known = items.filter((item) => typeof item.name === 'string' && typeof keyOf(item) === 'string')
      return known.filter((item) => this.#isFree(list, part, keyOf(item)))
    } catch (error) {
      return this.#without(error, part)
    }
  }

  pass(call: Call, params: JsonObject): Promise<JsonObject | undefined> {
    switch (call.request.method) {
      case 'resources/subscribe':
        return this.#subscribe(call, params)
      case 'resources/unsubscribe':
        return this.#unsubscribe(call, params)
      case 'resources/read':
        return this.#byUri(call, params.uri as string, params)
      case 'completion/complete': {
        const { ref } = params as unknown as CompleteParams
        return ref.type === 'ref/resource'
          ? this.#byUri(call, ref.uri, params)
          : this.#byName(call, ref.name, params, (given, name) => ({ ...given, ref: { ...ref, name } }))
      }
      default:
        return this.#byName(call, params.name as string, params, (given, name) => ({ ...given, name }))
    }
  }

  async tasks(call: Call): Promise<JsonObject[]> {
    const of = async (part: Part): Promise<JsonObject[]> => {
      const { capabilities } = await this.#calls.introductionOf(call, part)
      if (!Object.hasOwn(capabilities.extensions ?? {}, tasksExtension)) return []
      const tasks = await this.#calls.list(call, part, 'tasks/list', 'tasks')
      return tasks.map((task) => withTaskId(part.prefix, task))
    }
    const all = this.#calls.parts.map((part) => of(part).catch((error: unknown) => this.#without(error, part)))
    return (await Promise.all(all)).flat()
  }

  async listen(call: Call, filter: JsonObject): Promise<PartsListening> {
    const subscription = new PartsSubscription(this.#calls, call)
    await subscription.start(filter as ListenFilter, this.#owners)
    return subscription
  }

  /** A part that fails is missing in a list; the operator gets the reason. */
  #without(error: unknown, part: Part): [] {
    if (!isRpcError(error) || error.code !== ErrorCode.MethodNotFound) this.#calls.report(error, part)
    return []
  }

  /** True if the name or URI of an item leads to its part; else it is left out, and the operator is told. */
  #isFree({ needs, field, prefixed }: PartList, part: Part, key: string): boolean {
    const { server, parts } = this.#calls
    const name = prefixed ? part.prefix + key : key
    const leadsHere = !prefixed || partFor(parts, name) === part
    if (leadsHere && !isRegistered(server, needs, name)) return true
    this.#collides(
      part,
      `${field} ${JSON.stringify(name)}: the name leads to another server; mount with another prefix`,
    )
    return false
  }

  #collides(part: Part, problem: string): void {
    const text = `mount of ${part.name} (prefix ${JSON.stringify(part.prefix)}): ${problem}`
    if (this.#reported.has(text) || this.#reported.size >= maxReported) return
    this.#reported.add(text)
    this.#calls.report(new McpError('invalid_definition', text), part)
  }

  async #byName(
    call: Call,
    name: string,
    params: JsonObject,
    withName: (params: JsonObject, name: string) => JsonObject,
  ): Promise<JsonObject | undefined> {
    const part = partFor(this.#calls.parts, name)
    if (part === undefined) return undefined
    const down = (given: JsonObject, prefix: string): JsonObject => {
      const known = nameIn(given)
      return known?.startsWith(prefix) ? withName(given, known.slice(prefix.length)) : given
    }
    const way = { method: call.request.method, params, down }
    return goThrough(call, part, way, (there) => this.#calls.perform(call, part, there))
  }

  /** Reads, subscribes or completes at the part that has the URI. */
  async #byUri(call: Call, uri: string, params: JsonObject): Promise<JsonObject | undefined> {
    const asked = partOfState(call.input.state)
    const known = asked === undefined ? undefined : this.#calls.parts.find(({ prefix }) => prefix === asked)
    const { parts, failure } =
      known === undefined ? await this.#owners.of(call, uri) : { parts: [known], failure: undefined }
    const way = { method: call.request.method, params }
    let missing: unknown
    for (const part of parts) {
      try {
        return await goThrough(call, part, way, (there) => this.#calls.perform(call, part, there))
      } catch (error) {
        if (!isMissing(error)) throw error
        missing = error
      }
    }
    // The resource may be one of a part that cannot be reached.
    if ((failure ?? missing) !== undefined) throw failure ?? missing
    return undefined
  }

  async #subscribe(call: Call, params: JsonObject): Promise<JsonObject | undefined> {
    const uri = params.uri as string
    const { parts, failure } = await this.#owners.of(call, uri)
    const sessions = this.#calls.sessionsOf(call)
    for (const part of parts) {
      try {
        const result = await this.#calls.answer(call, part, params)
        sessions?.subscriptionsAt(part).add(uri)
        return result
      } catch (error) {
        if (!isMissing(error) || part === parts.at(-1)) throw failure ?? error
      }
    }
    if (failure !== undefined) throw failure
    return undefined
  }

  async #unsubscribe(call: Call, params: JsonObject): Promise<JsonObject | undefined> {
    const sessions = this.#calls.sessionsOf(call)
    const uri = params.uri as string
    const part = this.#calls.parts.find((one) => sessions?.subscriptionsAt(one).has(uri))
    if (part === undefined) return undefined
    sessions!.subscriptionsAt(part).delete(uri)
    return this.#calls.answer(call, part, params)
  }
}

/** The name in params that middleware may have changed. */
function nameIn({ name, ref }: JsonObject): string | undefined {
  const given = isObject(ref) ? ref.name : name
  return typeof given === 'string' ? given : undefined
}

/** True if a server has nothing under a URI. */
const isMissing = (error: unknown): boolean =>
  isRpcError(error) && (error.code === ErrorCode.ResourceNotFound || error.code === ErrorCode.InvalidParams)

/** True if something is registered under a name or a URI, visible or not: it is asked first. */
function isRegistered(server: Offers, feature: Feature, key: string): boolean {
  if (server[feature].has(key)) return true
  return server.mounts.some(({ definition, prefix }) => {
    if (feature === 'resources') return isRegistered(definition, feature, key)
    return key.startsWith(prefix) && isRegistered(definition, feature, key.slice(prefix.length))
  })
}
