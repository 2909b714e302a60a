import { ToolError } from '@tenon/sdk/server'
import type { Argument, Reply } from './commands.ts'
import type { Room } from './room.ts'

/** One answer of SCAN, HSCAN, SSCAN or ZSCAN. */
export type ScanStep = (cursor: string, count: number) => Promise<Reply>

export interface ScanOptions<T> {
  readonly step: ScanStep
  /** Makes items of the elements of an answer. */
  readonly read: (elements: readonly Buffer[]) => readonly T[]
  readonly sizeOf: (item: T) => number
  readonly room: Room
  /** The `nextCursor` of the page before. */
  readonly cursor: string | undefined
  /** Most elements that Redis may look at for one answer. */
  readonly maxCount: number
  /** True if the page must end here, whatever it holds. */
  readonly isOver: () => boolean
  readonly onStep?: (elements: number) => unknown
}

export interface ScanPage<T> {
  readonly items: T[]
  readonly nextCursor?: string
}

const minCount = 10

/** Redis ends an answer with a whole bucket, so it may have a few elements more than it was asked for. */
const spareItems = 32

/**
 * One page of a scan. The elements of an answer are taken whole where they fit, since only cursors of Redis keep its promise
 * that nothing is missed. Small collections come in one answer, however many were asked for: the page then ends in the
 * middle of it, and the cursor has the place behind a colon.
 */
export async function scanPage<T>(options: ScanOptions<T>): Promise<ScanPage<T>> {
  const { step, read, sizeOf, room, maxCount, isOver, onStep } = options
  let { at, skip } = readCursor(options.cursor)
  let count = Math.min(Math.max(room.items, minCount), maxCount)
  const items: T[] = []
  for (;;) {
    const [next, elements] = (await step(at, count)) as readonly [Buffer, readonly Buffer[]]
    onStep?.(count)
    const found = read(elements)
    const fresh = found.slice(skip)
    const taken = takeFrom(fresh, room, sizeOf)
    for (const item of fresh.slice(0, taken)) items.push(item)
    if (taken < fresh.length) return { items, nextCursor: `${at}:${skip + taken}` }
    skip = Math.max(0, skip - found.length)
    at = next.toString()
    if (at === '0') return { items }
    if (room.isFull || isOver()) return { items, nextCursor: skip > 0 ? `${at}:${skip}` : at }
    // Where few elements are hits, Redis looks at more of them for one answer.
    const share = Math.max(found.length, 1) / count
    count = Math.min(Math.max(Math.ceil(room.items / Math.min(share, 1)), minCount), maxCount)
  }
}

/** How many of the items the page takes: all of them, even a few too many, or as many as fit. */
function takeFrom<T>(items: readonly T[], room: Room, sizeOf: (item: T) => number): number {
  const bytes = items.reduce((sum, item) => sum + sizeOf(item), 0)
  if (items.length <= room.items + spareItems && room.takeAll(bytes, items.length)) return items.length
  let taken = 0
  while (taken < items.length && room.take(sizeOf(items[taken]!))) taken++
  return taken
}

function readCursor(cursor = '0'): { at: string; skip: number } {
  const [, at, skip = '0'] = /^(\d{1,20})(?::(\d{1,9}))?$/.exec(cursor) ?? []
  if (at === undefined) throw new ToolError('The cursor is not one of this tool: pass nextCursor of the page before.')
  return { at, skip: Number(skip) }
}

/** The arguments of a scan behind its cursor. */
export const scanArguments = (pattern: string | undefined, count: number): Argument[] => [
  ...(pattern === undefined || pattern === '*' ? [] : ['MATCH', pattern]),
  ...['COUNT', count],
]
