import { type JSX, type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { LaneBar, TimelineLanes } from '../../src/protocol.ts'
import { titleOf } from './draw-lanes.ts'
import { axisHeight, barAt, fullHeight, type Geometry, laneHeight, lanesInView, laneTop } from './lane-geometry.ts'
import { isIn, neighbour } from './lane-neighbours.ts'
import { exactly, isWhole, moved, type TimeWindow, zoomed } from './lane-view.ts'
import { usePicture, useSize } from './use-lane-picture.ts'
import { useDrag, useWheel } from './use-lane-pointer.ts'
import { useLanes } from './use-lanes.ts'

interface Props {
  query: string
  chosen: number | undefined
  choose: (id: number | undefined) => void
  tellProblems: (problems: readonly string[]) => void
}

const help =
  'The arrow keys go from one request to the next, plus and minus zoom, 0 shows everything, Shift with an arrow key moves. The same messages are in the list.'

/** Requests as bars on one axis of time: what takes long, what waits for what, and what happens at the same time. */
export function LanesView({ query, chosen, choose, tellProblems }: Props): JSX.Element {
  const id = useId()
  const place = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const probe = useRef<HTMLSpanElement>(null)
  const [size, setSize] = useState({ width: 0, height: 0, scrollTop: 0 })
  const [view, setView] = useState<TimeWindow>()
  const [hover, setHover] = useState<{ bar: LaneBar; x: number; y: number }>()
  const lanes = useLanes({ query, window: view, width: size.width, ...lanesInView(size.height, size.scrollTop) })
  useEffect(() => tellProblems(lanes.problems), [lanes, tellProblems])
  const all = useMemo(() => everything(lanes), [lanes])
  const window = view ?? all
  const geometry: Geometry = { ...size, window, groups: lanes.groups }
  const look = (next: TimeWindow): void => setView(isWhole(next, all) ? undefined : next)
  const marked = useMemo(() => barOf(lanes, chosen), [lanes, chosen])

  useSize(place, setSize)
  usePicture(canvas, probe, { lanes, geometry, chosen, hovered: hover?.bar })
  useWheel(place, (factor, move, share) =>
    look(factor === 1 ? moved(window, move, all) : zoomed(window, factor, share, all)),
  )

  const show = (bar: LaneBar): void => {
    if (bar.count !== undefined) {
      look(around(bar, window))
      return
    }
    choose(bar.id)
    if (!isIn(bar, window)) look(moved(window, (bar.at - window.from) / (window.to - window.from) - 0.3, all))
    keepInView(place.current!, laneTop(lanes.groups, bar.lane, 0))
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const act = keyAction(event, { lanes, marked, window, all, look, choose, show })
    if (act === undefined) return
    event.preventDefault()
    act()
  }
  const drag = useDrag(place, {
    move: (share) => look(moved(window, share, all)),
    press: (x, y) => {
      const bar = barAt(lanes, geometry, x, y)
      if (bar !== undefined) show(bar)
    },
    hover: (x, y) => {
      const bar = barAt(lanes, geometry, x, y)
      setHover((before) => (bar === undefined ? undefined : before?.bar === bar ? before : { bar, x, y }))
    },
  })
  return (
    <div className="lanes">
      <div className="row lanes-head">
        <button
          type="button"
          className="button small"
          aria-label="Zoom in"
          onClick={() => look(zoomed(window, 0.5, 0.5, all))}
        >
          +
        </button>
        <button
          type="button"
          className="button small"
          aria-label="Zoom out"
          disabled={view === undefined}
          onClick={() => look(zoomed(window, 2, 0.5, all))}
        >
          −
        </button>
        <button type="button" className="button small" disabled={view === undefined} onClick={() => setView(undefined)}>
          Everything
        </button>
        <span className="small lanes-said" role="status">
          {marked === undefined ? `${lanes.total.toLocaleString('en')} requests` : describe(marked)}
        </span>
        <span id={id} className="visually-hidden">
          {help}
        </span>
      </div>
      <div
        ref={place}
        className="lanes-place"
        // What is drawn has its own keys; whoever cannot see it has the list.
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

/** All of the time, and a little more, so that nothing sticks to the edge. */
function everything({ begin, end }: TimelineLanes): TimeWindow {
  const length = Math.max(1, end - begin)
  return { from: begin - length / 100, to: begin + length * 1.02 }
}

/** The bar of a message: of a request, or of what it was answered with. */
const barOf = ({ bars }: TimelineLanes, id: number | undefined): LaneBar | undefined =>
  id === undefined ? undefined : bars.find((bar) => bar.id === id || bar.pair === id)

/** So much time that what was one bar falls apart. */
function around({ at, end }: LaneBar, window: TimeWindow): TimeWindow {
  const until = end ?? window.to
  const margin = (until - at) / 10
  return { from: at - margin, to: until + margin }
}

/** A request in a line, with how long it took exactly. */
function describe(bar: LaneBar): string {
  const took = bar.end === undefined ? 'not over yet' : exactly(bar.end - bar.at)
  const isSpan = bar.kind === 'request' || bar.kind === 'http'
  return [isSpan ? took : '', bar.status, titleOf(bar)].filter(Boolean).join(' · ')
}

function Tip({ bar, x, y, width }: { bar: LaneBar; x: number; y: number; width: number }): JSX.Element {
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
  lanes: TimelineLanes
  marked: LaneBar | undefined
  window: TimeWindow
  all: TimeWindow
  look: (window: TimeWindow) => void
  choose: (id: number | undefined) => void
  show: (bar: LaneBar) => void
}

/** What a key does, if anything. */
function keyAction({ key, shiftKey }: KeyboardEvent, keyed: Keyed): (() => void) | undefined {
  const { lanes, marked, window, all, look, choose, show } = keyed
  if (key === 'Escape') return () => choose(undefined)
  if (key === '+' || key === '=') return () => look(zoomed(window, 0.5, 0.5, all))
  if (key === '-') return () => look(zoomed(window, 2, 0.5, all))
  if (key === '0') return () => look(all)
  const way = { ArrowLeft: 'before', ArrowRight: 'after', ArrowUp: 'above', ArrowDown: 'below' }[key]
  if (way === undefined) return undefined
  if (shiftKey && way === 'before') return () => look(moved(window, -0.2, all))
  if (shiftKey && way === 'after') return () => look(moved(window, 0.2, all))
  const next = neighbour(lanes.bars, marked, way as 'before', window)
  return () => next !== undefined && show(next)
}
