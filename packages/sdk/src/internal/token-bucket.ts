import { McpError } from '../errors.ts'

/** A bound on how often something may happen. */
export interface Rate {
  perMinute: number
  /** The number at once, after a pause. Default: that of a minute. */
  burst?: number
}

/** Refuses rates that allow nothing. */
export function checkRate({ perMinute, burst = perMinute }: Rate, what: string): void {
  for (const [name, value] of Object.entries({ perMinute, burst })) {
    if (typeof value === 'number' && value >= 1) continue
    throw new McpError('invalid_argument', `${what}.${name}: expected a number of at least 1, got ${String(value)}`)
  }
}

/** Holds as many tokens as a rate allows at once: they come back as time goes by, and every use takes one. */
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

  /** Takes a token, or returns the milliseconds until there will be one. */
  take(): number {
    const now = performance.now()
    this.#left = Math.min(this.#burst, this.#left + (now - this.#at) * this.#perMs)
    this.#at = now
    if (this.#left < 1) return Math.ceil((1 - this.#left) / this.#perMs)
    this.#left -= 1
    return 0
  }
}

/** Names that are remembered at once; beyond that, the one that was seen first is forgotten. */
const maxNames = 10_000

/** A bucket for each name, in bounded memory, and for each object, as long as it lives. */
export class TokenBuckets {
  readonly #rate: Rate
  readonly #byName = new Map<string, TokenBucket>()
  readonly #byObject = new WeakMap<object, TokenBucket>()

  constructor(rate: Rate) {
    this.#rate = rate
  }

  /** Takes a token of one of them, or returns the milliseconds until there will be one. */
  take(key: string | object): number {
    return (typeof key === 'string' ? this.#named(key) : this.#of(key)).take()
  }

  #named(name: string): TokenBucket {
    const known = this.#byName.get(name)
    if (known !== undefined) return known
    if (this.#byName.size >= maxNames) this.#byName.delete(this.#byName.keys().next().value!)
    const made = new TokenBucket(this.#rate)
    this.#byName.set(name, made)
    return made
  }

  #of(object: object): TokenBucket {
    const known = this.#byObject.get(object)
    if (known !== undefined) return known
    const made = new TokenBucket(this.#rate)
    this.#byObject.set(object, made)
    return made
  }
}
