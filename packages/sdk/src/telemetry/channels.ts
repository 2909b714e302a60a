import type { ConnectionEvent, RequestEvent, RequestKind } from './events.ts'

/** What is used of a channel of `node:diagnostics_channel`. */
interface Plain {
  readonly hasSubscribers: boolean
  publish(message: unknown): void
}

/** What is used of its tracing channels. */
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

/** Asked for, not imported: where there is no such module, nothing is missing but the events. */
const diagnostics = ((): DiagnosticsChannel | undefined => {
  const { process } = globalThis as { process?: { getBuiltinModule?: (id: string) => DiagnosticsChannel | undefined } }
  try {
    return process?.getBuiltinModule?.('node:diagnostics_channel')
  } catch {
    return undefined
  }
})()

function traced(kind: RequestKind): Traced {
  const channel = diagnostics?.tracingChannel?.(`tenon:${kind}`)
  if (channel === undefined || typeof channel.hasSubscribers === 'boolean') return channel ?? silent
  // Bun's tracing channels do not tell whether anybody listens, but their parts do.
  const parts = phases.map((phase) => channel[phase])
  return {
    get hasSubscribers() {
      return parts.some((part) => part.hasSubscribers)
    },
    tracePromise: (run, context) => channel.tracePromise(run, context),
  }
}

const requests: Readonly<Record<RequestKind, Traced>> = {
  'server.request': traced('server.request'),
  'server.ask': traced('server.ask'),
  'client.request': traced('client.request'),
  'client.answer': traced('client.answer'),
}

const connections: Readonly<Record<ConnectionEvent['side'], Plain>> = {
  server: diagnostics?.channel('tenon:server.connection') ?? silent,
  client: diagnostics?.channel('tenon:client.connection') ?? silent,
}

export const listensToRequests = (kind: RequestKind): boolean => requests[kind].hasSubscribers
export const listensToConnections = (side: ConnectionEvent['side']): boolean => connections[side].hasSubscribers

export const publishRequest = <T>(event: RequestEvent, run: () => Promise<T>): Promise<T> =>
  requests[event.kind].tracePromise(run, event)

export const publishConnection = (event: ConnectionEvent): void => connections[event.side].publish(event)
