import { isObject } from '../jsonrpc/classify.ts'
import type { JsonObject } from '../jsonrpc/message.ts'

/** The place of a request in a trace, as `_meta` carries it: W3C Trace Context and W3C Baggage. */
export interface TraceContext {
  readonly traceparent?: string
  readonly tracestate?: string
  readonly baggage?: string
}

const maxParentLength = 256
// The least that the two specifications require everyone to pass on; longer values are not spread.
const maxStateLength = 512
const maxBaggageLength = 8_192

const parentForm = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-[\x21-\x7e]*)?$/
const printable = /^[\x20-\x7e]+$/

/** The trace context in the `_meta` of a request. Malformed or overlong values count as absent. */
export function readTraceContext(meta: unknown): TraceContext | undefined {
  if (!isObject(meta)) return undefined
  const traceparent = isTraceparent(meta.traceparent) ? meta.traceparent : undefined
  // The state only refines the parent, so it means nothing without one.
  const tracestate = traceparent !== undefined && isText(meta.tracestate, maxStateLength) ? meta.tracestate : undefined
  const baggage = isText(meta.baggage, maxBaggageLength) ? meta.baggage : undefined
  if (traceparent === undefined && baggage === undefined) return undefined
  return {
    ...(traceparent !== undefined && { traceparent }),
    ...(tracestate !== undefined && { tracestate }),
    ...(baggage !== undefined && { baggage }),
  }
}

/** Params with a trace context in their `_meta`, unless they have one already. */
export function withTraceContext(params: JsonObject, trace: TraceContext | undefined): JsonObject {
  const added = readTraceContext(trace)
  if (added === undefined) return params
  const given = isObject(params._meta) ? params._meta : {}
  const isTraced = Object.hasOwn(given, 'traceparent') || Object.hasOwn(given, 'tracestate')
  const { traceparent, tracestate, baggage } = added
  const _meta = {
    ...(!isTraced && traceparent !== undefined && { traceparent }),
    ...(!isTraced && tracestate !== undefined && { tracestate }),
    ...(baggage !== undefined && { baggage }),
    ...given,
  }
  return { ...params, _meta }
}

function isTraceparent(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > maxParentLength || !parentForm.test(value)) return false
  // Only later versions may be longer.
  return value.length === 55 || !value.startsWith('00')
}

const isText = (value: unknown, maxLength: number): value is string =>
  typeof value === 'string' && value.length <= maxLength && printable.test(value)
