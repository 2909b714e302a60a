import type { ConnectOptions, HttpEvent } from '@tenon/sdk/client'
import type { Sessions } from '../sessions/sessions.ts'
import type { HttpStep } from '../timeline/http-steps.ts'
import type { Timeline } from '../timeline/timeline.ts'

/** The options that take down every message and every HTTP request of a connection. */
export function watchTraffic(
  server: string,
  connection: number,
  timeline: Timeline,
  sessions: Sessions,
): ConnectOptions {
  // What is said beside the connection that is shown is no part of its recording.
  const isShown = connection > 0
  return {
    onMessage: (event) => {
      const { from, payload, refusal, at } = event
      if (refusal === undefined) timeline.add({ server, connection, from, at, payload })
      else timeline.addRefusal({ server, connection, from, at, refusal })
      if (isShown) sessions.message(server, connection, event)
    },
    onHttp: (event) => {
      timeline.addHttp({ server, connection, step: toStep(event) })
      if (isShown) sessions.http(server, connection, event)
    },
  }
}

/** An event as it can be kept: an error in it as its words. */
const toStep = ({ error, ...event }: HttpEvent): HttpStep => ({
  ...event,
  ...(error !== undefined && { error: error.message }),
})
