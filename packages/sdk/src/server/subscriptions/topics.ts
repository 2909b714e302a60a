import { ErrorCode, RpcError } from '../../errors.ts'
import { heapBytesOfText } from '../../heap-size.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { Soon } from '../../soon.ts'
import type { CallerState } from '../caller.ts'
import type { Definition, Feature, ServerChange } from '../definition/definition.ts'
import { lazyHandlers } from '../features/lazy-handlers.ts'

/** What a client asked for in one field of its filter and gets: everything of the kind, or some things by name. */
export type TopicSelection = true | ReadonlySet<string>

/**
 * One kind of news that clients can ask for. A row per field of the filter in `subscriptions/listen`; what sessions of
 * older revisions hear goes through the same rows.
 */
export interface Topic {
  /** The notification that brings the news. */
  readonly method: string
  /** The part of what was asked for that this caller gets; nothing if that is nothing. */
  honour(
    asked: unknown,
    caller: CallerState,
    definition: Definition,
  ): TopicSelection | undefined | Promise<TopicSelection | undefined>
  /** The params of the news that a change is for a caller who gets `wanted`; nothing if it is none. */
  news(change: ServerChange, wanted: TopicSelection, caller: CallerState): JsonObject | undefined
  /** Whether the caller may hear of it, at this moment. Absent if `news` has decided that. */
  admits?(change: ServerChange, caller: CallerState, definition: Definition): Promise<boolean>
}

const listTopic = (feature: Feature): Topic => ({
  method: `notifications/${feature}/list_changed`,
  honour: (asked, _caller, definition) => (asked === true && definition.offers(feature) ? true : undefined),
  news: (change) => (change.kind === 'list' && change.feature === feature ? {} : undefined),
  admits: async (change, caller) => change.kind === 'list' && change.owner.sees(caller, change.visible),
})

const defaultMaxSubscriptions = 1_000

/** How many resources one client may hear of. */
export const subscriptionLimit = (definition: Definition): number =>
  definition.options.limits?.maxSubscriptions ?? defaultMaxSubscriptions

/** The heap that a name takes in the set of a subscriber. */
export const subscriptionBytes = (name: string): number => 48 + heapBytesOfText(name)

/** A thousand URIs of a thousand characters: what is kept must not be as large as messages may be. */
const maxUriBytes = 1024 * 1024

/** Throws if the URIs that one client subscribes to take too much memory. */
export function checkUriBytes(bytes: number, where: string): void {
  if (bytes <= maxUriBytes) return
  const problem = `${where}: expected URIs that take at most ${maxUriBytes} bytes together, got ${bytes}`
  throw new RpcError(ErrorCode.InvalidParams, problem, { limit: maxUriBytes, size: bytes })
}

const canRead = (caller: CallerState, definition: Definition, uri: string): Soon<boolean> =>
  lazyHandlers((handlers) => handlers.canRead(caller, definition, uri))

const resourceTopic: Topic = {
  method: 'notifications/resources/updated',
  async honour(asked, caller, definition) {
    const limit = subscriptionLimit(definition)
    const uris = asked as readonly string[]
    if (uris.length > limit) throw tooMany(uris.length, limit)
    const bytes = uris.reduce((sum, uri) => sum + subscriptionBytes(uri), 0)
    checkUriBytes(bytes, 'subscriptions/listen params.notifications.resourceSubscriptions')
    const readable = new Set<string>()
    for (const uri of new Set(uris)) if (await canRead(caller, definition, uri)) readable.add(uri)
    return readable.size > 0 ? readable : undefined
  },
  news: (change, wanted) =>
    change.kind === 'resource' && wanted !== true && wanted.has(change.uri) ? { uri: change.uri } : undefined,
  // What a subscriber may not see any more does not change for it either.
  admits: async (change, caller, definition) => change.kind === 'resource' && canRead(caller, definition, change.uri),
}

const tooMany = (count: number, limit: number): RpcError =>
  new RpcError(
    ErrorCode.InvalidParams,
    `subscriptions/listen params.notifications.resourceSubscriptions: expected at most ${limit} URIs, got ${count}`,
    { limit },
  )

/** The topics of the protocol itself, by the field of the filter that asks for them. */
export const coreTopics: ReadonlyMap<string, Topic> = new Map([
  ['toolsListChanged', listTopic('tools')],
  ['promptsListChanged', listTopic('prompts')],
  ['resourcesListChanged', listTopic('resources')],
  ['resourceSubscriptions', resourceTopic],
])
