import { McpError } from '@tenon/sdk/server'
import { Cluster, type Redis } from 'ioredis'
import type { Address, Place } from './address.ts'
import {
  type CommandClient,
  commandClient,
  messageClient,
  type RedisClient,
  unreference,
  writeTogether,
} from './clients.ts'
import type { ScriptName } from './scripts.ts'
import { unavailable } from './unavailable.ts'
import { whenLate } from './when-late.ts'

export type ScriptArgument = string | number

interface LinkLimits {
  readonly timeoutMs: number
  readonly maxInFlight: number
}

/** A connection to Redis, made again whenever it is lost. Nothing is queued for it, and nothing is sent twice. */
class RedisLink<Client extends RedisClient> {
  protected readonly client: Client
  protected readonly address: Address
  readonly #limits: LinkLimits
  /** Done when the first attempt to connect has succeeded or failed: until then, waiting makes sense. */
  readonly #tried: Promise<void>
  #endTrying: () => void = () => {}
  /** The reason of the last failure. */
  protected fault: unknown
  #inFlight = 0
  #closed = false

  constructor(client: Client, address: Address, limits: LinkLimits) {
    this.client = client
    this.address = address
    this.#limits = limits
    this.#tried = new Promise((resolve) => {
      this.#endTrying = resolve
      client.on('error', (error: Error) => {
        this.#failed(error)
        resolve()
      })
      if (!(client instanceof Cluster)) client.on('connect', () => this.#connected(client))
      client.connect().then(resolve, () => resolve())
    })
  }

  get isReady(): boolean {
    return this.client.status === 'ready'
  }

  async close(): Promise<void> {
    this.#closed = true
    this.client.disconnect()
    // A cluster that is disconnected before it has found its nodes tells nobody.
    this.#endTrying()
  }

  protected async send<T>(command: () => Promise<T>): Promise<T> {
    if (!this.isReady) await this.#tried
    if (this.#closed) throw new McpError('closed', `The connection to Redis at ${this.address.shown} was closed`)
    if (!this.isReady) throw unavailable(this.address, this.fault)
    if (this.#inFlight >= this.#limits.maxInFlight) throw unavailable(this.address, 'too many commands wait for it')
    this.#inFlight++
    // One that is alone does not wait for others.
    if (this.#inFlight > 1 && !(this.client instanceof Cluster)) writeTogether(this.client)
    try {
      return await this.#inTime(command())
    } catch (error) {
      throw unavailable(this.address, error)
    } finally {
      this.#inFlight--
    }
  }

  /** Somebody who accepts connections and says nothing is no Redis. */
  #connected(client: Redis): void {
    unreference(client)
    const stop = whenLate(this.#limits.timeoutMs, () => this.#giveUp())
    client.once('ready', stop).once('close', stop)
  }

  /** A connection that is silent may be half open: those who come next would wait as well. */
  #inTime<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const stop = whenLate(this.#limits.timeoutMs, () => {
        this.#giveUp()
        reject(this.fault)
      })
      work.finally(stop).then(resolve, reject)
    })
  }

  #giveUp(): void {
    this.fault = new Error(`no answer within ${this.#limits.timeoutMs} ms`)
    // The nodes of a cluster are given up one by one.
    if (!(this.client instanceof Cluster)) this.#connectAnew()
  }

  /** An attempt that is under way comes to its end: the library would make none after it. */
  #connectAnew(): void {
    if (this.client.status !== 'connecting') this.client.disconnect(true)
  }

  /** The library goes on after a refused password or database: in the wrong place. */
  #failed(error: Error & { lastNodeError?: Error }): void {
    this.fault = error.lastNodeError ?? error
    if (error.name === 'ReplyError') this.#connectAnew()
  }
}

/** The connection for commands. */
export class CommandLink extends RedisLink<CommandClient> {
  constructor(address: Address, limits: LinkLimits) {
    super(commandClient(address, limits.timeoutMs), address, limits)
  }

  run(script: ScriptName, keys: readonly string[], args: readonly ScriptArgument[]): Promise<unknown> {
    return this.send(() => this.client[script](...keys, ...args))
  }

  call(command: string, args: readonly ScriptArgument[]): Promise<unknown> {
    return this.send(() => this.client.call(command, ...args))
  }

  /** Lets another library send commands. */
  use<T>(send: (client: RedisClient) => Promise<T>): Promise<T> {
    return this.send(() => send(this.client))
  }

  /** The nodes of a cluster that are known, or were named. */
  get nodes(): readonly Place[] {
    const { at } = this.address
    const known = this.client instanceof Cluster ? this.client.nodes() : []
    const places = known.map(({ options: { host, port } }) => ({ host: host!, port: port! }))
    return places.length > 0 || at.kind === 'one' ? places : at.places
  }

  /** Asks one node of a cluster for its connections to the others. */
  linksOf({ host, port }: Place): Promise<unknown> {
    const nodes = this.client instanceof Cluster ? this.client.nodes() : []
    const node = nodes.find(({ options }) => options.host === host && options.port === port)
    return this.send(async () => node?.call('CLUSTER', 'LINKS'))
  }
}

/** The connection for messages. */
export class MessageLink extends RedisLink<Redis> {
  constructor(address: Address, limits: LinkLimits, nodes: () => readonly Place[]) {
    super(messageClient(address, limits.timeoutMs, nodes), address, limits)
  }

  /** Calls back whenever a connection was made, after the first as well. */
  onReady(listener: () => void): void {
    this.client.on('ready', listener)
  }

  onMessage(listener: (channel: string, message: string) => void): void {
    const guarded = (channel: string, message: string): void => {
      try {
        listener(channel, message)
      } catch (error) {
        // A message of another program must not end this one.
        this.fault = error
      }
    }
    this.client.on('message', guarded)
  }

  /** The node of a cluster that messages come from. */
  get node(): Place {
    const { host = '', port = 0 } = this.client.options
    return { host, port }
  }

  subscribe(channels: readonly string[]): Promise<unknown> {
    return this.send(() => this.client.subscribe(...channels))
  }

  unsubscribe(channel: string): Promise<unknown> {
    return this.send(() => this.client.unsubscribe(channel))
  }

  ping(): Promise<unknown> {
    return this.send(() => this.client.ping())
  }
}
