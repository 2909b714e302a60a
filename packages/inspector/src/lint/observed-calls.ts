import type { ObservedCall } from '@tenon/host/lint'
import type { Call } from '../protocol.ts'
import type { Entry } from '../timeline/entry.ts'
import type { Timeline } from '../timeline/timeline.ts'

const maxCalls = 50
const maxRows = 1_000

/** The tool calls of a server that have ended, with the notifications that came while only they ran. */
export function observedCalls(calls: readonly Call[], server: string, timeline: Pick<Timeline, 'get'>): ObservedCall[] {
  return calls
    .filter((call) => call.server === server)
    .slice(-maxCalls)
    .flatMap(({ operation, outcome, sent }) => {
      if (operation.method !== 'tools/call' || outcome?.kind !== 'result') return []
      const notifications = sent === undefined ? [] : during(sent.row, timeline)
      return [{ tool: operation.name, result: outcome.result, notifications }]
    })
}

/** The notifications between a request and its answer; none if another request of that time may be their cause. */
function during(row: number, timeline: Pick<Timeline, 'get'>): string[] {
  const request = timeline.get(row)
  const end = request?.pair
  if (request === undefined || end === undefined || end - row > maxRows) return []
  const methods: string[] = []
  for (let id = row + 1; id < end; id++) {
    const entry = timeline.get(id)
    if (entry === undefined || !isSameConnection(entry, request)) continue
    if (entry.kind === 'request' && entry.from === 'client') return []
    if (entry.kind === 'notification' && entry.from === 'server') methods.push(entry.method)
  }
  return methods
}

const isSameConnection = (entry: Entry, other: Entry): boolean =>
  entry.server === other.server && entry.connection === other.connection
