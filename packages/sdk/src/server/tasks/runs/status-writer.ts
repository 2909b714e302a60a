/** Writes the status messages of a handler: one at a time, and of several the last. */
export class StatusWriter {
  readonly #write: (message: string) => Promise<void>
  #next: string | undefined
  #writing: Promise<void> | undefined

  constructor(write: (message: string) => Promise<void>) {
    this.#write = write
  }

  say(message: string): void {
    this.#next = message
    this.#writing ??= this.#writeAll()
  }

  /** Resolves when everything is written. */
  async written(): Promise<void> {
    await this.#writing
  }

  async #writeAll(): Promise<void> {
    while (this.#next !== undefined) {
      const message = this.#next
      this.#next = undefined
      await this.#write(message)
    }
    this.#writing = undefined
  }
}
