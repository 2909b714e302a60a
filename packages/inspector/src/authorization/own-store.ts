import type { AuthStore } from '@tenon/sdk/auth'

/** A store whose contents can be given up, as far as this server uses them. */
export class OwnStore implements AuthStore {
  readonly #store: AuthStore
  readonly #used = new Set<string>()
  /** The entries since the store was given up; undefined before that. */
  #kept: Set<string> | undefined

  constructor(store: AuthStore) {
    this.#store = store
  }

  async get(key: string): Promise<string | undefined> {
    this.#used.add(key)
    if (this.#kept === undefined || this.#kept.has(key)) return this.#store.get(key)
    // From before, and not known to be used then: another process may have left it.
    await this.delete(key)
    return undefined
  }

  async set(key: string, value: string): Promise<void> {
    this.#used.add(key)
    this.#kept?.add(key)
    await this.#store.set(key, value)
  }

  async delete(key: string): Promise<void> {
    await this.#store.delete(key)
  }

  async giveUp(): Promise<void> {
    this.#kept = new Set()
    for (const key of this.#used) await this.#store.delete(key)
  }
}
