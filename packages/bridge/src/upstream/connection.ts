import {
  ErrorCode,
  type Implementation,
  isRpcError,
  type JsonObject,
  type LoggingLevel,
  type McpError,
  type Revision,
  RpcError,
} from '@tenon/sdk/client'
import {
  connectRaw,
  metaKeys,
  type RawCallOptions,
  type RawClient,
  type RawQuestion,
  type RawSender,
} from '@tenon/sdk/relay'
import type { ActiveCall } from '../calls/active-call.ts'
import { canBeAsked } from '../calls/input-capabilities.ts'
import { RequestAbandoned } from '../calls/pending-requests.ts'
import { cannotBeAsked, forwardedError } from '../errors.ts'
import type { Upstream } from '../options.ts'
import { isMoreVerbose, passesLevel } from './log-levels.ts'
import { type ServerKind, serverKind } from './server-kind.ts'

/** A client with a session, as it is reached outside of calls. */
interface ClientPeer {
  ask(question: RawQuestion): Promise<JsonObject>
  notify(method: string, params: JsonObject): void
}

interface ConnectionOptions {
  upstream: Upstream
  sender: RawSender
  /** Present for clients with a session. */
  peer?: ClientPeer
  /** The client's revision, to be offered first: nothing is translated if the server speaks it too. */
  revision?: Revision
  /** True if a request that belongs to no call may wait for the next call: not if that may be another client's. */
  keepsRequests?: boolean
  onRestarted?: () => void
  /** Aborts the attempt to connect. */
  signal: AbortSignal
}

/**
 * One connection to the server, for one client. Requests of a server do not name the call that they belong to, so the
 * connection knows its active calls, the latest last.
 */
export class UpstreamConnection {
  readonly #options: ConnectionOptions
  readonly #calls = new Set<ActiveCall>()
  readonly #waitingForCall: ((call: ActiveCall) => void)[] = []
  readonly #taskListeners = new Set<(method: string, params: JsonObject) => void>()
  #client: RawClient | undefined
  #isEnding = false
  /** The level of the last `logging/setLevel`. */
  #level: LoggingLevel | undefined

  private constructor(options: ConnectionOptions) {
    this.#options = options
  }

  static async open(options: ConnectionOptions): Promise<UpstreamConnection> {
    const connection = new UpstreamConnection(options)
    const { target, connect } = options.upstream
    const { revision } = options
    const { info, capabilities } = options.sender
    connection.#client = await connectRaw(target, {
      // A client without a session gets a server without one, if there is such a server.
      prefer: 'newest',
      ...connect,
      ...(info && { info: info as Implementation }),
      capabilities,
      signal: options.signal,
      ...(revision && { firstRevision: revision }),
      answer: (question) => connection.#answer(question),
      told: (method, params) => connection.#notified(method, params),
      onRestored: (because) => connection.#restored(because),
    })
    return connection
  }

  get client(): RawClient {
    return this.#client!
  }

  get kind(): ServerKind {
    return serverKind(this.client)
  }

  get closed(): Promise<McpError> {
    return this.client.closed
  }

  /** Sends a request of a call. Until its result, requests and notifications of the server go to the call. */
  async run(call: ActiveCall, method: string, params: JsonObject, options: RawCallOptions): Promise<JsonObject> {
    this.#calls.add(call)
    if (call.canAsk) for (const waiting of this.#waitingForCall.splice(0)) waiting(call)
    try {
      return await this.client.request(method, params, options)
    } catch (error) {
      if (method !== 'tools/call' || !isHeaderMismatch(error)) throw error
      // The refused call did not run. The list of tools names the arguments that belong into headers.
      await this.#listTools(options)
      return await this.client.request(method, params, options)
    } finally {
      this.#calls.delete(call)
    }
  }

  /** Sets the log level of the connection, where the revision has that request; a more verbose level stays. */
  async raiseLogLevel(level: LoggingLevel): Promise<void> {
    const { client } = this
    if (!client.knows('logging/setLevel') || client.server.capabilities.logging === undefined) return
    if (this.#level !== undefined && !isMoreVerbose(level, this.#level)) return
    this.#level = level
    await client.request('logging/setLevel', { level }).catch(() => {})
  }

  /** Passes on the `logging/setLevel` of a client with a session. */
  async setLogLevel(level: LoggingLevel, params: JsonObject): Promise<JsonObject> {
    const result = await this.client.request('logging/setLevel', params)
    this.#level = level
    return result
  }

  /** Calls the listener with notifications about tasks, until the returned function is called. */
  onTaskNotification(listener: (method: string, params: JsonObject) => void): () => void {
    this.#taskListeners.add(listener)
    return () => void this.#taskListeners.delete(listener)
  }

  /** True once the bridge closed it. */
  get isEnding(): boolean {
    return this.#isEnding
  }

  close(): Promise<void> {
    this.#isEnding = true
    return this.client.close()
  }

  async #listTools({ sender, signal }: RawCallOptions): Promise<void> {
    const options = { ...(sender && { sender }), ...(signal && { signal }) }
    let cursor: unknown
    for (let page = 0; page < maxPages && (page === 0 || typeof cursor === 'string'); page++) {
      const listed = await this.client.request('tools/list', cursor === undefined ? {} : { cursor }, options)
      cursor = listed.nextCursor
    }
  }

  async #answer(question: RawQuestion): Promise<JsonObject> {
    const { sender, peer, keepsRequests } = this.#options
    if (!canBeAsked(question.method, sender.capabilities)) throw cannotBeAsked(question.method)
    try {
      const call = this.#callOf(question) ?? peer ?? (keepsRequests && (await this.#nextCall(question)))
      if (!call) throw new RpcError(ErrorCode.InvalidRequest, `${question.method}: there is no call to ask it with`)
      return await this.#askWith(call, question)
    } catch (error) {
      throw forwardedError(error)
    }
  }

  /** A call may end before its client has answered: then the request goes to another active call, if there is one. */
  async #askWith(call: ClientPeer, question: RawQuestion): Promise<JsonObject> {
    try {
      return await call.ask(question)
    } catch (error) {
      const other = error instanceof RequestAbandoned && !question.signal.aborted && this.#callOf(question, call)
      if (!other) throw error
      return this.#askWith(other, question)
    }
  }

  /** The call of the task that a request names, otherwise the latest one. */
  #callOf({ params }: RawQuestion, not?: ClientPeer): ActiveCall | undefined {
    const related = (params._meta as JsonObject | undefined)?.[metaKeys.relatedTask] as { taskId?: string } | undefined
    const calls = [...this.#calls].reverse().filter((call) => call.canAsk && call !== not)
    const named = related && calls.find(({ taskId }) => taskId === related.taskId)
    return named ?? calls.find(({ taskId }) => taskId === undefined) ?? calls[0]
  }

  /** The next call of a stateless client, whose result carries the request. */
  #nextCall({ signal }: RawQuestion): Promise<ActiveCall> {
    return new Promise((resolve, reject) => {
      const give = (call: ActiveCall): void => {
        signal.removeEventListener('abort', withdraw)
        resolve(call)
      }
      const withdraw = (): void => {
        this.#waitingForCall.splice(this.#waitingForCall.indexOf(give), 1)
        reject(signal.reason as Error)
      }
      if (signal.aborted) return reject(signal.reason as Error)
      this.#waitingForCall.push(give)
      signal.addEventListener('abort', withdraw, { once: true })
    })
  }

  #notified(method: string, params: JsonObject): void {
    if (method.startsWith('notifications/tasks')) {
      for (const listener of [...this.#taskListeners]) listener(method, params)
      return
    }
    const calls = [...this.#calls].reverse()
    const isLog = method === 'notifications/message'
    const call = isLog ? calls.find((one) => hears(one, params)) : calls[0]
    // On the stream of a call if there is one: clients over HTTP need not open another.
    if (call !== undefined) call.notify(method, params)
    else this.#options.peer?.notify(method, params)
  }

  #restored(because: 'restart' | 'session'): void {
    const level = this.#level
    this.#level = undefined
    if (level !== undefined) void this.raiseLogLevel(level)
    if (because === 'restart') this.#options.onRestarted?.()
  }
}

/** Bounded: a server could return pages without end. */
const maxPages = 1_000

const isHeaderMismatch = (error: unknown): boolean =>
  isRpcError(error) && error.remote && error.code === ErrorCode.HeaderMismatch

const hears = ({ hearsLogs, logLevel }: ActiveCall, { level }: JsonObject): boolean =>
  hearsLogs && (logLevel === undefined || passesLevel(level, logLevel))
