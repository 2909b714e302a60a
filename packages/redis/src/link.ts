import type { Duplex } from 'node:stream'
import { McpError } from '@tenon/sdk/server'
import { Redis } from 'ioredis'
import type { Address } from './address.ts'
import { type ScriptName, scripts } from './scripts.ts'
import { unavailable } from './unavailable.ts'

export type ScriptArgument = string | number

interface LinkLimits {
  readonly timeoutMs: number
  readonly maxInFlight: number
}

type Scripts = { [name in ScriptName]: (...args: ScriptArgument[]) => Promise<unknown> }

/** One connection to Redis, made again whenever it is lost. Nothing is queued for it, and nothing is sent twice. */
export class RedisLink {
  readonly #client: Redis & Scripts
  readonly #address: Address
  readonly #limits: LinkLimits
  /** Done when the first attempt to connect has succeeded or failed: until then, waiting makes sense. */
  readonly #tried: Promise<void>
  /** The reason of the last failure. */
  #fault: unknown
  #inFlight = 0
  #closed = false

  constructor(address: Address, limits: LinkLimits) {
    this.#address = address
    this.#limits = limits
    this.#client = new Redis({ ...clientOptions(address, limits.timeoutMs), scripts }) as Redis & Scripts
    tolerateLateErrors(this.#client)
    this.#client.on('error', (error: Error) => this.#failed(error))
    this.#client.on('connect', () => this.#connected())
    this.#tried = this.#client.connect().catch(() => {})
  }

  get isReady(): boolean {
    return this.#client.status === 'ready'
  }

  /** Calls back whenever a connection was made, after the first as well. */
  onReady(listener: () => void): void {
    this.#client.on('ready', listener)
  }

  onMessage(listener: (channel: string, message: string) => void): void {
    const guarded = (channel: string, message: string): void => {
      try {
        listener(channel, message)
      } catch (error) {
        // A message of another program must not end this one.
        this.#fault = error
      }
    }
    this.#client.on('message', guarded)
  }

  /** Done when the connection is there, or cannot be made at the moment. */
  tried(): Promise<void> {
    return this.#tried
  }

  run(script: ScriptName, keys: readonly string[], args: readonly ScriptArgument[]): Promise<unknown> {
    return this.#send(() => this.#client[script](...keys, ...args))
  }

  call(command: string, args: readonly ScriptArgument[]): Promise<unknown> {
    return this.#send(() => this.#client.call(command, ...args))
  }

  /** Lets another library send commands. */
  use<T>(send: (client: Redis) => Promise<T>): Promise<T> {
    return this.#send(() => send(this.#client))
  }

  subscribe(channels: readonly string[]): Promise<unknown> {
    return this.#send(() => this.#client.subscribe(...channels))
  }

  unsubscribe(channel: string): Promise<unknown> {
    return this.#send(() => this.#client.unsubscribe(channel))
  }

  ping(): Promise<unknown> {
    return this.#send(() => this.#client.ping())
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#client.disconnect()
    await this.#tried
  }

  async #send<T>(command: () => Promise<T>): Promise<T> {
    if (!this.isReady) await this.#tried
    if (this.#closed) throw new McpError('closed', `The connection to Redis at ${this.#address.shown} was closed`)
    if (!this.isReady) throw unavailable(this.#address, this.#fault)
    if (this.#inFlight >= this.#limits.maxInFlight) throw unavailable(this.#address, 'too many commands wait for it')
    this.#inFlight++
    if (this.#inFlight > 1) this.#writeTogether()
    try {
      return await this.#inTime(command())
    } catch (error) {
      throw unavailable(this.#address, error)
    } finally {
      this.#inFlight--
    }
  }

  /** Somebody who accepts connections and says nothing is no Redis. */
  #connected(): void {
    // Whoever waits for an answer has a timer, which keeps the process running; nobody else has to.
    ;(this.#client.stream as Duplex & { unref?(): void }).unref?.()
    const timer = setTimeout(() => this.#giveUp(), this.#limits.timeoutMs)
    this.#client.once('ready', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
  }

  /** A connection that is silent may be half open: those who come next would wait as well. */
  async #inTime<T>(work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        this.#giveUp()
        reject(this.#fault)
      }, this.#limits.timeoutMs)
    })
    try {
      return await Promise.race([work, late])
    } finally {
      clearTimeout(timer)
    }
  }

  #giveUp(): void {
    this.#fault = new Error(`no answer within ${this.#limits.timeoutMs} ms`)
    this.#client.disconnect(true)
  }

  /** Commands of one turn of the event loop leave in one packet; one that is alone does not wait for others. */
  #writeTogether(): void {
    const stream = this.#client.stream as Duplex
    if (stream.writableCorked > 0) return
    stream.cork()
    setImmediate(() => stream.uncork())
  }

  /** The library goes on after a refused password or database: in the wrong place. */
  #failed(error: Error): void {
    this.#fault = error
    if (error.name === 'ReplyError') this.#client.disconnect(true)
  }
}

/** The library listens for one error of a socket, and TLS may report another after it, which would end the process. */
function tolerateLateErrors(client: Redis): void {
  const { connector } = client as unknown as { connector: { connect(...given: unknown[]): Promise<Duplex> } }
  const connect = connector.connect.bind(connector)
  connector.connect = (...given) => connect(...given).then((socket) => socket.on('error', () => {}))
}

/** A connection for a library that waits for Redis by itself: commands are kept until it is back. */
export function patientClient(address: Address, timeoutMs: number): Redis {
  const options = clientOptions(address, timeoutMs)
  const patience = { enableOfflineQueue: true, autoResendUnfulfilledCommands: true, maxRetriesPerRequest: null }
  const client = new Redis({ ...options, ...patience, lazyConnect: false })
  tolerateLateErrors(client)
  return client
}

const clientOptions = ({ socket, tls, username, password, database }: Address, timeoutMs: number) => ({
  ...socket,
  ...(tls && { tls }),
  ...(username !== undefined && { username }),
  ...(password !== undefined && { password }),
  db: database,
  lazyConnect: true,
  connectTimeout: Math.max(timeoutMs, 1_000),
  keepAlive: 10_000,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  autoResubscribe: false,
  maxRetriesPerRequest: 0,
  disableClientInfo: true,
  // Half of the pause is random: processes that lost Redis together do not return together.
  retryStrategy: (attempt: number) => Math.min(2_000, 25 * 2 ** attempt) * (0.5 + Math.random() / 2),
  // A primary that became a replica: the address leads to the new one.
  reconnectOnError: ({ message }: Error) => message.startsWith('READONLY'),
})
