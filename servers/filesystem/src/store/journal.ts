import { ToolError } from '@tenon/sdk/server'
import type { Guard } from '../access/guard.ts'

/** A change that can be taken back. */
export interface Change {
  /** A sentence, such as `wrote /a/b.txt`. */
  readonly summary: string
  /** The real path that changed. */
  readonly path: string
  /** The memory that it takes. */
  readonly bytes: number
  undo(guard: Guard, force: boolean): Promise<string>
}

export interface RecordedChange extends Change {
  readonly id: number
  readonly at: Date
  readonly owner: string
}

const maxChanges = 1_000
const baseBytes = 500

/** The last changes, newest last, within a number of bytes: when they are used up, the oldest is forgotten. */
export class Journal {
  readonly #maxBytes: () => number
  #changes: RecordedChange[] = []
  #bytes = 0
  #lastId = 0

  constructor(maxBytes: () => number) {
    this.#maxBytes = maxBytes
  }

  /** True if a change of this size can be taken back. */
  hasRoomFor(bytes: number): boolean {
    return bytes + baseBytes <= this.#maxBytes()
  }

  record(owner: string, change: Change): RecordedChange {
    const recorded = { ...change, id: ++this.#lastId, at: new Date(), owner }
    this.#changes.push(recorded)
    this.#bytes += change.bytes + baseBytes
    while (this.#changes.length > 1 && (this.#bytes > this.#maxBytes() || this.#changes.length > maxChanges)) {
      this.#drop(this.#changes[0]!)
    }
    return recorded
  }

  /** The changes of an owner, newest first. */
  list(owner: string): RecordedChange[] {
    return this.#changes.filter((change) => change.owner === owner).reverse()
  }

  async undo(change: RecordedChange, guard: Guard, force: boolean): Promise<string> {
    if (!this.#changes.includes(change)) throw new ToolError(`Change ${change.id} was taken back already.`)
    const done = await change.undo(guard, force)
    this.#drop(change)
    return done
  }

  #drop(change: RecordedChange): void {
    this.#changes = this.#changes.filter((one) => one !== change)
    this.#bytes -= change.bytes + baseBytes
  }
}
