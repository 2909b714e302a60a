import type { Database } from './database.ts'
import { checkPattern } from './glob.ts'
import { Room } from './room.ts'
import { type ScanPage, scanArguments, scanPage } from './scan.ts'

/** Longest name of a key that tools take and show. */
export const maxKeyBytes = 8_192

/** Redis answers others only between steps: this many keys take it a few milliseconds. */
const maxKeysPerStep = 10_000

export const keyTypes = ['string', 'hash', 'list', 'set', 'zset', 'stream'] as const

export interface KeyScan {
  readonly pattern: string
  readonly type?: (typeof keyTypes)[number] | undefined
  readonly cursor?: string | undefined
  readonly limit: number
  readonly signal: AbortSignal
  /** The page ends after this time even if nothing was found. */
  readonly maxMs?: number
  readonly onStep?: (keys: number) => unknown
}

export interface KeyPage extends ScanPage<Buffer> {
  /** Keys whose names are too long to be shown. */
  readonly tooLong: number
}

/** One page of the allowed keys that match. Redis may tell a key twice while it grows or shrinks its table. */
export async function scanKeys(database: Database, scan: KeyScan): Promise<KeyPage> {
  const { pattern, type, cursor, limit, signal, onStep, maxMs = 5_000 } = scan
  const { keyspace, settings } = database
  const match = keyspace.narrow(checkPattern(pattern))
  const end = performance.now() + maxMs
  let tooLong = 0
  const page = await scanPage<Buffer>({
    step: (at, count) => {
      signal.throwIfAborted()
      return database.send('SCAN', at, ...scanArguments(match, count), ...(type === undefined ? [] : ['TYPE', type]))
    },
    read: (elements) => {
      const allowed = keyspace.prefixes.length === 0 ? elements : elements.filter((key) => keyspace.allows(key))
      const short = allowed.filter((key) => key.length <= maxKeyBytes)
      tooLong += allowed.length - short.length
      return short
    },
    sizeOf: (key) => key.length + 3,
    room: new Room(limit, settings.maxResult),
    cursor,
    maxCount: maxKeysPerStep,
    isOver: () => performance.now() > end,
    ...(onStep && { onStep }),
  })
  return { ...page, tooLong }
}
