import { isMcpError } from '../../errors.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import { backoffMs, idlePause } from '../../internal/timers.ts'
import type { Bus } from './bus.ts'

type Report = (error: unknown) => void

export interface BusListening {
  report: Report
  /** The bus was away at first, or may have lost messages: some were missed. */
  late(): void
}

/**
 * Listens to a topic of a bus. A bus that fails is reported, and neither ends the process nor keeps a server from closing: it
 * may be a machine that is away, and then it is tried again until it is back.
 */
export class BusSubscription {
  /** Done when the bus is listened to, or was away at the first attempt. */
  readonly tried: Promise<void>
  readonly #listening: BusListening
  readonly #subscribe: () => MaybePromise<() => void>
  #stop: (() => void) | undefined
  #isStopped = false
  /** Set while the bus is away. */
  #fault: unknown
  #trying: Promise<void> | undefined

  constructor(bus: Bus, topic: string, listener: (message: string) => MaybePromise<void>, listening: BusListening) {
    this.#listening = listening
    const heard = (message: string): void => void quietly(() => listener(message), listening.report)
    this.#subscribe = () => bus.subscribe(topic, heard, () => listening.late())
    this.tried = this.#attempt().then(() => {
      if (this.#fault !== undefined) void this.#insist()
    })
  }

  /** Done when messages arrive, or never will. Tries again if the bus was away, and fails if it still is. */
  async joined(): Promise<void> {
    await this.tried
    if (this.#fault === undefined) return
    await this.#tryAgain()
    if (this.#fault !== undefined) throw this.#fault
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.tried
    await quietly(() => this.#stop?.(), this.#listening.report)
  }

  async #insist(): Promise<void> {
    for (let attempt = 1; this.#fault !== undefined; attempt++) {
      await idlePause(backoffMs(attempt, ...pauseMs))
      if (this.#isStopped) return
      if (this.#fault !== undefined) await this.#tryAgain()
    }
  }

  /** One attempt at a time, whoever asks for it. */
  #tryAgain(): Promise<void> {
    this.#trying ??= this.#attempt().then(() => {
      this.#trying = undefined
      if (this.#fault === undefined && !this.#isStopped) this.#listening.late()
    })
    return this.#trying
  }

  async #attempt(): Promise<void> {
    try {
      const stop = await this.#subscribe()
      if (this.#isStopped) stop()
      else this.#stop = stop
      this.#fault = undefined
    } catch (error) {
      this.#listening.report(error)
      this.#fault = isAway(error) ? error : undefined
    }
  }
}

/** The first and the longest pause before something is sent again to a store or bus that is away. */
export const pauseMs = [100, 2_000] as const

/** True for a store or bus that comes back by itself. */
export const isAway = (error: unknown): boolean => isMcpError(error) && error.code === 'unavailable'

async function quietly(use: () => MaybePromise<unknown>, report: Report): Promise<void> {
  try {
    await use()
  } catch (error) {
    report(error)
  }
}
