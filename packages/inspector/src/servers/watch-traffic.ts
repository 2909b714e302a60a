import { type ConnectOptions, type HttpEvent, isMcpError, type RefusedInput } from '@tenon/sdk/client'
import type { Sessions } from '../sessions/sessions.ts'
import type { HttpStep } from '../timeline/http-steps.ts'
import type { Timeline, Unanswered } from '../timeline/timeline.ts'

/** Where messages are kept. */
interface TrafficPlaces {
  timeline: Timeline
  sessions: Sessions
  /** Called with the row of each message to the server, in the course of the call that sends it. */
  sent(row: number): void
}

/** The options that record every message and every HTTP request of a connection. */
export function watchTraffic(
  server: string,
  connection: number,
  { timeline, sessions, sent }: TrafficPlaces,
): ConnectOptions {
  // Messages of other connections are no part of the recording.
  const isShown = connection > 0
  return {
    onMessage: (event) => {
      const { from, at } = event
      const about = { server, connection, from, at }
      if (event.failure !== undefined) {
        const { id, error } = event.failure
        // A connection that broke may be made again under the same name, with ids that begin anew.
        if (id === undefined) timeline.lost(server, connection, at)
        else timeline.unanswered({ ...about, ...inputOf(event), id, status: endOf(error), reason: error.message })
      } else if (event.refusal !== undefined)
        timeline.addRefusal({ ...about, ...inputOf(event), refusal: event.refusal })
      else {
        const { payload, text, during } = event
        const more = { ...(text !== undefined && { text }), ...(during !== undefined && { during }) }
        const row = timeline.add({ ...about, payload, ...more })
        if (from === 'client') sent(row)
      }
      if (isShown) sessions.message(server, connection, event)
    },
    onHttp: (event) => {
      timeline.addHttp({ server, connection, step: toStep(event) })
      if (isShown) sessions.http(server, connection, event)
    },
  }
}

const inputOf = ({ input }: { input?: RefusedInput }): { input?: RefusedInput } =>
  input === undefined ? {} : { input }

/** Why a request has no answer: it was cancelled, the connection broke, or it was refused. */
function endOf(error: Error): Unanswered['status'] {
  return (isMcpError(error) && ends.get(error.code)) || 'error'
}

const ends: ReadonlyMap<string, Unanswered['status']> = new Map([
  ['cancelled', 'cancelled'],
  ['closed', 'lost'],
  ['invalid_result', 'refused'],
  ['too_large', 'refused'],
])

/** An event as it can be kept: an error in it as its words. */
const toStep = ({ error, ...event }: HttpEvent): HttpStep => ({
  ...event,
  ...(error !== undefined && { error: error.message }),
})
