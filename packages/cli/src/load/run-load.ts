import { setMaxListeners } from 'node:events'
import { Latencies } from './latencies.ts'

/** The time, in milliseconds, and a way to wait for it. */
export interface Clock {
  now(): number
  /** Resolves at that time, or as soon as the signal fires. */
  until(time: number, signal: AbortSignal): Promise<void>
}

/** The way a call failed. */
export interface CallFailure {
  /** Calls with the same kind are counted together. */
  kind: string
  message: string
  /** No later call can succeed. */
  isFinal?: boolean
}

interface LoadOptions {
  /** Makes one call; it never throws. */
  call(signal: AbortSignal): Promise<CallFailure | undefined>
  /** Calls at once. */
  concurrency: number
  /** Calls that are due in a second; without it the next call follows the one before. */
  rate?: number | undefined
  /** How long calls are begun. */
  durationMs: number
  /** How many calls are begun at most. */
  count?: number | undefined
  clock: Clock
  signal: AbortSignal
}

interface ErrorCount extends CallFailure {
  count: number
}

/** Everything that is measured; it can be read while calls are made. */
export class LoadResult {
  /** From the time at which a call was due to its end. */
  readonly latencies = new Latencies()
  /** From the time at which a call was sent to its end. */
  readonly service = new Latencies()
  readonly errors = new Map<string, ErrorCount>()
  succeeded = 0
  failed = 0
  /** Calls that were due and never sent, because all calls at once were still under way. */
  missed = 0
  elapsedMs = 0

  add(dueMs: number, sentMs: number, endMs: number, failure: CallFailure | undefined): void {
    this.latencies.add(endMs - dueMs)
    this.service.add(endMs - sentMs)
    if (failure === undefined) {
      this.succeeded += 1
      return
    }
    this.failed += 1
    const known = this.errors.get(failure.kind)
    if (known) known.count += 1
    else this.errors.set(failure.kind, { ...failure, count: 1 })
  }
}

/**
 * Makes calls at once, as fast as they end or at a rate. With a rate each call has a time at which it is due, and its latency
 * counts from there: a server that stops for a second delays the calls of that second too, which a measurement from the
 * moment of sending would leave out.
 */
export async function runLoad(options: LoadOptions, result: LoadResult = new LoadResult()): Promise<LoadResult> {
  const { call, concurrency, rate, durationMs, count = Infinity, clock, signal } = options
  const start = clock.now()
  const due = (index: number): number => (rate === undefined ? clock.now() : start + (index * 1_000) / rate)
  const end = start + durationMs
  const stop = new AbortController()
  const stopped = AbortSignal.any([signal, stop.signal])
  // Every worker waits for the end of the run, and every call for that of the command.
  setMaxListeners(0, signal, stopped)
  let begun = 0

  /** The next call, for the first worker that is free. */
  async function work(): Promise<void> {
    while (begun < count && !stopped.aborted && clock.now() < end) {
      const time = due(begun)
      if (time >= end) return
      begun += 1
      // A timer may fire a little early.
      while (time > clock.now() && !stopped.aborted) await clock.until(time, stopped)
      if (stopped.aborted) return
      const sent = clock.now()
      const failure = await call(signal)
      if (signal.aborted) return
      result.add(time, sent, clock.now(), failure)
      if (failure?.isFinal) stop.abort()
    }
  }

  await Promise.all(Array.from({ length: Math.min(concurrency, count) }, work))
  result.elapsedMs = clock.now() - start
  if (rate !== undefined && !stopped.aborted) {
    const wanted = Math.min(Math.ceil((durationMs * rate) / 1_000), count)
    result.missed = Math.max(wanted - begun, 0)
  }
  return result
}
