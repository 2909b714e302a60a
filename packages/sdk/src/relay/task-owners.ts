import { heapBytesOfText } from '../internal/heap-size.ts'
import { monotonicMs } from '../internal/monotonic-ms.ts'

/** The rest of an entry on the heap, from above; it bounds the count too. */
const entryBytes = 250

const hourMs = 3_600_000
/** A server may keep a task longer than it said at first, or for ever. */
const shortestMs = hourMs
const longestMs = 7 * 24 * hourMs

interface OwnedTask {
  readonly keepMs: number
  usedAt: number
}

interface Owner {
  readonly tasks: Map<string, OwnedTask>
  bytes: number
}

interface TaskOwnersBounds {
  readonly maxBytes?: number
  readonly maxBytesOfOwner?: number
}

/**
 * The tasks that were handed to each principal. A principal that has too many loses those that it used least recently, and
 * no other loses any for it. The id alone does not name a task: processes of one server may count their tasks from one.
 */
export class TaskOwners {
  readonly #maxBytes: number
  readonly #maxBytesOfOwner: number
  /** Both maps have the least recently used first. */
  readonly #owners = new Map<string, Owner>()
  #bytes = 0

  constructor({ maxBytes = 32 * 1024 * 1024, maxBytesOfOwner = 1024 * 1024 }: TaskOwnersBounds = {}) {
    this.#maxBytes = maxBytes
    this.#maxBytesOfOwner = maxBytesOfOwner
  }

  /** The estimated bytes on the heap. */
  get bytes(): number {
    return this.#bytes
  }

  add(principal: string, taskId: string, ttlMs: unknown): void {
    const owner = this.#owners.get(principal) ?? this.#newOwner(principal)
    this.#used(principal, owner)
    this.#forget(owner, taskId)
    const keepMs = typeof ttlMs === 'number' ? Math.min(Math.max(ttlMs, shortestMs), longestMs) : longestMs
    owner.tasks.set(taskId, { keepMs, usedAt: monotonicMs() })
    this.#charge(owner, entryBytes + heapBytesOfText(taskId))
    for (const [id, task] of owner.tasks) {
      if (owner.bytes <= this.#maxBytesOfOwner && !isOver(task)) break
      this.#forget(owner, id)
    }
    for (const [name, oldest] of this.#owners) {
      if (this.#bytes <= this.#maxBytes) break
      this.#owners.delete(name)
      this.#bytes -= oldest.bytes
    }
  }

  /** True if the task was handed to the principal; it is then kept for as long again. */
  has(principal: string, taskId: unknown): boolean {
    const owner = this.#owners.get(principal)
    const task = owner?.tasks.get(taskId as string)
    if (owner === undefined || task === undefined) return false
    if (isOver(task)) {
      this.#forget(owner, taskId as string)
      return false
    }
    task.usedAt = monotonicMs()
    owner.tasks.delete(taskId as string)
    owner.tasks.set(taskId as string, task)
    this.#used(principal, owner)
    return true
  }

  #newOwner(principal: string): Owner {
    const owner: Owner = { tasks: new Map(), bytes: 0 }
    this.#charge(owner, entryBytes + heapBytesOfText(principal))
    return owner
  }

  #used(principal: string, owner: Owner): void {
    this.#owners.delete(principal)
    this.#owners.set(principal, owner)
  }

  #forget(owner: Owner, taskId: string): void {
    if (owner.tasks.delete(taskId)) this.#charge(owner, -entryBytes - heapBytesOfText(taskId))
  }

  #charge(owner: Owner, bytes: number): void {
    owner.bytes += bytes
    this.#bytes += bytes
  }
}

const isOver = ({ usedAt, keepMs }: OwnedTask): boolean => monotonicMs() - usedAt > keepMs
