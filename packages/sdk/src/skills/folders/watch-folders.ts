import { type FSWatcher, watch } from 'node:fs'

/** Called when something in a folder changed. */
export interface FolderEvents {
  changed(): void
  failed(error: unknown): void
}

/** Changes come in bursts: an editor renames and writes, a checkout touches many files. */
const settleMs = 100
const maxFolders = 5_000

/** Watches folders, each for itself: on some systems a watch of a whole tree misses new folders. */
export class FolderWatch {
  readonly #events: FolderEvents
  readonly #watchers = new Map<string, FSWatcher>()
  #timer: NodeJS.Timeout | undefined

  constructor(events: FolderEvents) {
    this.#events = events
  }

  /** Watches these folders and no others. Changes in a new one before its watch began are looked for once more. */
  set(folders: readonly string[]): void {
    const wanted = new Set(folders.slice(0, maxFolders))
    if (folders.length > maxFolders) {
      this.#events.failed(new Error(`${folders.length} folders, of which ${maxFolders} are watched`))
    }
    for (const [folder, watcher] of this.#watchers) if (!wanted.has(folder)) this.#drop(folder, watcher)
    const added = [...wanted].filter((folder) => !this.#watchers.has(folder))
    for (const folder of added) this.#add(folder)
    if (added.length > 0) this.#soon()
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const [folder, watcher] of this.#watchers) this.#drop(folder, watcher)
  }

  #add(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, () => this.#soon())
      this.#watchers.set(folder, watcher)
      watcher.on('error', (error) => {
        this.#drop(folder, watcher)
        this.#events.failed(error)
      })
    } catch (error) {
      this.#events.failed(error)
    }
  }

  #drop(folder: string, watcher: FSWatcher): void {
    this.#watchers.delete(folder)
    watcher.close()
  }

  #soon(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#events.changed(), settleMs)
    this.#timer.unref()
  }
}
