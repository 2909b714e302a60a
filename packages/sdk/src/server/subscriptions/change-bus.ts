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
import { type ChangeHistory, ChangeOrder } from './change-order.ts'

const features: ReadonlySet<unknown> = new Set<Feature>(['tools', 'resources', 'prompts'])

/** Changes that wait while the bus is away. Equal ones are one, so there are rarely many. */
const maxUnsent = 1_000

/** A server that runs in several processes. */
export interface SharedServer extends TaskServer {
  /** Something changed in another process. */
  repeat(change: ServerChange): void
  /** Changes in other processes are not known. */
  missed(): void
  /** This server or a mounted one, by its name. */
  named(name: unknown): Offers | undefined
}

/** A change on its way to other processes. */
interface Outgoing {
  readonly change: object
  /** Set once the log has it. */
  number?: number
}

/** Carries the changes of one server to the other processes that serve it, and theirs to its clients. */
export class ChangeBus {
  readonly #definition: SharedServer
  readonly #bus: Bus
  /** Set if changes are numbered. */
  readonly #order: ChangeOrder | undefined
  readonly #topic: string
  /** Marks messages of this process: a bus brings them back. */
  readonly #origin: string = crypto.randomUUID()
  #subscription: BusSubscription | undefined
  /** Changes that could not be sent because the bus was away, by their text. */
  readonly #unsent = new Map<string, Outgoing>()
  #isResending = false

  constructor(definition: SharedServer, bus: Bus, history?: ChangeHistory) {
    this.#definition = definition
    this.#bus = bus
    this.#topic = `changes/${definition.info.name}`
    const tell = (text: string): void => this.#told(parse(text))
    const missed = (): void => definition.missed()
    const report = (error: unknown): void => this.#report(error)
    this.#order = history && new ChangeOrder({ history, topic: this.#topic, tell, missed, report })
  }

  /** Sends a change to the other processes, if need be when the bus is back. */
  publish(change: ServerChange): void {
    void this.#publish(toWire(change))
  }

  async #publish(change: object): Promise<void> {
    const key = JSON.stringify(change)
    const outgoing: Outgoing = { change }
    if (this.#unsent.has(key) || (await this.#isSent(outgoing)) || this.#unsent.size >= maxUnsent) return
    this.#unsent.set(key, outgoing)
    if (!this.#isResending) await this.#resend()
  }

  async #resend(): Promise<void> {
    this.#isResending = true
    for (let attempt = 1; this.#unsent.size > 0; attempt++) {
      await idlePause(backoffMs(attempt, ...pauseMs))
      for (const [key, outgoing] of this.#unsent) {
        // Deleted first: the same change during the attempt is another one.
        this.#unsent.delete(key)
        if (await this.#isSent(outgoing)) continue
        this.#unsent.set(key, outgoing)
        break
      }
    }
    this.#isResending = false
  }

  /** False if the bus is away. */
  async #isSent(outgoing: Outgoing): Promise<boolean> {
    try {
      await (this.#order === undefined ? this.#send(outgoing.change) : this.#appendAndSend(outgoing, this.#order))
      return true
    } catch (error) {
      this.#report(error)
      return !isAway(error)
    }
  }

  /** Sends a report to the process that the client of the task talks to. If that is gone, so is the report. */
  async pass(report: PassedReport): Promise<void> {
    await this.#quietly(() => this.#send({ kind: 'report', ...report }))
  }

  /** A change that is in the log is not put there again: only the message was not sent. */
  async #appendAndSend(outgoing: Outgoing, order: ChangeOrder): Promise<void> {
    const { change } = outgoing
    if (outgoing.number === undefined) {
      outgoing.number = await order.append(JSON.stringify({ from: this.#origin, ...change }))
      if (this.#subscription !== undefined) order.take(outgoing.number)
    }
    await this.#send({ ...change, number: outgoing.number })
  }

  #send(change: object): MaybePromise<void> {
    return this.#bus.publish(this.#topic, JSON.stringify({ from: this.#origin, ...change }))
  }

  /** The number of the last change that listeners here were told of, with all before it. */
  get last(): number {
    return this.#order?.last ?? 0
  }

  /** The number of the last change, in whichever process. */
  count(): MaybePromise<number> {
    return this.#order?.newest() ?? 0
  }

  /** The changes after a number that listeners here were told of; undefined if some are forgotten. */
  async after(number: number): Promise<ServerChange[] | undefined> {
    const texts = this.#order === undefined ? [] : await this.#order.after(number)
    return texts?.flatMap((text) => fromWire(parse(text) ?? {}, this.#definition) ?? [])
  }

  /** Listens to the other processes from now on; done when it does, unless the bus is away. */
  async listen(): Promise<void> {
    this.#subscription ??= new BusSubscription(
      { publish: () => {}, subscribe: (topic, listener) => this.#subscribe(topic, listener) },
      this.#topic,
      (message) => this.#received(message),
      { report: (error) => this.#report(error), late: () => this.#definition.missed() },
    )
    await this.#subscription.tried
  }

  async #subscribe(topic: string, listener: (message: string) => void): Promise<() => void> {
    const gap = (): void => void (this.#order === undefined ? this.#definition.missed() : this.#order.readOn())
    const stop = await this.#bus.subscribe(topic, listener, gap)
    try {
      await this.#order?.begin()
      return stop
    } catch (error) {
      stop()
      throw error
    }
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
    const { number } = value
    if (this.#order === undefined || typeof number !== 'number') this.#told(value)
    else if (number > this.#order.last) this.#order.take(number, () => this.#told(value))
  }

  #told(value: { [member: string]: unknown } | undefined): void {
    if (value === undefined || value.from === this.#origin) return
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
      this.#report(error)
      return undefined
    }
  }

  #report(error: unknown): void {
    this.#definition.report(error, 'bus')
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
