import { type Meter, metrics, type Tracer, trace } from '@opentelemetry/api'
import { addObserver } from '../telemetry/watch.ts'
import { version } from '../version.ts'
import { Durations } from './durations.ts'
import { gaugeKept } from './kept.ts'
import { beginSpan } from './spans.ts'
import { onStoreOperation } from './stores.ts'

/** Recorded on request only: it may contain data that only the two peers should read. */
export interface Recorded {
  /** The arguments of tool calls, as JSON. */
  arguments?: boolean
  /** The results of tool calls, as JSON. */
  results?: boolean
  /** The messages and stacks of errors. */
  errors?: boolean
}

export interface InstrumentOptions {
  /** Default: the global provider's for `@tenon/sdk`. */
  tracer?: Tracer
  /** Default: the global provider's for `@tenon/sdk`. */
  meter?: Meter
  /** Default: none. */
  record?: Recorded
}

const scope = '@tenon/sdk'

/**
 * Records spans and metrics of all servers and clients of this process, by OpenTelemetry's conventions for MCP, and
 * propagates traces between the two. Returns the undo.
 *
 * @example const stop = instrument()
 */
export function instrument({ tracer, meter, record = {} }: InstrumentOptions = {}): () => void {
  const spans = tracer ?? trace.getTracer(scope, version)
  let durations: Durations | undefined
  let stopGauges: (() => void) | undefined
  // Created on first use: unlike tracers, meters do not wait for a provider that is set later.
  const measured = (): Durations => {
    durations ??= start(meter ?? metrics.getMeter(scope, version))
    return durations
  }
  const start = (used: Meter): Durations => {
    stopGauges = gaugeKept(used)
    return new Durations(used)
  }
  const stop = addObserver({
    begin: (event) => beginSpan(spans, event, record, (at) => measured().request(event, at)),
    connection: (event) => {
      if (event.phase === 'closed') measured().session(event)
    },
  })
  const stopStores = onStoreOperation((event) => measured().store(event))
  return () => {
    stop()
    stopStores()
    stopGauges?.()
  }
}
