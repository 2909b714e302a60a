import type { LogMessage } from '@tenon/sdk/client'
import type { LogLine } from '../protocol.ts'

const maxLines = 2_000
const maxCharacters = 8 * 1024 * 1024
/** The length of the data of one message; of longer data, the beginning is kept as text. */
const maxDataLength = 65_536

/** The last messages that a server logged. */
export class LogLines {
  readonly #lines: { line: LogLine; length: number }[] = []
  #characters = 0
  #next = 1

  /** The number of the last message. */
  get last(): number {
    return this.#next - 1
  }

  /** The kept messages after one. */
  after(number: number): LogLine[] {
    return this.#lines.flatMap(({ line }) => (line.number > number ? [line] : []))
  }

  add({ level, logger, data }: LogMessage): void {
    const text = JSON.stringify(data) ?? ''
    const kept = text.length > maxDataLength ? `${text.slice(0, maxDataLength)}…` : data
    const line = { number: this.#next++, at: Date.now(), level, data: kept, ...(logger !== undefined && { logger }) }
    const length = Math.min(text.length, maxDataLength) + (logger?.length ?? 0)
    this.#lines.push({ line, length })
    this.#characters += length
    while (this.#lines.length > maxLines || this.#characters > maxCharacters) {
      this.#characters -= this.#lines.shift()!.length
    }
  }
}
