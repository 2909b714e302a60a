import type { ListenStream } from './listen-stream.ts'

/** Longer than streams to the same server differ in speed. */
const lingerMs = 250

/**
 * The time in which one stream takes over from another. Over HTTP they are two connections: notifications that the old
 * one sent before the new one began may arrive after it. So the old one stays a little longer, and its notifications
 * are delivered at its end, unless the new one brought the same.
 */
export class StreamHandover {
  readonly old: ListenStream
  readonly #late = new Map<string, () => void>()
  readonly #received = new Set<string>()
  readonly #timer: ReturnType<typeof setTimeout>

  constructor(old: ListenStream, done: () => void) {
    this.old = old
    this.#timer = setTimeout(() => {
      this.finish()
      done()
    }, lingerMs)
  }

  /** A notification on the old stream. */
  late(key: string, deliver: () => void): void {
    this.#late.set(key, deliver)
  }

  /** A notification on the new stream. */
  received(key: string): void {
    this.#received.add(key)
  }

  finish(): void {
    this.abandon()
    for (const [key, deliver] of this.#late) if (!this.#received.has(key)) deliver()
    this.#late.clear()
  }

  /** Ends it without delivering anything. */
  abandon(): void {
    clearTimeout(this.#timer)
    this.old.close()
  }
}
