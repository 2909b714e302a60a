import type { Session } from '@tenon/replay'
import { Timeline } from '../timeline/timeline.ts'

/** The messages of a session, to be looked through as those of a connection are. */
export function timelineOf({ events }: Session): Timeline {
  const timeline = new Timeline({ nameOf: () => '' }, () => {})
  let connection = 1
  for (const event of events) {
    const where = { server: '', connection }
    if (event.kind === 'message') {
      const { from, at, payload, during } = event
      timeline.add({ ...where, from, at, payload, ...(during !== undefined && { during }) })
    } else if (event.kind === 'unanswered') {
      timeline.unanswered({
        ...where,
        from: event.from,
        at: event.at,
        id: event.id,
        status: event.cancelled ? 'cancelled' : 'lost',
        ...(typeof event.reason === 'string' && { reason: event.reason }),
      })
    } else if (event.kind === 'stderr' || event.kind === 'note') {
      for (const text of linesIn(event.text)) timeline.addText({ ...where, at: event.at, kind: event.kind, text })
    } else if (event.kind === 'refused') {
      timeline.addRefusal({ ...where, from: event.from, at: event.at, refusal: event.refusal })
    } else if (event.kind === 'http') timeline.addHttp({ ...where, step: { ...event.http, at: event.at } })
    else if (event.kind === 'opened') {
      // Ids begin anew: nothing that comes can answer what was asked before.
      timeline.lost('', connection, event.at)
      connection += 1
    }
  }
  timeline.lost('', connection, events.at(-1)?.at ?? 0)
  return timeline
}

/** What was written at once may be many lines, and each is looked for on its own. */
const linesIn = (text: string): string[] => text.split(/\r?\n/).filter((line) => line !== '')
