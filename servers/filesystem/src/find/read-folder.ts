import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import type { Held } from '../access/held.ts'

export type EntryType = 'file' | 'directory' | 'symlink' | 'other'

export interface Entry {
  readonly name: string
  readonly type: EntryType
}

/** The entries of a folder, by name. */
export async function readFolder(folder: Held): Promise<Entry[]> {
  return toEntries(await readdir(folder.access, { withFileTypes: true }))
}

export const toEntries = (entries: readonly Dirent[]): Entry[] =>
  entries.map((entry) => ({ name: entry.name, type: typeOf(entry) })).sort(byName)

const byName = (one: Entry, other: Entry): number => (one.name < other.name ? -1 : 1)

export const typeOf = (entry: Pick<Dirent, 'isDirectory' | 'isFile' | 'isSymbolicLink'>): EntryType =>
  entry.isFile() ? 'file' : entry.isDirectory() ? 'directory' : entry.isSymbolicLink() ? 'symlink' : 'other'
