import { type Attributes, type Context, context, type Histogram, type Meter } from '@opentelemetry/api'
import type { ConnectionEvent, RequestEvent, StoreEvent } from '../telemetry/events.ts'
import { addError, addName, addTransport, isIncoming, isNameKnown, methodOf } from './attributes.ts'

const boundaries = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]

/** A store answers faster than a server; these are the boundaries of the conventions for databases. */
const storeBoundaries = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]

/** The histograms of the conventions, in seconds. */
export class Durations {
  readonly #clientOperation: Histogram
  readonly #serverOperation: Histogram
  readonly #clientSession: Histogram
  readonly #serverSession: Histogram
  readonly #storeOperation: Histogram

  constructor(meter: Meter) {
    const histogram = (name: string, description: string, explicitBucketBoundaries = boundaries): Histogram =>
      meter.createHistogram(name, { description, unit: 's', advice: { explicitBucketBoundaries } })
    this.#clientOperation = histogram('mcp.client.operation.duration', 'Requests, as seen by the side that made them')
    this.#serverOperation = histogram('mcp.server.operation.duration', 'Requests, as seen by the side that answered')
    this.#clientSession = histogram('mcp.client.session.duration', 'Connections, as seen by the client')
    this.#serverSession = histogram('mcp.server.session.duration', 'Connections, as seen by the server')
    this.#storeOperation = histogram('db.client.operation.duration', 'Operations on shared stores', storeBoundaries)
  }

  request(event: RequestEvent, at: Context): void {
    const { kind, durationMs = 0 } = event
    const attributes: Attributes = { 'mcp.method.name': methodOf(event) }
    if (isNameKnown(event)) addName(attributes, event)
    addTransport(attributes, event)
    addError(attributes, event)
    const histogram = isIncoming(kind) ? this.#serverOperation : this.#clientOperation
    histogram.record(durationMs / 1_000, attributes, at)
  }

  session(event: ConnectionEvent): void {
    const histogram = event.side === 'client' ? this.#clientSession : this.#serverSession
    const attributes: Attributes = {}
    addTransport(attributes, event)
    if (event.errorType !== undefined) attributes['error.type'] = event.errorType
    histogram.record((event.durationMs ?? 0) / 1_000, attributes, context.active())
  }

  store({ system, operation, address, port, durationMs, errorType }: StoreEvent): void {
    const attributes = {
      'db.system.name': system,
      'db.operation.name': operation,
      'server.address': address,
      ...(port !== undefined && { 'server.port': port }),
      ...(errorType !== undefined && { 'error.type': errorType }),
    }
    this.#storeOperation.record(durationMs / 1_000, attributes, context.active())
  }
}
