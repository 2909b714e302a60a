import type { LaneWork, TaskJob, TaskWorker } from '@tenon/sdk/server'
import type { Job, Worker } from 'bullmq'
import type { RedisClient } from '../connection/clients.ts'
import type { RedisConnection } from '../connection/connection.ts'

interface BullWorkerOptions {
  readonly name: string
  readonly prefix: string
  /** Runs at once in this process. */
  readonly concurrency: number
  /** Tells Redis how many runs there may be in all processes. */
  limit(): Promise<void>
}

/** After a failure of Redis, such as a failover, BullMQ would wait 15 s. */
const runRetryDelay = 1_000

/** The record of a task counts its runs, so BullMQ need not. */
const anyNumber = 1_000_000

/** Takes the runs of one queue, as long as Redis is there; while it is away, it waits. */
export class BullWorker implements TaskWorker {
  readonly #redis: RedisConnection
  readonly #work: LaneWork
  readonly #options: BullWorkerOptions
  readonly #client: RedisClient
  readonly #opening: Promise<Worker | undefined>
  /** One report for each time that Redis is away. */
  #isTold = false

  constructor(redis: RedisConnection, work: LaneWork, options: BullWorkerOptions) {
    this.#redis = redis
    this.#work = work
    this.#options = options
    this.#client = redis.patientClient()
    this.#client.on('error', (error) => this.#failed(error)).on('ready', () => this.#ready())
    this.#opening = this.#open()
  }

  async close(): Promise<void> {
    const worker = await this.#opening
    // Without Redis there is nobody to tell, and nothing to wait for.
    await worker?.close(this.#client.status !== 'ready').catch((error: unknown) => this.#failed(error))
    this.#client.disconnect()
  }

  async #open(): Promise<Worker | undefined> {
    const { Worker } = await import('bullmq')
    const { name, prefix, concurrency } = this.#options
    const { leaseMs } = this.#work
    const lost = { lockDuration: leaseMs, stalledInterval: leaseMs, maxStalledCount: anyNumber }
    const options = { connection: this.#client, prefix, concurrency, ...lost, skipVersionCheck: true, runRetryDelay }
    const worker = new Worker(name, (job: Job, token?: string) => this.#perform(job, token), options)
    worker.on('error', (error) => this.#failed(error))
    return worker
  }

  async #perform(job: Job, token: string | undefined): Promise<void> {
    const againMs = await this.#work.perform(job.data as TaskJob)
    if (againMs === undefined) return
    const { DelayedError } = await import('bullmq')
    await job.moveToDelayed(Date.now() + againMs, token)
    throw new DelayedError()
  }

  #ready(): void {
    this.#isTold = false
    this.#options.limit().catch((error: unknown) => this.#failed(error))
  }

  #failed(error: unknown): void {
    if (this.#isTold) return
    this.#isTold = true
    this.#work.report(this.#redis.unavailable(error))
  }
}
