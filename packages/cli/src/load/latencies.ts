/** Neighbouring buckets differ by this factor: a percentile is at most 1 % too high. */
const growth = Math.log(1.01)
/** The first bucket ends here. */
const leastMs = 0.001

/** The distribution of latencies, in a memory that does not grow with their number. */
export class Latencies {
  readonly #buckets = new Map<number, number>()
  #count = 0
  #sum = 0
  #min = Infinity
  #max = 0

  get count(): number {
    return this.#count
  }

  add(ms: number): void {
    const value = Math.max(ms, 0)
    const bucket = value <= leastMs ? 0 : Math.ceil(Math.log(value / leastMs) / growth)
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + 1)
    this.#count += 1
    this.#sum += value
    this.#min = Math.min(this.#min, value)
    this.#max = Math.max(this.#max, value)
  }

  /** The latency that this share of all calls did not exceed. */
  percentile(share: number): number {
    let left = Math.ceil(this.#count * share)
    if (left === 0) return 0
    for (const [bucket, count] of [...this.#buckets].sort(([one], [other]) => one - other)) {
      left -= count
      if (left <= 0) return Math.min(leastMs * Math.exp(bucket * growth), this.#max)
    }
    return this.#max
  }

  summary(): LatencySummary {
    const percentiles = shares.map(([name, share]): [string, number] => [name, rounded(this.percentile(share))])
    const isEmpty = this.#count === 0
    return {
      min: isEmpty ? 0 : rounded(this.#min),
      mean: isEmpty ? 0 : rounded(this.#sum / this.#count),
      max: rounded(this.#max),
      ...(Object.fromEntries(percentiles) as Percentiles),
    }
  }
}

type Percentiles = { p50: number; p90: number; p95: number; p99: number; 'p99.9': number }

/** Milliseconds. */
export interface LatencySummary extends Percentiles {
  min: number
  mean: number
  max: number
}

const shares = [
  ['p50', 0.5],
  ['p90', 0.9],
  ['p95', 0.95],
  ['p99', 0.99],
  ['p99.9', 0.999],
] as const

const rounded = (ms: number): number => (ms >= 100 ? Math.round(ms * 10) / 10 : Number(ms.toPrecision(3)))
