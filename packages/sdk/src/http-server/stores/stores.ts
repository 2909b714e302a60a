import type { Budget } from '../../internal/budget.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'

export type { Bus } from '../../server/subscriptions/bus.ts'

/** The state that resumes a session, here or on another machine. */
export interface SessionRecord {
  readonly id: string
  /** The principal that opened it; no other may use it. */
  readonly principal: string | undefined
  /** The params of its `initialize` that are used: version, client and capabilities. */
  readonly initialize: JsonObject
}

/**
 * Remembers which sessions exist. A method may answer at once or later.
 *
 * `stores.suite.ts` has the tests that every implementation has to pass.
 */
export interface SessionStore {
  add(record: SessionRecord): MaybePromise<void>
  get(id: string): MaybePromise<SessionRecord | undefined>
  /** False if there was no such session. */
  remove(id: string): MaybePromise<boolean>
}

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
