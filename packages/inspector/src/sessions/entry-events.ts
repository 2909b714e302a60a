import { type HttpEvent, McpError, type Payload, type TrafficEvent, type TrafficRefusal } from '@tenon/sdk/client'
import type { Entry } from '../timeline/entry.ts'
import { type HttpExchange, stepsOf } from '../timeline/http-steps.ts'

/** An event for a recording. */
interface Event {
  at: number
  message?: TrafficEvent
  http?: HttpEvent
}

/** The event of a timeline entry. */
export function eventsOf({ id, kind, from, at, text, rpcId, status, durationMs, pair }: Entry): Event[] {
  if (kind === 'stderr' || kind === 'note') return []
  const kept: unknown = JSON.parse(text)
  if (kind === 'refused') {
    // The input is left out: secrets in it could not be told apart.
    const { input: _, ...refusal } = kept as TrafficRefusal['refusal'] & { input?: unknown }
    return [{ at, message: { from, at, refusal } }]
  }
  if (kind === 'http')
    return stepsOf(kept as HttpExchange, id, at).map((step) => ({ at: step.at, http: toEvent(step) }))
  const said: Event = { at, message: { from, at, payload: kept as Payload } }
  // A cancellation that was sent is a message of its own; to record it twice does no harm.
  if (kind !== 'request' || rpcId === undefined || pair !== undefined || durationMs === undefined) return [said]
  const error = new McpError(
    status === 'cancelled' ? 'cancelled' : 'closed',
    status === 'cancelled' ? 'It was cancelled' : 'No answer came',
  )
  const ended = at + durationMs
  return [said, { at: ended, message: { from, at: ended, failure: { id: rpcId, error } } }]
}

const toEvent = ({ error, ...step }: ReturnType<typeof stepsOf>[number]): HttpEvent => ({
  ...step,
  ...(error !== undefined && { error: new Error(error) }),
})
