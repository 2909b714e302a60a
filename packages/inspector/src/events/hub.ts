import { randomBytes } from 'node:crypto'
import { writeExact } from '../exact-json.ts'
import type { BenchEvent } from '../protocol.ts'

/** An event as it travels. */
export interface NumberedEvent {
  id: string
  json: string
}

const kept = 4_096
const keptBytes = 8 * 1024 * 1024

/** Numbers events, and keeps enough of them for a page that was away for a moment. */
export class EventHub {
  /** A page that knows another backend, or an earlier one, must not go on where that one ended. */
  readonly #epoch = randomBytes(6).toString('hex')
  readonly #listeners = new Set<(event: NumberedEvent) => void>()
  readonly #recent: string[] = []
  #bytes = 0
  #next = 1

  publish(event: BenchEvent): void {
    const json = writeExact(event)
    const id = this.#idOf(this.#next++)
    this.#recent.push(json)
    this.#bytes += json.length
    while (this.#recent.length > kept || (this.#bytes > keptBytes && this.#recent.length > 1)) {
      this.#bytes -= this.#recent.shift()!.length
    }
    for (const listener of this.#listeners) listener({ id, json })
  }

  /** The id of the event that came last: a snapshot taken at this moment contains it. */
  get lastId(): string {
    return this.#idOf(this.#next - 1)
  }

  /** The events after one, or undefined if some of them are gone. */
  since(id: string | undefined): NumberedEvent[] | undefined {
    const [epoch, digits = ''] = id?.split('.') ?? []
    if (epoch !== this.#epoch || !/^\d{1,15}$/.test(digits)) return undefined
    const first = this.#next - this.#recent.length
    const from = Number(digits) + 1
    if (from < first || from > this.#next) return undefined
    return this.#recent.slice(from - first).map((json, index) => ({ id: this.#idOf(from + index), json }))
  }

  listen(listener: (event: NumberedEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #idOf(number: number): string {
    return `${this.#epoch}.${number}`
  }
}
