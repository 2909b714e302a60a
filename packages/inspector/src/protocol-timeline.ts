/** Which messages are kept: ids from `first` up to, and without, `next`. */
export interface TimelineRange {
  first: number
  next: number
}

/**
 * `http` is a request over HTTP, with its headers; `refused` is input that never became a message. In session files there are
 * lines that a server wrote to standard error (`stderr`) and notes of a person (`note`) too.
 */
export type RowKind = 'request' | 'notification' | 'result' | 'error' | 'http' | 'refused' | 'stderr' | 'note'

/**
 * The status of a request, and of its answer. `asks`: the server wants input first; `refused`: an answer came, and was not
 * accepted; `lost`: the connection ended first.
 */
export type RowStatus = 'pending' | 'ok' | 'asks' | 'error' | 'refused' | 'cancelled' | 'lost'

/** A message in short. */
export interface TimelineRow {
  id: number
  server: string
  /** Epoch milliseconds, with fractions. */
  at: number
  from: 'client' | 'server'
  kind: RowKind
  /** Of an answer: the method that was asked for. */
  method: string
  /** The tool, prompt or resource it is about. */
  name?: string
  rpcId?: string | number
  status?: RowStatus
  durationMs?: number
  /** The row of the answer, or of the request that this one answers. */
  pair?: number
  /** The row of the request that it belongs to. */
  parent?: number
  /** The id of its trace, from `traceparent`. */
  trace?: string
  /** Why a request has no answer, or its answer was not taken. */
  reason?: string
  /** The message in a few words. */
  summary?: string
  /** How many equal messages it stands for, besides itself. */
  repeats?: number
  bytes: number
}

/** A message in full. */
export interface TimelineEntry extends TimelineRow {
  payload: unknown
  /** The message as it went over the wire; in other entries the payload as JSON. */
  text: string
  copyAs?: TerminalCommands
}

/** Commands that send the same request from a terminal, and a program that does. */
export interface TerminalCommands {
  tenon?: string
  curl?: string
  typescript?: string
}

/** A part of the rows that match a query, oldest first. */
export interface TimelinePage {
  rows: TimelineRow[]
  /** How many match in all. */
  total: number
  /** The place of the row that was looked for, if it matches. */
  found?: number
  range: TimelineRange
  /** The parts of the query that were not understood. */
  problems: string[]
}

/** How long a method takes on a server. */
export interface MethodStats {
  server: string
  method: string
  count: number
  errors: number
  p50: number
  p90: number
  p99: number
  max: number
}

/** The lanes of a server, from `first` on. */
export interface LaneGroup {
  server: string
  first: number
  lanes: number
  /** Whether the first lane is for notifications outside of any request. */
  told: boolean
}

/** A request from its sending to its end, or a notification. */
export interface LaneBar {
  id: number
  lane: number
  kind: RowKind
  from: 'client' | 'server'
  method: string
  name?: string
  status?: RowStatus
  at: number
  /** Absent while it is not known. */
  end?: number
  /** The row of the answer. */
  pair?: number
  /** How many there are in the place of one, because they could not be told apart; `status` is the worst. */
  count?: number
}

/** Requests side by side in time, as far as they are in view. */
export interface TimelineLanes {
  /** When the first request that matches began, and when the last ended: now, if one has not. */
  begin: number
  end: number
  groups: LaneGroup[]
  bars: LaneBar[]
  /** How many requests match in all. */
  total: number
  problems: string[]
}
