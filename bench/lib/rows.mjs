// From samples to output: one line per row, the same for the terminal and for the docs.
import { describeTarget, figureFor, isReached } from './targets.mjs'

/** Ratios and verdicts of one row, for Tenon. */
export function judge(row) {
  const medians = Object.fromEntries(Object.entries(row.results).map(([name, { median }]) => [name, median]))
  const own = medians.tenon
  const verdicts = row.targets.map((target) => {
    const figure = figureFor(target, row.results)
    const reached = figure === undefined ? undefined : isReached(target, figure)
    return { target: describeTarget(target, row.unit), figure, reached }
  })
  const { limit, tenon } = row.results
  return {
    ...row,
    toLimit: ratio(own, medians.limit),
    toNet: ratio(own, medians['limit-net']),
    // Less CPU time is better, so that this ratio reads like the other one.
    cpuToLimit: limit?.cpu && tenon?.cpu ? limit.cpu / tenon.cpu : undefined,
    p50ToLimit: ratio(tenon?.p50, limit?.p50),
    p99ToLimit: ratio(tenon?.p99, limit?.p99),
    rssToLimit: ratio(tenon?.rss, limit?.rss),
    toSdk: ratio(own, medians['sdk-v2']),
    verdicts,
  }
}

const ratio = (own, other) => (own === undefined || !other ? undefined : own / other)

export function formatNumber(value) {
  if (value === undefined) return ''
  if (Number.isInteger(value)) return value.toLocaleString('en')
  const size = Math.abs(value)
  if (size >= 1000) return Math.round(value).toLocaleString('en')
  return size >= 100 ? value.toFixed(0) : size >= 10 ? value.toFixed(1) : value.toFixed(2)
}

export const formatRatio = (value) => (value === undefined ? '' : value >= 10 ? value.toFixed(1) : value.toFixed(2))
export const formatSpread = (value) => (value === undefined ? '' : `±${(value * 100).toFixed(0)}%`)

/** `≥ 0.8× limit: 0.71, not reached` and so on, for those with figures. */
export function formatVerdicts(verdicts) {
  const judged = verdicts.filter(({ reached }) => reached !== undefined)
  return judged.map(({ target, reached }) => `${target}: ${reached ? 'reached' : 'NOT reached'}`).join('; ')
}
