import type { Budget } from '../../../internal/budget.ts'
import type { MaybePromise } from '../../../internal/maybe-promise.ts'
import type { JsonObject, RequestId, WireError } from '../../../jsonrpc/message.ts'
import type { ClientCapabilities } from '../../../model/capabilities.ts'
import type { LoggingLevel } from '../../../model/logging.ts'
import type { Implementation } from '../../../model/meta.ts'
import type { Revision } from '../../../model/revision.ts'
import type { TaskStatus } from '../../../model/tasks.ts'
import type { AuthInfo } from '../../caller.ts'
import type { Memory } from '../../questions/memory.ts'

/** The call that became a task, with all that is needed to run its handler in another process. */
export interface TaskCall {
  readonly revision: Revision
  readonly requestId: RequestId
  readonly params: JsonObject
  readonly client?: Implementation | undefined
  readonly capabilities: ClientCapabilities
  readonly transport: string
  readonly auth?: AuthInfo | undefined
  /** The log messages that its session wanted. */
  readonly logLevel?: LoggingLevel | undefined
}

/** A question that waits for its answer. */
export interface TaskQuestion {
  /** The client's name for it: unique in the life of the task. */
  readonly key: string
  /** The handler's name for it. */
  readonly ownKey: string
  readonly method: string
  readonly params: JsonObject
}

/** A task as it is kept: plain JSON, to be read by whichever process needs it next. */
export interface TaskRecord {
  readonly id: string
  /** The caller that may see it; a store may use it as part of a key. */
  readonly owner: string
  /** Grows by one with every change. */
  readonly version: number
  readonly status: TaskStatus
  readonly statusMessage?: string | undefined
  readonly createdAt: number
  readonly updatedAt: number
  readonly ttlMs: number | null
  readonly pollIntervalMs: number
  readonly call: TaskCall
  /** The memory of earlier runs for the next one. */
  readonly memory?: Memory | undefined
  /** The present questions, answered or not. */
  readonly questions?: readonly TaskQuestion[] | undefined
  /** The answers for the next run, by the keys of the handler. */
  readonly answers?: { readonly [ownKey: string]: JsonObject } | undefined
  /** Every key that a question had. */
  readonly usedKeys?: readonly string[] | undefined
  /** Counts the runs that were put into a queue. */
  readonly run?: number | undefined
  /** The runs that began since the last answer; absent in records of older programs. */
  readonly attempts?: number | undefined
  /** The next run waits, and does not begin before this date. */
  readonly queued?: { readonly from: number } | undefined
  /** The process that runs the handler, or keeps its run in a queue of its own, and until when it is believed to live. */
  readonly lease?: { readonly by: string; readonly until: number } | undefined
  readonly result?: JsonObject | undefined
  readonly error?: WireError | undefined
}

/** How many records there may be. */
export interface TaskRoom {
  /** Of the owner of a new one. Default: any number. */
  readonly perOwner?: number | undefined
  readonly inAll: number
}

/**
 * Where tasks are kept. Records are plain JSON and must come back as they were given. Several processes may share a
 * store: `replace` keeps them from overwriting each other, and has to be atomic.
 */
export interface TaskStore {
  /** Counts records that are in the memory of this process, for a store that has them there. Called by the server. */
  useBudget?(budget: Budget): void
  /** Adds a record. It must be found by `get` when this is done. */
  create(record: TaskRecord): MaybePromise<void>
  /** The same, if there is room for one more; else it says where there is none. Default: `count`, then `create`. */
  createWithin?(record: TaskRecord, room: TaskRoom): MaybePromise<keyof TaskRoom | undefined>
  get(owner: string, id: string): MaybePromise<TaskRecord | undefined>
  /**
   * The newest version that this process wrote, if it is at hand: others may have changed it since. It saves a reading
   * before `replace`, which notices that.
   */
  recent?(owner: string, id: string): TaskRecord | undefined
  /** Puts a record in the place of the one whose version is smaller by one; false if there is no such record. */
  replace(record: TaskRecord): MaybePromise<boolean>
  delete(owner: string, id: string): MaybePromise<void>
  /** The store removes records that are over by itself, at `createdAt + ttlMs`: nobody has to look for them. */
  readonly expires?: boolean
  /** The records that have the status `working`, of all owners. Default: those in `list()`. */
  working?(): MaybePromise<TaskRecord[]>
  /** The records of one owner, or all. */
  list(owner?: string): MaybePromise<TaskRecord[]>
  /** How many records an owner has, or how many there are. */
  count(owner?: string): MaybePromise<number>
}
