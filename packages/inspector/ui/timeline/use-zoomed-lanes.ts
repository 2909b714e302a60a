import { useMemo, useState } from 'react'
import type { TimelineLanes } from '../../src/protocol.ts'
import { lanesInView } from './lane-geometry.ts'
import { isWhole, moved, type TimeWindow, zoomed } from './lane-view.ts'
import { useLanes } from './use-lanes.ts'

/** The size of the picture, and how far it is scrolled. */
interface LaneSize {
  width: number
  height: number
  scrollTop: number
}

/** The lanes that match a query, and the time that is in view. */
export interface ZoomedLanes {
  lanes: TimelineLanes
  /** The query whose lanes these are. */
  answered: string | undefined
  size: LaneSize
  setSize: (next: LaneSize | ((before: LaneSize) => LaneSize)) => void
  window: TimeWindow
  /** Whether less than all of the time is in view. */
  isZoomed: boolean
  look: (next: TimeWindow) => void
  showAll: () => void
  /** Makes the time in view some times as long; the middle stays, or another share of it. */
  zoom: (factor: number, share?: number) => void
  /** Moves by a share of the time in view. */
  move: (share: number) => void
}

/** Reads the lanes in view, and keeps which time that is. */
export function useZoomedLanes(query: string): ZoomedLanes {
  const [size, setSize] = useState<LaneSize>({ width: 0, height: 0, scrollTop: 0 })
  const [view, setView] = useState<TimeWindow>()
  const { lanes, query: answered } = useLanes({
    query,
    window: view,
    width: size.width,
    ...lanesInView(size.height, size.scrollTop),
  })
  const all = useMemo(() => everything(lanes), [lanes])
  const window = view ?? all
  const look = (next: TimeWindow): void => setView(isWhole(next, all) ? undefined : next)
  return {
    lanes,
    answered,
    size,
    setSize,
    window,
    isZoomed: view !== undefined,
    look,
    showAll: () => setView(undefined),
    zoom: (factor, share = 0.5) => look(zoomed(window, factor, share, all)),
    move: (share) => look(moved(window, share, all)),
  }
}

/** All of the time, and a little more, so that nothing sticks to the edge. */
function everything({ begin, end }: TimelineLanes): TimeWindow {
  const length = Math.max(1, end - begin)
  return { from: begin - length / 100, to: begin + length * 1.02 }
}
