import type { LiveSettings } from '@tenon/server-kit'
import { Redis } from 'ioredis'
import { clientOptions } from './client-options.ts'
import { connectionIdentity, currentAddress } from './connection.ts'
import type { Database } from './database.ts'
import type { RedisSettings } from './redis-settings.ts'

const maxRetryMs = 2_000

/** A connection that hears of changes, and the beginning of its channels. */
interface Listening {
  readonly client: Redis
  readonly channels: string
}

/**
 * Changes of keys, as Redis tells them by keyspace notifications, on a connection of its own. Where they are off this server
 * does not turn them on: that is a setting of the operator's Redis, for all of its clients.
 */
export class ChangeFeed {
  readonly #database: Database
  readonly #settings: LiveSettings<RedisSettings>
  readonly #followed = new Map<string, Buffer>()
  #listening: Listening | undefined
  #onChange: (key: Buffer) => void = () => {}
  #onGap: () => void = () => {}

  constructor(database: Database, settings: LiveSettings<RedisSettings>) {
    this.#database = database
    this.#settings = settings
    settings.onChange((now, before) => {
      if (this.#listening !== undefined && connectionIdentity(now) !== connectionIdentity(before)) this.#moveOn()
    })
  }

  onChange(listener: (key: Buffer) => void): void {
    this.#onChange = listener
  }

  /** Calls the listener when changes may have been missed. */
  onGap(listener: () => void): void {
    this.#onGap = listener
  }

  /** Begins to follow a key; false if Redis does not tell of its changes. */
  async follow(key: Buffer): Promise<boolean> {
    const name = key.toString('latin1')
    try {
      if (this.#listening === undefined && !(await this.#tellsChanges())) return false
      this.#listening ??= this.#listen()
      this.#followed.set(name, key)
      await this.#subscribe(this.#listening, key)
      return true
    } catch {
      // The user of this server may lack the right to the channel.
      this.forget(key)
      return false
    }
  }

  forget(key: Buffer): void {
    if (!this.#followed.delete(key.toString('latin1'))) return
    this.#listening?.client.unsubscribe(channelOf(this.#listening, key)).catch(() => {})
    if (this.#followed.size === 0) this.close()
  }

  close(): void {
    this.#listening?.client.disconnect()
    this.#listening = undefined
    this.#followed.clear()
  }

  /** Needed are K for the channels by key, and A, or each class of events that a key may have. */
  async #tellsChanges(): Promise<boolean> {
    const reply = (await this.#database.send('CONFIG GET', 'notify-keyspace-events')) as readonly Buffer[]
    const flags = String(reply[1] ?? '')
    return flags.includes('K') && (flags.includes('A') || [...'g$lshzxet'].every((flag) => flags.includes(flag)))
  }

  /** While Redis is away the subscription waits for it, and the caller does not. */
  async #subscribe(listening: Listening, key: Buffer): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const enough = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#settings.current.timeout)
    })
    await Promise.race([listening.client.subscribe(channelOf(listening, key)), enough])
    clearTimeout(timer)
  }

  #listen(): Listening {
    const address = currentAddress(this.#settings.current)
    const channels = `__keyspace@${address.database}__:`
    const client = new Redis({
      ...clientOptions(address, this.#settings.current.timeout),
      enableOfflineQueue: true,
      lazyConnect: false,
      autoResendUnfulfilledCommands: true,
      maxRetriesPerRequest: null,
      retryStrategy: (attempts) => Math.min(50 * 2 ** attempts, maxRetryMs),
    })
    let isFirst = true
    client.on('messageBuffer', (channel: Buffer) => this.#onChange(channel.subarray(channels.length)))
    client.on('error', () => {})
    const listening = { client, channels }
    client.on('ready', () => {
      if (!isFirst) void this.#catchUp(listening)
      isFirst = false
    })
    return listening
  }

  /** Tells of the gap when the subscriptions are back, so that no change falls between the two. */
  async #catchUp(listening: Listening): Promise<void> {
    const channels = [...this.#followed.values()].map((key) => channelOf(listening, key))
    await listening.client.subscribe(...channels).catch(() => {})
    this.#onGap()
  }

  /** Follows the same keys at another address. */
  #moveOn(): void {
    this.#listening?.client.disconnect()
    this.#listening = undefined
    for (const key of this.#followed.values()) void this.follow(key)
    this.#onGap()
  }
}

const channelOf = ({ channels }: Listening, key: Buffer): Buffer => Buffer.concat([Buffer.from(channels), key])
