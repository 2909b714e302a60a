import { describe, expect, test } from 'vitest'
import { Latencies } from './latencies.ts'
import { type CallFailure, type Clock, runLoad } from './run-load.ts'

/** A clock that jumps to the next time that somebody waits for, once everybody waits. */
class JumpingClock implements Clock {
  #now = 1_000
  readonly #waiting: { time: number; done: () => void }[] = []
  #scheduled = false

  now(): number {
    return this.#now
  }

  until(time: number): Promise<void> {
    const done = new Promise<void>((resolve) => this.#waiting.push({ time, done: resolve }))
    if (!this.#scheduled) {
      this.#scheduled = true
      setImmediate(() => this.#jump())
    }
    return done
  }

  #jump(): void {
    this.#waiting.sort((one, other) => one.time - other.time)
    const next = this.#waiting.shift()
    this.#scheduled = this.#waiting.length > 0
    if (next === undefined) return
    this.#now = Math.max(this.#now, next.time)
    next.done()
    if (this.#scheduled) setImmediate(() => this.#jump())
  }
}

const signal = new AbortController().signal

/** A server that needs `ms` for a call, and stops for a while at one of them. */
function server(clock: JumpingClock, ms: number, stall?: { at: number; ms: number }) {
  let calls = 0
  return async (): Promise<undefined> => {
    const index = calls++
    await clock.until(clock.now() + (index === stall?.at ? stall.ms : ms))
  }
}

test('without a rate the next call follows the one before, for as long as it is wanted', async () => {
  const clock = new JumpingClock()
  const result = await runLoad({ call: server(clock, 10), concurrency: 2, durationMs: 1_000, clock, signal })
  expect(result).toMatchObject({ succeeded: 200, failed: 0, missed: 0, elapsedMs: 1_000 })
  expect(result.latencies.summary()).toMatchObject({ min: 10, max: 10, p50: 10 })
})

test('a count ends it before', async () => {
  const clock = new JumpingClock()
  const result = await runLoad({
    call: server(clock, 10),
    concurrency: 4,
    durationMs: Infinity,
    count: 10,
    clock,
    signal,
  })
  expect(result).toMatchObject({ succeeded: 10, elapsedMs: 30 })
})

test('at a rate calls are due evenly', async () => {
  const clock = new JumpingClock()
  const result = await runLoad({ call: server(clock, 1), concurrency: 10, rate: 100, durationMs: 1_000, clock, signal })
  expect(result).toMatchObject({ succeeded: 100, missed: 0 })
  expect(result.latencies.summary()).toMatchObject({ max: 1 })
})

test('a server that stops delays the calls of that time too: no omission is coordinated with it', async () => {
  const clock = new JumpingClock()
  const call = server(clock, 1, { at: 10, ms: 500 })
  const result = await runLoad({ call, concurrency: 1, rate: 100, durationMs: 1_000, clock, signal })
  // One call took 500 ms, and some 50 calls were due meanwhile.
  expect(result.service.summary().p95).toBeLessThan(1.1)
  expect(result.latencies.summary().p95).toBeGreaterThan(400)
  expect(result.succeeded).toBe(100)
})

test('calls that were due and never sent are counted', async () => {
  const clock = new JumpingClock()
  const result = await runLoad({
    call: server(clock, 100),
    concurrency: 1,
    rate: 100,
    durationMs: 1_000,
    clock,
    signal,
  })
  expect(result.succeeded).toBe(10)
  expect(result.missed).toBe(90)
})

describe('failures', () => {
  const failing = (failures: (CallFailure | undefined)[]) => async (): Promise<CallFailure | undefined> =>
    failures.shift()

  test('are counted by kind, with the first message', async () => {
    const call = failing([
      { kind: 'a', message: 'one' },
      undefined,
      { kind: 'a', message: 'two' },
      { kind: 'b', message: 'b' },
    ])
    const result = await runLoad({
      call,
      concurrency: 1,
      durationMs: Infinity,
      count: 4,
      clock: new JumpingClock(),
      signal,
    })
    expect([...result.errors.values()]).toEqual([
      { kind: 'a', message: 'one', count: 2 },
      { kind: 'b', message: 'b', count: 1 },
    ])
    expect(result).toMatchObject({ succeeded: 1, failed: 3 })
  })

  test('one after which nothing can succeed ends it', async () => {
    const call = failing([undefined, { kind: 'closed', message: 'gone', isFinal: true }])
    const result = await runLoad({
      call,
      concurrency: 1,
      durationMs: Infinity,
      count: 100,
      clock: new JumpingClock(),
      signal,
    })
    expect(result).toMatchObject({ succeeded: 1, failed: 1 })
  })
})

test('percentiles are at most 1 % too high', () => {
  const latencies = new Latencies()
  for (let ms = 1; ms <= 10_000; ms++) latencies.add(ms)
  for (const share of [0.5, 0.9, 0.99, 0.999]) {
    expect(latencies.percentile(share)).toBeGreaterThanOrEqual(share * 10_000)
    expect(latencies.percentile(share)).toBeLessThanOrEqual(share * 10_000 * 1.01)
  }
  expect(latencies.summary()).toMatchObject({ min: 1, max: 10_000, mean: 5_000.5 })
  expect(new Latencies().summary()).toMatchObject({ min: 0, mean: 0, max: 0, p99: 0 })
})
