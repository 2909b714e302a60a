import type { LaneBar } from '../../src/protocol.ts'
import type { TimeWindow } from './lane-view.ts'

type Way = 'before' | 'after' | 'above' | 'below'

const middle = ({ at, end = at }: LaneBar): number => (at + end) / 2

/** Whether something of a bar can be seen. */
export const isIn = ({ at, end }: LaneBar, { from, to }: TimeWindow): boolean => at <= to && (end ?? to) >= from

/** The request to go to from another one: the next in time, or the nearest in time in the next lane that has one. */
export function neighbour(
  bars: readonly LaneBar[],
  from: LaneBar | undefined,
  way: Way,
  window: TimeWindow,
): LaneBar | undefined {
  const requests = bars.filter(({ kind }) => kind === 'request' || kind === 'http').toSorted((a, b) => a.at - b.at)
  if (from === undefined) {
    const inView = requests.filter((bar) => isIn(bar, window))
    return way === 'before' || way === 'above' ? inView.at(-1) : inView[0]
  }
  const at = requests.findIndex(({ id }) => id === from.id)
  if (way === 'before') return requests[at - 1]
  if (way === 'after') return requests[at + 1]
  const others = requests.filter(({ lane }) => (way === 'above' ? lane < from.lane : lane > from.lane))
  const lane = others.reduce<number | undefined>((found, bar) => nearer(found, bar.lane, from.lane), undefined)
  const distance = (bar: LaneBar): number => Math.abs(middle(bar) - middle(from))
  return others.filter((bar) => bar.lane === lane).toSorted((a, b) => distance(a) - distance(b))[0]
}

const nearer = (found: number | undefined, lane: number, from: number): number =>
  found === undefined || Math.abs(lane - from) < Math.abs(found - from) ? lane : found
