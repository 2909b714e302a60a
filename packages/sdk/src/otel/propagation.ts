import {
  type Context,
  createTraceState,
  isSpanContextValid,
  propagation,
  type SpanContext,
  trace,
} from '@opentelemetry/api'
import { readTraceContext, type TraceContext } from '../telemetry/trace-context.ts'

/** A context with the parent and the baggage of a request. */
export function extract(base: Context, carried: TraceContext | undefined): Context {
  if (carried === undefined) return base
  const extracted = propagation.extract(trace.deleteSpan(base), { ...carried })
  // The protocol fixes the keys, in any propagation format of this process.
  const parent = trace.getSpanContext(extracted) ?? spanContextOf(carried)
  return parent === undefined ? keepSpan(extracted, base) : trace.setSpanContext(extracted, parent)
}

/** The trace context to send with a request that is made in a context. */
export function inject(context: Context): TraceContext | undefined {
  const carrier: { [key: string]: unknown } = {}
  propagation.inject(context, carrier)
  const current = trace.getSpanContext(context)
  if (carrier.traceparent === undefined && current !== undefined && isSpanContextValid(current)) {
    const { traceId, spanId, traceFlags, traceState } = current
    carrier.traceparent = `00-${traceId}-${spanId}-${(traceFlags & 0xff).toString(16).padStart(2, '0')}`
    carrier.tracestate = traceState?.serialize()
  }
  return readTraceContext(carrier)
}

/** Baggage alone does not take a request out of its trace. */
function keepSpan(context: Context, base: Context): Context {
  const span = trace.getSpan(base)
  return span === undefined ? context : trace.setSpan(context, span)
}

function spanContextOf({ traceparent, tracestate }: TraceContext): SpanContext | undefined {
  if (traceparent === undefined) return undefined
  const [, traceId, spanId, flags] = traceparent.split('-') as [string, string, string, string]
  return {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & 1,
    isRemote: true,
    ...(tracestate !== undefined && { traceState: createTraceState(tracestate) }),
  }
}
