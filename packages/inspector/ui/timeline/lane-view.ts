/** The time that is in view. */
export interface TimeWindow {
  from: number
  to: number
}

/** The resolution of the clocks of browsers. */
const shortestMs = 0.05

/** A window some times as long, in which the time at a share of it stays there. Never longer than everything. */
export function zoomed({ from, to }: TimeWindow, factor: number, share: number, all: TimeWindow): TimeWindow {
  const length = Math.min(all.to - all.from, Math.max(shortestMs, (to - from) * factor))
  const still = from + (to - from) * share
  return inside({ from: still - length * share, to: still + length * (1 - share) }, all)
}

/** A window further on by a share of its length. */
export function moved({ from, to }: TimeWindow, share: number, all: TimeWindow): TimeWindow {
  const by = (to - from) * share
  return inside({ from: from + by, to: to + by }, all)
}

function inside({ from, to }: TimeWindow, all: TimeWindow): TimeWindow {
  const by = Math.max(0, all.from - from) - Math.max(0, to - all.to)
  return { from: from + by, to: to + by }
}

/** Whether it is as good as all there is to see. */
export const isWhole = (window: TimeWindow, all: TimeWindow): boolean =>
  window.to - window.from >= (all.to - all.from) * 0.99

/** The times to name on an axis: round ones, about `count` of them, as milliseconds after the beginning. */
export function axisSteps({ from, to }: TimeWindow, begin: number, count: number): number[] {
  const rough = (to - from) / Math.max(1, count)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough)!
  const steps: number[] = []
  for (let at = Math.ceil((from - begin) / step) * step; at <= to - begin; at += step) steps.push(at === 0 ? 0 : at)
  return steps
}

/** A duration to the microsecond. */
export const exactly = (ms: number): string =>
  `${ms.toLocaleString('en', { minimumFractionDigits: 3, maximumFractionDigits: 3 })} ms`

/** A time after the beginning, in no more digits than its neighbours need. */
export function afterBeginning(ms: number, stepMs: number): string {
  if (stepMs >= 1_000) return `${Math.round(ms / 1_000).toLocaleString('en')} s`
  if (ms >= 1_000) return `${(ms / 1_000).toFixed(stepMs >= 100 ? 1 : stepMs >= 10 ? 2 : 3)} s`
  return `${ms.toFixed(stepMs >= 1 ? 0 : stepMs >= 0.1 ? 1 : 2)} ms`
}
