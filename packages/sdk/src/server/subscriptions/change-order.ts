import type { MaybePromise } from '../../internal/maybe-promise.ts'
import { backoffMs, idlePause } from '../../internal/timers.ts'
import { isAway, pauseMs } from './bus-subscription.ts'

/** The changes of servers in a log that several processes write. */
export interface ChangeHistory {
  append(session: string, stream: string, text: string): MaybePromise<number>
  after(session: string, stream: string, number: number): MaybePromise<readonly NumberedText[] | undefined>
  last(session: string, stream: string): Promise<number>
}

interface NumberedText {
  readonly number: number
  readonly text: string
}

interface OrderOptions {
  readonly history: ChangeHistory
  readonly topic: string
  /** Tells of a change that the bus did not bring. */
  tell(text: string): void
  /** Some changes are forgotten. */
  missed(): void
  report(error: unknown): void
}

/**
 * Tells of shared changes in the order of their numbers, each once. The bus brings them; if one does not fit, it and those
 * before it are read from the log.
 */
export class ChangeOrder {
  readonly #options: OrderOptions
  /** Listeners of this process were told of all changes up to this number. */
  last = 0
  #reading = false
  #again = false

  constructor(options: OrderOptions) {
    this.#options = options
  }

  /** Somebody begins to listen, and needs no change that was before. */
  async begin(): Promise<void> {
    this.last = await this.newest()
  }

  /** The number of the last change, in whichever process. */
  newest(): Promise<number> {
    return this.#options.history.last('', this.#options.topic)
  }

  append(text: string): MaybePromise<number> {
    return this.#options.history.append('', this.#options.topic, text)
  }

  /** A change is here. It counts once `tell` is done, which is called unless others come first. */
  take(number: number, tell: () => void = () => {}): void {
    if (this.#reading || number !== this.last + 1) return void this.readOn()
    tell()
    this.last = number
  }

  /** The texts of the changes after a number that listeners here were told of; undefined if some are forgotten. */
  async after(number: number): Promise<string[] | undefined> {
    const { history, topic } = this.#options
    const { last } = this
    if (number === last) return []
    if (number > last) return number > (await this.newest()) ? undefined : []
    const events = await history.after('', topic, number)
    return events?.filter((event) => event.number <= last).map(({ text }) => text)
  }

  /** Tells of everything in the log that nobody was told of here. */
  async readOn(): Promise<void> {
    this.#again = true
    if (this.#reading) return
    this.#reading = true
    for (let attempt = 1; this.#again; attempt++) {
      this.#again = false
      try {
        await this.#read()
      } catch (error) {
        this.#options.report(error)
        if (!isAway(error)) continue
        this.#again = true
        await idlePause(backoffMs(attempt, ...pauseMs))
      }
    }
    this.#reading = false
  }

  async #read(): Promise<void> {
    const { history, topic } = this.#options
    const newest = await this.newest()
    if (newest === this.last) return
    const events = newest < this.last ? undefined : await history.after('', topic, this.last)
    if (events === undefined) {
      this.last = newest
      this.#options.missed()
      return
    }
    for (const { number, text } of events) {
      this.#options.tell(text)
      this.last = number
    }
  }
}
