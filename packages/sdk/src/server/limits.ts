import type { PeerOptions } from '../jsonrpc/peer-options.ts'

/** The bounds of a server. */
export interface ServerLimits extends Omit<PeerOptions, 'timeoutMs' | 'maxTotalMs' | 'urgent'> {
  /**
   * Bytes of memory that are kept for clients, on all connections together: sessions, subscriptions, tasks in memory,
   * the event log, request bodies, calls in progress and unread answers, each with a share of its own. Anything beyond
   * is refused. Default 128 MiB, which fits a process with 512 MB.
   */
  maxKeptBytes?: number
  /** How long a question to the client may stay unanswered. People are slow: default 10 min. */
  askTimeoutMs?: number
  /** How long a client may take to come back with its answers, from 2026-07-28. Default 10 min. */
  stateTtlMs?: number
  /** Characters of the state that a client carries between the rounds of a request. Default 262,144. */
  maxStateLength?: number
  /** Resources that one client may subscribe to, or name in one `subscriptions/listen`. Default 1,000. */
  maxSubscriptions?: number
  /** How many `subscriptions/listen` may be open on one connection, from 2026-07-28. Default 100. */
  maxListens?: number
  /** How many questions one call may ask the client, so that a loop with a model comes to an end. Default 1,000. */
  maxQuestions?: number
  /** How often one call may report progress; more is left out, except for the last report. Default: no limit. */
  maxProgressPerSecond?: number
  /**
   * How many log messages one client gets from a process; more is left out. A client is a principal, or
   * without authentication a connection; all requests of 2026-07-28 over HTTP without authentication are one client.
   * Default: no limit.
   */
  maxLogsPerMinute?: number
}
