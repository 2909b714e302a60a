import type { Session, SessionEvent } from '@tenon/replay'
import { Timeline } from '../timeline/timeline.ts'

/** How many messages and lines of a session are shown. */
export const maxEntries = 100_000

/** Whether there is more in a session than is shown of it. */
export function hasTooMuch({ events }: Session): boolean {
  let left = maxEntries
  for (const event of events) {
    left -= entriesIn(event, left + 1)
    if (left < 0) return true
  }
  return false
}

/** How many entries an event becomes, counted up to a limit. */
function entriesIn(event: SessionEvent, limit: number): number {
  if (event.kind === 'message') return Array.isArray(event.payload) ? event.payload.length : 1
  return event.kind === 'stderr' || event.kind === 'note' ? linesIn(event.text, limit).length : 1
}

/** The messages of a session, to be looked through as those of a connection are: as many as are shown. */
export function timelineOf({ events }: Session): Timeline {
  const timeline = new Timeline({ nameOf: () => '' }, () => {})
  let connection = 1
  let left = maxEntries
  for (const event of events) {
    if (left <= 0) break
    const room = left
    left -= entriesIn(event, left)
    const where = { server: '', connection }
    if (event.kind === 'message') {
      const { from, at, during } = event
      const payload = Array.isArray(event.payload) ? event.payload.slice(0, room) : event.payload
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
      for (const text of linesIn(event.text, room)) timeline.addText({ ...where, at: event.at, kind: event.kind, text })
    } else if (event.kind === 'refused') {
      timeline.addRefusal({ ...where, from: event.from, at: event.at, refusal: event.refusal })
    } else if (event.kind === 'http') timeline.addHttp({ ...where, step: { ...event.http, at: event.at } })
    else if (event.kind === 'opened') {
      // Ids begin anew: no later message can answer an earlier request.
      timeline.lost('', connection, event.at)
      connection += 1
    }
  }
  timeline.lost('', connection, events.at(-1)?.at ?? 0)
  return timeline
}

/** One write may be many lines, and each is searched on its own. */
function linesIn(text: string, limit: number): string[] {
  const lines: string[] = []
  for (let start = 0; start < text.length && lines.length < limit; ) {
    const end = text.indexOf('\n', start)
    const line = text.slice(start, end === -1 ? text.length : end).replace(/\r$/, '')
    if (line !== '') lines.push(line)
    start = end === -1 ? text.length : end + 1
  }
  return lines
}
