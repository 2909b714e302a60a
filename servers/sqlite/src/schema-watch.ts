import { type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Schema } from './schema.ts'

const settleMs = 100

export interface SchemaListeners {
  /** The tables with these names are new, different or gone. */
  changed(names: string[]): void
  /** Tables came or went. */
  listChanged(): void
}

/** Notices changes of the schema, by this server and by other programs. */
export class SchemaWatch {
  readonly #schema: Schema
  readonly #listeners: SchemaListeners
  readonly #watcher: FSWatcher | undefined
  readonly #never = new AbortController().signal
  #timer: NodeJS.Timeout | undefined
  #known: { version: number; tables: Set<string> } | undefined
  #isClosed = false
  #begun: Promise<void> | undefined
  #checking: Promise<void> = Promise.resolve()

  constructor(file: string, schema: Schema, listeners: SchemaListeners) {
    this.#schema = schema
    this.#listeners = listeners
    this.#watcher = watchFolder(file, () => this.soon())
  }

  /** Remembers the schema. A client that was told of it after this hears of every later change. */
  begin(): Promise<void> {
    this.#begun ??= this.check()
    return this.#begun
  }

  /** Checks after a moment, once for all changes until then. */
  soon(): void {
    if (this.#timer !== undefined || this.#isClosed) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      void this.check()
    }, settleMs)
    this.#timer.unref()
  }

  /** Compares the schema with the known one. The first time it is remembered. */
  check(): Promise<void> {
    // A database that cannot be read now is looked at again after the next change.
    this.#checking = this.#checking.then(() => this.#compare()).catch(() => {})
    return this.#checking
  }

  close(): void {
    this.#isClosed = true
    this.#watcher?.close()
    clearTimeout(this.#timer)
  }

  async #compare(): Promise<void> {
    const ctx = { signal: this.#never }
    const version = await this.#schema.version(ctx)
    const before = this.#known
    if (before?.version === version) return
    const tables = new Set((await this.#schema.tables(ctx)).map(({ name }) => name))
    this.#known = { version, tables }
    if (before === undefined) return
    const names = new Set([...before.tables, ...tables])
    // An index belongs to its table, and so does a key of another one: any change of the version concerns every table.
    this.#listeners.changed([...names])
    if ([...names].some((name) => before.tables.has(name) !== tables.has(name))) this.#listeners.listChanged()
  }
}

/** The journal beside the file changes before the file does. */
function watchFolder(file: string, changed: () => void): FSWatcher | undefined {
  const name = basename(file)
  try {
    const watcher = watch(dirname(file), { persistent: false }, (_event, entry) => {
      if (entry === null || entry.startsWith(name)) changed()
    })
    return watcher.on('error', () => {})
  } catch {
    // Some file systems cannot be watched. The changes of this server are noticed without it.
    return undefined
  }
}
