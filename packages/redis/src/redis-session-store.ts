import type { SessionChange, SessionRecord, SessionState, SharedSessionStore } from '@tenon/sdk/http'
import { checkCount, type RedisConnection } from './connection/connection.ts'
import { format } from './connection/scripts.ts'

export interface RedisSessionStoreOptions {
  /** How long a session is kept after its last request. Default 30 min. */
  idleMs?: number
}

const subscribed = 'sub:'

/** Sessions that any process serves: a hash each, which Redis removes when it was not used for a while. */
export class RedisSessionStore implements SharedSessionStore {
  readonly #redis: RedisConnection
  readonly #idleMs: number

  constructor(redis: RedisConnection, { idleMs = 30 * 60_000 }: RedisSessionStoreOptions = {}) {
    checkCount('idleMs', idleMs)
    this.#redis = redis
    this.#idleMs = idleMs
  }

  async add(record: SessionRecord): Promise<void> {
    const args = [JSON.stringify(record), record.changes ?? 0, this.#idleMs]
    await this.#redis.run('tenonAddSession', [this.#key(record.id)], args)
  }

  /** A session that a newer version of the program keeps in another way is unknown here: its client opens a new one. */
  async get(id: string): Promise<SessionRecord | undefined> {
    const [found, record] = (await this.#redis.call('HMGET', this.#key(id), 'format', 'record')) as (string | null)[]
    return found === format && typeof record === 'string' ? readRecord(record, id) : undefined
  }

  async remove(id: string): Promise<boolean> {
    return (await this.#redis.call('DEL', this.#key(id))) === 1
  }

  async use(id: string, knownVersion: number): Promise<SessionState | 'unchanged' | 'ended'> {
    const fields = await this.#redis.run('tenonUseSession', [this.#key(id)], [knownVersion, this.#idleMs])
    if (fields === null) return 'ended'
    return Array.isArray(fields) ? readState(fields) : 'unchanged'
  }

  async change(id: string, change: SessionChange): Promise<number | undefined> {
    const version = await this.#redis.run('tenonChangeSession', [this.#key(id)], commandFor(change))
    return typeof version === 'number' ? version : undefined
  }

  #key(id: string): string {
    return this.#redis.keys.of('session', id)
  }
}

function commandFor(change: SessionChange): (string | number)[] {
  if ('logLevel' in change) return ['HSET', 'level', change.logLevel]
  if ('heard' in change) return ['HSET', 'heard', change.heard, 'changes', change.changes]
  if ('subscribe' in change) return ['HSET', `${subscribed}${change.subscribe}`, '']
  return ['HDEL', `${subscribed}${change.unsubscribe}`]
}

/** Members that are undefined do not travel; `principal` is a member in any case. */
function readRecord(text: string, id: string): SessionRecord | undefined {
  const record = JSON.parse(text) as SessionRecord
  return record.id === id ? { ...record, principal: record.principal } : undefined
}

function readState(fields: readonly string[]): SessionState {
  const values = new Map<string, string>()
  const subscriptions: string[] = []
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index]!
    if (name.startsWith(subscribed)) subscriptions.push(name.slice(subscribed.length))
    else values.set(name, fields[index + 1]!)
  }
  const level = values.get('level') as SessionState['logLevel']
  const count = (name: string): number => Number(values.get(name) ?? 0)
  return {
    version: count('version'),
    ...(level !== undefined && { logLevel: level }),
    subscriptions,
    heard: count('heard'),
    changes: count('changes'),
  }
}
