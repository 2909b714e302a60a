import { McpError } from '../../errors.ts'
import { describe } from '../../jsonrpc/classify.ts'

/** The items of one kind that a server offers. It can change while serving; subscribed clients are notified. */
export class Registry<T> implements Iterable<T> {
  readonly #items = new Map<string, T>()
  readonly #what: string
  readonly #keyOf: (item: T) => string
  readonly #changed: (item: T) => void

  constructor(what: string, keyOf: (item: T) => string, changed: (item: T) => void) {
    this.#what = what
    this.#keyOf = keyOf
    this.#changed = changed
  }

  /** Adds items. A name that is taken throws: nothing is replaced by accident. */
  add(...items: T[]): void {
    for (const item of items) {
      this.#check(item)
      const key = this.#keyOf(item)
      if (this.#items.has(key)) {
        throw new McpError('invalid_definition', `${this.#what} ${JSON.stringify(key)} is defined twice`)
      }
      this.#items.set(key, item)
      this.#changed(item)
    }
  }

  /** In plain JavaScript nothing else notices an options object that never went through `tool` and its like. */
  #check(item: T): void {
    if (Object.isFrozen(item) && (item as { kind?: unknown } | undefined)?.kind !== undefined) return
    const { name } = (item ?? {}) as { name?: unknown }
    const found = typeof name === 'string' ? `${describe(item)} named ${JSON.stringify(name)}` : describe(item)
    throw new McpError('invalid_definition', `${this.#what}: expected what ${this.#what}() returns, got ${found}`)
  }

  /** Removes an item by its name (resources: by URI or template). False if there is none. */
  remove(key: string): boolean {
    const item = this.#items.get(key)
    if (item === undefined) return false
    this.#items.delete(key)
    this.#changed(item)
    return true
  }

  get(key: string): T | undefined {
    return this.#items.get(key)
  }

  has(key: string): boolean {
    return this.#items.has(key)
  }

  get size(): number {
    return this.#items.size
  }

  [Symbol.iterator](): IterableIterator<T> {
    return this.#items.values()
  }
}
