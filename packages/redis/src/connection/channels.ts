import type { MessageLink } from './link.ts'

/** Somebody who reads a channel of Redis. */
export interface ChannelListener {
  message(text: string): void
  /** The connection was lost and made again: messages may have been missed. */
  renewed(): void
}

interface Channel {
  readonly listeners: Set<ChannelListener>
  /** Done when messages arrive, or will after the next connection. */
  readonly subscribed: Promise<void>
}

interface ChannelsOptions {
  /** A silent connection is asked this often whether it is still there. */
  readonly pingMs: number
  /** Says how messages come from elsewhere to the place of the connection: another way than before may have lost some. */
  way(): Promise<string>
}

/** The channels that this process reads, subscribed to again after every connection. */
export class Channels {
  readonly #link: MessageLink
  readonly #options: ChannelsOptions
  readonly #channels = new Map<string, Channel>()
  readonly #pinger: NodeJS.Timeout
  #way: string | undefined

  constructor(link: MessageLink, options: ChannelsOptions) {
    this.#link = link
    this.#options = options
    link.onMessage((channel, text) => {
      for (const listener of this.#channels.get(channel)?.listeners ?? []) listener.message(text)
    })
    link.onReady(() => void this.#renew())
    this.#pinger = setInterval(() => void this.#ping(), options.pingMs).unref()
  }

  /** Reads a channel; returns the way to stop. It does not fail while Redis is away: the next connection renews it. */
  async read(name: string, listener: ChannelListener): Promise<() => void> {
    const known = this.#channels.get(name)
    const channel = known ?? { listeners: new Set(), subscribed: this.#subscribe([name]) }
    this.#channels.set(name, channel)
    channel.listeners.add(listener)
    await channel.subscribed
    return () => this.#leave(name, channel, listener)
  }

  async close(): Promise<void> {
    clearInterval(this.#pinger)
    this.#channels.clear()
    await this.#link.close()
  }

  #leave(name: string, channel: Channel, listener: ChannelListener): void {
    if (!channel.listeners.delete(listener) || channel.listeners.size > 0) return
    if (this.#channels.get(name) !== channel) return
    this.#channels.delete(name)
    // Without a connection there is nothing to leave.
    this.#link.unsubscribe(name).catch(() => {})
  }

  async #renew(): Promise<void> {
    this.#way = undefined
    const names = [...this.#channels.keys()]
    if (names.length > 0) await this.#subscribe(names)
    await this.#noteWay()
    if (this.#link.isReady) this.#tell()
  }

  #tell(): void {
    for (const { listeners } of this.#channels.values()) for (const listener of listeners) listener.renewed()
  }

  async #subscribe(names: readonly string[]): Promise<void> {
    await this.#link.subscribe(names).catch(() => {})
  }

  async #ping(): Promise<void> {
    if (!this.#link.isReady) return
    await this.#link.ping().catch(() => {})
    const before = this.#way
    await this.#noteWay()
    if (before !== undefined && before !== this.#way) this.#tell()
  }

  async #noteWay(): Promise<void> {
    this.#way = await this.#options.way().catch(() => this.#way)
  }
}
