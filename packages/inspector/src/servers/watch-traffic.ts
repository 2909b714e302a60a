import type { ConnectOptions, HttpEvent } from '@tenon/sdk/client'
import type { HttpStep } from '../timeline/http-steps.ts'
import type { Timeline } from '../timeline/timeline.ts'

/** The options that take down every message and every HTTP request of a connection. */
export function watchTraffic(server: string, connection: number, timeline: Timeline): ConnectOptions {
  return {
    onMessage: ({ from, payload, refusal, at }) => {
      if (refusal === undefined) timeline.add({ server, connection, from, at, payload })
      else timeline.addRefusal({ server, connection, from, at, refusal })
    },
    onHttp: (event) => timeline.addHttp({ server, connection, step: toStep(event) }),
  }
}

/** An event as it can be kept: an error in it as its words. */
const toStep = ({ error, ...event }: HttpEvent): HttpStep => ({
  ...event,
  ...(error !== undefined && { error: error.message }),
})
