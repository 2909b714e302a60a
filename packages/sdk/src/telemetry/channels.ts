import type { ConnectionEvent, RequestEvent, RequestKind } from './events.ts'

/** The used part of a channel of `node:diagnostics_channel`. */
interface Plain {
  readonly hasSubscribers: boolean
  publish(message: unknown): void
}

/** The used part of a tracing channel. */
interface Traced {
  readonly hasSubscribers: boolean
  tracePromise<T>(run: () => Promise<T>, context: object): Promise<T>
}

type Phase = 'start' | 'end' | 'asyncStart' | 'asyncEnd' | 'error'

interface DiagnosticsChannel {
  channel(name: string): Plain
  tracingChannel?(name: string): Traced & Record<Phase, Plain>
}

const phases: readonly Phase[] = ['start', 'end', 'asyncStart', 'asyncEnd', 'error']

const silent: Plain & Traced = { hasSubscribers: false, publish: () => {}, tracePromise: (run) => run() }

/** Looked up, not imported: a platform without the module only lacks the events. */
function diagnostics(): DiagnosticsChannel | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?: (id: string) => DiagnosticsChannel | undefined } }
  try {
    return process?.getBuiltinModule?.('node:diagnostics_channel')
  } catch {
    return undefined
  }
}

function traced(kind: RequestKind): Traced {
  const channel = diagnostics()?.tracingChannel?.(`tenon:${kind}`)
  if (channel === undefined || typeof channel.hasSubscribers === 'boolean') return channel ?? silent
  // Bun's tracing channels have no `hasSubscribers`, but their parts do.
  const parts = phases.map((phase) => channel[phase])
  return {
    get hasSubscribers() {
      return parts.some((part) => part.hasSubscribers)
    },
    tracePromise: (run, context) => channel.tracePromise(run, context),
  }
}

// Created on first use: a server has no use for those of a client.
const requests = new Map<RequestKind, Traced>()
const connections = new Map<ConnectionEvent['side'], Plain>()

function requestsOf(kind: RequestKind): Traced {
  const known = requests.get(kind)
  if (known !== undefined) return known
  const channel = traced(kind)
  requests.set(kind, channel)
  return channel
}

function connectionsOf(side: ConnectionEvent['side']): Plain {
  const known = connections.get(side) ?? diagnostics()?.channel(`tenon:${side}.connection`) ?? silent
  connections.set(side, known)
  return known
}

export const listensToRequests = (kind: RequestKind): boolean => requestsOf(kind).hasSubscribers
export const listensToConnections = (side: ConnectionEvent['side']): boolean => connectionsOf(side).hasSubscribers

export const publishRequest = <T>(event: RequestEvent, run: () => Promise<T>): Promise<T> =>
  requestsOf(event.kind).tracePromise(run, event)

export const publishConnection = (event: ConnectionEvent): void => connectionsOf(event.side).publish(event)
