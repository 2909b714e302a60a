import { type Meter, metrics, type Tracer, trace } from '@opentelemetry/api'
import { addObserver } from '../telemetry/watch.ts'
import { version } from '../version.ts'
import { Durations } from './durations.ts'
import { gaugeKept } from './kept.ts'
import { traceRequest } from './spans.ts'

/** What is recorded only if asked for: it may hold what nobody but the two sides should read. */
export interface Recorded {
  /** The arguments of tool calls, as JSON. */
  arguments?: boolean
  /** The results of tool calls, as JSON. */
  results?: boolean
  /** The messages and stacks of errors. */
  errors?: boolean
}

export interface InstrumentOptions {
  /** Default: the one that the global provider has for `@tenon/sdk`. */
  tracer?: Tracer
  /** Default: the one that the global provider has for `@tenon/sdk`. */
  meter?: Meter
  /** Default: nothing of it. */
  record?: Recorded
}

const scope = '@tenon/sdk'

/**
 * Records spans and metrics of all servers and clients of this process, by OpenTelemetry's conventions for MCP, and lets
 * traces go on from one side to the other. Returns the undo.
 *
 * @example
 * const stop = instrument()
 */
export function instrument({ tracer, meter, record = {} }: InstrumentOptions = {}): () => void {
  const spans = tracer ?? trace.getTracer(scope, version)
  let durations: Durations | undefined
  let stopGauges: (() => void) | undefined
  // When first used: unlike tracers, meters do not wait for a provider that is set later.
  const measured = (): Durations => {
    durations ??= start(meter ?? metrics.getMeter(scope, version))
    return durations
  }
  const start = (used: Meter): Durations => {
    stopGauges = gaugeKept(used)
    return new Durations(used)
  }
  const stop = addObserver({
    request: (event, run) => traceRequest(spans, event, run, record, (at) => measured().request(event, at)),
    connection: (event) => {
      if (event.phase === 'closed') measured().session(event)
    },
  })
  return () => {
    stop()
    stopGauges?.()
  }
}
