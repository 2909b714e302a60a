import type { SessionRecord, SessionStore } from './stores.ts'

/** Sessions that end with the process. */
export class MemorySessionStore implements SessionStore {
  readonly #records = new Map<string, SessionRecord>()

  add(record: SessionRecord): void {
    this.#records.set(record.id, record)
  }

  get(id: string): SessionRecord | undefined {
    return this.#records.get(id)
  }

  remove(id: string): boolean {
    return this.#records.delete(id)
  }

  get size(): number {
    return this.#records.size
  }
}
