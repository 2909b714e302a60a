import {
  type Attributes,
  type Context,
  context,
  type Link,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { isObject } from '../jsonrpc/classify.ts'
import type { RequestEvent } from '../telemetry/events.ts'
import type { Observation, Outcome } from '../telemetry/watch.ts'
import { addError, addName, addTransport, bounded, isIncoming, isNameKnown, methodOf } from './attributes.ts'
import type { Recorded } from './instrument.ts'
import { extract, inject } from './propagation.ts'

const maxRecorded = 16_384

/** Begins the span of a request, which runs in its context. `measure` is called when it is over. */
export function beginSpan(
  tracer: Tracer,
  event: RequestEvent,
  record: Recorded,
  measure: (at: Context) => void,
): Observation {
  const incoming = isIncoming(event.kind)
  const active = context.active()
  const parent = incoming ? parentOf(event, active) : active
  const span = tracer.startSpan(
    spanName(event),
    {
      kind: incoming ? SpanKind.SERVER : SpanKind.CLIENT,
      attributes: startAttributes(event, record),
      ...(parent !== active && { links: linksTo(trace.getSpan(active), trace.getSpan(parent)) }),
    },
    parent,
  )
  const inside = trace.setSpan(parent, span)
  // Without tracing, the context that a server received is still passed on.
  if (!incoming) event.trace = inject(inside) ?? event.trace
  return {
    run: (request) => context.with(inside, request),
    ended: (outcome) => {
      if (span.isRecording()) describeEnd(span, event, outcome, record)
      span.end()
      measure(inside)
    },
  }
}

/** A request of the server on an open connection has nothing to do with the context in which that was opened. */
const parentOf = ({ kind, trace: carried }: RequestEvent, active: Context): Context =>
  extract(kind === 'client.answer' ? ROOT_CONTEXT : active, carried)

/** The span that was active when a request arrived, such as that of an HTTP request, unless it is the parent. */
function linksTo(ambient: Span | undefined, parent: Span | undefined): Link[] {
  const found = ambient?.spanContext()
  if (found === undefined || found.spanId === parent?.spanContext().spanId) return []
  return [{ context: found }]
}

/** URIs are too many to be part of a name. */
function spanName(event: RequestEvent): string {
  const method = methodOf(event)
  return event.name === undefined || !isNameKnown(event) ? method : bounded(`${method} ${event.name}`)
}

function startAttributes(event: RequestEvent, record: Recorded): Attributes {
  const { method, id, uri, session } = event
  const attributes: Attributes = { 'mcp.method.name': bounded(method), 'jsonrpc.request.id': bounded(String(id)) }
  addName(attributes, event)
  if (uri !== undefined) attributes['mcp.resource.uri'] = bounded(uri)
  if (session !== undefined) attributes['mcp.session.id'] = session
  addTransport(attributes, event)
  if (record.arguments === true && method === 'tools/call') addArguments(attributes, event)
  return attributes
}

function addArguments(attributes: Attributes, { params }: RequestEvent): void {
  if (isObject(params)) attributes['gen_ai.tool.call.arguments'] = asJson(params.arguments ?? {})
}

function describeEnd(span: Span, event: RequestEvent, outcome: Outcome, record: Recorded): void {
  const { errorType, method, revision } = event
  const { result, thrown } = { result: undefined, thrown: undefined, ...outcome }
  if (errorType !== undefined) {
    const attributes: Attributes = {}
    addError(attributes, event)
    span.setAttributes(attributes)
    span.updateName(spanName(event))
    const message = thrown instanceof Error && record.errors === true ? thrown.message : undefined
    span.setStatus({ code: SpanStatusCode.ERROR, ...(message !== undefined && { message }) })
    if (record.errors === true && thrown instanceof Error) span.recordException(thrown)
  }
  if (method === 'initialize' && revision !== undefined) span.setAttribute('mcp.protocol.version', revision)
  if (record.results === true && method === 'tools/call' && isObject(result)) {
    span.setAttribute('gen_ai.tool.call.result', asJson(result.structuredContent ?? result.content ?? null))
  }
}

/** Never throws: a value that JSON cannot write is not recorded. */
function asJson(value: unknown): string {
  try {
    return (JSON.stringify(value) ?? '').slice(0, maxRecorded)
  } catch {
    return ''
  }
}
