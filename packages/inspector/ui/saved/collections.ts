import { useEffect, useSyncExternalStore } from 'react'
import type { Collection, Problem } from '../../src/protocol.ts'
import { problemOf, run } from '../state/api.ts'

/** The files of saved calls, as they were read last. */
interface Shelf {
  folder: string
  /** Undefined until they have been read. */
  collections: readonly Collection[] | undefined
  problem?: Problem
}

let shelf: Shelf = { folder: '', collections: undefined }
const listeners = new Set<() => void>()

function replace(next: Shelf): void {
  shelf = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Reads the files again: people edit them too. */
async function loadShelf(): Promise<void> {
  try {
    replace(await run('saved.list', {}))
  } catch (error) {
    replace({ ...shelf, collections: shelf.collections ?? [], problem: problemOf(error) })
  }
}

/** A file was changed by this page. */
export function keepCollection(changed: Collection): void {
  const others = (shelf.collections ?? []).filter(({ id }) => id !== changed.id)
  replace({ ...shelf, collections: [...others, changed].toSorted((a, b) => (a.id < b.id ? -1 : 1)) })
}

export function dropCollection(id: string): void {
  replace({ ...shelf, collections: (shelf.collections ?? []).filter((other) => other.id !== id) })
}

/** The files of saved calls, read when something that shows them appears. */
export function useShelf(): Shelf {
  useEffect(() => void loadShelf(), [])
  return useSyncExternalStore(subscribe, () => shelf)
}
