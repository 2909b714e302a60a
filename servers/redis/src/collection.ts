import type { CommandName } from './commands.ts'
import type { Database } from './database.ts'

/** Bytes that one answer of Redis should have at most. A single large item may have more. */
const bytesPerStep = 4_000_000
const mostPerStep = 1_000

export interface Collection {
  /** Items; 0 if there is no such key. */
  readonly length: number
  /** Items to ask for at once. */
  readonly perStep: number
}

/** The length of a collection, and how many of its items fit into an answer, by the size of a few of them. */
export async function measure(database: Database, length: CommandName, key: Buffer): Promise<Collection> {
  const [items, memory] = await Promise.all([
    database.send(length, key),
    // A user of Redis may lack the right to ask.
    database.send('MEMORY USAGE', key, 'SAMPLES', 20).catch(() => null),
  ])
  const count = Number(items)
  const average = memory === null ? 10_000 : Number(memory) / Math.max(count, 1)
  return { length: count, perStep: Math.min(Math.max(Math.floor(bytesPerStep / average), 1), mostPerStep) }
}
