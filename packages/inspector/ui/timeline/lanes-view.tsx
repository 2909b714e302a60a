import { type JSX, type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { LaneBar, TimelineLanes } from '../../src/protocol.ts'
import { barTitle } from './draw-lanes.ts'
import { axisHeight, barAt, fullHeight, type Geometry, laneHeight, laneTop } from './lane-geometry.ts'
import { isIn, neighbour } from './lane-neighbours.ts'
import { exactly, type TimeWindow } from './lane-view.ts'
import { LanesHead } from './lanes-head.tsx'
import { usePicture, useSize } from './use-lane-picture.ts'
import { useDrag, useWheel } from './use-lane-pointer.ts'
import { useZoomedLanes, type ZoomedLanes } from './use-zoomed-lanes.ts'

/** A query that was answered: the number of messages that match it, and the parts of it that were not understood. */
export interface Found {
  /** Undefined until the first answer. */
  query: string | undefined
  problems: readonly string[]
  total: number | undefined
}

interface Props {
  query: string
  chosen: number | undefined
  choose: (id: number | undefined) => void
  tellFound: (found: Found) => void
}

/** Requests as bars on one axis of time, which shows long ones, waiting ones, and those at the same time. */
export function LanesView({ query, chosen, choose, tellFound }: Props): JSX.Element {
  const id = useId()
  const place = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const probe = useRef<HTMLSpanElement>(null)
  const [hover, setHover] = useState<Hover>()
  const view = useZoomedLanes(query)
  const { lanes, answered, size, setSize, window, look, zoom, move } = view
  // Lanes have requests only: their number is not that of the messages that match.
  useEffect(() => {
    tellFound({ query: answered, problems: lanes.problems, total: undefined })
  }, [answered, lanes, tellFound])
  const geometry: Geometry = { ...size, window, groups: lanes.groups }
  const marked = useMemo(() => barOf(lanes, chosen), [lanes, chosen])

  useSize(place, setSize)
  usePicture(canvas, probe, { lanes, geometry, chosen, hovered: hover?.bar })
  useWheel(place, (factor, by, share) => (factor === 1 ? move(by) : zoom(factor, share)))

  const show = (bar: LaneBar): void => {
    if (bar.count !== undefined) {
      look(around(bar, window))
      return
    }
    choose(bar.id)
    if (!isIn(bar, window)) move((bar.at - window.from) / (window.to - window.from) - 0.3)
    keepInView(place.current!, laneTop(lanes.groups, bar.lane, 0))
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const act = keyAction(event, { view, marked, choose, show })
    if (act === undefined) return
    event.preventDefault()
    act()
  }
  const pointed = (x: number, y: number): LaneBar | undefined => barAt(lanes, geometry, x, y)
  const drag = useDrag(place, {
    move,
    press: (x, y) => {
      const bar = pointed(x, y)
      if (bar !== undefined) show(bar)
    },
    hover: (x, y) => setHover((before) => hoverAt(pointed(x, y), x, y, before)),
  })
  const status = marked === undefined ? `${lanes.total.toLocaleString('en')} requests` : describe(marked)
  return (
    <div className="lanes">
      <LanesHead view={view} helpId={id} status={status} />
      <div
        ref={place}
        className="lanes-place"
        // The canvas has its own keys; people who cannot see it have the list.
        role="application"
        aria-label={`Requests in lanes, ${lanes.total} in all`}
        aria-describedby={id}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is interactive, by its keys.
        tabIndex={0}
        onKeyDown={onKeyDown}
        onScroll={({ currentTarget: { scrollTop } }) => setSize((before) => ({ ...before, scrollTop }))}
        onPointerLeave={() => setHover(undefined)}
        {...drag}
      >
        <div className="lanes-space" style={{ height: fullHeight(lanes.groups) }}>
          <canvas ref={canvas} className="lanes-canvas" />
        </div>
        {lanes.groups.length === 0 && <p className="muted pane-note">No request fits.</p>}
      </div>
      {hover !== undefined && <Tip {...hover} width={size.width} />}
      <span ref={probe} hidden />
    </div>
  )
}

/** The bar of a request or of its answer. */
const barOf = ({ bars }: TimelineLanes, id: number | undefined): LaneBar | undefined =>
  id === undefined ? undefined : bars.find((bar) => bar.id === id || bar.pair === id)

/** So much time that a merged bar falls apart. */
function around({ at, end }: LaneBar, window: TimeWindow): TimeWindow {
  const until = end ?? window.to
  const margin = (until - at) / 10
  return { from: at - margin, to: until + margin }
}

/** A request in a line, with how long it took exactly. */
function describe(bar: LaneBar): string {
  const took = bar.end === undefined ? 'not over yet' : exactly(bar.end - bar.at)
  const isSpan = bar.kind === 'request' || bar.kind === 'http'
  return [isSpan ? took : '', bar.status, barTitle(bar)].filter(Boolean).join(' · ')
}

interface Hover {
  bar: LaneBar
  x: number
  y: number
}

/** While the pointer stays on a bar, its tip stays in place. */
const hoverAt = (bar: LaneBar | undefined, x: number, y: number, before: Hover | undefined): Hover | undefined =>
  bar === undefined ? undefined : before?.bar === bar ? before : { bar, x, y }

function Tip({ bar, x, y, width }: Hover & { width: number }): JSX.Element {
  const side = x > width / 2 ? { right: Math.max(0, width - x) } : { left: x }
  return (
    <div className="lanes-tip small" aria-hidden="true" style={{ top: y + 56, ...side }}>
      {describe(bar)}
    </div>
  )
}

function keepInView(place: HTMLElement, top: number): void {
  if (top - axisHeight < place.scrollTop) place.scrollTop = top - axisHeight
  else if (top + laneHeight > place.scrollTop + place.clientHeight)
    place.scrollTop = top + laneHeight - place.clientHeight
}

interface Keyed {
  view: ZoomedLanes
  marked: LaneBar | undefined
  choose: (id: number | undefined) => void
  show: (bar: LaneBar) => void
}

/** The action of a key, if it has one. */
function keyAction({ key, shiftKey }: KeyboardEvent, { view, marked, choose, show }: Keyed): (() => void) | undefined {
  const { lanes, window, zoom, move, showAll } = view
  if (key === 'Escape') return () => choose(undefined)
  if (key === '+' || key === '=') return () => zoom(0.5)
  if (key === '-') return () => zoom(2)
  if (key === '0') return showAll
  const way = { ArrowLeft: 'before', ArrowRight: 'after', ArrowUp: 'above', ArrowDown: 'below' }[key]
  if (way === undefined) return undefined
  if (shiftKey && way === 'before') return () => move(-0.2)
  if (shiftKey && way === 'after') return () => move(0.2)
  const next = neighbour(lanes.bars, marked, way as 'before', window)
  return () => next !== undefined && show(next)
}
