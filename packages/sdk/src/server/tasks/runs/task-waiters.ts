/** Requests that wait for a task to change. */
export class TaskWaiters {
  readonly #byId = new Map<string, Set<() => void>>()

  /** Resolves when the task is stirred, when the signal fires, and after some time in any case. */
  next(id: string, signal: AbortSignal, atMostMs: number): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#byId.get(id) ?? new Set()
      const done = (): void => {
        waiting.delete(done)
        if (waiting.size === 0 && this.#byId.get(id) === waiting) this.#byId.delete(id)
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, atMostMs)
      signal.addEventListener('abort', done)
      this.#byId.set(id, waiting.add(done))
    })
  }

  wake(id: string): void {
    for (const wake of [...(this.#byId.get(id) ?? [])]) wake()
  }
}
