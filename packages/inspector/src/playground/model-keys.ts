import type { AuthStore } from '@tenon/sdk/auth'
import { RequestProblem } from '../problem.ts'
import { isObject } from '../read-params.ts'

const storeKey = 'playground keys'

/** The keys of models, by provider or origin. They are kept where secrets are, and in memory if nothing is kept. */
export class ModelKeys {
  readonly #store: AuthStore | undefined
  readonly #keys: Map<string, string>

  private constructor(store: AuthStore | undefined, keys: Map<string, string>) {
    this.#store = store
    this.#keys = keys
  }

  static async open(store: AuthStore | undefined): Promise<ModelKeys> {
    // A store that cannot be read says so where secrets are shown.
    const text = await Promise.resolve(store?.get(storeKey)).catch(() => undefined)
    return new ModelKeys(store, parse(text))
  }

  get places(): string[] {
    return [...this.#keys.keys()].sort()
  }

  get(place: string): string | undefined {
    return this.#keys.get(place)
  }

  /** Keeps a key; undefined forgets it. */
  async set(place: string, key: string | undefined): Promise<void> {
    if (key !== undefined && !/^[\x21-\x7e]{1,4096}$/.test(key)) {
      throw new RequestProblem('key: expected visible characters')
    }
    if (key === undefined) this.#keys.delete(place)
    else this.#keys.set(place, key)
    await this.#save()
  }

  async forget(): Promise<void> {
    this.#keys.clear()
    await this.#save()
  }

  async #save(): Promise<void> {
    if (this.#keys.size === 0) await this.#store?.delete(storeKey)
    else await this.#store?.set(storeKey, JSON.stringify(Object.fromEntries(this.#keys)))
  }
}

function parse(text: string | undefined): Map<string, string> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    const entries = isObject(value) ? Object.entries(value) : []
    return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
  } catch {
    return new Map()
  }
}
