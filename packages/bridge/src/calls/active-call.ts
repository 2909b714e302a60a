import type { JsonObject, LoggingLevel } from '@tenon/sdk/client'
import type { BackendRequest, RawCallOptions, RawQuestion, RawSender } from '@tenon/sdk/relay'
import { NotificationQueue } from '../clients/notification-queue.ts'
import { knowsTasks } from '../tasks/capability.ts'

/** A call that the server is handling, with the client that its requests and notifications go to. */
export interface ActiveCall {
  /** The task whose result it waits for, if any. */
  readonly taskId?: string
  /** The least severe level of log messages for this call; undefined if the session sets it. */
  readonly logLevel: LoggingLevel | undefined
  /** True if the client gets log messages. */
  readonly hearsLogs: boolean
  /** True if the client can answer requests of the server, during the call or between its rounds. */
  readonly canAsk: boolean
  /** True if the client accepts a task as the result. */
  readonly acceptsTasks: boolean
  ask(question: RawQuestion): Promise<JsonObject>
  notify(method: string, params: JsonObject): void
}

/** A call of a client with a session: the client answers requests of the server while the call runs. */
export const sessionCall = (request: BackendRequest): ActiveCall =>
  new RequestCall(request, { canAsk: true, hearsLogs: true, acceptsTasks: false })

/** A call of a stateless client in one round: the client answers no requests meanwhile. */
export const statelessCall = (request: BackendRequest): ActiveCall =>
  new RequestCall(request, {
    canAsk: false,
    hearsLogs: request.logLevel !== undefined,
    acceptsTasks: knowsTasks(request.caller.capabilities),
  })

class RequestCall implements ActiveCall {
  readonly logLevel: ActiveCall['logLevel']
  readonly hearsLogs: boolean
  readonly canAsk: boolean
  readonly acceptsTasks: boolean
  readonly #request: BackendRequest
  readonly #notifications: NotificationQueue

  constructor(request: BackendRequest, facts: Pick<ActiveCall, 'canAsk' | 'hearsLogs' | 'acceptsTasks'>) {
    this.#request = request
    this.#notifications = new NotificationQueue((method, params) => request.notify(method, params))
    this.logLevel = request.logLevel
    this.canAsk = facts.canAsk
    this.hearsLogs = facts.hearsLogs
    this.acceptsTasks = facts.acceptsTasks
  }

  ask: ActiveCall['ask'] = ({ method, params, signal }) =>
    this.#request.ask(method, params, { signal: AbortSignal.any([signal, this.#request.signal]) })

  notify(method: string, params: JsonObject): void {
    const { progressToken } = this.#request
    const sent = method === 'notifications/progress' ? { ...params, progressToken } : params
    this.#notifications.post(method, sent)
  }
}

/** The options of a call at the server; progress goes to its client. */
export function callOptions(request: BackendRequest, sender: RawSender, call: ActiveCall): RawCallOptions {
  const { progressToken, signal } = request
  return {
    sender,
    signal,
    ...(progressToken !== undefined && {
      onProgress: (progress) => call.notify('notifications/progress', { ...progress }),
    }),
  }
}
