import type { MaybePromise } from '../internal/maybe-promise.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import type { ServerCapabilities } from '../model/capabilities.ts'
import type { Feature } from './definition/offers.ts'
import type { Call } from './dispatch/call.ts'

/** An item of a list. */
export type ListedItem = { name: string; uri?: string; uriTemplate?: string }

/** One of the lists of a server. */
export interface PartList {
  readonly method: string
  readonly needs: Feature
  /** The member of the result that holds the items. */
  readonly field: string
  readonly prefixed: boolean
  readonly keyOf: (item: ListedItem) => string
}

/** The part of a server's description of itself that its parts add to. */
export interface OwnDescription {
  readonly capabilities: ServerCapabilities
  readonly instructions: string | undefined
}

/** The subscriptions of a client at the servers behind a server. */
export interface PartsListening {
  /** The part of the filter that they honour. */
  readonly honoured: JsonObject
  /** Sends the notifications that came so far, and those that come. */
  open(tell: (method: string, params: JsonObject) => MaybePromise<void>): void
  stop(): void
}

/** The mounted servers that have backends: handlers ask them for everything that is not registered. */
export interface MountedParts {
  /** The server as it describes itself, with the capabilities of its parts, and the instructions of some. */
  describe(call: Call, own: OwnDescription): Promise<OwnDescription>
  /** The list of the part with this prefix, with its own names; empty if the part cannot be reached. */
  list(call: Call, list: PartList, prefix: string): Promise<ListedItem[]>
  /** Answers the request of the call with other params, by the part that its name or URI leads to; undefined if there is none. */
  pass(call: Call, params: JsonObject): Promise<JsonObject | undefined>
  /** The tasks of the caller. */
  tasks(call: Call): Promise<JsonObject[]>
  listen(call: Call, filter: JsonObject): Promise<PartsListening>
}
