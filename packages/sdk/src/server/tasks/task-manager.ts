import { ErrorCode, isRpcError, McpError, RpcError } from '../../errors.ts'
import { isUsedUp } from '../../internal/budget.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import { monotonicMs } from '../../internal/monotonic-ms.ts'
import { unref } from '../../internal/timers.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import { type DetailedTask, hasEnded, type TaskRequest } from '../../model/tasks.ts'
import { isIdentified, ownerOf } from '../access/caller-owner.ts'
import type { CallerState } from '../caller-state.ts'
import { boundedIdentity } from '../client-identity.ts'
import type { Call } from '../dispatch/call.ts'
import { errorResult } from '../features/tool-result.ts'
import type { Memory } from '../questions/memory.ts'
import { type Changed, type DispatchedTasks, lostMessage, TaskDispatch } from './queue/task-dispatch.ts'
import { LeaseWatch } from './runs/lease-watch.ts'
import { type AbortableRun, RunningTasks } from './runs/running-tasks.ts'
import type { TaskBeginning, TaskKeeper, TaskOrigin } from './runs/task-keeper.ts'
import { TaskRun, tellOrigin } from './runs/task-run.ts'
import { TaskWaiters } from './runs/task-waiters.ts'
import { createWithin } from './store/create-within.ts'
import { isTaskId, newTaskId } from './store/task-id.ts'
import {
  afterRun,
  answered,
  ended,
  isDifferent,
  isExpired,
  openQuestions,
  type TaskOutcome,
  taskOf,
} from './store/task-record.ts'
import type { TaskRecord } from './store/task-store.ts'
import { type ServerTaskSettings, serverTaskSettings, startDelayMs, type ToolTask } from './task-options.ts'
import { unknownTask } from './task-refusals.ts'
import type { TaskReport } from './task-report.ts'
import { mayUse, refuseTask } from './task-scopes.ts'
import type { TaskServer } from './task-server.ts'

const sweepEveryMs = 60_000
const stoppedMessage =
  'The server was stopped before the task was done, and the handler left nothing to go on from: it did not use ctx.once'

/**
 * The tasks of a server. Their records are in the store, so that any process can answer for any of them; here are only
 * the runs of this process, and the requests that wait for changes.
 */
export class TaskManager implements TaskKeeper, DispatchedTasks {
  readonly definition: TaskServer
  readonly settings: ServerTaskSettings
  readonly runs: RunningTasks
  readonly leases: LeaseWatch
  /** The name of this process in leases. Made when first needed: some platforms have no randomness while they load. */
  #ownName: string | undefined
  readonly #dispatch: TaskDispatch
  readonly #origins = new Map<string, TaskOrigin>()
  readonly #watchers = new TaskWaiters()
  /** How many use the workers of this process. */
  #working = 0
  #sweptAt = monotonicMs()
  #nextLook: ReturnType<typeof setTimeout> | undefined

  constructor(definition: TaskServer) {
    this.definition = definition
    this.settings = serverTaskSettings(definition.options.tasks, definition.sharedTasks)
    this.settings.store.useBudget?.(definition.budget)
    this.leases = new LeaseWatch(this.settings.leaseMs)
    this.runs = new RunningTasks(this.settings.leaseMs, (id, owner) => this.#renew(id, owner))
    this.#dispatch = new TaskDispatch(this)
  }

  async create(call: Call, params: JsonObject, tool: ToolTask, running?: TaskBeginning): Promise<TaskRecord> {
    const { caller } = call
    const owner = ownerOf(caller)
    await this.#sweep()
    const now = Date.now()
    const { inputResponses: _, requestState: __, task, ...kept } = params
    const { client, capabilities } = boundedIdentity(caller.client, caller.capabilities, 'tools/call')
    const made: TaskRecord = {
      id: newTaskId(),
      owner,
      version: 1,
      status: 'working',
      createdAt: now,
      updatedAt: now,
      ttlMs: this.#ttlMs((task as TaskRequest | undefined)?.ttlMs ?? tool.ttlMs),
      pollIntervalMs: tool.pollIntervalMs ?? this.settings.pollIntervalMs,
      call: {
        revision: caller.revision,
        requestId: call.request.id,
        params: kept,
        client,
        capabilities,
        transport: caller.connection.transport,
        auth: caller.auth,
        ...(caller.logLevel !== undefined && { logLevel: caller.logLevel }),
      },
    }
    const first =
      running === undefined
        ? this.#dispatch.next(made, startDelayMs(tool, (params.arguments ?? {}) as JsonObject))
        : { ...running, attempts: 1, lease: this.lease() }
    const record = { ...made, ...first }
    await this.#add(record, isIdentified(caller))
    return record
  }

  async begin(record: TaskRecord, origin: TaskOrigin): Promise<void> {
    this.#remember(record, origin)
    try {
      await this.#dispatch.add(record)
    } catch (error) {
      // Its client hears of the error, and not of the task.
      await this.#remove(record).catch((failure: unknown) => this.report(failure))
      throw error
    }
  }

  async run(record: TaskRecord): Promise<void> {
    const run = new TaskRun(this, record, this.#origins.get(record.id))
    const done = run.perform()
    this.attend(record, run, done)
    await done.catch(() => {})
  }

  attend(record: TaskRecord, run: AbortableRun, done: Promise<void>): void {
    const watched = done.catch((error: unknown) => this.definition.report(error, `task ${record.id}`))
    this.runs.add(record, run, watched)
  }

  /** Takes runs from the queue. Returns the way to stop, which leaves those that are not over in time to others. */
  async work(): Promise<(graceMs: number) => Promise<void>> {
    this.#working++
    this.#dispatch.work()
    // Without its store a process works none the less: the next one that looks finds what was left.
    await this.#quietly(() => this.resume())
    return async (graceMs) => {
      this.#working--
      if (this.#working === 0) await this.#dispatch.close(graceMs, stoppedMessage)
    }
  }

  /** The tools of the server have changed: there may be more to take. */
  workOnMore(): void {
    if (this.#working > 0) this.#dispatch.work()
  }

  pass(record: TaskRecord, report: TaskReport): MaybePromise<void> {
    return this.definition.passReport({ owner: record.owner, id: record.id, ...report })
  }

  /** A handler in another process has something to say: the process that its client talks to passes it on. */
  async reportedElsewhere(owner: string, id: string, report: TaskReport): Promise<void> {
    const origin = this.#origins.get(id)
    if (origin !== undefined && ownerOf(origin.caller) === owner) await tellOrigin(origin, report)
  }

  /** The session that a task runs for, if it is known in this process. */
  sessionOf(id: string): CallerState | undefined {
    return this.#origins.get(id)?.caller.session
  }

  /** The task that a caller means. A task of another caller does not exist. */
  async need(caller: CallerState, id: string): Promise<TaskRecord> {
    const record = await this.#find(ownerOf(caller), id)
    const isUsable = record !== undefined && mayUse(caller, this.definition, record)
    if (record !== undefined && !isUsable) await refuseTask(caller, this.definition, record)
    if (!isUsable) throw unknownTask()
    if (this.#isLeft(record)) void this.#takeOver(record)
    return record
  }

  /** True if the caller has such a task. */
  async has(caller: CallerState, id: string): Promise<boolean> {
    const record = await this.#find(ownerOf(caller), id)
    return record !== undefined && mayUse(caller, this.definition, record)
  }

  /** Another process changed a task in the common store: requests that wait for it here go on. */
  async changedElsewhere(owner: string, id: string): Promise<DetailedTask | undefined> {
    const record = await this.#find(owner, id)
    if (record === undefined) return undefined
    if (record.status === 'cancelled') this.#drop(id)
    this.wake(id)
    return taskOf(record)
  }

  async list(caller: CallerState): Promise<TaskRecord[]> {
    const records = await this.settings.store.list(ownerOf(caller))
    return records
      .filter((record) => !isExpired(record) && mayUse(caller, this.definition, record))
      .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
  }

  /** Ends a task, if it has not ended. Its handler is aborted, and its outcome ignored. */
  async cancel(record: TaskRecord): Promise<TaskRecord> {
    const statusMessage = 'The client cancelled the task'
    const now = await this.change(record, (current) =>
      hasEnded(current.status) ? undefined : ended(current, { status: 'cancelled', statusMessage }),
    )
    this.runs.abort(record.id, new McpError('cancelled', statusMessage))
    if (now.changed) void this.#quietly(() => this.#dispatch.remove(record))
    return now.record ?? record
  }

  /** Takes answers to open questions, and goes on when it has them all. Others are ignored. */
  async answer(
    record: TaskRecord,
    responses: { readonly [key: string]: JsonObject },
    origin: TaskOrigin,
  ): Promise<void> {
    const { record: now, changed } = await this.change(record, (current) => {
      const next = answered(current, responses)
      if (next === undefined || openQuestions(next).length > 0) return next
      const { questions: _, ...rest } = next
      return { ...rest, status: 'working', ...this.#dispatch.next({ ...rest, attempts: 0 }) }
    })
    if (!changed || now?.status !== 'working') return
    this.#remember(now, origin)
    await this.#dispatch.add(now)
  }

  /** A question that the client does not answer ends the task with an error result. */
  async giveUp(record: TaskRecord, key: string, why: string): Promise<void> {
    await this.change(record, (current) =>
      openQuestions(current).some((question) => question.key === key)
        ? ended(current, { status: 'completed', result: errorResult(why) as unknown as JsonObject })
        : undefined,
    )
  }

  async settle(record: TaskRecord, outcome: TaskOutcome): Promise<TaskRecord | undefined> {
    const { record: now, changed } = await this.#keepOutcome(record, outcome)
    if (!changed || now?.status !== 'working') return undefined
    if (!outcome.fault) return now
    await this.#quietly(() => this.#dispatch.add(now))
    return undefined
  }

  /** A result that there is no room for is one that cannot be fetched: then the task has failed, and says why. */
  async #keepOutcome(record: TaskRecord, outcome: TaskOutcome): Promise<Changed> {
    const settle = (kept: TaskOutcome): Promise<Changed> =>
      this.change(record, (current) => {
        if (!this.isOurs(current)) return undefined
        return (kept.fault ? this.#dispatch.retry(current) : undefined) ?? afterRun(current, kept)
      })
    try {
      return await settle(outcome)
    } catch (error) {
      if (!isRpcError(error) || !isUsedUp(error)) throw error
      return settle({ error: error.toWire() })
    }
  }

  async keepSteps(record: TaskRecord, steps: Memory['steps']): Promise<void> {
    const { changed } = await this.change(record, (current) =>
      this.isOurs(current) ? { ...current, memory: { asked: [], ...current.memory, steps } } : undefined,
    )
    if (!changed) this.#drop(record.id)
  }

  async say(record: TaskRecord, statusMessage: string): Promise<void> {
    try {
      await this.change(record, (current) => (this.isOurs(current) ? { ...current, statusMessage } : undefined))
    } catch (error) {
      this.report(error)
    }
  }

  /** Resolves at the next change of a task that this process notices, and after a while in any case. */
  changed(id: string, signal: AbortSignal): Promise<void> {
    // Another process may be the one that works on it.
    return this.#watchers.next(id, signal, Math.max(this.settings.pollIntervalMs, 100))
  }

  /** Wakes up the requests that wait for a change. */
  wake(id: string): void {
    this.#watchers.wake(id)
  }

  /** Looks for tasks whose process died: goes on with those that left something to go on from, and fails the others. */
  async resume(): Promise<void> {
    const { store } = this.settings
    const records = (await store.working?.()) ?? (await store.list())
    const working = records.filter((record) => record.status === 'working' && !this.runs.has(record.id))
    this.leases.keep(working)
    const left = working.filter((record) => this.#isLeft(record))
    await Promise.all(left.filter((record) => !isExpired(record)).map((one) => this.#takeOver(one)))
    const held = working.filter((record) => !left.includes(record)).map((record) => this.leases.leftMs(record))
    // A queue notices by itself that a process died.
    if (held.length === 0 || this.#dispatch.isShared) return
    clearTimeout(this.#nextLook)
    const delay = Math.min(...held) + 50
    this.#nextLook = unref(setTimeout(() => void this.resume().catch((error) => this.report(error)), delay))
  }

  /** True if a task should be worked on, and nobody seems to. */
  #isLeft(record: TaskRecord): boolean {
    if (this.runs.has(record.id) || !this.leases.isOrphan(record)) return false
    return record.lease !== undefined || record.queued === undefined || this.#dispatch.isOverdue(record)
  }

  async #takeOver(record: TaskRecord): Promise<void> {
    await this.#quietly(async () => {
      const { record: now, changed } = await this.change(record, (current) => {
        if (current.status !== 'working' || !isSameLease(current, record)) return undefined
        return this.#dispatch.afterLoss(current, lostMessage)
      })
      if (changed && now?.status === 'working') await this.#dispatch.add(now)
    })
  }

  #remember({ id }: TaskRecord, { caller, outlet }: TaskOrigin): void {
    this.#origins.set(id, { caller, outlet, progress: this.#origins.get(id)?.progress })
  }

  /** Nobody waits for it, so its errors go to the operator. */
  async #quietly(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.report(error)
    }
  }

  async #find(owner: string, id: string): Promise<TaskRecord | undefined> {
    // Ids become keys and file names: only an id of the right form gets that far.
    if (!isTaskId(id)) return undefined
    const record = await this.settings.store.get(owner, id)
    if (record === undefined || record.id !== id || record.owner !== owner) return undefined
    if (!isExpired(record)) return record
    await this.#remove(record)
    return undefined
  }

  #recent(owner: string, id: string): TaskRecord | undefined {
    if (!isTaskId(id)) return undefined
    const record = this.settings.store.recent?.(owner, id)
    return record === undefined || isExpired(record) ? undefined : record
  }

  /** Changes a task as it is now, also if others change it at the same time. */
  async change(
    { owner, id }: Pick<TaskRecord, 'owner' | 'id'>,
    edit: (current: TaskRecord) => TaskRecord | undefined,
  ): Promise<Changed> {
    for (let attempt = 1; ; attempt++) {
      const recent = attempt === 1 ? this.#recent(owner, id) : undefined
      const current = recent ?? (await this.#find(owner, id))
      const edited = current && edit(current)
      // Nothing to do, as it was some time ago.
      if (edited === undefined && recent !== undefined) continue
      if (current === undefined || edited === undefined) return { record: current, changed: false }
      const isNews = isDifferent(current, edited)
      const record = {
        ...edited,
        version: current.version + 1,
        updatedAt: isNews ? Math.max(Date.now(), current.updatedAt) : current.updatedAt,
      }
      if (!(await this.settings.store.replace(record))) continue
      if (isNews) this.#tell(record)
      return { record, changed: true }
    }
  }

  #tell(record: TaskRecord): void {
    const session = this.sessionOf(record.id)
    if (hasEnded(record.status)) this.#origins.delete(record.id)
    this.wake(record.id)
    this.definition.emit({ kind: 'task', owner: record.owner, session, task: taskOf(record) })
  }

  isOurs = ({ status, lease }: TaskRecord): boolean => status === 'working' && lease?.by === this.#self

  get #self(): string {
    this.#ownName ??= crypto.randomUUID()
    return this.#ownName
  }

  lease(): NonNullable<TaskRecord['lease']> {
    return { by: this.#self, until: Date.now() + this.settings.leaseMs }
  }

  /** Says that a run is alive, or stops it if it was cancelled or expired elsewhere. */
  async #renew(id: string, owner: string): Promise<void> {
    try {
      const { record, changed } = await this.change({ owner, id }, (current) =>
        this.isOurs(current) ? { ...current, lease: this.lease() } : undefined,
      )
      // A run that just came to its end is not a run that is not wanted.
      if (!changed && (record === undefined || record.status === 'cancelled' || record.status === 'working'))
        this.#drop(id)
    } catch (error) {
      this.report(error)
    }
  }

  #drop(id: string): void {
    this.runs.abort(id, new McpError('cancelled', 'The task was cancelled, has expired or runs elsewhere'))
  }

  async #remove(record: TaskRecord): Promise<void> {
    await this.settings.store.delete(record.owner, record.id)
    this.#origins.delete(record.id)
    this.#drop(record.id)
    this.wake(record.id)
  }

  async #sweep(): Promise<void> {
    if (this.settings.store.expires || monotonicMs() - this.#sweptAt < sweepEveryMs) return
    this.#sweptAt = monotonicMs()
    for (const record of await this.settings.store.list()) if (isExpired(record)) await this.#remove(record)
  }

  async #add(record: TaskRecord, isOwnerKnown: boolean): Promise<void> {
    const { store, maxPerCaller, maxTasks } = this.settings
    const room = { perOwner: isOwnerKnown ? maxPerCaller : undefined, inAll: maxTasks }
    const lacking = await createWithin(store, record, room)
    if (lacking === 'perOwner') throw tooMany(`${maxPerCaller} tasks are kept per caller`)
    if (lacking === 'inAll') throw tooMany(`${maxTasks} tasks are kept`)
  }

  #ttlMs(wanted: number | undefined): number {
    const { ttlMs, maxTtlMs } = this.settings
    return Math.max(1, Math.min(Math.floor(wanted ?? ttlMs), maxTtlMs))
  }

  report(error: unknown): void {
    this.definition.report(error, 'tasks')
  }
}

const isSameLease = (a: TaskRecord, b: TaskRecord): boolean =>
  a.lease?.by === b.lease?.by && a.lease?.until === b.lease?.until

const known = new WeakMap<TaskServer, TaskManager>()

/** The tasks of a server, which keeps them for the servers that are mounted too. */
export function tasksOf(definition: TaskServer): TaskManager {
  const tasks = known.get(definition) ?? new TaskManager(definition)
  known.set(definition, tasks)
  return tasks
}

const tooMany = (limit: string): RpcError =>
  new RpcError(ErrorCode.InternalError, `Too many tasks: ${limit}; some have to end and expire first`)
