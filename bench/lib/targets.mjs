// The target of a row, and whether it is reached.

/**
 * @typedef {object} Target
 * @property {string} [to] the implementation to compare with; without it the figure itself counts
 * @property {'cpu' | 'p50' | 'p99' | 'rss'} [figure] default: the figure of the row
 * @property {'ratio' | 'difference'} [by] default: ratio
 * @property {number} [min]
 * @property {number} [max]
 */

export const ofLimit = (min) => ({ to: 'limit', min })
export const ofSdk = (min) => ({ to: 'sdk-v2', min })
export const aheadOf = (to) => ({ to, min: 1 })
/** Of rows in which less is better. */
export const fasterThan = (to) => ({ to, max: 1 })
export const atMostTimes = (max) => ({ to: 'limit', max })
export const atMostAbove = (max) => ({ to: 'limit', by: 'difference', max })
export const atMost = (max) => ({ max })
export const atLeast = (min) => ({ min })
export const ofNet = (min) => ({ to: 'limit-net', min })
export const figureAtMost = (figure, max) => ({ to: 'limit', figure, max })
/** By CPU time per call, since servers in other languages use every core that they get. */
export const cpuOf = (to, max) => ({ to, figure: 'cpu', max })

/**
 * @param {Record<string, object>} results of a row, by implementation
 * @returns {number | undefined} the figure that a target is about, if it was measured
 */
export function figureFor({ to, figure = 'median', by = 'ratio' }, results) {
  const own = results.tenon?.[figure]
  if (to === undefined) return own
  const other = results[to]?.[figure]
  if (other === undefined || own === undefined) return undefined
  return by === 'ratio' ? own / other : own - other
}

export const isReached = ({ min, max }, figure) =>
  (min === undefined || figure >= min) && (max === undefined || figure <= max)

const titles = { cpu: 'CPU ', p50: 'p50 ', p99: 'p99 ', rss: 'RSS ' }

export function describeTarget({ to, figure, by = 'ratio', min, max }, unit) {
  const sign = `${titles[figure] ?? ''}${min !== undefined ? '≥' : '≤'}`
  const bound = min ?? max
  if (to === undefined) return `${sign} ${bound} ${unit}`
  return by === 'ratio' ? `${sign} ${bound}× ${to}` : `${sign} ${bound} ${unit} above ${to}`
}
