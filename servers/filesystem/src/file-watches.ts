import { type FSWatcher, watch } from 'node:fs'
import type { Guard, Target } from './access/guard.ts'
import type { Held } from './access/held.ts'

/** Writers change a file several times in a moment; subscribers hear of it once. */
const quietMs = 50

/** Systems have a limit of their own; this one is reached first. */
const maxFolders = 1_000

/** A folder that is watched, and the URIs by the name in it that they are about; `''` is the folder itself. */
interface WatchedFolder {
  readonly watcher: FSWatcher
  readonly names: Map<string, Map<string, number>>
}

/**
 * Tells of changes to files. The folder of a file is watched and not the file: editors replace files, and a file may be
 * deleted and come again. A folder is watched once, for however many subscribers.
 */
export class FileWatches {
  readonly #changed: (uri: string) => void
  readonly #folders = new Map<string, WatchedFolder>()
  readonly #pending = new Map<string, NodeJS.Timeout>()

  constructor(changed: (uri: string) => void) {
    this.#changed = changed
  }

  /** Begins to watch a file or folder; returns the end of it. Nothing, if it may not be watched. */
  async begin(guard: Guard, path: string, uri: string): Promise<(() => void) | undefined> {
    try {
      await using folder = await findFolder(guard, path)
      if (folder !== undefined) return this.#add(folder, '', uri)
      await using target: Target = await guard.locateTarget(path)
      return this.#add(target.parent, target.name, uri)
    } catch {
      return undefined
    }
  }

  close(): void {
    for (const { watcher } of this.#folders.values()) watcher.close()
    for (const timer of this.#pending.values()) clearTimeout(timer)
    this.#folders.clear()
    this.#pending.clear()
  }

  #add(folder: Held, name: string, uri: string): (() => void) | undefined {
    const watched = this.#folders.get(folder.real) ?? this.#open(folder)
    if (watched === undefined) return undefined
    const uris = watched.names.get(name) ?? new Map<string, number>()
    watched.names.set(name, uris)
    uris.set(uri, (uris.get(uri) ?? 0) + 1)
    return () => this.#remove(folder.real, watched, name, uri)
  }

  #open(folder: Held): WatchedFolder | undefined {
    if (this.#folders.size >= maxFolders) return undefined
    const names: WatchedFolder['names'] = new Map()
    const tell = (_event: string, name: string | null): void => {
      for (const [watched, uris] of names) {
        if (watched === '' || name === null || watched === name) for (const uri of uris.keys()) this.#note(uri)
      }
    }
    const watcher = watch(folder.access, { persistent: false }, tell)
    const watched = { watcher, names }
    watcher.on('error', () => {
      tell('rename', null)
      this.#drop(folder.real, watched)
    })
    this.#folders.set(folder.real, watched)
    return watched
  }

  #remove(real: string, watched: WatchedFolder, name: string, uri: string): void {
    const uris = watched.names.get(name)
    const count = (uris?.get(uri) ?? 0) - 1
    if (count > 0) uris!.set(uri, count)
    else uris?.delete(uri)
    if (uris?.size === 0) watched.names.delete(name)
    if (watched.names.size === 0) this.#drop(real, watched)
  }

  #drop(real: string, watched: WatchedFolder): void {
    watched.watcher.close()
    if (this.#folders.get(real) === watched) this.#folders.delete(real)
  }

  #note(uri: string): void {
    if (this.#pending.has(uri)) return
    const tell = (): void => {
      this.#pending.delete(uri)
      this.#changed(uri)
    }
    this.#pending.set(uri, setTimeout(tell, quietMs).unref())
  }
}

async function findFolder(guard: Guard, path: string): Promise<Held | undefined> {
  const found = await guard.find(path)
  if (found?.stats.isDirectory()) return found
  await found?.[Symbol.asyncDispose]()
  return undefined
}
