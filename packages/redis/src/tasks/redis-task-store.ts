import { ErrorCode, McpError, RpcError, type TaskRecord, type TaskRoom, type TaskStore } from '@tenon/sdk/server'
import { checkCount, type RedisConnection } from '../connection/connection.ts'
import { safeName } from '../connection/keys.ts'
import { format } from '../connection/scripts.ts'
import { RecentTexts } from './recent-texts.ts'

export interface RedisTaskStoreOptions {
  /** The bytes of all records together, results included; a task whose result has no room fails. Default 256 MiB. */
  maxBytes?: number
}

/** A task that nobody limits is kept this long. */
const longestMs = 365 * 86_400_000
const anyNumber = Number.MAX_SAFE_INTEGER
/** The answers of the script that tell of a limit. */
const lacking: ReadonlyMap<unknown, keyof TaskRoom> = new Map([
  [-2, 'perOwner'],
  [-3, 'inAll'],
])
const ended: ReadonlySet<TaskRecord['status']> = new Set(['completed', 'failed', 'cancelled'])
/** Records that are read at once. */
const pageSize = 100

/** Tasks that any process answers for: a hash each, which Redis removes when the task is over. */
export class RedisTaskStore implements TaskStore {
  readonly expires: boolean = true
  readonly #redis: RedisConnection
  readonly #maxBytes: number
  /** Records that have not ended: whoever wrote one often writes the next version too. */
  readonly #recent = new RecentTexts()

  readonly #indexOfAll: string
  readonly #working: string
  readonly #sizes: string
  /** Most callers make several tasks in a row. */
  #lastOwner: { readonly owner: string; readonly index: string } | undefined

  constructor(redis: RedisConnection, { maxBytes = 256 * 1024 * 1024 }: RedisTaskStoreOptions = {}) {
    checkCount('tasks.maxBytes', maxBytes)
    this.#redis = redis
    this.#maxBytes = maxBytes
    this.#indexOfAll = this.#key('index')
    this.#working = this.#key('working')
    this.#sizes = this.#key('sizes')
  }

  async create(record: TaskRecord): Promise<void> {
    await this.createWithin(record, { inAll: anyNumber })
  }

  async createWithin(record: TaskRecord, room: TaskRoom): Promise<keyof TaskRoom | undefined> {
    const { perOwner = anyNumber, inAll } = room
    const answer = await this.#write('tenonCreateTask', record, [perOwner, inAll])
    if (answer === 0) throw new McpError('invalid_argument', 'There is a task with this id')
    return lacking.get(answer)
  }

  async get(owner: string, id: string): Promise<TaskRecord | undefined> {
    const record = await this.#read(nameOf(owner, id))
    return record?.owner === owner && record.id === id ? record : undefined
  }

  recent(owner: string, id: string): TaskRecord | undefined {
    const text = this.#recent.get(owner, id)
    return text === undefined ? undefined : (JSON.parse(text) as TaskRecord)
  }

  async replace(record: TaskRecord): Promise<boolean> {
    return (await this.#write('tenonReplaceTask', record)) === 1
  }

  async delete(owner: string, id: string): Promise<void> {
    const name = nameOf(owner, id)
    this.#recent.delete(owner, id)
    await this.#redis.run('tenonDeleteTask', this.#keys(owner, name), [name])
  }

  list(owner?: string): Promise<TaskRecord[]> {
    return this.#readAll(this.#index(owner))
  }

  working(): Promise<TaskRecord[]> {
    return this.#readAll(this.#working)
  }

  async count(owner?: string): Promise<number> {
    return Number(await this.#redis.call('ZCOUNT', this.#index(owner), `(${Date.now()}`, '+inf'))
  }

  async #write(
    script: 'tenonCreateTask' | 'tenonReplaceTask',
    record: TaskRecord,
    room: readonly number[] = [],
  ): Promise<unknown> {
    const { owner, id, version, createdAt, ttlMs, status } = record
    const [now, over] = [Date.now(), createdAt + Math.min(ttlMs ?? longestMs, longestMs)]
    const [name, text] = [nameOf(owner, id), JSON.stringify(record)]
    const limits = [now, over, Math.max(1, over - now), this.#maxBytes, ...room]
    const fields = [name, version, text, status === 'working' ? 1 : 0]
    const answer = await this.#redis.run(script, this.#keys(owner, name), [...fields, ...limits])
    if (answer === 1 && !ended.has(status)) this.#recent.set(owner, id, text)
    else this.#recent.delete(owner, id)
    if (answer === -1) throw this.#full()
    return answer
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

  #keys(owner: string, name: string): string[] {
    return [this.#key('task', name), this.#indexOfAll, this.#index(owner), this.#working, this.#sizes]
  }

  #index(owner?: string): string {
    if (owner === undefined) return this.#indexOfAll
    if (this.#lastOwner?.owner !== owner) this.#lastOwner = { owner, index: this.#key('index', `of ${owner}`) }
    return this.#lastOwner.index
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
