import type { EventLogLimits, LoggedEvent, SharedEventLog, StreamFollower } from '@tenon/sdk/http'
import { checkCount, type RedisConnection } from './connection/connection.ts'
import { safeName } from './connection/keys.ts'
import { isWhole, readStream, type StreamKeys, StreamReader } from './stream-reader.ts'

/** The memory of Redis is bounded by Redis itself. */
export type RedisEventLogLimits = Omit<EventLogLimits, 'maxTotalBytes'>

/** Event streams that any process writes and reads: a stream of Redis each. */
export class RedisEventLog implements SharedEventLog {
  readonly #redis: RedisConnection
  readonly #limits: readonly [maxEvents: number, maxBytes: number, ttlMs: number]

  constructor(
    redis: RedisConnection,
    { maxEvents = 256, maxBytes = 1024 * 1024, ttlMs = 5 * 60_000 }: RedisEventLogLimits = {},
  ) {
    for (const [name, value] of Object.entries({ maxEvents, maxBytes, ttlMs })) checkCount(`eventLog.${name}`, value)
    this.#redis = redis
    this.#limits = [maxEvents, maxBytes, ttlMs]
  }

  async append(session: string, stream: string, text: string, last?: 'last'): Promise<number> {
    const { events, facts } = this.#keys(session, stream)
    const keys = [events, facts, this.#redis.keys.of('streams', session)]
    const args = [safeName(stream), last ?? '', ...this.#limits, this.#redis.channelOf(events), text]
    return (await this.#redis.run('tenonAppend', keys, args)) as number
  }

  async after(session: string, stream: string, number: number): Promise<readonly LoggedEvent[] | undefined> {
    const page = await readStream(this.#redis, this.#keys(session, stream), number)
    return page.last > 0 && isWhole(page, number) ? page.events : undefined
  }

  async forget(session: string): Promise<void> {
    const { keys } = this.#redis
    const index = keys.of('streams', session)
    const streams = (await this.#redis.call('ZRANGE', index, 0, -1)) as string[]
    const all = streams.flatMap((name) => [keys.of('events', session, name), keys.of('facts', session, name)])
    await this.#redis.call('UNLINK', index, ...all)
  }

  async end(session: string, stream: string): Promise<void> {
    const { events, facts } = this.#keys(session, stream)
    await this.#redis.run('tenonEnd', [events, facts], [this.#limits[2], this.#redis.channelOf(events)])
  }

  async last(session: string, stream: string): Promise<number> {
    return Number((await this.#redis.call('HGET', this.#keys(session, stream).facts, 'last')) ?? 0)
  }

  async follow(
    session: string,
    stream: string,
    number: number,
    follower: StreamFollower,
  ): Promise<(() => void) | undefined> {
    const reading = {
      event: (event: LoggedEvent) => follower.event(event),
      end: () => follower.end(),
      // A client whose stream ends comes back with the number of its last event, and hears that some are forgotten.
      lost: (): undefined => void follower.end(),
    }
    const reader = await StreamReader.after(this.#redis, this.#keys(session, stream), number, reading)
    return reader && (() => reader.stop())
  }

  /** The name of a stream is made safe first: the index of the session has it in that form. */
  #keys(session: string, stream: string): StreamKeys {
    const name = safeName(stream)
    const { keys } = this.#redis
    return { events: keys.of('events', session, name), facts: keys.of('facts', session, name) }
  }
}
