const intervalMs = 5_000

interface Watched {
  count: number
  last: string | undefined
  readonly read: () => Promise<string | undefined>
}

/**
 * Watches the schemas of tables for clients that subscribed. PostgreSQL tells nobody of changed tables, so they are read
 * again from time to time, and right after each change through this server.
 */
export class SchemaWatches {
  readonly #watched = new Map<string, Watched>()
  readonly #onChange: (uri: string) => void
  #timer: NodeJS.Timeout | undefined
  #isChecking = false

  constructor(onChange: (uri: string) => void) {
    this.#onChange = onChange
  }

  async begin(uri: string, read: () => Promise<string | undefined>): Promise<(() => void) | undefined> {
    const last = await read()
    if (last === undefined) return undefined
    const watched = this.#watched.get(uri) ?? { count: 0, last, read }
    watched.count++
    this.#watched.set(uri, watched)
    this.#timer ??= setInterval(() => void this.check(), intervalMs).unref()
    return () => {
      if (--watched.count === 0) this.#watched.delete(uri)
      if (this.#watched.size === 0) this.close()
    }
  }

  /** Reads everything that is watched again. One round at a time: a slow database is not asked faster. */
  async check(): Promise<void> {
    if (this.#isChecking) return
    this.#isChecking = true
    try {
      for (const [uri, watched] of this.#watched) {
        const now = await watched.read().catch(() => watched.last)
        if (now !== watched.last) this.#onChange(uri)
        watched.last = now
      }
    } finally {
      this.#isChecking = false
    }
  }

  close(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
