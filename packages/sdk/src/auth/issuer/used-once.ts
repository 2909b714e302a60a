import { type Expiring, ExpiringMap } from './expiring-map.ts'

const maxRemembered = 100_000

/** Remembers what may be used once, until it could not be used any more anyway. */
export class UsedOnce {
  readonly #used: ExpiringMap<Expiring>

  constructor(now: () => number) {
    this.#used = new ExpiringMap(maxRemembered, now)
  }

  /** False if it was used before. */
  add(id: string, expiresAt: number): boolean {
    if (this.#used.get(id) !== undefined) return false
    this.#used.set(id, { expiresAt })
    return true
  }
}
