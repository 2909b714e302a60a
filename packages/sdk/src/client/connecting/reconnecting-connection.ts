import { isMcpError, McpError } from '../../errors.ts'
import { unlessAborted } from '../../internal/abort.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import { monotonicMs } from '../../internal/monotonic-ms.ts'
import { longestTimerMs, pause } from '../../internal/timers.ts'
import type { IncomingRequest } from '../../jsonrpc/incoming.ts'
import type { JsonObject, Notification } from '../../jsonrpc/message.ts'
import type { Revision } from '../../model/revision.ts'
import { type ClientSettings, toError } from '../options.ts'
import type { ClientDescription } from './client-description.ts'
import type { ClientConnection, ConnectionOwner } from './connection.ts'
import { establish } from './establish.ts'
import { noteUnsentQuestion } from './preference.ts'
import type { Opener, RestartPlan } from './target.ts'

/** The parts of a client that use its connections. */
export interface ConnectionListeners {
  /** Answers a request of the server. */
  request(request: IncomingRequest, connection: ClientConnection): MaybePromise<JsonObject>
  notification(notification: Notification, connection: ClientConnection): void
  /** A new connection took the place of one that ended by itself, or whose session the server forgot. */
  restored(connection: ClientConnection, because: 'restart' | 'session'): void
}

const restartDefaults: Required<RestartPlan> = {
  maxAttempts: 5,
  backoffMs: 250,
  maxBackoffMs: longestTimerMs,
  stableMs: 30_000,
  persistent: false,
}

/** Errors that time does not heal: only a call, which has someone to see them, tries again. */
const lasting: ReadonlySet<string> = new Set(['unauthorized', 'negotiation', 'invalid_argument'])

/**
 * Holds the connection that is in use and, where restarts are wanted, replaces it when it ends by itself: at once the
 * first time, then after growing pauses, until the attempts without a stable time in between are used up. A server that
 * runs by itself may come back at any time: then calls no longer wait for it. Each is an attempt, after the shortest pause.
 */
export class ReconnectingConnection implements ConnectionOwner {
  readonly settings: ClientSettings
  readonly description: ClientDescription
  /** Resolves with the reason once the client is closed for good. */
  readonly closed: Promise<McpError>
  #resolveClosed: (reason: McpError) => void = () => {}
  readonly #opener: Opener
  readonly #restart: Required<RestartPlan> | undefined
  readonly #stop = new AbortController()
  #listeners: ConnectionListeners | undefined
  #current: ClientConnection | undefined
  #latest: ClientConnection | undefined
  #reconnecting: Promise<ClientConnection> | undefined
  #end: McpError | undefined
  /** Resolves when the connection before is gone with its resources, such as its process. */
  #leaving: Promise<unknown> = Promise.resolve()
  #attempts = 0
  #since = 0
  #noted = false
  /** Set while the server is away for long: the time of the last attempt, and the timer of the next one. */
  #away: { since: number; timer: ReturnType<typeof setTimeout> | undefined } | undefined

  constructor(opener: Opener, settings: ClientSettings, description: ClientDescription) {
    this.settings = settings
    this.description = description
    this.#opener = opener
    this.#restart = opener.restart && { ...restartDefaults, ...opener.restart }
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve
    })
  }

  /** Connects for the first time, with an offer of the preferred revision. */
  async start(listeners: ConnectionListeners, preferred?: Revision): Promise<void> {
    this.#listeners = listeners
    const { signal } = this.settings
    this.#use(await establish({ opener: this.#opener, owner: this, known: undefined, preferred, signal }))
  }

  #establish(known: Revision, signal: AbortSignal | undefined): Promise<ClientConnection> {
    return establish({ opener: this.#opener, owner: this, known, signal })
  }

  // ConnectionOwner

  request(request: IncomingRequest, connection: ClientConnection): MaybePromise<JsonObject> {
    return this.#listeners!.request(request, connection)
  }

  notification(notification: Notification, connection: ClientConnection): void {
    this.#listeners!.notification(notification, connection)
  }

  /** The connection in use, or the last one that was. */
  get latest(): ClientConnection {
    return this.#latest!
  }

  /** Why the client is closed for good, if it is. */
  get ended(): McpError | undefined {
    return this.#end
  }

  /** The connection for the next message; a promise only while a new one is being made. */
  current(signal?: AbortSignal): MaybePromise<ClientConnection> {
    if (this.#current !== undefined) return this.#current
    this.#retry()
    if (this.#reconnecting !== undefined) return unlessAborted('The call', this.#reconnecting, signal)
    throw new McpError('closed', this.#end?.message ?? 'The client is not connected', { cause: this.#end })
  }

  /** Called with the words of a server about a failure. The first ones that blame the revision are explained. */
  failed(said: string): void {
    this.#noted ||= noteUnsentQuestion(said, this.latest, this, this.#opener)
  }

  /** Called when a connection ends; connections that were never used do not count. */
  lost(connection: ClientConnection, reason: McpError): void {
    if (connection !== this.#current) return
    this.#current = undefined
    this.#leaving = connection.peer.close().catch((error: unknown) => this.settings.report(toError(error)))
    if (this.#restart === undefined || this.#end !== undefined) {
      this.#finish(reason)
      return
    }
    if (monotonicMs() - this.#since >= this.#restart.stableMs) this.#attempts = 0
    if (this.#restart.persistent) {
      if (this.#attempts >= this.#restart.maxAttempts) {
        this.#leave(reason, this.#restart)
        return
      }
      this.settings.report(new McpError('closed', `The connection was lost and is made anew: ${reason.message}`))
    }
    this.#reconnecting = this.#reconnect(reason, this.#restart)
    this.#reconnecting.catch(() => {})
  }

  /**
   * The connection that takes the place of one whose session the server has forgotten. Calls made meanwhile wait for
   * the same one; if it cannot be made, the next call tries again.
   */
  renew(connection: ClientConnection): MaybePromise<ClientConnection> {
    if (connection !== this.#current) return this.current()
    this.#current = undefined
    this.#reconnecting = this.#replace(connection)
    this.#reconnecting.catch(() => {})
    return this.#reconnecting
  }

  async #replace(old: ClientConnection): Promise<ClientConnection> {
    try {
      const connection = await this.#establish(old.server.revision, this.#stop.signal)
      this.#leaving = this.#retire(old)
      if (this.#end !== undefined) {
        await connection.peer.close()
        throw this.#end
      }
      this.#reconnecting = undefined
      this.#use(connection)
      this.#listeners!.restored(connection, 'session')
      return connection
    } catch (error) {
      this.#reconnecting = undefined
      if (this.#end === undefined) this.#current = old
      else await old.peer.close()
      throw error
    }
  }

  /** Other calls may still get `session_expired`, and may then be sent again: they are not cut off. */
  async #retire(connection: ClientConnection): Promise<void> {
    const { signal } = this.#stop
    while (connection.peer.inFlight.outgoing > 0 && !signal.aborted) await pause(250, signal)
    await connection.peer.close()
  }

  async close(): Promise<void> {
    const connection = this.#current
    this.#finish(new McpError('closed', 'The client was closed'))
    this.#current = undefined
    await connection?.peer.close()
    await this.#leaving
    // A connection that was just being made closes itself when it notices; nothing may outlive this call.
    await this.#reconnecting?.catch(() => {})
  }

  #use(connection: ClientConnection): void {
    this.#current = connection
    this.#latest = connection
    this.#since = monotonicMs()
    // It may have ended before it was in use.
    if (connection.ended !== undefined) this.lost(connection, connection.ended)
  }

  #finish(reason: McpError): void {
    if (this.#end !== undefined) return
    this.#end = reason
    clearTimeout(this.#away?.timer)
    this.#stop.abort(reason)
    this.#resolveClosed(reason)
  }

  async #reconnect(reason: McpError, restart: Required<RestartPlan>): Promise<ClientConnection> {
    let last: Error = reason
    await this.#leaving
    while (this.#attempts < restart.maxAttempts) {
      if (this.#attempts > 0) await pause(this.#pauseMs(restart), this.#stop.signal)
      const connection = await this.#attempt()
      if (!(connection instanceof Error)) return connection
      if (this.#end !== undefined) throw this.#end
      last = connection
    }
    if (restart.persistent) {
      this.#leave(last, restart)
      throw last
    }
    const tries = `${restart.maxAttempts} attempts`
    const end = new McpError('closed', `The server could not be kept running in ${tries}: ${last.message}`, {
      cause: last,
    })
    this.#finish(end)
    throw end
  }

  /** The server is away: calls do not wait for it any more. */
  #leave(error: Error, restart: Required<RestartPlan>): void {
    this.#reconnecting = undefined
    if (this.#end !== undefined) return
    this.#away = { since: monotonicMs(), timer: undefined }
    const isLasting = isMcpError(error) && lasting.has(error.code)
    const delayMs = this.#pauseMs(restart)
    const when = isLasting ? 'with the next call' : `in ${delayMs} ms, or with the next call`
    this.settings.report(new McpError('closed', `The next attempt to connect follows ${when}: ${error.message}`))
    if (!isLasting) this.#away.timer = setTimeout(() => this.#retry(), delayMs)
  }

  /** Begins an attempt if the server is away. */
  #retry(): void {
    if (this.#away === undefined || this.#end !== undefined) return
    const { since, timer } = this.#away
    clearTimeout(timer)
    this.#away = undefined
    this.#reconnecting = this.#return(since, this.#restart!)
    this.#reconnecting.catch(() => {})
  }

  async #return(since: number, restart: Required<RestartPlan>): Promise<ClientConnection> {
    await this.#leaving
    const waitMs = since + Math.min(restart.backoffMs, restart.maxBackoffMs) - monotonicMs()
    if (waitMs > 0) await pause(waitMs, this.#stop.signal)
    const connection = await this.#attempt()
    if (!(connection instanceof Error)) return connection
    this.#leave(connection, restart)
    throw this.#end ?? connection
  }

  /** The pause before the next attempt; the first one has none. */
  #pauseMs({ backoffMs, maxBackoffMs }: Required<RestartPlan>): number {
    return Math.min(backoffMs * 2 ** (this.#attempts - 1), maxBackoffMs, longestTimerMs)
  }

  async #attempt(): Promise<ClientConnection | Error> {
    this.#attempts += 1
    if (this.#end !== undefined) return this.#end
    try {
      const connection = await this.#establish(this.latest.server.revision, this.#stop.signal)
      if (this.#end !== undefined) {
        await connection.peer.close()
        return this.#end
      }
      if (connection.ended !== undefined) return connection.ended
      this.#reconnecting = undefined
      this.#use(connection)
      this.#listeners!.restored(connection, 'restart')
      return connection
    } catch (error) {
      this.settings.report(toError(error))
      return toError(error)
    }
  }
}
