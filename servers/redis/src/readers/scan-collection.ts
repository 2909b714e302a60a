import { measure } from '../collection.ts'
import type { Database } from '../database.ts'
import { checkPattern } from '../glob.ts'
import { Room } from '../room.ts'
import { type ScanPage, scanArguments, scanPage } from '../scan.ts'
import { inPairs } from './in-pairs.ts'

const scans = { HSCAN: 'HLEN', SSCAN: 'SCARD' } as const
const maxMs = 5_000

export interface CollectionScan {
  readonly pattern: string
  readonly cursor?: string | undefined
  readonly limit: number
  readonly signal: AbortSignal
}

/** One page of a hash or a set: lists of one or two elements of the answer. */
export async function scanCollection(
  database: Database,
  command: keyof typeof scans,
  key: Buffer,
  { pattern, cursor, limit, signal }: CollectionScan,
): Promise<ScanPage<readonly Buffer[]> & { length: number }> {
  const { length, perStep } = await measure(database, scans[command], key)
  const { maxValue, maxResult } = database.settings
  const match = checkPattern(pattern)
  const end = performance.now() + maxMs
  const page = await scanPage<readonly Buffer[]>({
    step: (at, count) => {
      signal.throwIfAborted()
      return database.send(command, key, at, ...scanArguments(match, count))
    },
    read: command === 'SSCAN' ? (elements) => elements.map((element) => [element]) : inPairs,
    sizeOf: (item) => item.reduce((sum, { length }) => sum + Math.min(length, maxValue) + 40, 0),
    room: new Room(limit, maxResult),
    cursor,
    maxCount: perStep,
    isOver: () => performance.now() > end,
  })
  return { ...page, length }
}
