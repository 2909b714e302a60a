export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Half the distance between the quartiles, as a share of the median: the usual difference of a repetition. */
export function spread(values) {
  if (values.length < 2) return undefined
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share) => sorted[Math.round((sorted.length - 1) * share)]
  return Math.abs((at(0.75) - at(0.25)) / 2 / median(values))
}

/** A summary of the samples of one implementation in one row. */
export function summarise(samples) {
  const values = samples.map(({ value }) => value)
  const others = ['cpu', 'p50', 'p99', 'rss', 'loadShare'].flatMap((name) => {
    const found = samples.map((sample) => sample[name]).filter(Number.isFinite)
    return found.length > 0 ? [[name, found]] : []
  })
  return {
    median: median(values),
    spread: spread(values),
    samples: values,
    ...Object.fromEntries(others.map(([name, found]) => [name, median(found)])),
  }
}
