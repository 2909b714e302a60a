import { measure } from '../collection.ts'
import type { Database } from '../database.ts'
import { Room } from '../room.ts'
import { type ShownValue, show } from '../value.ts'

export interface ListPage {
  readonly length: number
  readonly start: number
  readonly items: ShownValue[]
  /** Where the next page begins. */
  readonly next?: number
}

interface ListRange {
  readonly start: number
  readonly limit: number
  readonly signal: AbortSignal
}

/** One page of a list. */
export async function readList(database: Database, key: Buffer, range: ListRange): Promise<ListPage> {
  const { length, perStep } = await measure(database, 'LLEN', key)
  const start = range.start < 0 ? Math.max(0, length + range.start) : range.start
  const items = await readItems(database, key, { ...range, start }, perStep)
  const end = start + items.length
  return { length, start, items, ...(end < length && items.length > 0 && { next: end }) }
}

async function readItems(database: Database, key: Buffer, range: ListRange, perStep: number): Promise<ShownValue[]> {
  const { start, limit, signal } = range
  const { maxValue, maxResult } = database.settings
  const room = new Room(limit, maxResult)
  const items: ShownValue[] = []
  for (;;) {
    signal.throwIfAborted()
    const from = start + items.length
    const count = Math.min(perStep, limit - items.length)
    const some = (await database.send('LRANGE', key, from, from + count - 1)) as readonly Buffer[]
    const fitting = some.findIndex((item) => !room.take(Math.min(item.length, maxValue) + 40))
    for (const item of fitting < 0 ? some : some.slice(0, fitting)) items.push(show(item, maxValue))
    if (fitting >= 0 || some.length < count || items.length >= limit) return items
  }
}
