import { readdirSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { ToolError } from '@tenon/sdk/server'
import { touchedBy } from './store/change.ts'
import { Store, type StoreOptions } from './store/store.ts'

export const defaultNamespace = 'default'
const maxNamespaces = 100
const pollMs = 500

/** Small letters, so that names do not collide where files have no case; no dot and no slash. */
export const namespacePattern: RegExp = /^[a-z0-9][a-z0-9_-]{0,63}$/

/** The memory files of all namespaces: `memory.jsonl` for the default one, `memory.work.jsonl` for `work`. */
export class Namespaces {
  readonly #file: string
  readonly #options: StoreOptions
  readonly #changed: (namespace: string, names: ReadonlySet<string> | 'all') => void
  readonly #stores = new Map<string, Store>()
  readonly #timer: NodeJS.Timeout

  constructor(
    file: string,
    options: StoreOptions,
    changed: (namespace: string, names: ReadonlySet<string> | 'all') => void,
  ) {
    this.#file = file
    this.#options = options
    this.#changed = changed
    this.store(defaultNamespace)
    // Asked for instead of watched: network folders report nothing, and a look costs few calls of the system.
    this.#timer = setInterval(() => this.#refresh(), pollMs).unref()
  }

  /** The memory of a namespace, which comes into being with its first change. */
  store(namespace: string = defaultNamespace): Store {
    const known = this.#stores.get(namespace)
    if (known !== undefined) return known
    if (!namespacePattern.test(namespace))
      throw new ToolError(`${JSON.stringify(namespace)} is no name of a namespace.`)
    const names = this.names()
    if (!names.includes(namespace) && new Set([...names, ...this.#stores.keys()]).size >= maxNamespaces) {
      throw new ToolError(
        `There are ${maxNamespaces} namespaces already. Use one of them: list_namespaces has their names.`,
      )
    }
    const store = new Store(this.#fileOf(namespace), this.#options)
    store.onChange((changes) => {
      const names = changes === 'all' ? 'all' : new Set(changes.flatMap((change) => [...touchedBy(change)]))
      this.#changed(namespace, names)
    })
    this.#stores.set(namespace, store)
    return store
  }

  /** The namespaces that have a file, and the default one. */
  names(): string[] {
    const { stem, extension } = this.#parts()
    const found = filesIn(dirname(this.#file)).flatMap((name) => {
      // A namespace without a checkpoint yet has nothing but its log.
      const file = name.endsWith('.log') ? name.slice(0, -4) : name
      if (!file.startsWith(stem) || !file.endsWith(extension)) return []
      const namespace = file.slice(stem.length, file.length - extension.length)
      return namespacePattern.test(namespace) && namespace !== defaultNamespace ? [namespace] : []
    })
    return [defaultNamespace, ...new Set(found.sort())]
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    for (const store of this.#stores.values()) await store.close()
  }

  #fileOf(namespace: string): string {
    if (namespace === defaultNamespace) return this.#file
    const { stem, extension } = this.#parts()
    return join(dirname(this.#file), `${stem}${namespace}${extension}`)
  }

  /** The parts of a file's name around the namespace. Without an extension, the log would look like a namespace. */
  #parts(): { stem: string; extension: string } {
    const extension = extname(this.#file)
    return { stem: `${basename(this.#file, extension)}.`, extension: extension || '.jsonl' }
  }

  #refresh(): void {
    for (const store of this.#stores.values()) {
      try {
        store.refresh()
      } catch (error) {
        this.#options.report(`${store.file}: ${(error as Error).message}`)
      }
    }
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
