import { measure } from '../collection.ts'
import type { Database } from '../database.ts'
import { Room } from '../room.ts'
import { readEntries, type StreamEntry, sizeOfEntry } from './stream-entry.ts'

export interface StreamRange {
  readonly start?: string | undefined
  readonly end?: string | undefined
  readonly limit: number
  readonly reverse: boolean
}

export interface StreamPage {
  readonly length: number
  readonly entries: StreamEntry[]
  /** Where the next page begins. */
  readonly next?: string
}

/** One page of a stream. */
export async function readStream(database: Database, key: Buffer, range: StreamRange): Promise<StreamPage> {
  const { start, end, limit, reverse } = range
  const { maxValue, maxResult } = database.settings
  const { length, perStep } = await measure(database, 'XLEN', key)
  const count = Math.min(limit, perStep)
  const [from, to] = reverse ? [start ?? '+', end ?? '-'] : [start ?? '-', end ?? '+']
  const reply = await database.send(reverse ? 'XREVRANGE' : 'XRANGE', key, from, to, 'COUNT', count)
  const found = readEntries(reply, maxValue)
  const room = new Room(limit, maxResult)
  const fitting = found.findIndex((entry) => !room.take(sizeOfEntry(entry)))
  const entries = fitting < 0 ? found : found.slice(0, fitting)
  const isEnd = entries.length === found.length && found.length < count
  return { length, entries, ...(!isEnd && { next: `(${entries.at(-1)!.id}` }) }
}
