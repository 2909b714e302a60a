import { describe, expect, test } from 'vitest'
import type { HttpReply } from '../../http/request.ts'
import { type Rate, TokenBuckets } from '../../internal/token-bucket.ts'
import { MemorySpentStates } from '../../server/stateless/spent-states.ts'
import {
  busChecks,
  eventLogChecks,
  rateStoreChecks,
  type StoreCheck,
  sessionStoreChecks,
  sharedEventLogChecks,
  sharedSessionStoreChecks,
  spentStatesChecks,
} from '../../testing/stores.ts'
import { KeepAliveTimer } from '../keep-alive.ts'
import { EventStream } from '../session/event-stream.ts'
import { MemoryBus } from './memory-bus.ts'
import { MemoryEventLog } from './memory-event-log.ts'
import { MemorySessionStore } from './memory-session-store.ts'
import { SharedMemoryLog, SharedMemorySessions, SlowBus } from './shared-memory.suite.ts'
import type { EventLog, LoggedEvent } from './stores.ts'

/** A log that answers later, as one over a network does. */
class SlowEventLog implements EventLog {
  readonly #log: MemoryEventLog

  constructor(log: MemoryEventLog) {
    this.#log = log
  }

  async append(session: string, stream: string, text: string): Promise<number> {
    await new Promise((resolve) => setImmediate(resolve))
    return this.#log.append(session, stream, text)
  }

  async after(session: string, stream: string, number: number): Promise<readonly LoggedEvent[] | undefined> {
    await new Promise((resolve) => setImmediate(resolve))
    return this.#log.after(session, stream, number)
  }

  async forget(session: string): Promise<void> {
    this.#log.forget(session)
  }
}

/** Two processes that have the same store. */
const twice = <T>(store: T): [T, T] => [store, store]

/** `rateLimit` makes buckets for each of its rates. */
class MemoryRates {
  readonly #buckets = new Map<string, TokenBuckets>()

  take(key: string, rate: Rate): number {
    const buckets = this.#buckets.get(JSON.stringify(rate)) ?? new TokenBuckets(rate)
    this.#buckets.set(JSON.stringify(rate), buckets)
    return buckets.take(key)
  }
}

const stores: { [name: string]: StoreCheck[] } = {
  'sessions in memory': sessionStoreChecks(() => new MemorySessionStore()),
  'events in memory': eventLogChecks((limits) => new MemoryEventLog(limits)),
  'events that come later': eventLogChecks((limits) => new SlowEventLog(new MemoryEventLog(limits))),
  'a bus in memory': busChecks(() => twice(new MemoryBus())),
  'a slow bus': busChecks(() => twice(new SlowBus())),
  'used states in memory': spentStatesChecks(() => twice(new MemorySpentStates())),
  'counters of uses in memory': rateStoreChecks(() => twice(new MemoryRates())),
  'shared sessions': sessionStoreChecks(() => new SharedMemorySessions()),
  'shared events': eventLogChecks((limits) => new SharedMemoryLog(limits)),
  'sessions of two processes': sharedSessionStoreChecks(() => twice(new SharedMemorySessions())),
  'events of two processes': sharedEventLogChecks((limits) => twice(new SharedMemoryLog(limits))),
}

describe.each(Object.entries(stores))('%s', (_, checks) => {
  for (const { name, run } of checks) test(name, run)
})

test('silent streams are forgotten after a while', () => {
  let now = 0
  const log = new MemoryEventLog({ ttlMs: 100 }, () => now)
  log.append('s', 'a', 'one')
  now = 90
  log.append('s', 'b', 'two')
  expect(log.after('s', 'a', 0)).toHaveLength(1)
  now = 150
  expect(log.after('s', 'a', 0)).toBeUndefined()
  expect(log.after('s', 'b', 0)).toHaveLength(1)
  expect(log.size).toMatchObject({ streams: 1 })
})

test('after a silence that nothing survived, streams are forgotten as before', () => {
  let now = 0
  const log = new MemoryEventLog({ ttlMs: 100 }, () => now)
  log.append('s', 'a', 'one')
  now = 200
  expect(log.after('s', 'a', 0)).toBeUndefined()
  log.append('s', 'b', 'two')
  now = 400
  log.append('s', 'c', 'three')
  expect(log.size).toMatchObject({ streams: 1 })
})

test('all streams together stay within the bound', () => {
  const log = new MemoryEventLog({ maxTotalBytes: 1_200 })
  for (let i = 0; i < 1_000; i++) log.append(`s${i % 7}`, `a${i}`, 'x'.repeat(30))
  expect(log.size).toEqual({ streams: 3, bytes: 3 * (320 + 16 + 24 + 30) })
  for (let i = 0; i < 7; i++) log.forget(`s${i}`)
  expect(log.size).toEqual({ streams: 0, bytes: 0 })
})

/** A reply that keeps its text. */
function recorder(): { reply: HttpReply; text(): string; ended(): boolean } {
  let text = ''
  let ended = false
  const stream = {
    write: (more: string): void => {
      text += more
    },
    end: (): void => {
      ended = true
    },
  }
  return { reply: { send: () => {}, stream: () => stream, onGone: () => {} }, text: () => text, ended: () => ended }
}

test('a slow log changes nothing about the order, nor about what a new connection gets', async () => {
  const log = new SlowEventLog(new MemoryEventLog())
  const stream = new EventStream({
    rights: '',
    session: 's',
    log,
    keepAlive: new KeepAliveTimer(60_000),
    retryMs: 1,
    primes: false,
  })
  const first = recorder()
  stream.openNew(first.reply, undefined, 'message')
  const sent = ['1', '2', '3'].map((json) => stream.push(json))
  const second = recorder()
  const opening = stream.open(second.reply, undefined, 1)
  const later = stream.push('4')
  stream.end()
  await Promise.all([...sent, opening, later])
  const data = (text: string): string[] => [...text.matchAll(/data: (.*)/g)].map((match) => match[1]!)
  expect(data(first.text())).toEqual(['1', '2', '3'])
  expect(data(second.text())).toEqual(['2', '3', '4'])
  await expect.poll(second.ended).toBe(true)
})
