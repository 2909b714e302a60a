/** How often tokens are looked at again that only their issuer can tell about. */
const recheckMs = 60_000

/** A token that something stays open for. */
interface Watched {
  token: string
  /** Milliseconds since 1970, where the token tells. */
  expiresAt: number | undefined
  /** Whether the token is still good; absent where that cannot change. */
  recheck: (() => Promise<boolean>) | undefined
}

/** Tracks open streams by token, and ends them when the token expires or turns out to be revoked. */
export class TokenWatch {
  readonly #open = new Map<string, Set<() => void>>()

  /** How many tokens are watched, for tests that look for leaks. */
  get size(): number {
    return this.#open.size
  }

  /** Calls `ended` once, when the token is no longer good; the returned function stops that. */
  watch(watched: Watched, ended: () => void): () => void {
    const { token } = watched
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = (): void => {
      clearTimeout(timer)
      timer = undefined
      const open = this.#open.get(token)
      if (open?.delete(end) && open.size === 0) this.#open.delete(token)
    }
    const end = (): void => {
      stop()
      ended()
    }
    const isWatched = (): boolean => this.#open.get(token)?.has(end) === true
    const wait = (): void => {
      const leftMs = (watched.expiresAt ?? Number.POSITIVE_INFINITY) - Date.now()
      // In steps, since a timer cannot wait for longer than 24 days, and clocks are set.
      timer = setTimeout(look, Math.max(0, Math.min(leftMs, recheckMs)))
      ;(timer as { unref?: () => void }).unref?.()
    }
    const look = async (): Promise<void> => {
      if (watched.expiresAt !== undefined && watched.expiresAt <= Date.now()) return end()
      const isGood = (await watched.recheck?.()) ?? true
      if (!isWatched()) return
      if (isGood) wait()
      else end()
    }
    this.#open.set(token, (this.#open.get(token) ?? new Set()).add(end))
    wait()
    return stop
  }

  /** The token is known to be bad: its streams end. */
  refused(token: string): void {
    for (const end of [...(this.#open.get(token) ?? [])]) end()
  }
}
