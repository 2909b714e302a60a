import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { Bus } from '../subscriptions/bus.ts'
import { ChangeBus, type SharedServer } from '../subscriptions/change-bus.ts'
import type { ChangeHistory } from '../subscriptions/change-order.ts'
import type { PassedReport } from '../tasks/task-report.ts'
import type { ChangeListener, ServerChange } from './changes.ts'

/** The changes of a server: told to listeners here, and through a bus to other processes. */
export class ChangeFeed {
  readonly #server: SharedServer
  readonly #listeners = new Set<ChangeListener>()
  #relay: ChangeBus | undefined
  /** Grows with every change of a list, here or below: anything derived from an older version is stale. */
  version = 0

  constructor(server: SharedServer) {
    this.#server = server
  }

  /** True if changes go to other processes by themselves. */
  get isShared(): boolean {
    return this.#relay !== undefined
  }

  add(listener: ChangeListener): void {
    this.#listeners.add(listener)
    void this.#relay?.listen()
  }

  remove(listener: ChangeListener): void {
    if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.#relay?.stop()
  }

  /** Something changed in this process. */
  emit(change: ServerChange): void {
    this.#relay?.publish(change)
    this.#tell(change, true)
  }

  /** Sends a report of a task to the process that its client talks to. */
  pass(report: PassedReport): MaybePromise<void> {
    return this.#relay?.pass(report)
  }

  /** Something changed in another process. */
  repeat(change: ServerChange): void {
    this.#tell(change, false)
  }

  /** Changes in other processes are not known: whatever listeners asked for may have changed. */
  missed(): void {
    this.version++
    for (const listener of this.#listeners) listener.missed?.()
  }

  #tell(change: ServerChange, own: boolean): void {
    if (change.kind === 'list') this.version++
    for (const listener of this.#listeners) listener.changed(change, own)
  }

  /** The number of the last change that listeners here were told of, of those that processes share. */
  get last(): number {
    return this.#relay?.last ?? 0
  }

  /** The number of the last one in whichever process. */
  count(): MaybePromise<number> {
    return this.#relay?.count() ?? 0
  }

  /** The shared changes after a number that listeners here were told of; undefined if some are forgotten. */
  after(number: number): MaybePromise<ServerChange[] | undefined> {
    return this.#relay?.after(number) ?? []
  }

  /** Shares changes with other processes. Only the first bus is used. */
  useBus(bus: Bus, history?: ChangeHistory): void {
    if (this.#relay !== undefined) return
    this.#relay = new ChangeBus(this.#server, bus, history)
    if (this.#listeners.size > 0) void this.#relay.listen()
  }

  /** Done when changes in other processes arrive here. */
  async join(): Promise<void> {
    await this.#relay?.listen()
  }
}
