import { callListener } from '../options.ts'
import type { ChangeKind } from '../types.ts'

/** The listeners for changed lists of the server. */
export class ListChangeListeners {
  readonly #listeners = new Map<ChangeKind, Set<() => unknown>>()
  readonly #report: (error: Error) => void

  constructor(report: (error: Error) => void) {
    this.#report = report
  }

  /** Adds a listener; the returned function removes it. */
  on(kind: ChangeKind, listener: () => unknown): () => void {
    // A wrapper of its own, so that adding a function twice and removing it once leaves one.
    const entry = (): unknown => listener()
    const listeners = this.#listeners.get(kind) ?? new Set()
    this.#listeners.set(kind, listeners.add(entry))
    return () => {
      listeners.delete(entry)
    }
  }

  /** The lists that have listeners. */
  get kinds(): ChangeKind[] {
    return [...this.#listeners].flatMap(([kind, listeners]) => (listeners.size > 0 ? [kind] : []))
  }

  emit(kind: ChangeKind): void {
    for (const listener of [...(this.#listeners.get(kind) ?? [])]) callListener(this.#report, listener, undefined)
  }
}
