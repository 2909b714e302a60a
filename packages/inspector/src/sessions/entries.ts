import type { Entry } from '../timeline/entry.ts'
import type { Timeline } from '../timeline/timeline.ts'

/** The entries of a server in the timeline, without those of connections beside the shown one. */
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

/** How a connection began: the handshake, and the lists of the server. */
export function* connectionBeginning(timeline: Timeline, server: string, connection: number): Generator<Entry> {
  for (const entry of timeline.all('')) {
    if (entry.server === server && entry.connection === connection && opening.has(entry.method)) yield entry
  }
}
