import type { SessionSink } from '@tenon/replay'

const maxCharacters = 64 * 1024 * 1024

/** Keeps the lines of a recording in memory, up to a bound. */
export class BoundedSink implements SessionSink {
  readonly #lines: string[] = []
  #length = 0

  get text(): string {
    return this.#lines.join('')
  }

  write(line: string): void {
    this.#length += line.length
    if (this.#length > maxCharacters) throw new Error(`A recording takes at most ${maxCharacters} characters`)
    this.#lines.push(line)
  }
}
