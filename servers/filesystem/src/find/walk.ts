import { setImmediate } from 'node:timers/promises'
import type { Guard } from '../access/guard.ts'
import type { Held } from '../access/held.ts'
import { type Entry, readFolder, toEntries } from './read-folder.ts'
import { openFolder } from './sync-folders.ts'

/** An entry with its path below the start, and its children if it is a folder that was entered. */
export interface TreeEntry extends Entry {
  readonly path: string
  children?: TreeEntry[]
}

export interface WalkOptions {
  readonly signal: AbortSignal
  /** Leaves out an entry, and everything in it. */
  readonly excludes: (path: string) => boolean
  readonly maxDepth?: number | undefined
  /** Stops after as many entries. */
  readonly maxEntries: number
  readonly found?: (count: number) => unknown
}

export interface Tree {
  readonly entries: TreeEntry[]
  readonly count: number
  /** There are more entries than were wanted. */
  readonly cut: boolean
}

/** Other calls wait no longer than this for a walk. */
const sliceMs = 8

/** Reads everything below a folder, level by level. Links are entries, and never followed. */
export async function readTree(guard: Guard, start: Held, options: WalkOptions): Promise<Tree> {
  const { maxDepth = Number.POSITIVE_INFINITY, maxEntries } = options
  let count = 0
  const keep = (entries: readonly Entry[], path: string): TreeEntry[] => {
    const kept = entries
      .map((entry): TreeEntry => ({ name: entry.name, type: entry.type, path: path + entry.name }))
      .filter((entry) => !options.excludes(entry.path))
      .slice(0, maxEntries + 1 - count)
    count += kept.length
    return kept
  }
  const entries = keep(await readFolder(start), '')
  let level = entries
  for (let depth = 1; level.length > 0 && depth < maxDepth && count <= maxEntries; depth++) {
    const folders = level.filter(({ type }) => type === 'directory')
    const lists = await readAll(guard, start, folders, options.signal)
    level = folders.flatMap((folder, index) => {
      folder.children = keep(lists[index]!, `${folder.path}/`)
      return folder.children
    })
    options.found?.(count)
  }
  return { entries, count: Math.min(count, maxEntries), cut: count > maxEntries }
}

/**
 * Reads the entries of folders. The calls are short, and handing each to another thread and back takes longer than the call;
 * so they are made here, in slices, with room for others between them.
 */
async function readAll(
  guard: Guard,
  start: Held,
  folders: readonly TreeEntry[],
  signal: AbortSignal,
): Promise<Entry[][]> {
  const lists: Entry[][] = []
  let sliceEnd = performance.now() + sliceMs
  for (const { path } of folders) {
    if (performance.now() > sliceEnd) {
      await setImmediate()
      signal.throwIfAborted()
      sliceEnd = performance.now() + sliceMs
    }
    lists.push(readBelow(guard, join(start.real, path)))
  }
  return lists
}

/** A folder that cannot be read, or that something else took the place of, has no entries. */
function readBelow(guard: Guard, path: string): Entry[] {
  const folder = openFolder(path, (real) => guard.folders.contains(real))
  folder?.close()
  return folder === undefined ? [] : toEntries(folder.entries)
}

const join = (folder: string, path: string): string => (folder === '/' ? `/${path}` : `${folder}/${path}`)

/** The entries that are wanted, each folder before its contents. */
export function collectEntries(
  entries: readonly TreeEntry[],
  isWanted: (entry: TreeEntry) => boolean,
  found: TreeEntry[] = [],
): TreeEntry[] {
  for (const entry of entries) {
    if (isWanted(entry)) found.push(entry)
    if (entry.children !== undefined) collectEntries(entry.children, isWanted, found)
  }
  return found
}
