import { RedisConnection, type RedisConnectionOptions } from './connection/connection.ts'
import type { OperationFigures } from './connection/operations.ts'
import { RedisBus } from './redis-bus.ts'
import { RedisEventLog, type RedisEventLogLimits } from './redis-event-log.ts'
import { RedisSessionStore } from './redis-session-store.ts'
import { RedisSpentStates } from './redis-spent-states.ts'
import { RedisTaskQueue, type RedisTaskQueueOptions } from './tasks/redis-task-queue.ts'
import { RedisTaskStore, type RedisTaskStoreOptions } from './tasks/redis-task-store.ts'

export interface RedisOptions extends RedisConnectionOptions {
  /** How long a session is kept after its last request. Default 30 min. */
  idleMs?: number
  /** The events that are kept for clients that reconnect. */
  eventLog?: RedisEventLogLimits
  /** How tasks are kept, and how many run in this process. */
  tasks?: RedisTaskStoreOptions & RedisTaskQueueOptions
}

/** Everything that the processes of a server share, as options of `serveHttp` and `fetchHandler`. */
export class SharedRedis implements AsyncDisposable {
  readonly sessions: { readonly store: RedisSessionStore; readonly bus: RedisBus; readonly idleMs: number }
  readonly eventLog: RedisEventLog
  readonly spentStates: RedisSpentStates
  readonly tasks: { readonly store: RedisTaskStore; readonly queue: RedisTaskQueue }
  /** `/healthz` and `/readyz`, which says whether Redis can be written to. */
  readonly health: { readonly ready: () => Promise<boolean> }
  readonly #connection: RedisConnection

  constructor(at: string | RedisConnection, { idleMs = 30 * 60_000, eventLog, tasks, ...options }: RedisOptions) {
    const { prefix = 'tenon' } = options
    this.#connection = typeof at === 'string' ? new RedisConnection(at, options) : new RedisConnection(at, { prefix })
    this.sessions = {
      store: new RedisSessionStore(this.#connection, { idleMs }),
      bus: new RedisBus(this.#connection),
      idleMs,
    }
    this.eventLog = new RedisEventLog(this.#connection, eventLog)
    this.spentStates = new RedisSpentStates(this.#connection)
    this.health = { ready: () => this.#connection.ready() }
    this.tasks = {
      store: new RedisTaskStore(this.#connection, tasks),
      queue: new RedisTaskQueue(this.#connection, tasks),
    }
  }

  /** For the parts that are given elsewhere, such as `RedisRates`. */
  get connection(): RedisConnection {
    return this.#connection
  }

  /** Every operation since the start: how often, how many failed, how long all of them took. */
  get figures(): { readonly [operation: string]: OperationFigures } {
    return this.#connection.figures
  }

  /** Closes the connections to Redis, after the servers that use them. */
  async close(): Promise<void> {
    await this.#connection.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }
}

/**
 * Lets any number of processes serve the same clients, whichever of them gets a request. Several servers of one process may
 * use one connection, each with a prefix of its own.
 *
 * @example
 * await using shared = redis('redis://localhost:6379')
 * const http = await serveHttp(server, { port: 3000, ...shared })
 */
export const redis = (at: string | RedisConnection, options: RedisOptions = {}): SharedRedis =>
  new SharedRedis(at, options)
