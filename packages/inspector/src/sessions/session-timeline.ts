import type { Session } from '@tenon/replay'
import { Timeline } from '../timeline/timeline.ts'

/** The messages of a session, to be looked through as those of a connection are. */
export function timelineOf({ events }: Session): Timeline {
  const timeline = new Timeline({ nameOf: () => '' }, () => {})
  let connection = 1
  for (const event of events) {
    const where = { server: '', connection }
    if (event.kind === 'message') timeline.add({ ...where, from: event.from, at: event.at, payload: event.payload })
    else if (event.kind === 'refused') {
      timeline.addRefusal({ ...where, from: event.from, at: event.at, refusal: event.refusal })
    } else if (event.kind === 'http') timeline.addHttp({ ...where, step: { ...event.http, at: event.at } })
    else if (event.kind === 'opened') connection += 1
  }
  timeline.lost('', connection, events.at(-1)?.at ?? 0)
  return timeline
}
