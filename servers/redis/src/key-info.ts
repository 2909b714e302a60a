import type { Argument, CommandName } from './commands.ts'
import type { Database } from './database.ts'

export interface KeyInfo {
  readonly type: string
  readonly length?: number
  readonly ttlMs?: number
  readonly encoding?: string
  readonly memoryBytes?: number
  readonly readWith?: string
}

interface TypeInfo {
  readonly length: CommandName
  readonly readWith: string
}

export const types: ReadonlyMap<string, TypeInfo> = new Map([
  ['string', { length: 'STRLEN', readWith: 'get' }],
  ['hash', { length: 'HLEN', readWith: 'hash_read' }],
  ['list', { length: 'LLEN', readWith: 'list_range' }],
  ['set', { length: 'SCARD', readWith: 'set_members' }],
  ['zset', { length: 'ZCARD', readWith: 'sorted_set_range' }],
  ['stream', { length: 'XLEN', readWith: 'stream_range' }],
])

/** The type of a key; `none` if there is no such key. */
export const typeOf = async (database: Database, key: Buffer): Promise<string> =>
  String(await database.send('TYPE', key))

/** Everything about a key but its value; nothing if there is no such key. */
export async function readKeyInfo(database: Database, key: Buffer): Promise<KeyInfo | undefined> {
  const type = await typeOf(database, key)
  if (type === 'none') return undefined
  const known = types.get(type)
  // An old Redis, or a user with few rights, may lack one of them: the others are told all the same.
  const ask = async (name: CommandName, ...args: Argument[]): Promise<string | undefined> => {
    const reply = await database.send(name, key, ...args).catch(() => null)
    return reply === null ? undefined : String(reply)
  }
  const [length, ttl, encoding, memory] = await Promise.all([
    known && ask(known.length),
    ask('PTTL'),
    ask('OBJECT ENCODING'),
    ask('MEMORY USAGE'),
  ])
  return {
    type,
    ...(length !== undefined && { length: Number(length) }),
    ...(ttl !== undefined && Number(ttl) >= 0 && { ttlMs: Number(ttl) }),
    ...(encoding !== undefined && { encoding }),
    ...(memory !== undefined && { memoryBytes: Number(memory) }),
    ...(known && { readWith: known.readWith }),
  }
}
