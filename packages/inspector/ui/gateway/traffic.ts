import { useSyncExternalStore } from 'react'
import { readEvents } from '../state/event-stream.ts'
import type { TrafficEntry } from './answers.ts'

/** An entry with a number of its own, the latest of which is the highest. */
export type NumberedEntry = TrafficEntry & { readonly number: number }

interface State {
  /** The latest first. */
  readonly entries: readonly NumberedEntry[]
  readonly stream: 'open' | 'broken' | 'locked'
}

const maxEntries = 500
const listeners = new Set<() => void>()
let state: State = { entries: [], stream: 'open' }
let next = 0
let isStale = false

function set(changed: Partial<State>): void {
  state = { ...state, ...changed }
  for (const listener of listeners) listener()
}

/** Follows the requests that pass, for as long as the page is open. */
export function followTraffic(): void {
  const event = (data: string): void => {
    const entry: NumberedEntry = { ...(JSON.parse(data) as TrafficEntry), number: next++ }
    // A stream that was opened again begins with the latest entries.
    const before = isStale ? [] : state.entries
    isStale = false
    set({ entries: [entry, ...before].slice(0, maxEntries), stream: 'open' })
  }
  const lost = (isRefused: boolean): void => {
    isStale = true
    set({ stream: isRefused ? 'locked' : 'broken' })
  }
  void readEvents({ event, lost }, '/api/traffic')
}

export const useTraffic = (): State =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => state,
  )
