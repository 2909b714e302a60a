import { ErrorCode, McpError, RpcError, type TaskRecord, type TaskStore } from '@tenon/sdk/server'
import { checkCount, type RedisConnection } from '../connection/connection.ts'
import { safeName } from '../connection/keys.ts'
import { format } from '../connection/scripts.ts'

export interface RedisTaskStoreOptions {
  /** The bytes of all records together, results included; a task whose result has no room fails. Default 256 MiB. */
  maxBytes?: number
}

/** A task that nobody limits is kept this long. */
const longestMs = 365 * 86_400_000
/** Records that are read at once. */
const pageSize = 100

/** Tasks that any process answers for: a hash each, which Redis removes when the task is over. */
export class RedisTaskStore implements TaskStore {
  readonly expires: boolean = true
  readonly #redis: RedisConnection
  readonly #maxBytes: number

  constructor(redis: RedisConnection, { maxBytes = 256 * 1024 * 1024 }: RedisTaskStoreOptions = {}) {
    checkCount('tasks.maxBytes', maxBytes)
    this.#redis = redis
    this.#maxBytes = maxBytes
  }

  async create(record: TaskRecord): Promise<void> {
    const answer = await this.#write('tenonCreateTask', record)
    if (answer === 0) throw new McpError('invalid_argument', 'There is a task with this id')
    if (answer === -1) throw this.#full()
  }

  async get(owner: string, id: string): Promise<TaskRecord | undefined> {
    const record = await this.#read(nameOf(owner, id))
    return record?.owner === owner && record.id === id ? record : undefined
  }

  async replace(record: TaskRecord): Promise<boolean> {
    const answer = await this.#write('tenonReplaceTask', record)
    if (answer === -1) throw this.#full()
    return answer === 1
  }

  async delete(owner: string, id: string): Promise<void> {
    await this.#redis.run('tenonDeleteTask', this.#keys(owner, id), [nameOf(owner, id)])
  }

  list(owner?: string): Promise<TaskRecord[]> {
    return this.#readAll(this.#index(owner))
  }

  working(): Promise<TaskRecord[]> {
    return this.#readAll(this.#key('working'))
  }

  async count(owner?: string): Promise<number> {
    return Number(await this.#redis.call('ZCOUNT', this.#index(owner), `(${Date.now()}`, '+inf'))
  }

  async #write(script: 'tenonCreateTask' | 'tenonReplaceTask', record: TaskRecord): Promise<unknown> {
    const { owner, id, version, createdAt, ttlMs, status } = record
    const [now, over] = [Date.now(), createdAt + Math.min(ttlMs ?? longestMs, longestMs)]
    const limits = [now, over, Math.max(1, over - now), this.#maxBytes]
    const fields = [nameOf(owner, id), version, JSON.stringify(record), status === 'working' ? 1 : 0]
    return this.#redis.run(script, this.#keys(owner, id), [...fields, ...limits])
  }

  async #readAll(index: string): Promise<TaskRecord[]> {
    const names = (await this.#redis.call('ZRANGE', index, `(${Date.now()}`, '+inf', 'BYSCORE')) as string[]
    const records: TaskRecord[] = []
    for (let first = 0; first < names.length; first += pageSize) {
      const page = await Promise.all(names.slice(first, first + pageSize).map((name) => this.#read(name)))
      for (const record of page) if (record !== undefined) records.push(record)
    }
    return records
  }

  /** A record that a newer version of the program keeps in another way is unknown here. */
  async #read(name: string): Promise<TaskRecord | undefined> {
    const [found, text] = (await this.#redis.call('HMGET', this.#key('task', name), 'format', 'record')) as string[]
    return found === format && typeof text === 'string' ? (JSON.parse(text) as TaskRecord) : undefined
  }

  #keys(owner: string, id: string): string[] {
    const indexes = [this.#index(), this.#index(owner), this.#key('working'), this.#key('sizes')]
    return [this.#key('task', nameOf(owner, id)), ...indexes]
  }

  #index(owner?: string): string {
    return owner === undefined ? this.#key('index') : this.#key('index', `of ${owner}`)
  }

  /** All of them lie on one node of a cluster, as the keys of the queue do. */
  #key(kind: 'task' | 'index' | 'working' | 'sizes', part?: string): string {
    return this.#redis.keys.of(kind, 'tasks', part)
  }

  #full(): RpcError {
    const limit = this.#maxBytes
    const message = `Redis has no room left for tasks (the limit is ${limit} bytes): try again later`
    return new RpcError(ErrorCode.InternalError, message, { reason: 'memory', kind: 'tasks', limit })
  }
}

const nameOf = (owner: string, id: string): string => safeName(JSON.stringify([owner, id]))
