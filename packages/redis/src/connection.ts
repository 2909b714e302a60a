import type { ConnectionOptions } from 'node:tls'
import { McpError } from '@tenon/sdk/server'
import type { Redis } from 'ioredis'
import { type Address, readAddress } from './address.ts'
import { Channels } from './channels.ts'
import { Keys } from './keys.ts'
import { patientClient, RedisLink, type ScriptArgument } from './link.ts'
import { type OperationFigures, Operations } from './operations.ts'
import type { ScriptName } from './scripts.ts'
import { unavailable } from './unavailable.ts'

export interface RedisConnectionOptions {
  /** Begins every key, so that several servers can use one Redis. Default `tenon`. */
  prefix?: string
  /** How long Redis may take to answer; then its connection is made anew. Default 2 s. */
  timeoutMs?: number
  /** Commands that may wait for answers at once; more fail. Default 10,000. */
  maxInFlight?: number
  /** Further options of TLS, such as `ca`, for an address that begins with `rediss://`. */
  tls?: ConnectionOptions
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
  readonly #commands: RedisLink
  readonly #timeoutMs: number
  readonly #operations = new Operations()

  /** The address is `redis://user:password@host:port/database`, `rediss://…` for TLS, or `unix:///path`. */
  constructor(
    url: string,
    { prefix = 'tenon', timeoutMs = 2_000, maxInFlight = 10_000, tls }: RedisConnectionOptions = {},
  ) {
    this.keys = new Keys(prefix)
    checkCount('timeoutMs', timeoutMs)
    checkCount('maxInFlight', maxInFlight)
    this.#timeoutMs = timeoutMs
    this.#address = readAddress(url, tls)
    this.#commands = new RedisLink(this.#address, { timeoutMs, maxInFlight })
    this.channels = new Channels(new RedisLink(this.#address, { timeoutMs, maxInFlight }))
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
  use<T>(send: (client: Redis) => Promise<T>): Promise<T> {
    return this.#operations.measure('Queue', this.#commands.use(send))
  }

  /** A connection of its own for a library that waits for Redis by itself. @internal */
  patientClient(): Redis {
    return patientClient(this.#address, this.#timeoutMs)
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
    await Promise.all([this.#commands.close(), this.channels.close()])
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
