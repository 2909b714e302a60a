import type { MaybePromise } from '../../internal/maybe-promise.ts'
import { backoffMs, idlePause } from '../../internal/timers.ts'
import { isObject } from '../../jsonrpc/classify.ts'
import type { ServerChange } from '../definition/changes.ts'
import type { Feature, Offers } from '../definition/offers.ts'
import { loadTasks } from '../tasks/lazy-tasks.ts'
import type { PassedReport } from '../tasks/task-report.ts'
import type { TaskServer } from '../tasks/task-server.ts'
import type { Bus } from './bus.ts'
import { BusSubscription, isAway, pauseMs } from './bus-subscription.ts'

const features: ReadonlySet<unknown> = new Set<Feature>(['tools', 'resources', 'prompts'])

/** Changes that wait while the bus is away. Equal ones are one, so there are rarely many. */
const maxUnsent = 1_000

/** A server that runs in several processes. */
export interface SharedServer extends TaskServer {
  /** Something changed in another process. */
  repeat(change: ServerChange): void
  /** This server or a mounted one, by its name. */
  named(name: unknown): Offers | undefined
}

/** The changes of servers in a log that several processes write. */
export interface ChangeHistory {
  append(session: string, stream: string, text: string): MaybePromise<number>
  after(session: string, stream: string, number: number): MaybePromise<readonly { text: string }[] | undefined>
  last(session: string, stream: string): Promise<number>
}

/** Carries the changes of one server to the other processes that serve it, and theirs to its clients. */
export class ChangeBus {
  readonly #definition: SharedServer
  readonly #bus: Bus
  readonly #history: ChangeHistory | undefined
  /** The number of the last change that is known here. */
  last = 0
  readonly #topic: string
  /** Marks messages of this process: a bus brings them back. */
  readonly #origin: string = crypto.randomUUID()
  #subscription: BusSubscription | undefined
  /** Changes that could not be sent because the bus was away, by their text. */
  readonly #unsent = new Map<string, object>()
  #isResending = false

  constructor(definition: SharedServer, bus: Bus, history?: ChangeHistory) {
    this.#definition = definition
    this.#bus = bus
    this.#history = history
    this.#topic = `changes/${definition.info.name}`
  }

  /** Sends a change to the other processes, if need be when the bus is back. */
  publish(change: ServerChange): void {
    void this.#publish(toWire(change))
  }

  async #publish(change: object): Promise<void> {
    const key = JSON.stringify(change)
    if (this.#unsent.has(key) || (await this.#isSent(change)) || this.#unsent.size >= maxUnsent) return
    this.#unsent.set(key, change)
    if (!this.#isResending) await this.#resend()
  }

  async #resend(): Promise<void> {
    this.#isResending = true
    for (let attempt = 1; this.#unsent.size > 0; attempt++) {
      await idlePause(backoffMs(attempt, ...pauseMs))
      for (const [key, change] of this.#unsent) {
        // Deleted first: the same change during the attempt is another one.
        this.#unsent.delete(key)
        if (await this.#isSent(change)) continue
        this.#unsent.set(key, change)
        break
      }
    }
    this.#isResending = false
  }

  /** False if the bus is away. */
  async #isSent(change: object): Promise<boolean> {
    try {
      await (this.#history === undefined ? this.#send(change) : this.#appendAndSend(change, this.#history))
      return true
    } catch (error) {
      this.#definition.report(error, 'bus')
      return !isAway(error)
    }
  }

  /** Sends a report to the process that the client of the task talks to. If that is gone, so is the report. */
  async pass(report: PassedReport): Promise<void> {
    await this.#quietly(() => this.#send({ kind: 'report', ...report }))
  }

  async #appendAndSend(change: object, history: ChangeHistory): Promise<void> {
    const number = await history.append('', this.#topic, JSON.stringify(change))
    this.last = Math.max(this.last, number)
    await this.#send({ ...change, number })
  }

  #send(change: object): MaybePromise<void> {
    return this.#bus.publish(this.#topic, JSON.stringify({ from: this.#origin, ...change }))
  }

  /** The number of the last change, in whichever process. */
  async count(): Promise<number> {
    this.last = Math.max(this.last, (await this.#history?.last('', this.#topic)) ?? 0)
    return this.last
  }

  /** The changes after a number, in whichever process; undefined if some are forgotten. */
  async after(number: number): Promise<ServerChange[] | undefined> {
    if ((await this.count()) === number) return []
    const events = await this.#history?.after('', this.#topic, number)
    return events?.flatMap(({ text }) => fromWire(parse(text) ?? {}, this.#definition) ?? [])
  }

  /** Listens to the other processes from now on; done when it does, unless the bus is away. */
  async listen(): Promise<void> {
    const receive = (message: string): void => this.#received(message)
    const report = (error: unknown): void => void this.#definition.report(error, 'bus')
    this.#subscription ??= new BusSubscription(this.#bus, this.#topic, receive, report)
    await this.#subscription.tried
  }

  /** Stops listening. */
  stop(): void {
    void this.#subscription?.stop()
    this.#subscription = undefined
  }

  /** A message on a bus may be from another version of the program, or from another program. */
  #received(message: string): void {
    const value = parse(message)
    if (value === undefined || value.from === this.#origin) return
    if (typeof value.number === 'number') this.last = Math.max(this.last, value.number)
    if (value.kind === 'task') return void this.#quietly(() => this.#taskChanged(value))
    if (value.kind === 'report') return void this.#quietly(() => this.#reported(value))
    const change = fromWire(value, this.#definition)
    if (change !== undefined) this.#definition.repeat(change)
  }

  /** Results are for the owner of a task alone, so the task itself is read from its store. */
  async #taskChanged({ owner, id }: { [member: string]: unknown }): Promise<void> {
    if (typeof owner !== 'string' || typeof id !== 'string' || !this.#definition.offersTasks) return
    const tasks = (await loadTasks()).tasksOf(this.#definition)
    const session = tasks.sessionOf(id)
    const task = await tasks.changedElsewhere(owner, id)
    if (task !== undefined) this.#definition.repeat({ kind: 'task', owner, session, task })
  }

  async #reported({ owner, id, method, params }: { [member: string]: unknown }): Promise<void> {
    if (typeof owner !== 'string' || typeof id !== 'string' || typeof method !== 'string' || !isObject(params)) return
    if (!this.#definition.offersTasks) return
    const { tasksOf } = await loadTasks()
    await tasksOf(this.#definition).reportedElsewhere(owner, id, { method, params })
  }

  async #quietly<T>(use: () => MaybePromise<T>): Promise<T | undefined> {
    try {
      return await use()
    } catch (error) {
      this.#definition.report(error, 'bus')
      return undefined
    }
  }
}

function toWire(change: ServerChange): object {
  if (change.kind === 'resource') return change
  if (change.kind === 'task') return { kind: change.kind, owner: change.owner, id: change.task.taskId }
  const { kind, feature, key, owner, visible } = change
  return { kind, feature, key, server: owner.info.name, restricted: visible !== undefined }
}

function parse(message: unknown): { [member: string]: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(String(message))
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function fromWire(value: { [member: string]: unknown }, definition: SharedServer): ServerChange | undefined {
  const { kind, uri, feature, key, server, restricted } = value
  if (kind === 'resource') return typeof uri === 'string' ? { kind, uri } : undefined
  if (kind !== 'list' || !features.has(feature)) return undefined
  const change = { kind, feature: feature as Feature, owner: definition, visible: undefined } as const
  if (restricted !== true) return change
  // The rule of an item is a function, which cannot travel: without the same item here no client is notified.
  const owner = definition.named(server)
  const visible = typeof key === 'string' ? owner?.[change.feature].get(key)?.visible : undefined
  return owner === undefined || visible === undefined ? undefined : { ...change, owner, visible }
}
