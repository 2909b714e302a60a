import type { Client } from '@tenon/sdk/client'
import { pause } from '../servers/pause.ts'
import { type ListKind, readList, type ServerLists } from './server-lists.ts'

interface ReaderParts {
  readonly client: Client
  /** The lists that are read together. */
  readonly kinds: readonly ListKind[]
  /** Fires when the lists are of no use any more. */
  readonly signal: AbortSignal
  report(problem: string): void
  /** Takes over lists that were read. */
  take(lists: Partial<ServerLists>): void
  /** Lists were taken over after the first reading. */
  changed(): Promise<void>
}

/** The shortest time between two readings, however often the server announces changes. */
const rereadMs = 200

/** Reads lists, and again after a change: one reading at a time, and one more if another change came meanwhile. */
export class ListReader {
  readonly #parts: ReaderParts
  #isStale = false
  #isReading = false

  constructor(parts: ReaderParts) {
    this.#parts = parts
  }

  /** The first reading. Changes that are announced meanwhile are read after it. */
  async first(): Promise<void> {
    this.#isReading = true
    await this.#read()
    this.#isReading = false
    if (this.#isStale) this.changed()
  }

  /** The server says that a list has changed. */
  changed(): void {
    this.#isStale = true
    if (this.#isReading) return
    this.#isReading = true
    const { report } = this.#parts
    void this.#follow()
      .catch((error: unknown) => report((error as Error).message))
      .finally(() => {
        this.#isReading = false
      })
  }

  async #follow(): Promise<void> {
    const { signal, changed } = this.#parts
    while (this.#isStale && !signal.aborted) {
      this.#isStale = false
      await this.#read()
      if (signal.aborted) return
      await changed()
      await pause(rereadMs, signal)
    }
  }

  async #read(): Promise<void> {
    const { client, kinds, signal, report, take } = this.#parts
    const read = await Promise.all(kinds.map(async (kind) => [kind, await readList(client, kind, report)] as const))
    if (!signal.aborted) take(Object.fromEntries(read.filter(([, items]) => items !== undefined)))
  }
}
