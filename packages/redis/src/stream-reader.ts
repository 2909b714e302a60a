import type { LoggedEvent } from '@tenon/sdk/http'
import type { ChannelListener } from './connection/channels.ts'
import type { RedisConnection } from './connection/connection.ts'

/** The events of a stream after a number, as far as they are kept. */
export interface StreamPage {
  /** The number of the last event. */
  readonly last: number
  readonly ended: boolean
  /** Differs if the stream was lost, and its numbers began anew. */
  readonly begun: string
  readonly events: readonly LoggedEvent[]
}

/** The keys of a stream. */
export interface StreamKeys {
  readonly events: string
  readonly facts: string
}

export async function readStream(redis: RedisConnection, keys: StreamKeys, after: number): Promise<StreamPage> {
  const page = await redis.run('tenonRead', [keys.events, keys.facts], [after])
  const [last, ended, begun, entries] = page as [number, number, string, [id: string, fields: [string, string]][]]
  const events = entries.map(([id, [, text]]) => ({ number: Number.parseInt(id, 10), text }))
  return { last, ended: ended === 1, begun, events }
}

/** True if no event after a number is missing in what was read. */
export const isWhole = ({ last, events }: StreamPage, after: number): boolean => last - after === events.length

/** Somebody who reads a stream. */
interface Reading {
  event(event: LoggedEvent): void
  end(): void
  /** Some events are forgotten, or all of it. Returns the number to go on from; undefined: it does not go on. */
  lost(page: StreamPage, beganAnew: boolean): number | undefined
}

const retryMs = 100

/**
 * Passes on the events of a stream, each once and in order. Messages bring them; after a lost connection, or if a
 * message does not fit, they are read.
 */
export class StreamReader implements ChannelListener {
  readonly #redis: RedisConnection
  readonly #keys: StreamKeys
  readonly #reading: Reading
  /** The number of the last event that was passed on. */
  #position: number
  /** The beginning of the stream, if it is known. */
  #begun = ''
  /** The events are being read: whatever is published meanwhile is read as well. */
  #busy = true
  #again = false
  #stopped = false
  #leave: (() => void) | undefined

  private constructor(redis: RedisConnection, keys: StreamKeys, position: number, reading: Reading) {
    this.#redis = redis
    this.#keys = keys
    this.#position = position
    this.#reading = reading
  }

  /** Reads a stream after a number. Undefined if events after it are forgotten. */
  static async after(
    redis: RedisConnection,
    keys: StreamKeys,
    number: number,
    reading: Reading,
  ): Promise<StreamReader | undefined> {
    const reader = new StreamReader(redis, keys, number, reading)
    await reader.#listen()
    try {
      const page = await readStream(redis, keys, number)
      if (isWhole(page, number)) return reader.#start(page)
    } catch (error) {
      reader.stop()
      throw error
    }
    reader.stop()
    return undefined
  }

  /** Reads the events that are still to come. */
  static async newest(redis: RedisConnection, keys: StreamKeys, reading: Reading): Promise<StreamReader> {
    const reader = new StreamReader(redis, keys, 0, reading)
    await reader.#listen()
    try {
      const { last, begun } = await readStream(redis, keys, Number.MAX_SAFE_INTEGER)
      reader.#position = last
      reader.#begun = begun
    } catch (error) {
      reader.stop()
      throw error
    }
    return reader.#start()
  }

  stop(): void {
    this.#stopped = true
    this.#leave?.()
  }

  message(text: string): void {
    if (this.#busy) this.#again = true
    else if (text === 'end') void this.#catchUp()
    else this.#take(text)
  }

  renewed(): void {
    if (this.#busy) this.#again = true
    else void this.#catchUp()
  }

  async #listen(): Promise<void> {
    this.#leave = await this.#redis.channels.read(this.#redis.channelOf(this.#keys.events), this)
  }

  #start(page?: StreamPage): this {
    if (page !== undefined) this.#pass(page)
    this.#busy = false
    if (this.#again) void this.#catchUp()
    return this
  }

  #take(message: string): void {
    const page = readMessage(message)
    // One that was read already, or numbers began anew, or one is missing: the stream itself tells.
    const fits = page.last === this.#position + 1 && !this.#differs(page)
    if (fits) this.#pass(page)
    else void this.#catchUp()
  }

  async #catchUp(): Promise<void> {
    this.#busy = true
    do {
      this.#again = false
      await this.#readOn()
    } while (this.#again && !this.#stopped)
    this.#busy = false
  }

  async #readOn(): Promise<void> {
    while (!this.#stopped) {
      const page = await readStream(this.#redis, this.#keys, this.#position).catch(() => undefined)
      if (page !== undefined) return this.#passOrLose(page)
      // Whoever sends requests hears of it; a reader only waits.
      await new Promise((resolve) => setTimeout(resolve, retryMs).unref())
    }
  }

  #passOrLose(page: StreamPage): void {
    if (this.#stopped) return
    const beganAnew = this.#differs(page)
    if (isWhole(page, this.#position) && !beganAnew) this.#pass(page)
    else this.#goOnFrom(this.#reading.lost(page, beganAnew), page)
  }

  #differs({ begun }: StreamPage): boolean {
    return this.#begun !== '' && begun !== this.#begun
  }

  #goOnFrom(position: number | undefined, { last, begun }: StreamPage): void {
    this.#begun = begun
    if (position === undefined) {
      this.stop()
      return
    }
    this.#again ||= position < last
    this.#position = position
  }

  #pass({ events, ended, begun }: StreamPage): void {
    this.#begun = begun
    for (const event of events) {
      if (this.#stopped) return
      this.#position = event.number
      this.#reading.event(event)
    }
    if (!ended || this.#stopped) return
    this.stop()
    this.#reading.end()
  }
}

/** An event as it was published: its number, the beginning of its stream, `last` or nothing, and its text. */
function readMessage(message: string): StreamPage {
  const [, number, begun, last, text] = /^(\d+) (\S*) (\S*) (.*)$/s.exec(message) ?? []
  return {
    last: Number(number),
    begun: begun ?? '',
    ended: last === 'last',
    events: [{ number: Number(number), text: text ?? '' }],
  }
}
