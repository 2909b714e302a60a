import type { RecordStore } from '@tenon/sdk/auth/server'

/** The records of one kind, as values. */
export class Shelf<Value> {
  readonly #store: RecordStore
  readonly #kind: string
  readonly #until: (value: Value) => number
  readonly #isOver: (value: Value) => boolean

  constructor(
    store: RecordStore,
    kind: string,
    until: (value: Value) => number,
    isOver: (value: Value) => boolean = () => false,
  ) {
    this.#store = store
    this.#kind = kind
    this.#until = until
    this.#isOver = isOver
  }

  async get(id: string): Promise<Value | undefined> {
    return (await this.read(id))?.value
  }

  /** A value, and the version that it was. */
  async read(id: string): Promise<{ value: Value; version: string } | undefined> {
    const found = await this.#store.get(this.#kind, id)
    const value = found && (JSON.parse(found.text) as Value)
    return value === undefined || this.#isOver(value) ? undefined : { value, version: found!.version }
  }

  async add(id: string, value: Value): Promise<boolean> {
    return this.#store.add(this.#kind, id, JSON.stringify(value), this.#until(value))
  }

  async replace(id: string, value: Value, version: string): Promise<boolean> {
    return this.#store.replace(this.#kind, id, JSON.stringify(value), this.#until(value), version)
  }

  async set(id: string, value: Value): Promise<void> {
    await this.#store.set(this.#kind, id, JSON.stringify(value), this.#until(value))
  }

  async delete(id: string, version?: string): Promise<boolean> {
    return this.#store.delete(this.#kind, id, version)
  }
}
