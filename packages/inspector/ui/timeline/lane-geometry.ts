import type { LaneBar, LaneGroup, TimelineLanes } from '../../src/protocol.ts'
import type { TimeWindow } from './lane-view.ts'

export const axisHeight = 26
export const headHeight = 24
export const laneHeight = 22
/** The least width of a bar. */
const leastWidth = 3

/** The layout of the canvas. */
export interface Geometry {
  width: number
  height: number
  scrollTop: number
  window: TimeWindow
  groups: readonly LaneGroup[]
}

/** How high all lanes are together, with the names of their servers. */
export const fullHeight = (groups: readonly LaneGroup[]): number =>
  axisHeight + groups.reduce((sum, { lanes }) => sum + headHeight + lanes * laneHeight, 0)

/** The top of a group: of its name. */
export function groupTop(groups: readonly LaneGroup[], index: number, scrollTop: number): number {
  const above = groups[index]!.first * laneHeight + index * headHeight
  return axisHeight + above - scrollTop
}

export function laneTop(groups: readonly LaneGroup[], lane: number, scrollTop: number): number {
  const index = groups.findLastIndex(({ first }) => first <= lane)
  return axisHeight + lane * laneHeight + (index + 1) * headHeight - scrollTop
}

/** The lanes that can be seen, and some around them. */
export function lanesInView(height: number, scrollTop: number): { top: number; rows: number } {
  const top = Math.max(0, Math.floor(scrollTop / (laneHeight + headHeight)) - 10)
  return { top, rows: Math.min(500, Math.ceil((scrollTop + height) / laneHeight) - top + 10) }
}

export const toX = ({ window, width }: Pick<Geometry, 'window' | 'width'>, at: number): number =>
  ((at - window.from) / (window.to - window.from)) * width

/** The box of a bar, cut off at the edges of the view. */
export function boxOf(bar: LaneBar, geometry: Geometry): { x: number; y: number; width: number; height: number } {
  const isTick = bar.kind !== 'request' && bar.kind !== 'http'
  const left = Math.max(-4, toX(geometry, bar.at))
  const right = bar.end === undefined ? geometry.width + 4 : Math.min(geometry.width + 4, toX(geometry, bar.end))
  const y = laneTop(geometry.groups, bar.lane, geometry.scrollTop)
  const width = Math.max(isTick ? 2 : leastWidth, right - left)
  return isTick ? { x: left - 1, y: y + 13, width, height: 6 } : { x: left, y: y + 2, width, height: laneHeight - 4 }
}

/** The bar at a place; a notification only if there is no bar. */
export function barAt(lanes: TimelineLanes, geometry: Geometry, x: number, y: number): LaneBar | undefined {
  if (y < axisHeight) return undefined
  let found: LaneBar | undefined
  for (const bar of lanes.bars) {
    const box = boxOf(bar, geometry)
    const isTick = box.height < laneHeight - 4
    const top = isTick ? box.y - 13 : box.y
    if (y < top || y > top + laneHeight || x < box.x - 3 || x > box.x + box.width + 3) continue
    if (!isTick) return bar
    found ??= bar
  }
  return found
}
