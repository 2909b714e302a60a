import { z } from 'zod'
import { measure } from '../collection.ts'
import type { Database } from '../database.ts'
import { Room } from '../room.ts'
import { type ShownValue, show } from '../value.ts'
import { inPairs } from './in-pairs.ts'

/** JSON has no infinite numbers. */
export type Score = number | 'inf' | '-inf'

export const score: z.ZodType<Score> = z.union([z.number(), z.enum(['inf', '-inf'])])

export function readScore(bytes: Buffer): Score {
  const text = bytes.toString()
  return text === 'inf' || text === '-inf' ? text : Number(text)
}

export interface SortedSetRange {
  readonly start: number
  readonly limit: number
  readonly minScore?: Score | undefined
  readonly maxScore?: Score | undefined
  readonly reverse: boolean
}

export interface SortedSetPage {
  readonly length: number
  readonly members: (ShownValue & { score: Score })[]
  /** Where the next page begins. */
  readonly next?: number
}

/** One page of a sorted set, in the order of the scores. */
export async function readSortedSet(database: Database, key: Buffer, range: SortedSetRange): Promise<SortedSetPage> {
  const { start, limit, minScore, maxScore, reverse } = range
  const { maxValue, maxResult } = database.settings
  const { length, perStep } = await measure(database, 'ZCARD', key)
  const count = Math.min(limit, perStep)
  const [low, high] = [minScore ?? '-inf', maxScore ?? 'inf']
  const order = reverse ? [high, low, 'BYSCORE', 'REV'] : [low, high, 'BYSCORE']
  const reply = await database.send('ZRANGE', key, ...order, 'LIMIT', start, count, 'WITHSCORES')
  const room = new Room(limit, maxResult)
  const found = inPairs(reply as readonly Buffer[])
  const fitting = found.findIndex(([member]) => !room.take(Math.min(member.length, maxValue) + 60))
  const taken = fitting < 0 ? found : found.slice(0, fitting)
  const members = taken.map(([member, score]) => ({ ...show(member, maxValue), score: readScore(score) }))
  const isEnd = members.length === found.length && found.length < count
  return { length, members, ...(!isEnd && { next: start + members.length }) }
}
