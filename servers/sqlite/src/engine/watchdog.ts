import { Worker } from 'node:worker_threads'
import type { Bounds } from './protocol.ts'

export interface Watchdog {
  begin(bounds: Bounds): void
  end(): void
}

/** The signal that ends a process whose memory is at its bound. */
export const memorySignal = 'SIGTERM'

// The thread sleeps until a call begins. It ends the process, since a thread inside the engine cannot be ended alone.
const script = `
const { workerData: { state, memorySignal, parent } } = require('node:worker_threads')
for (;;) {
  const turn = Atomics.load(state, 0)
  if (turn % 2 === 0) {
    Atomics.wait(state, 0, turn)
    continue
  }
  const end = Date.now() + Atomics.load(state, 1)
  const mostMemory = Atomics.load(state, 2) * 1024
  while (Atomics.load(state, 0) === turn) {
    Atomics.wait(state, 0, turn, 25)
    if (process.memoryUsage.rss() > mostMemory) process.kill(process.pid, memorySignal)
    if (Date.now() > end || process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
  }
}
`

/** The server ends a late call before the thread does. The thread is there for the time after the server was killed. */
const graceMs = 2_000

/** Ends this process when a call exceeds its bounds, or when the server is gone. */
export function startWatchdog(): Watchdog {
  const state = new Int32Array(new SharedArrayBuffer(12))
  // The server may be gone before the thread runs, so the thread is told who it was.
  const worker = new Worker(script, { eval: true, workerData: { state, memorySignal, parent: process.ppid } })
  worker.unref()
  // Odd while a call runs; each call has a turn of its own.
  const turn = (): void => {
    Atomics.add(state, 0, 1)
    Atomics.notify(state, 0)
  }
  return {
    begin({ timeMs, memoryBytes }) {
      Atomics.store(state, 1, Math.min(timeMs + graceMs, 2 ** 31 - 1))
      Atomics.store(state, 2, Math.min(Math.ceil(memoryBytes / 1024), 2 ** 31 - 1))
      turn()
    },
    end: turn,
  }
}
