import { ErrorCode, RpcError } from '../../errors.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { CallerState } from '../caller-state.ts'
import type { ChangeListener, ServerChange } from '../definition/changes.ts'
import type { Feature, Offers } from '../definition/offers.ts'
import { lazyHandlers } from '../features/lazy-handlers.ts'
import type { EndWatch } from '../features/resource.ts'
import type { TaskServer } from '../tasks/task-server.ts'
import { checkUriBytes, subscriptionBytes, subscriptionLimit } from './subscription-limits.ts'

/** The honoured part of one field of a filter: everything of the kind, or some things by name. */
export type TopicSelection = true | ReadonlySet<string>

/**
 * One kind of notification that clients can subscribe to: a row per field of the filter in `subscriptions/listen`.
 * Notifications of sessions go through the same rows.
 */
export interface Topic {
  /** The notification itself. */
  readonly method: string
  /** The part of the filter that this caller gets, if any. `begun` takes the ends of whatever begins with it. */
  honour(
    asked: unknown,
    caller: CallerState,
    server: TaskServer,
    begun: (() => void)[],
  ): MaybePromise<TopicSelection | undefined>
  /** The params of the notification of a change, if the caller with the subscription `wanted` gets one. */
  paramsFor(change: ServerChange, wanted: TopicSelection, caller: CallerState): JsonObject | undefined
  /** Whether the caller may see the change, at this moment. Absent if `paramsFor` has decided that. */
  admits?(change: ServerChange, caller: CallerState, server: Offers): Promise<boolean>
}

const listTopic = (feature: Feature): Topic => ({
  method: `notifications/${feature}/list_changed`,
  honour: (asked, _caller, server) => (asked === true && server.offers(feature) ? true : undefined),
  paramsFor: (change) => (change.kind === 'list' && change.feature === feature ? {} : undefined),
  admits: async (change, caller) => change.kind === 'list' && change.owner.sees(caller, change.visible),
})

const canRead = (caller: CallerState, server: Offers, uri: string): MaybePromise<boolean> =>
  lazyHandlers((handlers) => handlers.canRead(caller, server, uri))

const beginWatch = (caller: CallerState, server: Offers, uri: string): MaybePromise<EndWatch | undefined> =>
  lazyHandlers((handlers) => handlers.beginWatch(caller, server, uri))

const resourceTopic: Topic = {
  method: 'notifications/resources/updated',
  async honour(asked, caller, server, begun) {
    const limit = subscriptionLimit(server)
    const uris = asked as readonly string[]
    if (uris.length > limit) throw tooMany(uris.length, limit)
    const bytes = uris.reduce((sum, uri) => sum + subscriptionBytes(uri), 0)
    checkUriBytes(bytes, 'subscriptions/listen params.notifications.resourceSubscriptions')
    const readable = new Set<string>()
    for (const uri of new Set(uris)) {
      const end = await beginWatch(caller, server, uri)
      if (end === undefined) continue
      readable.add(uri)
      begun.push(end)
    }
    return readable.size > 0 ? readable : undefined
  },
  paramsFor: (change, wanted) =>
    change.kind === 'resource' && wanted !== true && wanted.has(change.uri) ? { uri: change.uri } : undefined,
  // A resource that a subscriber may not see any more does not change for it either.
  admits: async (change, caller, server) => change.kind === 'resource' && canRead(caller, server, change.uri),
}

const tooMany = (count: number, limit: number): RpcError =>
  new RpcError(
    ErrorCode.InvalidParams,
    `subscriptions/listen params.notifications.resourceSubscriptions: expected at most ${limit} URIs, got ${count}`,
    { limit },
  )

/** A server whose changes clients can ask for. */
export interface ChangeSource extends TaskServer {
  /** By the field of the filter that asks for them. */
  readonly topics: ReadonlyMap<string, Topic>
  /** The number of the last change that listeners were told of, of those that processes share. */
  readonly changes: { readonly last: number }
  onChange(listener: ChangeListener): void
  forget(listener: ChangeListener): void
  /** Done when changes in other processes arrive here, of mounted servers too. */
  joinBus(): Promise<void>
}

/** The topics of the protocol itself, by the field of the filter that asks for them. */
export const coreTopics: ReadonlyMap<string, Topic> = new Map([
  ['toolsListChanged', listTopic('tools')],
  ['promptsListChanged', listTopic('prompts')],
  ['resourcesListChanged', listTopic('resources')],
  ['resourceSubscriptions', resourceTopic],
])
