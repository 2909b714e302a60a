import type { LaneWork, TaskJob, TaskLane, TaskPriority, TaskQueue, TaskTurn, TaskWorker } from '@tenon/sdk/server'
import type { Queue } from 'bullmq'
import type { RedisClient } from '../connection/clients.ts'
import { checkCount, type RedisConnection } from '../connection/connection.ts'
import { BullWorker } from './bull-worker.ts'

export interface RedisTaskQueueOptions {
  /** How many tasks this process runs at once, for each tool with a `concurrency` and for all others together. Default 20. */
  concurrency?: number
  /** False: this process adds tasks, and others run them. */
  work?: boolean
}

/** Jobs without one come first. */
const priorities: { readonly [priority in TaskPriority]: number } = { high: 0, normal: 1, low: 2 }
const unwanted: TaskWorker = { close: () => {} }

/** Hands out the runs of tasks by BullMQ: a queue for each tool with a `concurrency`, and one for all others. */
export class RedisTaskQueue implements TaskQueue {
  readonly #redis: RedisConnection
  readonly #concurrency: number
  readonly #works: boolean
  readonly #queues = new Map<string, Promise<Queue>>()

  constructor(redis: RedisConnection, { concurrency = 20, work = true }: RedisTaskQueueOptions = {}) {
    checkCount('tasks.concurrency', concurrency)
    this.#redis = redis
    this.#concurrency = concurrency
    this.#works = work
  }

  async add(job: TaskJob, { lane, priority, delayMs }: TaskTurn): Promise<void> {
    const { owner, id, run } = job
    const options = { jobId: jobIdOf(job), priority: priorities[priority], delay: Math.ceil(delayMs) }
    const kept = { removeOnComplete: true, removeOnFail: true }
    await this.#use(lane, (queue) => queue.add('run', { owner, id, run }, { ...options, ...kept }))
  }

  async remove(job: TaskJob, lane: TaskLane): Promise<void> {
    await this.#use(lane, (queue) => queue.remove(jobIdOf(job)))
  }

  work(work: LaneWork): TaskWorker {
    if (!this.#works) return unwanted
    const { lane } = work
    const concurrency = Math.min(this.#concurrency, lane.concurrency ?? this.#concurrency)
    const options = { name: queueName(lane), prefix: this.#prefix, concurrency }
    const limit = async (): Promise<void> => {
      if (lane.concurrency !== undefined)
        await this.#use(lane, (queue) => queue.setGlobalConcurrency(lane.concurrency!))
    }
    return new BullWorker(this.#redis, work, { ...options, limit })
  }

  get #prefix(): string {
    return this.#redis.keys.of('queue', 'tasks')
  }

  #use<T>(lane: TaskLane, send: (queue: Queue) => Promise<T>): Promise<T> {
    return this.#redis.use(async (connection) => {
      const name = queueName(lane)
      const opening = this.#queues.get(name) ?? this.#open(name, connection)
      this.#queues.set(name, opening)
      try {
        return await send(await opening)
      } catch (error) {
        // A queue whose first command failed never works; a new one does.
        this.#queues.delete(name)
        throw error
      }
    })
  }

  /** BullMQ is loaded with the first task. */
  async #open(name: string, connection: RedisClient): Promise<Queue> {
    const { Queue } = await import('bullmq')
    const events = { events: { maxLen: 100 } }
    const queue = new Queue(name, { connection, prefix: this.#prefix, streams: events, skipVersionCheck: true })
    queue.on('error', () => {})
    return queue
  }
}

/** The queue of a tool, or of all tools without a `concurrency`. */
const queueName = ({ name }: TaskLane): string => (name === '' ? 'all' : `tool-${name}`)

const jobIdOf = ({ id, run }: TaskJob): string => `${id}-${run}`
