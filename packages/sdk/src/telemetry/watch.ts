import { isMcpError, isRpcError } from '../errors.ts'
import type { MaybePromise } from '../internal/maybe-promise.ts'
import { isObject } from '../jsonrpc/classify.ts'
import { isRevision } from '../model/revision.ts'
import { listensToConnections, listensToRequests, publishConnection, publishRequest } from './channels.ts'
import type { ConnectionEvent, RequestEvent, RequestKind, Whereabouts } from './events.ts'

/** The end of a request: its result, or the exception. */
export type Outcome = { readonly result: unknown } | { readonly thrown: unknown }

/** A request under observation. */
export interface Observation {
  /** Runs the request, in the async context of the observer. */
  run<T>(request: () => T): T
  /** Called once; the event is complete. */
  ended(outcome: Outcome): void
}

/** Observes requests and connections of this process, on both sides. */
interface Observer {
  begin(event: RequestEvent): Observation
  connection(event: ConnectionEvent): void
}

const observers = new Set<Observer>()
/** Without observers a request reads only this and its channel. */
let observer: Observer | undefined

/** Adds an observer; returns the undo. */
export function addObserver(added: Observer): () => void {
  observers.add(added)
  observer = together()
  return () => {
    observers.delete(added)
    observer = together()
  }
}

export const isWatched = (kind: RequestKind): boolean => observer !== undefined || listensToRequests(kind)

export const isConnectionWatched = (side: ConnectionEvent['side']): boolean =>
  observer !== undefined || listensToConnections(side)

/** Sets the type of the error of a request that is over, if it knows a better one. */
type Note = (outcome: Outcome) => void

/** Runs a request under observation. It stays as synchronous as it is, unless its channel has subscribers. */
export function runObserved<T>(event: RequestEvent, run: () => Promise<T>, note?: Note): Promise<T>
export function runObserved<T>(event: RequestEvent, run: () => MaybePromise<T>, note?: Note): MaybePromise<T>
export function runObserved<T>(event: RequestEvent, run: () => MaybePromise<T>, note?: Note): MaybePromise<T> {
  if (!listensToRequests(event.kind)) return observe(event, run, note)
  return publishRequest(event, async () => observe(event, run, note))
}

/**
 * Reports to all observers that a connection began, or, with the reason, that it ended. `since` is a `Date.now()`:
 * using `performance` would add a millisecond to the start of every server.
 */
export function watchConnection(
  side: ConnectionEvent['side'],
  where: Whereabouts,
  { since, reason }: { since: number; reason?: Error | undefined },
): void {
  const errorType = reason && endTypeOf(reason)
  const event: ConnectionEvent = {
    side,
    phase: reason === undefined ? 'opened' : 'closed',
    ...where,
    ...(reason && { reason, durationMs: Math.max(0, Date.now() - since) }),
    ...(errorType !== undefined && { errorType }),
  }
  publishConnection(event)
  observer?.connection(event)
}

/** The type of an exception: the code of an error of the peer, or of this library. */
function errorTypeOf(thrown: unknown): string {
  if (isRpcError(thrown) || isMcpError(thrown)) return String(thrown.code)
  return thrown instanceof Error ? thrown.name : 'Error'
}

/** The type of a connection's failure, if it did not end normally. */
function endTypeOf({ cause }: Error): string | undefined {
  if (!(cause instanceof Error)) return undefined
  const { code } = cause as { code?: unknown }
  return typeof code === 'string' ? code : cause.name
}

/** One promise, if any: each of them costs more than all the rest of telemetry where async contexts are in use. */
function observe<T>(event: RequestEvent, run: () => MaybePromise<T>, note: Note | undefined): MaybePromise<T> {
  const observation = observer?.begin(event)
  const started = performance.now()
  const ended = (outcome: Outcome): void => {
    note?.(outcome)
    if ('thrown' in outcome) event.errorType ??= errorTypeOf(outcome.thrown)
    else learn(event, outcome.result)
    event.durationMs = performance.now() - started
    observation?.ended(outcome)
  }
  const failed = (thrown: unknown): never => {
    ended({ thrown })
    throw thrown
  }
  let answer: MaybePromise<T>
  try {
    answer = observation === undefined ? run() : observation.run(run)
  } catch (thrown) {
    return failed(thrown)
  }
  if (answer instanceof Promise) {
    return answer.then((result) => {
      ended({ result })
      return result
    }, failed)
  }
  ended({ result: answer })
  return answer
}

/** Reads the facts that only the result has. */
function learn(event: RequestEvent, result: unknown): void {
  if (!isObject(result)) return
  if (event.method === 'tools/call' && result.isError === true) event.errorType ??= 'tool_error'
  if (event.method === 'initialize' && isRevision(result.protocolVersion)) event.revision = result.protocolVersion
}

function together(): Observer | undefined {
  const all = [...observers]
  if (all.length < 2) return all[0]
  return {
    begin: (event) => beginAll(all, event),
    connection: (event) => {
      for (const one of all) one.connection(event)
    },
  }
}

/** Each begins in the context of the one before, and ends before it. */
function beginAll(all: readonly Observer[], event: RequestEvent): Observation {
  const begun: Observation[] = []
  const runFrom = <T>(index: number, request: () => T): T => {
    const one = all[index]?.begin(event)
    if (one === undefined) return request()
    begun.unshift(one)
    return one.run(() => runFrom(index + 1, request))
  }
  return {
    run: (request) => runFrom(0, request),
    ended: (outcome) => {
      for (const one of begun) one.ended(outcome)
    },
  }
}
