// The times of answers, counted in steps of 2%: quantiles need no list of all of them, and those of several processes
// can be added.

const stepsPerOctave = 32
/** From 1 µs to about a minute. */
const steps = stepsPerOctave * 26

export class Latencies {
  constructor() {
    this.counts = new Uint32Array(steps)
  }

  add(milliseconds) {
    const step = Math.round(Math.log2(milliseconds * 1000) * stepsPerOctave)
    this.counts[step > 0 ? (step < steps ? step : steps - 1) : 0]++
  }

  /** Adds counts of another process, which may be a plain list. */
  addCounts(counts) {
    for (let step = 0; step < steps; step++) this.counts[step] += counts[step] ?? 0
    return this
  }

  /** The time within which this share of the answers came, in microseconds. */
  quantile(share) {
    let rest = this.counts.reduce((sum, count) => sum + count, 0) * share
    if (rest === 0) return undefined
    for (let step = 0; step < steps; step++) {
      rest -= this.counts[step]
      if (rest <= 0) return 2 ** (step / stepsPerOctave)
    }
    return undefined
  }
}
