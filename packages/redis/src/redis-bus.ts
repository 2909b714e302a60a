import type { Bus } from '@tenon/sdk/http'
import type { RedisConnection } from './connection/connection.ts'
import { Outbox } from './outbox.ts'
import { type StreamKeys, type StreamPage, StreamReader } from './stream-reader.ts'

/** Messages are kept this long for processes that lost their connection for a moment: events, bytes, milliseconds. */
const kept = [1_000, 4 * 1024 * 1024, 60_000] as const

/**
 * Messages between processes. Each topic is a stream with few events: a process that was not connected for a moment
 * reads what it missed.
 */
export class RedisBus implements Bus {
  readonly #redis: RedisConnection
  readonly #outboxes = new Map<string, Outbox>()

  constructor(redis: RedisConnection) {
    this.#redis = redis
  }

  publish(topic: string, message: string): Promise<void> {
    const outbox = this.#outboxes.get(topic) ?? new Outbox((messages) => this.#append(topic, messages))
    this.#outboxes.set(topic, outbox)
    const forget = (): void => {
      if (outbox.isEmpty && this.#outboxes.get(topic) === outbox) this.#outboxes.delete(topic)
    }
    return outbox.send(message).finally(forget)
  }

  async subscribe(topic: string, listener: (message: string) => void, gap?: () => void): Promise<() => void> {
    const reading = {
      event: ({ text }: { text: string }) => listener(text),
      end: () => {},
      lost: (page: StreamPage, beganAnew: boolean) => {
        gap?.()
        return firstKept(page, beganAnew)
      },
    }
    const reader = await StreamReader.newest(this.#redis, this.#keys(topic), reading)
    return () => reader.stop()
  }

  async #append(topic: string, messages: readonly string[]): Promise<void> {
    const { events, facts } = this.#keys(topic)
    // Only streams of sessions are listed by name.
    const args = ['', '', ...kept, this.#redis.channelOf(events), ...messages]
    await this.#redis.run('tenonAppend', [events, facts, events], args)
  }

  #keys(topic: string): StreamKeys {
    const { keys } = this.#redis
    return { events: keys.of('events', `bus/${topic}`), facts: keys.of('facts', `bus/${topic}`) }
  }
}

/** Messages that nobody keeps any more are lost. If the numbers began anew, all of them are new. */
const firstKept = ({ last, events }: StreamPage, beganAnew: boolean): number =>
  beganAnew ? 0 : (events[0]?.number ?? last + 1) - 1
