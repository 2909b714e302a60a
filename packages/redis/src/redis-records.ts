import { McpError, type RecordStore, type StoredRecord } from '@tenon/sdk/auth/server'
import type { RedisConnection } from './connection/connection.ts'
import { format } from './connection/scripts.ts'

/** Clocks of two machines may differ by this much: a warning is kept until both know that it is over. */
const clockSlackMs = 60_000

/**
 * The state of an authorization server, for all its processes: `issuer({ store: new RedisRecords(connection) })`. Its signing
 * keys are among it.
 */
export class RedisRecords implements RecordStore {
  readonly #redis: RedisConnection

  constructor(redis: RedisConnection) {
    this.#redis = redis
  }

  async get(kind: string, id: string): Promise<StoredRecord | undefined> {
    const fields = await this.#redis.call('HMGET', this.#key(kind, id), 'format', 'version', 'text')
    const [found, version, text] = fields as (string | null)[]
    if (typeof version !== 'string' || typeof text !== 'string') return undefined
    if (found === format) return { version, text }
    throw new McpError('unavailable', `A newer version of the program keeps records of the kind ${kind} in another way`)
  }

  async add(kind: string, id: string, text: string, until: number): Promise<boolean> {
    return this.#write(kind, id, 'add', text, until)
  }

  async replace(kind: string, id: string, text: string, until: number, version: string): Promise<boolean> {
    return this.#write(kind, id, version, text, until)
  }

  async set(kind: string, id: string, text: string, until: number): Promise<void> {
    await this.#write(kind, id, 'set', text, until)
  }

  async delete(kind: string, id: string, version = ''): Promise<boolean> {
    return (await this.#redis.run('tenonDeleteRecord', [this.#key(kind, id)], [version])) === 1
  }

  async #write(kind: string, id: string, how: string, text: string, until: number): Promise<boolean> {
    const keptMs = Math.max(0, Math.ceil(until - Date.now())) + clockSlackMs
    const args = [how, crypto.randomUUID(), text, keptMs]
    return (await this.#redis.run('tenonWriteRecord', [this.#key(kind, id)], args)) === 1
  }

  #key(kind: string, id: string): string {
    return this.#redis.keys.of('issuer', id, kind)
  }
}
