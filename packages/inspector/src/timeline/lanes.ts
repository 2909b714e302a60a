import type { LaneGroup } from '../protocol.ts'
import type { Entry } from './entry.ts'

/** A request from its sending to its end, or a notification, which takes no time. */
export interface Span {
  entry: Entry
  at: number
  /** Infinite while it is not known. */
  end: number
  lane: number
  /** Its children, if there are any. */
  children: Span[] | undefined
}

/** Requests and notifications, side by side where they overlap in time. */
export interface Lanes {
  groups: LaneGroup[]
  /** By lane, from the first group on: its bars in their order. */
  bars: Span[][]
  /** By lane: notifications during its bars, or without any. */
  ticks: Span[][]
  /** How many bars there are. */
  total: number
  begin: number
  end: number
}

/** More at the same time than this share the last lane. */
const maxLanes = 500

/**
 * Gives every request a lane of its server in which nothing else happens meanwhile. Its children are placed with it:
 * another round in the same lane, questions during it below. An answer stands for its request.
 */
export function layOut(entries: Iterable<Entry>, get: (id: number) => Entry | undefined, withHttp: boolean): Lanes {
  const lanes: Lanes = { groups: [], bars: [], ticks: [], total: 0, begin: Number.POSITIVE_INFINITY, end: 0 }
  const { spans, told } = collect(entries, get, withHttp)
  lanes.total = spans.size
  for (const [server, own] of byServer(spans, told)) {
    const first = lanes.bars.length
    const alone = own.told.filter(({ entry }) => !spans.has(entry.parent ?? 0))
    const hasAlone = alone.length > 0
    if (hasAlone) addLane(lanes, alone)
    const track = new Track(lanes, first + Number(hasAlone))
    for (const root of own.roots) track.place(root)
    for (const tick of own.told) {
      const parent = spans.get(tick.entry.parent ?? 0)
      if (parent !== undefined) lanes.ticks[parent.lane]!.push(tick)
    }
    lanes.groups.push({ server, first, lanes: lanes.bars.length - first, told: hasAlone })
  }
  for (const span of [...spans.values(), ...told]) {
    if (span.at < lanes.begin) lanes.begin = span.at
    if (span.end > lanes.end) lanes.end = span.end
  }
  return lanes
}

function collect(entries: Iterable<Entry>, get: (id: number) => Entry | undefined, withHttp: boolean) {
  const spans = new Map<number, Span>()
  const told: Span[] = []
  const add = (entry: Entry | undefined): void => {
    if (entry !== undefined && !spans.has(entry.id)) spans.set(entry.id, spanOf(entry, endOf(entry)))
  }
  for (const entry of entries) {
    if (entry.kind === 'request') add(entry)
    else if (entry.kind === 'result' || entry.kind === 'error') add(get(entry.pair ?? 0))
    else if (entry.kind !== 'http') told.push(spanOf(entry, entry.at))
    else if (withHttp) add(entry)
  }
  return { spans, told }
}

const spanOf = (entry: Entry, end: number): Span => ({ entry, at: entry.at, end, lane: 0, children: undefined })

const endOf = ({ status, durationMs, at }: Entry): number =>
  status === 'pending' || durationMs === undefined ? Number.POSITIVE_INFINITY : at + durationMs

interface Own {
  /** Requests that belong to no other, in the order in which they began. */
  roots: Span[]
  told: Span[]
}

function byServer(spans: ReadonlyMap<number, Span>, told: readonly Span[]): Map<string, Own> {
  const servers = new Map<string, Own>()
  const of = ({ entry }: Span): Own => {
    const known = servers.get(entry.server) ?? { roots: [], told: [] }
    servers.set(entry.server, known)
    return known
  }
  for (const span of [...spans.values()].sort((a, b) => a.at - b.at)) {
    const parent = span.entry.parent === undefined ? undefined : spans.get(span.entry.parent)
    if (parent === undefined) of(span).roots.push(span)
    else {
      parent.children ??= []
      parent.children.push(span)
    }
  }
  for (const tick of told) of(tick).told.push(tick)
  return servers
}

/** The lanes of a server: requests take the first ones that are free all along. */
class Track {
  readonly #lanes: Lanes
  readonly #first: number
  readonly #freeAt: number[] = []

  constructor(lanes: Lanes, first: number) {
    this.#lanes = lanes
    this.#first = first
  }

  place(root: Span): void {
    const rows = root.children === undefined ? undefined : rowsOf(root)
    const height = rows?.length ?? 1
    const top = this.#firstFree(root.at, height)
    const end = rows === undefined ? root.end : lastEnd(rows)
    for (let row = 0; row < height; row++) {
      const lane = Math.min(top + row, maxLanes - 1)
      this.#freeAt[lane] = end
      while (this.#lanes.bars.length <= this.#first + lane) addLane(this.#lanes)
      if (rows === undefined) this.#put(root, lane)
      else for (const span of rows[row]!) this.#put(span, lane)
    }
  }

  #firstFree(at: number, height: number): number {
    let free = 0
    for (let lane = 0; lane < this.#freeAt.length; lane++) {
      free = this.#freeAt[lane]! <= at ? free + 1 : 0
      if (free === height) return lane - height + 1
    }
    return this.#freeAt.length - free
  }

  #put(span: Span, lane: number): void {
    span.lane = this.#first + lane
    this.#lanes.bars[span.lane]!.push(span)
  }
}

/** A request and all that belongs to it, in rows in which nothing overlaps. */
function rowsOf(root: Span): Span[][] {
  const rows: Span[][] = [[root]]
  const add = (span: Span, depth: number): void => {
    // A child after the end of a request is another round of it.
    let row = span.at >= root.end ? 0 : depth
    while ((rows[row]?.at(-1)?.end ?? 0) > span.at) row++
    while (rows.length <= row) rows.push([])
    rows[row]!.push(span)
    for (const child of span.children ?? []) add(child, depth + 1)
  }
  for (const span of root.children ?? []) add(span, 1)
  return rows
}

// In a row one begins when the one before has ended.
const lastEnd = (rows: readonly Span[][]): number => Math.max(...rows.map((row) => row.at(-1)!.end))

function addLane(lanes: Lanes, ticks: Span[] = []): void {
  lanes.bars.push([])
  lanes.ticks.push(ticks)
}
