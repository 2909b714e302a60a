import { type FSWatcher, statSync, watch } from 'node:fs'
import { basename, dirname, join } from 'node:path'

// Editors write in several steps, and save several files at once.
const settleMs = 60

/** Calls back when a watched file has changed, once for changes that come together. */
export class FileWatcher {
  readonly #folders = new Map<string, FSWatcher | undefined>()
  /** The state of each file at the last check. */
  readonly #files = new Map<string, string>()
  readonly #onChange: (files: string[]) => void
  readonly #interest: (file: string) => boolean
  #changed = new Set<string>()
  #timer: NodeJS.Timeout | undefined

  /** `interest` says whether a file counts that was not added; it is asked for files beside those that were. */
  constructor(onChange: (files: string[]) => void, interest: (file: string) => boolean) {
    this.#onChange = onChange
    this.#interest = interest
  }

  add(file: string): void {
    if (this.#files.has(file)) return
    this.#files.set(file, lookOf(file))
    this.addFolder(dirname(file))
  }

  /** Watches a folder, without the folders in it. Files are watched by their folders, because editors replace them. */
  addFolder(folder: string): void {
    if (this.#folders.get(folder) !== undefined) return
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => this.#seen(folder, name))
      watcher.on('error', () => this.#lose(folder))
      this.#folders.set(folder, watcher)
    } catch {
      // The folder is gone, or the limit of watches is reached; the other watches still work, and `r` restarts.
      this.#folders.set(folder, undefined)
    }
  }

  close(): void {
    clearTimeout(this.#timer)
    for (const watcher of this.#folders.values()) watcher?.close()
    this.#folders.clear()
  }

  #lose(folder: string): void {
    this.#folders.get(folder)?.close()
    this.#folders.set(folder, undefined)
  }

  #seen(folder: string, name: string | null): void {
    const files = name === null ? this.#filesIn(folder) : [join(folder, name)]
    for (const file of files) if (this.#files.has(file) || this.#interest(file)) this.#changed.add(file)
    if (this.#changed.size === 0) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#settled(), settleMs)
  }

  #filesIn(folder: string): string[] {
    return [...this.#files.keys()].filter((file) => dirname(file) === folder)
  }

  #settled(): void {
    const changed = [...this.#changed].filter((file) => {
      const look = lookOf(file)
      const same = this.#files.get(file) === look
      this.#files.set(file, look)
      return !same
    })
    this.#changed = new Set()
    if (changed.length > 0) this.#onChange(changed.toSorted())
  }
}

/** The state of a file; a change of its permissions does not change it. */
function lookOf(file: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(file)
    return `${mtimeMs} ${size} ${ino}`
  } catch {
    return 'gone'
  }
}

/** Files that decide how a server is run, though it does not load them. */
export const isSetting = (file: string): boolean =>
  /^(?:package\.json|tsconfig(?:\..+)?\.json|\.env(?:\..+)?)$/.test(basename(file))

export const isSource = (file: string): boolean => /\.(?:[cm]?[jt]sx?|json)$/.test(file)
