import { isMcpError, isRpcError } from '../errors.ts'
import { isObject } from '../jsonrpc/classify.ts'
import { isRevision } from '../model/revision.ts'
import { listensToConnections, listensToRequests, publishConnection, publishRequest } from './channels.ts'
import type { ConnectionEvent, RequestEvent, RequestKind, Whereabouts } from './events.ts'

/** Observes requests and connections of this process, on both sides. */
interface Observer {
  /** Runs a request, and returns its result; code may run before and after it. */
  request<T>(event: RequestEvent, run: () => Promise<T>): Promise<T>
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

/** Runs a request under observation. The request itself may set the type of its error. */
export function runObserved<T>(event: RequestEvent, run: () => Promise<T>): Promise<T> {
  const settled = (): Promise<T> => settle(event, run)
  const watching = observer
  return publishRequest(event, watching === undefined ? settled : () => watching.request(event, settled))
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

async function settle<T>(event: RequestEvent, run: () => Promise<T>): Promise<T> {
  const started = performance.now()
  try {
    const result = await run()
    learn(event, result)
    return result
  } catch (thrown) {
    event.errorType ??= errorTypeOf(thrown)
    throw thrown
  } finally {
    event.durationMs = performance.now() - started
  }
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
    request: (event, run) => all.reduceRight((inner, one) => () => one.request(event, inner), run)(),
    connection: (event) => {
      for (const one of all) one.connection(event)
    },
  }
}
