import type { ListenStream } from './listen-stream.ts'

/** Longer than streams to the same server differ in speed. */
const lingerMs = 250

/**
 * The time in which one stream takes over from another. Over HTTP they are two connections: what was told on the old
 * one before the new one began may arrive after it. So the old one stays a little longer, and what it still says is
 * told at its end, unless the new one said the same meanwhile.
 */
export class StreamHandover {
  readonly old: ListenStream
  readonly #late = new Map<string, () => void>()
  readonly #told = new Set<string>()
  readonly #timer: ReturnType<typeof setTimeout>

  constructor(old: ListenStream, done: () => void) {
    this.old = old
    this.#timer = setTimeout(() => {
      this.finish()
      done()
    }, lingerMs)
  }

  /** The old stream says something. */
  late(news: string, deliver: () => void): void {
    this.#late.set(news, deliver)
  }

  /** The new stream says something. */
  told(news: string): void {
    this.#told.add(news)
  }

  finish(): void {
    this.abandon()
    for (const [news, deliver] of this.#late) if (!this.#told.has(news)) deliver()
    this.#late.clear()
  }

  /** Ends it without another word. */
  abandon(): void {
    clearTimeout(this.#timer)
    this.old.close()
  }
}
