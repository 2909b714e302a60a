/** An argument of a command. */
export type Argument = string | number | Buffer

/** An answer of Redis. Texts are bytes, since nothing says that they are UTF-8. */
export type Reply = Buffer | number | null | readonly Reply[]

/** The arguments that are keys. */
type KeyPlaces = 'none' | 'first' | 'two' | 'all' | 'last but one'

interface CommandInfo {
  readonly keys: KeyPlaces
  readonly writes: boolean
}

const keyReads = ['TYPE', 'PTTL', 'EXISTS', 'MEMORY USAGE', 'OBJECT ENCODING', 'GETRANGE', 'STRLEN'] as const
const itemReads = ['HSCAN', 'HLEN', 'HSTRLEN', 'HMGET', 'LRANGE', 'LLEN', 'SSCAN', 'SCARD', 'SMISMEMBER'] as const
const sortedReads = ['ZCARD', 'ZRANGE', 'ZMSCORE'] as const
const streamReads = ['XRANGE', 'XREVRANGE', 'XLEN', 'XPENDING', 'XINFO STREAM', 'XINFO GROUPS'] as const
const keyWrites = ['SET', 'INCRBY', 'PEXPIRE', 'PEXPIREAT', 'PERSIST', 'HSET', 'HDEL', 'HINCRBY'] as const
const itemWrites = ['LPUSH', 'RPUSH', 'LPOP', 'RPOP', 'LREM', 'LSET', 'LTRIM', 'SADD', 'SREM'] as const
const sortedWrites = ['ZADD', 'ZREM', 'ZINCRBY'] as const
const streamWrites = ['XADD', 'XDEL', 'XTRIM', 'XACK', 'XGROUP CREATE', 'XGROUP DESTROY'] as const
const readsNoKey = ['SCAN', 'INFO', 'DBSIZE', 'CONFIG GET'] as const
const renames = ['RENAME', 'RENAMENX'] as const

/** Every command that is ever sent. KEYS, EVAL, SORT and their like are not here, so nothing can reach them. */
export type CommandName =
  | (typeof keyReads | typeof itemReads | typeof sortedReads | typeof streamReads)[number]
  | (typeof keyWrites | typeof itemWrites | typeof sortedWrites | typeof streamWrites)[number]
  | (typeof readsNoKey | typeof renames)[number]
  | 'UNLINK'
  | 'XREADGROUP'

/** The commands with the places of their keys: `Database` checks each key before it sends one. */
const commands: ReadonlyMap<string, CommandInfo> = new Map<CommandName, CommandInfo>([
  ...[...keyReads, ...itemReads, ...sortedReads, ...streamReads].map(
    (name) => [name, { keys: 'first', writes: false }] as const,
  ),
  ...[...keyWrites, ...itemWrites, ...sortedWrites, ...streamWrites].map(
    (name) => [name, { keys: 'first', writes: true }] as const,
  ),
  ...readsNoKey.map((name) => [name, { keys: 'none', writes: false }] as const),
  ...renames.map((name) => [name, { keys: 'two', writes: true }] as const),
  ['UNLINK', { keys: 'all', writes: true }],
  ['XREADGROUP', { keys: 'last but one', writes: true }],
])

/** Throws for a command that is not in the table, should one get here around the types. */
function infoOf(name: CommandName): CommandInfo {
  const info = commands.get(name)
  if (info === undefined) throw new Error(`The command ${name} is not allowed`)
  return info
}

export const isWrite = (name: CommandName): boolean => infoOf(name).writes

/** The keys among the arguments of a command. */
export function keysOf(name: CommandName, args: readonly Argument[]): readonly Argument[] {
  switch (infoOf(name).keys) {
    case 'none':
      return []
    case 'first':
      return args.slice(0, 1)
    case 'two':
      return args.slice(0, 2)
    case 'all':
      return args
    case 'last but one':
      return args.slice(-2, -1)
  }
}
