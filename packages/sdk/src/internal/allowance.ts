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

/** The rest of a rate: it refills over time, and every use takes one. */
export class Allowance {
  readonly #perMs: number
  readonly #burst: number
  #left: number
  #at = performance.now()

  constructor({ perMinute, burst = perMinute }: Rate) {
    this.#perMs = perMinute / 60_000
    this.#burst = burst
    this.#left = burst
  }

  /** Takes one, or returns the milliseconds until there is one. */
  take(): number {
    const now = performance.now()
    this.#left = Math.min(this.#burst, this.#left + (now - this.#at) * this.#perMs)
    this.#at = now
    if (this.#left < 1) return Math.ceil((1 - this.#left) / this.#perMs)
    this.#left -= 1
    return 0
  }
}

/** The number of keys in memory; beyond that, the oldest one is forgotten. */
const maxKeys = 10_000

/** One allowance per key, in bounded memory. */
export class Allowances {
  readonly #rate: Rate
  readonly #byKey = new Map<string, Allowance>()

  constructor(rate: Rate) {
    this.#rate = rate
  }

  of(key: string): Allowance {
    const known = this.#byKey.get(key)
    if (known !== undefined) return known
    if (this.#byKey.size >= maxKeys) this.#byKey.delete(this.#byKey.keys().next().value!)
    const made = new Allowance(this.#rate)
    this.#byKey.set(key, made)
    return made
  }
}
