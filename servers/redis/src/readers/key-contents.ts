import type { ResourceReturn } from '@tenon/sdk/server'
import { z } from 'zod'
import type { Database } from '../database.ts'
import { typeOf } from '../key-info.ts'
import { isText } from '../value.ts'
import { readHash } from './hash.ts'
import { readList } from './list.ts'
import { readSet } from './set.ts'
import { readSortedSet } from './sorted-set.ts'
import { readStream } from './stream.ts'
import { readString } from './string.ts'

const limit = 500

/** The contents of a key as a resource: a string as it is, anything else as a page in JSON. Nothing if it is missing. */
export async function readKeyContents(
  database: Database,
  key: Buffer,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<ResourceReturn> {
  const type = await typeOf(database, key)
  if (type === 'none') return undefined
  if (type === 'string') return stringContents(database, key, offsetIn(cursor))
  const page = await readPage(database, type, key, cursor, signal)
  return { mimeType: 'application/json', text: JSON.stringify({ type, ...page }, null, 2) }
}

async function stringContents(database: Database, key: Buffer, offset: number): Promise<ResourceReturn> {
  const part = await readString(database, key, offset, database.settings.maxResult)
  if (part === undefined) return undefined
  const more = part.nextOffset === undefined ? {} : { _meta: { nextCursor: String(part.nextOffset) } }
  if (!isText(part.bytes)) return { mimeType: 'application/octet-stream', blob: part.bytes, ...more }
  const text = part.bytes.toString()
  return { mimeType: looksLikeJson(text) ? 'application/json' : 'text/plain', text, ...more }
}

function readPage(
  database: Database,
  type: string,
  key: Buffer,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<object> | object {
  switch (type) {
    case 'hash':
      return readHash(database, key, { pattern: '*', cursor, limit, signal })
    case 'set':
      return readSet(database, key, { pattern: '*', cursor, limit, signal })
    case 'list':
      return readList(database, key, { start: offsetIn(cursor), limit, signal }).then(withCursor)
    case 'zset':
      return readSortedSet(database, key, { start: offsetIn(cursor), limit, reverse: false }).then(withCursor)
    case 'stream':
      return readStream(database, key, { start: cursor, limit, reverse: false }).then(withCursor)
    default:
      return {}
  }
}

const withCursor = ({ next, ...page }: { next?: string | number }): object => ({
  ...page,
  ...(next !== undefined && { nextCursor: String(next) }),
})

const offset = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).catch(0)
const offsetIn = (cursor: string | undefined): number => offset.parse(cursor ?? 0)

function looksLikeJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
