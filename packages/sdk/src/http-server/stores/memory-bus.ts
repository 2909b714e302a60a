import type { Bus } from './stores.ts'

/** Reaches the listeners of this process. */
export class MemoryBus implements Bus {
  readonly #topics = new Map<string, Set<(message: string) => void>>()

  publish(topic: string, message: string): void {
    for (const listener of [...(this.#topics.get(topic) ?? [])]) listener(message)
  }

  subscribe(topic: string, listener: (message: string) => void): () => void {
    // Wrapped, so that a function that subscribes twice is called twice and stops once.
    const own = (message: string): void => listener(message)
    const listeners = this.#topics.get(topic) ?? new Set()
    this.#topics.set(topic, listeners.add(own))
    return () => {
      listeners.delete(own)
      if (listeners.size === 0 && this.#topics.get(topic) === listeners) this.#topics.delete(topic)
    }
  }
}
