import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { ChannelInfo, KeptChange } from '../../jsonrpc/channel.ts'
import type { IncomingRequest } from '../../jsonrpc/incoming.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { WaitOptions } from '../../jsonrpc/pending.ts'
import type { OpenSubscriptions } from '../subscriptions/open-subscriptions.ts'

/** Where messages about a request go besides its answer. */
export interface Outlet {
  readonly askTimeoutMs: number
  readonly about?: ChannelInfo | undefined
  /** Stands for the client where nobody is authenticated: requests with the same one are counted together. */
  readonly client: object
  /** Counts the open subscriptions, and ends them; absent for handlers that outlive their request. */
  readonly listens?: OpenSubscriptions | undefined
  /** Keeps a change of the state that the client has set, for the processes that share its session. */
  keep?(change: KeptChange): MaybePromise<void>
  notify(method: string, params: JsonObject, about?: IncomingRequest): MaybePromise<void>
  ask(method: string, params: JsonObject, wait: WaitOptions, about?: IncomingRequest): Promise<JsonObject>
}
