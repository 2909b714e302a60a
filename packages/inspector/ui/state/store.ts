import { useSyncExternalStore } from 'react'
import type { BenchEvent } from '../../src/protocol.ts'
import { afterEvent, type Bench, emptyBench } from './bench.ts'
import { readEvents } from './event-stream.ts'
import { restoreKept } from './use-kept.ts'

let bench = emptyBench
const listeners = new Set<() => void>()

function replace(next: Bench): void {
  bench = next
  for (const listener of listeners) listener()
}

/** Calls a listener after every change of the state; returns how to stop. */
export const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** A part of the state; the component is rendered again when that part changes. */
export const useBench = <Part>(select: (bench: Bench) => Part): Part =>
  useSyncExternalStore(subscribe, () => select(bench))

/** The current state, for code outside of components. */
export const currentBench = (): Bench => bench

/** A resource was looked at: its mark goes away. */
export function markSeen(server: string, uri: string): void {
  const key = `${server} ${uri}`
  if (!bench.updated.has(key)) return
  const updated = new Set(bench.updated)
  updated.delete(key)
  replace({ ...bench, updated })
}

/** Listens to events, for as long as the page is open. */
export function followEvents(): void {
  void readEvents({
    event: (data) => {
      const event = JSON.parse(data) as BenchEvent
      if (event.type === 'snapshot') restoreKept(event.snapshot.page)
      replace({ ...afterEvent(bench, event), stream: 'open' })
    },
    // Refused: the backend was restarted, and does not know this browser.
    lost: (isRefused) => replace({ ...bench, stream: isRefused ? 'locked' : 'broken' }),
  })
}
