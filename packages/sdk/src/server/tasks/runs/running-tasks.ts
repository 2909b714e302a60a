import type { McpError } from '../../../errors.ts'
import { unref } from '../../../internal/timers.ts'
import type { TaskRecord } from '../store/task-store.ts'

export interface AbortableRun {
  abort(reason: McpError): void
}

/** The runs of this process. While there are any, their leases are renewed three times as often as they would end. */
export class RunningTasks {
  readonly #leaseMs: number
  readonly #renew: (id: string, owner: string) => Promise<void>
  readonly #entries = new Map<string, { run: AbortableRun; owner: string }>()
  #heart: ReturnType<typeof setInterval> | undefined

  /** `renew` never rejects. */
  constructor(leaseMs: number, renew: (id: string, owner: string) => Promise<void>) {
    this.#leaseMs = leaseMs
    this.#renew = renew
  }

  has(id: string): boolean {
    return this.#entries.has(id)
  }

  *entries(): Generator<{ id: string; owner: string }> {
    for (const [id, { owner }] of this.#entries) yield { id, owner }
  }

  /** Keeps a run until it is over; `done` never rejects. */
  add({ id, owner }: TaskRecord, run: AbortableRun, done: Promise<unknown>): void {
    const entry = { run, owner }
    this.#entries.set(id, entry)
    this.#heart ??= unref(setInterval(() => void this.#beat(), Math.ceil(this.#leaseMs / 3)))
    void done.then(() => {
      if (this.#entries.get(id) === entry) this.#entries.delete(id)
      if (this.#entries.size > 0) return
      clearInterval(this.#heart)
      this.#heart = undefined
    })
  }

  /** Another process goes on with a task: the run here is aborted, and its lease not renewed any more. */
  leave(id: string, reason: McpError): void {
    const entry = this.#entries.get(id)
    this.#entries.delete(id)
    entry?.run.abort(reason)
  }

  abort(id: string, reason: McpError): void {
    this.#entries.get(id)?.run.abort(reason)
  }

  async #beat(): Promise<void> {
    for (const [id, { owner }] of [...this.#entries]) await this.#renew(id, owner)
  }
}
