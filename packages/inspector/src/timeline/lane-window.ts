import type { LaneBar, RowStatus } from '../protocol.ts'
import type { Lanes, Span } from './lanes.ts'

/** The part of the lanes that is in view. */
export interface LaneView {
  from: number
  to: number
  /** In how many parts the time can be told apart: pixels. */
  width: number
  /** The lanes from `top` on. */
  top: number
  rows: number
}

const maxBars = 4_000

/** The bars in view. Bars that are too small to be told apart are one; there are never more than can be drawn at once. */
export function barsIn(lanes: Lanes, view: LaneView): LaneBar[] {
  for (let unit = (view.to - view.from) / view.width; ; unit *= 2) {
    const bars = collect(lanes, view, unit)
    if (bars.length <= maxBars || unit >= view.to - view.from) return bars.slice(0, maxBars)
  }
}

function collect({ bars, ticks }: Lanes, { from, to, top, rows }: LaneView, unit: number): LaneBar[] {
  const found: LaneBar[] = []
  for (let lane = top; lane < Math.min(top + rows, bars.length); lane++) {
    // Ticks last: they are drawn on the bars.
    for (const spans of [bars[lane]!, ticks[lane]!]) {
      let last: LaneBar | undefined
      for (let at = firstIn(spans, from); at < spans.length && spans[at]!.at <= to; at++) {
        const span = spans[at]!
        if (last !== undefined && isNear(last, span, unit)) join(last, span)
        else {
          last = toBar(span, lane)
          found.push(last)
        }
      }
    }
  }
  return found
}

/** The first that has not ended before; in a lane one begins when the one before has ended. */
function firstIn(spans: readonly Span[], from: number): number {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (spans[middle]!.end < from) low = middle + 1
    else high = middle
  }
  return low
}

const isNear = (bar: LaneBar, { at, end }: Span, unit: number): boolean =>
  bar.end !== undefined &&
  end - at < 2 * unit &&
  at - bar.end < unit &&
  (bar.count !== undefined || bar.end - bar.at < 2 * unit)

const severity: readonly (RowStatus | undefined)[] = [
  undefined,
  'ok',
  'asks',
  'cancelled',
  'pending',
  'lost',
  'refused',
  'error',
]

/** The worst of many matters. */
function join(bar: LaneBar, { entry, end }: Span): void {
  bar.count = (bar.count ?? 1) + 1
  bar.end = Math.max(bar.end ?? end, end)
  if (entry.status !== undefined && severity.indexOf(entry.status) > severity.indexOf(bar.status))
    bar.status = entry.status
}

function toBar({ entry, at, end }: Span, lane: number): LaneBar {
  const { id, kind, from, method, name, status, pair } = entry
  return {
    id,
    lane,
    kind,
    from,
    at,
    method,
    ...(end !== Number.POSITIVE_INFINITY && { end }),
    ...(name !== undefined && { name }),
    ...(status !== undefined && { status }),
    ...(pair !== undefined && { pair }),
  }
}
