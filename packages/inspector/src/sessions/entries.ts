import type { Entry } from '../timeline/entry.ts'
import type { Timeline } from '../timeline/timeline.ts'

/** What the timeline holds of a server, without what was said beside the connection that is shown. */
export function* entriesOf(timeline: Timeline, server: string): Generator<Entry> {
  for (const entry of timeline.all('')) if (entry.server === server && entry.connection > 0) yield entry
}

const opening: ReadonlySet<string> = new Set([
  'initialize',
  'notifications/initialized',
  'server/discover',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'prompts/list',
])

/** How a connection began: what two sides said to get to know each other, and what the server offers. */
export function* connectionBeginning(timeline: Timeline, server: string, connection: number): Generator<Entry> {
  for (const entry of timeline.all('')) {
    if (entry.server === server && entry.connection === connection && opening.has(entry.method)) yield entry
  }
}
