import { monotonicMs } from '../../../internal/monotonic-ms.ts'
import type { TaskRecord } from '../store/task-store.ts'

/** Tasks of other processes that are watched at once. */
const maxSeen = 10_000

/**
 * Tells leases that are over. Their dates are those of the process that wrote them, and wall clocks are set: a lease that
 * stays the same for as long as it may last is over too, in spite of its date.
 */
export class LeaseWatch {
  readonly #leaseMs: number
  /** The lease of a task as it was seen first, and when. */
  readonly #seen = new Map<string, { lease: string; at: number }>()

  constructor(leaseMs: number) {
    this.#leaseMs = leaseMs
  }

  /** True if no process is believed to work on a task that should be worked on. */
  isOrphan({ id, status, lease }: TaskRecord): boolean {
    if (status !== 'working') return false
    const isOver = lease === undefined || lease.until < Date.now() || this.#isUnchanged(id, lease)
    if (isOver) this.#seen.delete(id)
    return isOver
  }

  /** When it is worth to look again at a lease that is not over. */
  leftMs({ lease }: TaskRecord): number {
    return Math.min(Math.max((lease?.until ?? 0) - Date.now(), 0), this.#leaseMs)
  }

  /** Forgets all tasks but these. */
  keep(records: readonly TaskRecord[]): void {
    const ids = new Set(records.map(({ id }) => id))
    for (const id of this.#seen.keys()) if (!ids.has(id)) this.#seen.delete(id)
  }

  #isUnchanged(id: string, { by, until }: NonNullable<TaskRecord['lease']>): boolean {
    const lease = `${by} ${until}`
    const seen = this.#seen.get(id)
    if (seen?.lease === lease) return monotonicMs() - seen.at >= this.#leaseMs
    this.#seen.delete(id)
    this.#seen.set(id, { lease, at: monotonicMs() })
    if (this.#seen.size > maxSeen) this.#seen.delete(this.#seen.keys().next().value!)
    return false
  }
}
