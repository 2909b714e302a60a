import { untilAborted } from '../internal/abort.ts'
import type { MaybePromise } from '../internal/maybe-promise.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import { metaKeys } from '../model/meta.ts'
import type { Call } from '../server/dispatch/call.ts'
import type { BackendHandlers, BackendListening, ListenFilter } from './backend-handlers.ts'
import type { BackendRequest } from './backend-request.ts'

/** Sends a client the notifications of its subscription; the result comes when this side ends it. */
export async function listenWith(handlers: BackendHandlers, call: Call, request: BackendRequest): Promise<JsonObject> {
  const place = call.outlet.listens!.add(request.id)
  call.request.standing = true
  const stream = new ListenReply(request)
  const gone = untilAborted(request.signal, place.leave)
  let listening: BackendListening | undefined
  try {
    listening = await handlers.listen(request, request.params.notifications as ListenFilter, stream.tell)
    if (call.request.cancelled) return {}
    stream.acknowledge(listening.honoured)
    await Promise.race([place.ended, gone, ...(listening.ended ? [listening.ended] : [])])
    return { _meta: stream.meta }
  } finally {
    await listening?.stop()
    place.leave()
  }
}

/** The notifications of one stream: those that come before the acknowledgement are sent after it. */
class ListenReply {
  readonly meta: JsonObject
  readonly #request: BackendRequest
  #early: [string, JsonObject][] | undefined = []

  constructor(request: BackendRequest) {
    this.#request = request
    this.meta = { [metaKeys.subscriptionId]: request.id }
  }

  readonly tell = (method: string, params: JsonObject): void => {
    if (this.#early === undefined) void this.#send(method, params)
    else this.#early.push([method, params])
  }

  acknowledge(notifications: ListenFilter): void {
    void this.#send('notifications/subscriptions/acknowledged', { notifications })
    const early = this.#early ?? []
    this.#early = undefined
    for (const [method, params] of early) void this.#send(method, params)
  }

  #send(method: string, params: JsonObject): MaybePromise<void> {
    const meta = { ...(params._meta as JsonObject | undefined), ...this.meta }
    return this.#request.notify(method, { ...params, _meta: meta })
  }
}
