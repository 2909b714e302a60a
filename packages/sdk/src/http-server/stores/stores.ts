import type { Budget } from '../../internal/budget.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { LoggingLevel } from '../../model/logging.ts'

export type { Bus } from '../../server/subscriptions/bus.ts'

/** The state that resumes a session, here or on another machine. */
export interface SessionRecord {
  readonly id: string
  /** The principal that opened it; no other may use it. */
  readonly principal: string | undefined
  /** The params of its `initialize` that are used: version, client and capabilities. */
  readonly initialize: JsonObject
  /** The number of the last change of the server before it was opened, if changes are counted. */
  readonly changes?: number
}

/** The part of a session's state that changes while it lasts. */
export interface SessionState {
  /** Grows by one with every change. */
  readonly version: number
  /** The level that its client set, if it has set one. */
  readonly logLevel?: LoggingLevel | undefined
  /** The resources that it subscribed to. */
  readonly subscriptions: readonly string[]
  /** The last event of its standalone stream that a connection got. */
  readonly heard: number
  /** The number of the last change of the server that its client was told of. */
  readonly changes: number
}

/** One change of the state of a session. */
export type SessionChange =
  | { readonly logLevel: LoggingLevel }
  | { readonly subscribe: string }
  | { readonly unsubscribe: string }
  | { readonly heard: number; readonly changes: number }

/**
 * Remembers which sessions exist. A method may answer at once or later.
 *
 * `@tenon/sdk/testing/stores` has the checks that every implementation has to pass.
 */
export interface SessionStore {
  add(record: SessionRecord): MaybePromise<void>
  get(id: string): MaybePromise<SessionRecord | undefined>
  /** False if there was no such session. */
  remove(id: string): MaybePromise<boolean>
}

/**
 * A store of several processes that serve the same sessions, each of them any request. It also ends the sessions that
 * are idle for too long: no process knows when the others were used last.
 */
export interface SharedSessionStore extends SessionStore {
  /**
   * A request of the session came: it is not idle. Returns its state if that is newer than the known version. Called for
   * every request, so it should take one round trip.
   */
  use(id: string, knownVersion: number): Promise<SessionState | 'unchanged' | 'ended'>
  /** Changes the state, and returns its version after that; undefined if the session has ended. */
  change(id: string, change: SessionChange): Promise<number | undefined>
}

export const isShared = (store: SessionStore): store is SharedSessionStore => 'use' in store

export interface EventLogLimits {
  /** Events kept per stream. Default 256. */
  maxEvents?: number
  /** Text kept per stream. Default 1 MiB. */
  maxBytes?: number
  /** How long a stream is kept after its last event. Default 5 min. */
  ttlMs?: number
  /**
   * Memory that is kept in all; the streams that were silent longest are forgotten first. Default: the share of events in
   * `limits.maxKeptBytes` of the server, 16 MiB.
   */
  maxTotalBytes?: number
}

export interface LoggedEvent {
  readonly number: number
  readonly text: string
}

/**
 * Keeps the events of streams, so that a client that lost its connection can get the rest.
 *
 * A stream is named by its session and its own id; its events are numbered from 1, without gaps.
 */
export interface EventLog {
  /** Counts the events against a budget, for a log in the memory of this process. Called by the server. */
  useBudget?(budget: Budget): void
  /** Keeps an event and returns its number. Appends to one stream are made one after the other. */
  append(session: string, stream: string, text: string): MaybePromise<number>
  /** The events of a stream after a number, in order; undefined if some of them, or all of it, are forgotten. */
  after(
    session: string,
    stream: string,
    number: number,
  ): readonly LoggedEvent[] | undefined | Promise<readonly LoggedEvent[] | undefined>
  /** Forgets all streams of a session. */
  forget(session: string): MaybePromise<void>
}

/** Gets the events of a stream. */
export interface StreamFollower {
  event(event: LoggedEvent): void
  /** None will follow. */
  end(): void
}

/** A log of several processes, in which one can follow the streams that another writes. */
export interface SharedEventLog extends EventLog {
  /** As for every log, but several processes may append to one stream. None follows the `last` event. */
  append(session: string, stream: string, text: string, last?: 'last'): Promise<number>
  /** No event will follow in a stream. */
  end(session: string, stream: string): MaybePromise<void>
  /** The number of the last event of a stream; 0 if there is none. */
  last(session: string, stream: string): Promise<number>
  /**
   * Passes on the events after a number, in order, and those that are still to come. Returns the way to stop; undefined if
   * some events after the number are forgotten. A stream that has no events yet can be followed from 0.
   */
  follow(session: string, stream: string, number: number, follower: StreamFollower): Promise<(() => void) | undefined>
}

export const isSharedLog = (log: EventLog | undefined): log is SharedEventLog => log !== undefined && 'follow' in log
