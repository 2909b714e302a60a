import type { HttpEvent, Implementation, JsonObject, Payload, Refusal, Side } from '@tenon/sdk/client'

/** The first line of a session file. */
export interface SessionHeader {
  /** The version of the format. */
  tenonSession: 1
  /** When it began: milliseconds since 1970. */
  at: number
  /** The program that wrote it, such as `tenon/0.1.0`. */
  by?: string
  title?: string
  /** The target of the connection, without secrets. */
  target?: SessionTarget
  client?: Implementation
  server?: Implementation
  revision?: string
  /** Members of later versions. */
  [member: string]: unknown
}

/** The target of a connection: names of variables and headers, without their values. */
export interface SessionTarget {
  url?: string
  headers?: string[]
  command?: string
  args?: string[]
  cwd?: string
  env?: string[]
  /** Its name in a configuration. */
  name?: string
}

interface Timed {
  /** Milliseconds since 1970, with fractions. */
  at: number
}

/** A payload that was sent. */
export interface MessageEvent extends Timed {
  kind: 'message'
  from: Side
  payload: Payload
  /** The request of the other side on whose stream it came, where that is known and it is no answer. */
  during?: string | number
}

/** Input that never became a payload. */
export interface RefusedEvent extends Timed {
  kind: 'refused'
  from: Side
  refusal: Refusal
}

/** A request that stays without an answer, for a reason that was known where it was sent. */
export interface UnansweredEvent extends Timed {
  kind: 'unanswered'
  /** The sender of the request. */
  from: Side
  id: string | number
  reason: string
  /** The sender cancelled the request. */
  cancelled?: true
}

/** A step of an HTTP request. */
export interface SessionHttpEvent extends Timed {
  kind: 'http'
  http: Omit<HttpEvent, 'at' | 'error'> & { error?: string }
}

/** Something the server wrote to standard error. */
export interface StderrEvent extends Timed {
  kind: 'stderr'
  text: string
}

/** A connection was made; after a restart once more. */
export interface OpenedEvent extends Timed {
  kind: 'opened'
  transport?: string
}

/** Both sides know each other and the revision. */
export interface AgreedEvent extends Timed {
  kind: 'agreed'
  client?: Implementation
  server?: Implementation
  revision: string
}

export interface ClosedEvent extends Timed {
  kind: 'closed'
  reason?: string
  /** How many values were left out of the whole file. */
  redacted?: number
}

/** A note of a person or a program. */
export interface NoteEvent extends Timed {
  kind: 'note'
  text: string
}

/** A line of a kind that this version does not know. */
export interface OtherEvent extends Timed {
  kind: 'other'
  line: JsonObject
}

export type SessionEvent =
  | MessageEvent
  | RefusedEvent
  | UnansweredEvent
  | SessionHttpEvent
  | StderrEvent
  | OpenedEvent
  | AgreedEvent
  | ClosedEvent
  | NoteEvent
  | OtherEvent

/** A recorded session. */
export interface Session {
  header: SessionHeader
  events: SessionEvent[]
  /** Problems of the file that did not prevent reading it. */
  warnings: string[]
}
