import type { SecretPlace } from '@tenon/host/store'
import type { AuthStore, Lock } from '@tenon/sdk/auth'

/**
 * The store of secrets, which knows the changes that are under way: a workbench that ends waits for them. A token that was
 * renewed and not stored would be lost, and with it the login.
 */
export class WatchedSecrets implements SecretPlace {
  readonly store: AuthStore
  readonly lock: Lock
  readonly where: SecretPlace['where']
  readonly file: string
  readonly #place: SecretPlace
  readonly #underWay = new Set<Promise<unknown>>()

  constructor(place: SecretPlace) {
    this.#place = place
    this.where = place.where
    this.file = place.file
    this.store = {
      get: (key) => place.store.get(key),
      set: (key, value) => this.#watch(place.store.set(key, value)),
      delete: (key) => this.#watch(place.store.delete(key)),
    }
    // A token is renewed under the lock, from the request to the file.
    this.lock = { hold: (key, work, signal) => this.#watch(place.lock.hold(key, work, signal)) }
  }

  clear(): Promise<void> {
    return this.#watch(this.#place.clear())
  }

  /** Resolves when nothing is under way any more, or after a while: an authorization server may never answer. */
  async settled(atMostMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, atMostMs)
    })
    await Promise.race([this.#ended(), late])
    clearTimeout(timer)
  }

  async #ended(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay)
  }

  #watch<T>(change: T): T {
    if (change instanceof Promise) {
      this.#underWay.add(change)
      const over = (): void => void this.#underWay.delete(change)
      change.then(over, over)
    }
    return change
  }
}
