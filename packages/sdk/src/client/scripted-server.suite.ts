import { RpcError } from '../errors.ts'
import type { MaybePromise } from '../internal/maybe-promise.ts'
import type { Channel } from '../jsonrpc/channel.ts'
import type { JsonObject, RequestId } from '../jsonrpc/message.ts'
import { memoryPair } from '../transport/memory.ts'

/** A message as it arrived, with every member that one can have. */
export interface Seen {
  id?: RequestId
  method?: string
  params?: JsonObject
  result?: JsonObject
  error?: { code: number; message: string; data?: unknown }
}

/** Given instead of an answer: none is sent. */
export const silence: unique symbol = Symbol('silence')

type Reply = JsonObject | RpcError | typeof silence
type Handler = (params: JsonObject, message: Seen) => MaybePromise<Reply>
export type ServerScript = { [method: string]: Handler | JsonObject | RpcError | typeof silence }

/** A server that follows the script of a test, right or wrong, and keeps the messages it receives. */
export class ScriptedServer {
  readonly received: Seen[] = []
  opened = 0
  closed = 0
  readonly #script: ServerScript
  readonly #waiting: { test: (message: Seen) => boolean; resolve: (message: Seen) => void }[] = []
  #channel: Channel | undefined
  #lastId = 0

  constructor(script: ServerScript) {
    this.#script = script
  }

  /** The target to give to `connect`. */
  readonly open = (): Channel => {
    const [near, far] = memoryPair()
    this.opened += 1
    this.#channel = far
    far.open({
      receive: (value) => this.#receive(value as Seen),
      refuse: () => {},
      closed: () => {
        this.closed += 1
      },
    })
    return near
  }

  get methods(): string[] {
    return this.received.flatMap(({ method }) => method ?? [])
  }

  /** All messages with this method. */
  all(method: string): Seen[] {
    return this.received.filter((message) => message.method === method)
  }

  /** Sends anything. */
  send(value: unknown): void {
    this.#channel!.send(value as never)
  }

  notify(method: string, params?: JsonObject): void {
    this.send({ jsonrpc: '2.0', method, ...(params && { params }) })
  }

  /** Sends a request and waits for its answer. */
  ask(method: string, params?: JsonObject, id: RequestId = `ask-${++this.#lastId}`): Promise<Seen> {
    this.send({ jsonrpc: '2.0', id, method, ...(params && { params }) })
    return this.until((message) => message.method === undefined && message.id === id)
  }

  /** Waits for a message, which may have come already. */
  until(test: (message: Seen) => boolean): Promise<Seen> {
    const known = this.received.find(test)
    if (known !== undefined) return Promise.resolve(known)
    return new Promise((resolve) => this.#waiting.push({ test, resolve }))
  }

  untilMethod(method: string): Promise<Seen> {
    return this.until((message) => message.method === method)
  }

  /** Ends the connection from this side. */
  end(): void {
    this.#channel!.close()
  }

  async #receive(message: Seen): Promise<void> {
    this.received.push(message)
    for (const { test, resolve } of this.#waiting) if (test(message)) resolve(message)
    const { id, method } = message
    if (id === undefined || method === undefined) return
    const scripted = this.#script[method] ?? new RpcError(-32601, `no ${method} here`)
    const reply = typeof scripted === 'function' ? await scripted(message.params ?? {}, message) : scripted
    if (reply === silence) return
    const answer = reply instanceof RpcError ? { error: reply.toWire() } : { result: reply }
    try {
      this.send({ jsonrpc: '2.0', id, ...answer })
    } catch {
      // A client that left meanwhile gets no answer.
    }
  }
}

const everything = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
}

/** The answer to `initialize` of a server with all features. */
export const initialized = (protocolVersion: string, capabilities: JsonObject = everything): JsonObject => ({
  protocolVersion,
  capabilities,
  serverInfo: { name: 'scripted', version: '1' },
})

/** The answer to `server/discover` of a server with all features. */
export const discovered = (
  supportedVersions: string[] = ['2026-07-28'],
  capabilities: JsonObject = everything,
): JsonObject => ({
  resultType: 'complete',
  supportedVersions,
  capabilities,
  ttlMs: 0,
  cacheScope: 'private',
  _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'scripted', version: '1' } },
})

/** A server of an older revision, with more methods than the handshake. */
export const legacyServer = (
  script: ServerScript = {},
  revision = '2025-11-25',
  capabilities?: JsonObject,
): ScriptedServer => new ScriptedServer({ initialize: initialized(revision, capabilities), ...script })

/** A server of 2026-07-28, with more methods than discovery. */
export const modernServer = (script: ServerScript = {}, capabilities?: JsonObject): ScriptedServer =>
  new ScriptedServer({ 'server/discover': discovered(['2026-07-28'], capabilities), ...script })

/** A server of 2026-07-28 that acknowledges subscriptions, and sends the notifications of a test. */
export class TellingServer extends ScriptedServer {
  /** The filter that it acknowledges. */
  honour: (filter: JsonObject) => JsonObject = (filter) => filter

  constructor(script: ServerScript = {}) {
    const listen: Handler = ({ notifications }, { id }) => {
      this.acknowledge(id!, this.honour(notifications as JsonObject))
      return silence
    }
    super({ 'server/discover': discovered(), 'subscriptions/listen': listen, ...script })
  }

  /** The filters that it was asked for. */
  get filters(): unknown[] {
    return this.all('subscriptions/listen').map(({ params }) => params!.notifications)
  }

  /** The ids of the subscriptions, in order. */
  get listens(): RequestId[] {
    return this.all('subscriptions/listen').map(({ id }) => id!)
  }

  /** The ids of those that the client ended. */
  get cancelled(): unknown[] {
    return this.all('notifications/cancelled').map(({ params }) => params!.requestId)
  }

  acknowledge(id: RequestId, notifications: JsonObject): void {
    this.tell('notifications/subscriptions/acknowledged', { notifications }, id)
  }

  /** Tells something on a subscription: the latest, unless another is given. */
  tell(method: string, params: JsonObject = {}, id: unknown = this.listens.at(-1)): void {
    this.notify(method, { ...params, _meta: { 'io.modelcontextprotocol/subscriptionId': id } })
  }

  /** Ends a subscription in order. */
  endListen(id: RequestId = this.listens.at(-1)!): void {
    const _meta = { 'io.modelcontextprotocol/subscriptionId': id }
    this.send({ jsonrpc: '2.0', id, result: { resultType: 'complete', _meta } })
  }
}
