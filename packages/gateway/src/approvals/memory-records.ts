import type { RecordStore, StoredRecord } from '@tenon/sdk/auth/server'

interface Kept extends StoredRecord {
  readonly until: number
}

/** Records in the memory of this process. Whoever writes them bounds their number. */
export class MemoryRecords implements RecordStore {
  readonly #records = new Map<string, Kept>()
  readonly #now: () => number
  #versions = 0

  constructor(now: () => number) {
    this.#now = now
  }

  get(kind: string, id: string): StoredRecord | undefined {
    const kept = this.#records.get(keyOf(kind, id))
    return kept !== undefined && kept.until > this.#now() ? kept : undefined
  }

  add(kind: string, id: string, text: string, until: number): boolean {
    if (this.get(kind, id) !== undefined) return false
    this.set(kind, id, text, until)
    return true
  }

  replace(kind: string, id: string, text: string, until: number, version: string): boolean {
    if (this.get(kind, id)?.version !== version) return false
    this.set(kind, id, text, until)
    return true
  }

  set(kind: string, id: string, text: string, until: number): void {
    const now = this.#now()
    for (const [key, kept] of this.#records) if (kept.until <= now) this.#records.delete(key)
    this.#records.set(keyOf(kind, id), { text, version: String(++this.#versions), until })
  }

  delete(kind: string, id: string, version?: string): boolean {
    const kept = this.get(kind, id)
    if (kept === undefined || (version !== undefined && kept.version !== version)) return false
    return this.#records.delete(keyOf(kind, id))
  }
}

const keyOf = (kind: string, id: string): string => JSON.stringify([kind, id])
