import type { MaybePromise } from '../../internal/maybe-promise.ts'
import { isObject } from '../../jsonrpc/classify.ts'
import type { ServerChange } from '../definition/changes.ts'
import type { Feature, Offers } from '../definition/offers.ts'
import { loadTasks } from '../tasks/lazy-tasks.ts'
import type { TaskServer } from '../tasks/task-server.ts'
import type { Bus } from './bus.ts'

const features: ReadonlySet<unknown> = new Set<Feature>(['tools', 'resources', 'prompts'])

/** A server that runs in several processes. */
export interface SharedServer extends TaskServer {
  /** Something changed in another process. */
  repeat(change: ServerChange): void
  /** This server or a mounted one, by its name. */
  named(name: unknown): Offers | undefined
}

/** Carries the changes of one server to the other processes that serve it, and theirs to its clients. */
export class ChangeBus {
  readonly #definition: SharedServer
  readonly #bus: Bus
  readonly #topic: string
  /** Marks messages of this process: a bus brings them back. */
  readonly #origin: string = crypto.randomUUID()
  #listening: Promise<(() => void) | undefined> | undefined

  constructor(definition: SharedServer, bus: Bus) {
    this.#definition = definition
    this.#bus = bus
    this.#topic = `changes/${definition.info.name}`
  }

  /** Sends a change to the other processes. */
  publish(change: ServerChange): void {
    void this.#quietly(() => this.#bus.publish(this.#topic, JSON.stringify({ from: this.#origin, ...toWire(change) })))
  }

  /** OpenSubscriptions to the other processes from now on; done when it does. */
  async listen(): Promise<void> {
    this.#listening ??= this.#quietly(() => this.#bus.subscribe(this.#topic, (message) => this.#received(message)))
    await this.#listening
  }

  /** Stops listening. */
  stop(): void {
    const listening = this.#listening
    this.#listening = undefined
    void listening?.then((stop) => this.#quietly(() => stop?.()))
  }

  /** A message on a bus may be from another version of the program, or from another program. */
  #received(message: string): void {
    const value = parse(message)
    if (value === undefined || value.from === this.#origin) return
    if (value.kind === 'task') return void this.#quietly(() => this.#taskChanged(value))
    const change = fromWire(value, this.#definition)
    if (change !== undefined) this.#definition.repeat(change)
  }

  /** Results are for the owner of a task alone, so the task itself is read from its store. */
  async #taskChanged({ owner, id }: { [member: string]: unknown }): Promise<void> {
    if (typeof owner !== 'string' || typeof id !== 'string' || !this.#definition.offersTasks) return
    const { tasksOf } = await loadTasks()
    const task = await tasksOf(this.#definition).changedElsewhere(owner, id)
    if (task !== undefined) this.#definition.repeat({ kind: 'task', owner, session: undefined, task })
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
