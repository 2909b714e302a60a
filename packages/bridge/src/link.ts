import {
  ErrorCode,
  type Implementation,
  isRpcError,
  type JsonObject,
  type LoggingLevel,
  type McpError,
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
import { cannotBeAsked, passedOn } from './errors.ts'
import type { Upstream } from './options.ts'
import { canBeAsked, isMoreVerbose, passesLevel, type Running } from './running.ts'

/** Who is on the near side of a link when no call is under way. */
export interface Bystander {
  ask(question: RawQuestion): Promise<JsonObject>
  notify(method: string, params: JsonObject): void
}

export interface LinkOptions {
  upstream: Upstream
  sender: RawSender
  /** A client with a session; others can only be asked with the answer to a call. */
  bystander?: Bystander
  /** Whether a question that belongs to no call may wait for the next one: not if that may be somebody else's. */
  keepsQuestions?: boolean
  onRestarted?: () => void
  /** Ends the attempt to connect. */
  signal: AbortSignal
}

/**
 * One connection to the server, in the name of one client. Where the server asks by requests of its own it does not say
 * which call a question belongs to, so the calls that are under way are known here, the latest last.
 */
export class Link {
  readonly #options: LinkOptions
  readonly #running = new Set<Running>()
  readonly #nextCall: ((call: Running) => void)[] = []
  readonly #taskNews = new Set<(method: string, params: JsonObject) => void>()
  #client: RawClient | undefined
  #isEnding = false
  /** What the server was told with `logging/setLevel`. */
  #level: LoggingLevel | undefined

  private constructor(options: LinkOptions) {
    this.#options = options
  }

  static async open(options: LinkOptions): Promise<Link> {
    const link = new Link(options)
    const { target, connect } = options.upstream
    const { info, capabilities } = options.sender
    link.#client = await connectRaw(target, {
      ...connect,
      ...(info && { info: info as Implementation }),
      capabilities,
      signal: options.signal,
      answer: (question) => link.#asked(question),
      told: (method, params) => link.#told(method, params),
      onRestored: (because) => link.#restored(because),
    })
    return link
  }

  get client(): RawClient {
    return this.#client!
  }

  get closed(): Promise<McpError> {
    return this.client.closed
  }

  /** Sends a request of a call that is under way: the messages of the server about it find the call meanwhile. */
  async run(call: Running, method: string, params: JsonObject, options: RawCallOptions): Promise<JsonObject> {
    this.#running.add(call)
    if (call.canAsk) for (const waiting of this.#nextCall.splice(0)) waiting(call)
    try {
      return await this.client.request(method, params, options)
    } catch (error) {
      if (method !== 'tools/call' || !isHeaderMismatch(error)) throw error
      // Such a call did not run. Lists say which arguments a server wants to see in headers.
      await this.#listTools(options)
      return await this.client.request(method, params, options)
    } finally {
      this.#running.delete(call)
    }
  }

  /** Has the server send what is at least this severe, if it has sessions to set that for. */
  async wantLevel(level: LoggingLevel): Promise<void> {
    const { client } = this
    if (!client.asksLive || client.server.capabilities.logging === undefined) return
    if (this.#level !== undefined && !isMoreVerbose(level, this.#level)) return
    this.#level = level
    await client.request('logging/setLevel', { level }).catch(() => {})
  }

  /** The client of a session sets it itself. */
  async setLevel(level: LoggingLevel, params: JsonObject): Promise<JsonObject> {
    const result = await this.client.request('logging/setLevel', params)
    this.#level = level
    return result
  }

  /** Hears what the server says of tasks, until the returned function is called. */
  onTaskNews(listener: (method: string, params: JsonObject) => void): () => void {
    this.#taskNews.add(listener)
    return () => void this.#taskNews.delete(listener)
  }

  /** True once its end was wanted here. */
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

  async #asked(question: RawQuestion): Promise<JsonObject> {
    const { sender, bystander, keepsQuestions } = this.#options
    if (!canBeAsked(question.method, sender.capabilities)) throw cannotBeAsked(question.method)
    try {
      const call = this.#callOf(question) ?? bystander ?? (keepsQuestions && (await this.#callFor(question)))
      if (!call) throw new RpcError(ErrorCode.InvalidRequest, `${question.method}: there is no call to ask it with`)
      return await call.ask(question)
    } catch (error) {
      throw passedOn(error)
    }
  }

  /** The call that a question belongs to, as far as can be told: that of the task it names, or the latest. */
  #callOf({ params }: RawQuestion): Running | undefined {
    const related = (params._meta as JsonObject | undefined)?.[metaKeys.relatedTask] as { taskId?: string } | undefined
    const calls = [...this.#running].reverse().filter(({ canAsk }) => canAsk)
    const named = related && calls.find(({ taskId }) => taskId === related.taskId)
    return named ?? calls.find(({ taskId }) => taskId === undefined) ?? calls[0]
  }

  /** A client without a session is asked with the answer to its next call. */
  #callFor({ signal }: RawQuestion): Promise<Running> {
    return new Promise((resolve, reject) => {
      const give = (call: Running): void => {
        signal.removeEventListener('abort', withdraw)
        resolve(call)
      }
      const withdraw = (): void => {
        this.#nextCall.splice(this.#nextCall.indexOf(give), 1)
        reject(signal.reason as Error)
      }
      if (signal.aborted) return reject(signal.reason as Error)
      this.#nextCall.push(give)
      signal.addEventListener('abort', withdraw, { once: true })
    })
  }

  #told(method: string, params: JsonObject): void {
    if (method.startsWith('notifications/tasks')) {
      for (const listener of [...this.#taskNews]) listener(method, params)
      return
    }
    const calls = [...this.#running].reverse()
    const isLog = method === 'notifications/message'
    const call = isLog ? calls.find((one) => hears(one, params)) : calls[0]
    // With its call if there is one: clients over HTTP need not listen to anything else.
    if (call !== undefined) call.notify(method, params)
    else this.#options.bystander?.notify(method, params)
  }

  #restored(because: 'restart' | 'session'): void {
    const level = this.#level
    this.#level = undefined
    if (level !== undefined) void this.wantLevel(level)
    if (because === 'restart') this.#options.onRestarted?.()
  }
}

/** A server that never comes to the end of its list is not waited for. */
const maxPages = 1_000

const isHeaderMismatch = (error: unknown): boolean =>
  isRpcError(error) && error.remote && error.code === ErrorCode.HeaderMismatch

const hears = ({ hearsLogs, logLevel }: Running, { level }: JsonObject): boolean =>
  hearsLogs && (logLevel === undefined || passesLevel(level, logLevel))
