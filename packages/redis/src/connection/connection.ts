import { McpError } from '@tenon/sdk/server'
import { type Address, type AddressOptions, readAddress } from './address.ts'
import { Channels } from './channels.ts'
import { patientClient, type RedisClient } from './clients.ts'
import { busLinks } from './cluster-links.ts'
import { Keys } from './keys.ts'
import { CommandLink, MessageLink, type ScriptArgument } from './link.ts'
import { type OperationFigures, Operations } from './operations.ts'
import type { ScriptName } from './scripts.ts'
import { unavailable } from './unavailable.ts'

export interface RedisConnectionOptions extends AddressOptions {
  /** Begins every key, so that several servers can use one Redis. Default `tenon`. */
  prefix?: string
  /** How long Redis may take to answer; then its connection is made anew. Default 2 s. */
  timeoutMs?: number
  /** Commands that may wait for answers at once; more fail. Default 10,000. */
  maxInFlight?: number
  /** How often a silent connection is asked whether it is still there. Default 10 s. */
  pingMs?: number
}

/**
 * The connection to Redis that stores share: one for commands, one for messages. Both are made again with pauses that
 * grow up to 2 s. Without them every operation fails at once with an `McpError` of code `unavailable`; nothing waits.
 *
 * It does not keep the process running.
 */
export class RedisConnection implements AsyncDisposable {
  /** @internal */
  readonly keys: Keys
  /** @internal */
  readonly channels: Channels
  readonly #address: Address
  readonly #commands: CommandLink
  readonly #patience: { readonly timeoutMs: number; readonly pingMs: number }
  readonly #operations: Operations
  readonly #isBorrowed: boolean

  /**
   * The address is `redis://user:password@host:port/database`, `redis+sentinel://user:password@host:port,…/name/database`,
   * `redis+cluster://user:password@host:port,…`, the same with `rediss` for TLS, or `unix:///path`.
   */
  constructor(url: string, options?: RedisConnectionOptions)
  /** The same connection with keys of their own, for one of several servers in a process. Closing it closes nothing. */
  constructor(connection: RedisConnection, server: { readonly prefix: string })
  constructor(url: string | RedisConnection, options: RedisConnectionOptions = {}) {
    this.#isBorrowed = url instanceof RedisConnection
    if (url instanceof RedisConnection) {
      this.keys = url.keys.below(options.prefix!)
      this.channels = url.channels
      this.#address = url.#address
      this.#commands = url.#commands
      this.#patience = url.#patience
      this.#operations = url.#operations
      return
    }
    const { prefix = 'tenon', timeoutMs = 2_000, maxInFlight = 10_000, pingMs = 10_000 } = options
    this.keys = Keys.with(prefix)
    checkCount('timeoutMs', timeoutMs)
    checkCount('maxInFlight', maxInFlight)
    checkCount('pingMs', pingMs)
    this.#patience = { timeoutMs, pingMs }
    this.#address = readAddress(url, options)
    this.#operations = new Operations(this.#address)
    const commands = new CommandLink(this.#address, { timeoutMs, maxInFlight })
    const messages = new MessageLink(this.#address, { timeoutMs, maxInFlight }, () => commands.nodes)
    const isCluster = this.#address.at.kind === 'cluster'
    const way = async (): Promise<string> => (isCluster ? busLinks(await commands.linksOf(messages.node)) : '')
    this.channels = new Channels(messages, { pingMs, way })
    this.#commands = commands
  }

  /** Messages of all databases share their channels. @internal */
  channelOf(key: string): string {
    return `${this.#address.database}/${key}`
  }

  /** @internal */
  run(script: ScriptName, keys: readonly string[], args: readonly ScriptArgument[]): Promise<unknown> {
    return this.#operations.measure(script.replace('tenon', ''), this.#commands.run(script, keys, args))
  }

  /** @internal */
  call(command: string, ...args: ScriptArgument[]): Promise<unknown> {
    return this.#operations.measure(command, this.#commands.call(command, args))
  }

  /** Lets another library send commands on the connection. @internal */
  use<T>(send: (client: RedisClient) => Promise<T>): Promise<T> {
    return this.#operations.measure('Queue', this.#commands.use(send))
  }

  /** A connection of its own for a library that waits for Redis by itself. @internal */
  patientClient(): RedisClient {
    return patientClient(this.#address, this.#patience)
  }

  /** The error of something that needs Redis now. @internal */
  unavailable(reason: unknown): McpError {
    return unavailable(this.#address, reason)
  }

  /** Every operation since the start: how often, how many failed, how long all of them took. */
  get figures(): { readonly [operation: string]: OperationFigures } {
    return this.#operations.figures
  }

  /** True if Redis can be written to at the moment. */
  async ready(): Promise<boolean> {
    const key = this.keys.of('ready', 'probe')
    return this.call('SET', key, '1', 'PX', 1_000).then(
      () => true,
      () => false,
    )
  }

  /** Closes both connections; operations fail from then on. */
  async close(): Promise<void> {
    if (!this.#isBorrowed) await Promise.all([this.#commands.close(), this.channels.close()])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }
}

/** Wrong limits are noticed here, and not when they would be reached. */
export function checkCount(name: string, value: number): void {
  if (Number.isSafeInteger(value) && value > 0) return
  throw new McpError('invalid_argument', `${name}: expected a whole number above 0, got ${String(value)}`)
}
