import { McpError } from './errors.ts'

/** How often something may be done. */
export interface Rate {
  perMinute: number
  /** How often at once, after a pause. Default: as often as in a minute. */
  burst?: number
}

/** Refuses rates that let nothing through. */
export function checkRate({ perMinute, burst = perMinute }: Rate, what: string): void {
  for (const [name, value] of Object.entries({ perMinute, burst })) {
    if (typeof value === 'number' && value >= 1) continue
    throw new McpError('invalid_argument', `${what}.${name}: expected a number of at least 1, got ${String(value)}`)
  }
}

/** What is left of a rate: it fills up as time goes by, and every use takes one. */
export class TokenBucket {
  readonly #perMs: number
  readonly #burst: number
  #left: number
  #at = performance.now()

  constructor({ perMinute, burst = perMinute }: Rate) {
    this.#perMs = perMinute / 60_000
    this.#burst = burst
    this.#left = burst
  }

  /** Takes one, or says after how many milliseconds there will be one. */
  take(): number {
    const now = performance.now()
    this.#left = Math.min(this.#burst, this.#left + (now - this.#at) * this.#perMs)
    this.#at = now
    if (this.#left < 1) return Math.ceil((1 - this.#left) / this.#perMs)
    this.#left -= 1
    return 0
  }
}

/** Keys that are remembered at once; beyond that, the one that was seen first is forgotten. */
const maxKeys = 10_000

/** One allowance per key, in bounded memory. */
export class TokenBuckets {
  readonly #rate: Rate
  readonly #byKey = new Map<string, TokenBucket>()

  constructor(rate: Rate) {
    this.#rate = rate
  }

  of(key: string): TokenBucket {
    const known = this.#byKey.get(key)
    if (known !== undefined) return known
    if (this.#byKey.size >= maxKeys) this.#byKey.delete(this.#byKey.keys().next().value!)
    const made = new TokenBucket(this.#rate)
    this.#byKey.set(key, made)
    return made
  }
}
