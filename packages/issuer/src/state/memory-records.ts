import type { RecordStore, StoredRecord } from '@tenon/sdk/auth/server'

interface Kept {
  readonly text: string
  readonly version: string
  /** By the wall clock, and by the monotonic one. */
  readonly until: number
  readonly endsAt: number
}

interface MemoryRecordsOptions {
  /** ms since 1970. */
  readonly now: () => number
  /** A clock that nobody sets. */
  readonly ticks: () => number
  /** The most records of a kind: the one that was written longest ago makes room. */
  max(kind: string): number
  /** Kinds whose records say that something is not good any more. */
  readonly warnings: ReadonlySet<string>
  /** Called after every change; a change is done when this is. */
  changed?(kind: string): Promise<void>
}

/**
 * Records in the memory of this process. A wall clock may be set ahead and back: what is good ends when one of the two
 * clocks says so, and a warning is forgotten when both do.
 */
export class MemoryRecords implements RecordStore {
  readonly #options: MemoryRecordsOptions
  readonly #kinds = new Map<string, Map<string, Kept>>()
  #versions = 0

  constructor(options: MemoryRecordsOptions) {
    this.#options = options
  }

  get(kind: string, id: string): StoredRecord | undefined {
    const kept = this.#kinds.get(kind)?.get(id)
    return kept !== undefined && this.#counts(kind, kept) ? kept : undefined
  }

  async add(kind: string, id: string, text: string, until: number): Promise<boolean> {
    if (this.get(kind, id) !== undefined) return false
    await this.set(kind, id, text, until)
    return true
  }

  async replace(kind: string, id: string, text: string, until: number, version: string): Promise<boolean> {
    if (this.get(kind, id)?.version !== version) return false
    await this.set(kind, id, text, until)
    return true
  }

  async set(kind: string, id: string, text: string, until: number): Promise<void> {
    this.#keep(kind, id, text, until)
    await this.#options.changed?.(kind)
  }

  async delete(kind: string, id: string, version?: string): Promise<boolean> {
    const kept = this.get(kind, id)
    if (kept === undefined || (version !== undefined && kept.version !== version)) return false
    this.#kinds.get(kind)!.delete(id)
    await this.#options.changed?.(kind)
    return true
  }

  #keep(kind: string, id: string, text: string, until: number): void {
    const records = this.#kinds.get(kind) ?? new Map<string, Kept>()
    this.#kinds.set(kind, records)
    // Set anew, so that the order is the one of the last change.
    records.delete(id)
    const endsAt = this.#options.ticks() + (until - this.#options.now())
    records.set(id, { text, version: String(++this.#versions), until, endsAt })
    this.#makeRoom(kind, records)
  }

  /** The texts of a kind, the one that was changed longest ago first. */
  texts(kind: string): string[] {
    const all = [...(this.#kinds.get(kind)?.values() ?? [])]
    return all.filter((kept) => this.#counts(kind, kept)).map(({ text }) => text)
  }

  #counts(kind: string, kept: Kept): boolean {
    const over = this.#over(kept)
    return this.#options.warnings.has(kind) ? over < 2 : over === 0
  }

  /** How many of the two clocks say that it is over. */
  #over({ until, endsAt }: Kept): number {
    return Number(until <= this.#options.now()) + Number(endsAt <= this.#options.ticks())
  }

  #makeRoom(kind: string, records: Map<string, Kept>): void {
    for (const [id, kept] of records) {
      if (this.#over(kept) < 2 && records.size <= this.#options.max(kind)) return
      records.delete(id)
    }
  }
}
