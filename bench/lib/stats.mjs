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
  const cpus = samples.flatMap(({ cpu }) => (Number.isFinite(cpu) ? [cpu] : []))
  const shares = samples.flatMap(({ loadShare }) => (loadShare === undefined ? [] : [loadShare]))
  return {
    median: median(values),
    spread: spread(values),
    samples: values,
    ...(cpus.length > 0 && { cpu: median(cpus), cpuSpread: spread(cpus) }),
    ...(shares.length > 0 && { loadShare: median(shares) }),
  }
}
