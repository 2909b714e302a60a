import { useEffect, useSyncExternalStore } from 'react'
import type { Problem } from '../../src/protocol.ts'
import { problemOf } from '../state/api.ts'

/** Files of the workbench, as they were read last. */
export interface Shelf<Item> {
  folder: string
  /** Undefined until they have been read. */
  items: readonly Item[] | undefined
  problem?: Problem
}

interface ShelfStore<Item> {
  /** The files, read when something that shows them appears. */
  useShelf(): Shelf<Item>
  /** A file was changed by this page. */
  keep(changed: Item): void
  drop(id: string): void
}

/** The files of one kind, for all parts of the page. They are read again with each visit: people edit them too. */
export function createShelf<Item extends { id: string }>(
  read: () => Promise<{ folder: string; items: readonly Item[] }>,
): ShelfStore<Item> {
  let shelf: Shelf<Item> = { folder: '', items: undefined }
  const listeners = new Set<() => void>()
  const replace = (next: Shelf<Item>): void => {
    shelf = next
    for (const listener of listeners) listener()
  }
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const others = (id: string): Item[] => (shelf.items ?? []).filter((other) => other.id !== id)
  const load = async (): Promise<void> => {
    try {
      replace(await read())
    } catch (error) {
      replace({ ...shelf, items: shelf.items ?? [], problem: problemOf(error) })
    }
  }
  return {
    useShelf: () => {
      useEffect(() => void load(), [])
      return useSyncExternalStore(subscribe, () => shelf)
    },
    keep: (changed) =>
      replace({ ...shelf, items: [...others(changed.id), changed].toSorted((a, b) => (a.id < b.id ? -1 : 1)) }),
    drop: (id) => replace({ ...shelf, items: others(id) }),
  }
}
