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
import {
  bounded,
  errorAttributes,
  isIncoming,
  isNameKnown,
  methodOf,
  nameAttributes,
  transportAttributes,
} from './attributes.ts'
import type { Recorded } from './instrument.ts'
import { extract, inject } from './propagation.ts'

const maxRecorded = 16_384

/** Runs a request in a span of its own. `measure` is called when it is over. */
export function traceRequest<T>(
  tracer: Tracer,
  event: RequestEvent,
  run: () => Promise<T>,
  record: Recorded,
  measure: (at: Context) => void,
): Promise<T> {
  const incoming = isIncoming(event.kind)
  const parent = incoming ? parentOf(event) : context.active()
  const span = tracer.startSpan(
    spanName(event),
    {
      kind: incoming ? SpanKind.SERVER : SpanKind.CLIENT,
      attributes: startAttributes(event, record),
      links: incoming ? linksTo(trace.getSpan(context.active()), trace.getSpan(parent)) : [],
    },
    parent,
  )
  const inside = trace.setSpan(parent, span)
  // Without tracing, the context that a server received is still passed on.
  if (!incoming) event.trace = inject(inside) ?? event.trace
  const finish = (settled: { result?: T; thrown?: unknown }): void => {
    finishSpan(span, event, settled, record)
    measure(inside)
  }
  return context.with(inside, run).then(
    (result) => {
      finish({ result })
      return result
    },
    (thrown: unknown) => {
      finish({ thrown })
      throw thrown
    },
  )
}

/** A request of the server on an open connection has nothing to do with the context in which that was opened. */
const parentOf = ({ kind, trace: carried }: RequestEvent): Context =>
  extract(kind === 'client.answer' ? ROOT_CONTEXT : context.active(), carried)

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
  return {
    'mcp.method.name': bounded(method),
    'jsonrpc.request.id': bounded(String(id)),
    ...nameAttributes(event),
    ...(uri !== undefined && { 'mcp.resource.uri': bounded(uri) }),
    ...(session !== undefined && { 'mcp.session.id': session }),
    ...transportAttributes(event),
    ...(record.arguments === true && method === 'tools/call' && toolArguments(event)),
  }
}

function toolArguments({ params }: RequestEvent): Attributes {
  return isObject(params) ? { 'gen_ai.tool.call.arguments': asJson(params.arguments ?? {}) } : {}
}

function finishSpan(
  span: Span,
  event: RequestEvent,
  { result, thrown }: { result?: unknown; thrown?: unknown },
  record: Recorded,
): void {
  const { errorType, method, revision } = event
  if (errorType !== undefined) {
    span.setAttributes(errorAttributes(event))
    span.updateName(spanName(event))
    const message = thrown instanceof Error && record.errors === true ? thrown.message : undefined
    span.setStatus({ code: SpanStatusCode.ERROR, ...(message !== undefined && { message }) })
    if (record.errors === true && thrown instanceof Error) span.recordException(thrown)
  }
  if (method === 'initialize' && revision !== undefined) span.setAttribute('mcp.protocol.version', revision)
  if (record.results === true && method === 'tools/call' && isObject(result)) {
    span.setAttribute('gen_ai.tool.call.result', asJson(result.structuredContent ?? result.content ?? null))
  }
  span.end()
}

/** Never throws: a value that JSON cannot write is not recorded. */
function asJson(value: unknown): string {
  try {
    return (JSON.stringify(value) ?? '').slice(0, maxRecorded)
  } catch {
    return ''
  }
}
