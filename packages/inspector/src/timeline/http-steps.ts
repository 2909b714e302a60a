import type { HttpEvent, HttpStreamEvent } from '@tenon/sdk/client'
import type { RowStatus } from '../protocol.ts'

/** A step of a request over HTTP. */
export interface HttpStep extends Omit<HttpEvent, 'error'> {
  error?: string
}

interface TimedEvent extends HttpStreamEvent {
  afterMs: number
}

interface HttpStream {
  events: number
  comments: number
  lastEventId?: string
  retryMs?: number
  latest: TimedEvent[]
}

/** A request over HTTP with all that came of it, as it is kept and shown. Times are counted from when it was sent. */
export interface HttpExchange {
  request: { method: HttpStep['method']; url: string; headers: HttpStep['headers']; bytes?: number }
  reply?: { status: number; headers: HttpStep['headers']; afterMs: number }
  /** The events of a stream: their number, and the last ones. */
  stream?: HttpStream
  end?: { phase: 'end' | 'failed'; afterMs: number; bytes?: number; aborted?: true; error?: string }
}

const maxEvents = 100

/** The exchange after one more step. */
export function withStep(known: HttpExchange | undefined, step: HttpStep, begin: number): HttpExchange {
  const { method, url, headers, status, bytes, error, aborted, phase } = step
  const exchange = known ?? { request: { method, url, headers, ...(bytes !== undefined && { bytes }) } }
  const afterMs = step.at - begin
  if (phase === 'reply') exchange.reply = { status: status ?? 0, headers, afterMs }
  if (phase === 'event' && step.event !== undefined) exchange.stream = withEvent(exchange, step.event, afterMs)
  if (phase === 'end' || phase === 'failed') {
    exchange.end = {
      phase,
      afterMs,
      ...(bytes !== undefined && { bytes }),
      ...(aborted && { aborted }),
      ...(error !== undefined && { error }),
    }
  }
  return exchange
}

function withEvent({ stream }: HttpExchange, event: HttpStreamEvent, afterMs: number): HttpStream {
  const known = stream ?? { events: 0, comments: 0, latest: [] }
  if (event.comment === undefined) known.events += 1
  else known.comments += 1
  if (event.id !== undefined) known.lastEventId = event.id
  if (event.retry !== undefined) known.retryMs = event.retry
  known.latest.push({ afterMs, ...event })
  if (known.latest.length > maxEvents) known.latest.shift()
  return known
}

export function statusOfExchange({ reply, end }: HttpExchange): RowStatus {
  if (end?.phase === 'failed') return end.aborted ? 'cancelled' : 'error'
  // A step of a request whose beginning was not seen.
  if (reply === undefined) return end === undefined ? 'pending' : end.aborted ? 'cancelled' : 'lost'
  return reply.status >= 400 ? 'error' : 'ok'
}

/** The steps of which an exchange was made, as far as they are kept. */
export function stepsOf(exchange: HttpExchange, id: number, begin: number): HttpStep[] {
  const { request, reply, stream, end } = exchange
  const { method, url, headers, bytes } = request
  const about = { id, method, url }
  const replied = { ...about, headers: reply?.headers ?? {}, ...(reply && { status: reply.status }) }
  const steps: HttpStep[] = [{ ...about, phase: 'request', headers, at: begin, ...(bytes !== undefined && { bytes }) }]
  if (reply !== undefined) steps.push({ ...replied, phase: 'reply', at: begin + reply.afterMs })
  for (const { afterMs, ...event } of stream?.latest ?? []) {
    steps.push({ ...replied, headers: {}, phase: 'event', event, at: begin + afterMs })
  }
  if (end !== undefined) {
    const { afterMs, ...rest } = end
    steps.push({ ...replied, ...rest, at: begin + afterMs })
  }
  return steps
}
