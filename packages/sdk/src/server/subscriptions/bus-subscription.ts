import { isMcpError } from '../../errors.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import { backoffMs, idlePause } from '../../internal/timers.ts'
import type { Bus } from './bus.ts'

type Report = (error: unknown) => void

/**
 * Listens to a topic of a bus. A bus that fails is reported, and neither ends the process nor keeps a server from closing: it
 * may be a machine that is away, and then it is tried again until it is back.
 */
export class BusSubscription {
  /** Done when the bus is listened to, or was away at the first attempt. */
  readonly tried: Promise<void>
  readonly #report: Report
  #stop: (() => void) | undefined
  #isStopped = false

  constructor(bus: Bus, topic: string, listener: (message: string) => MaybePromise<void>, report: Report) {
    this.#report = report
    const heard = (message: string): void => void quietly(() => listener(message), report)
    const subscribe = (): MaybePromise<() => void> => bus.subscribe(topic, heard)
    this.tried = this.#attempt(subscribe).then((isDone) => {
      if (!isDone) void this.#insist(subscribe)
    })
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.tried
    await quietly(() => this.#stop?.(), this.#report)
  }

  async #insist(subscribe: () => MaybePromise<() => void>): Promise<void> {
    for (let attempt = 1; !this.#isStopped; attempt++) {
      await idlePause(backoffMs(attempt, ...pauseMs))
      if (this.#isStopped || (await this.#attempt(subscribe))) return
    }
  }

  /** False if the bus is away. */
  async #attempt(subscribe: () => MaybePromise<() => void>): Promise<boolean> {
    try {
      const stop = await subscribe()
      if (this.#isStopped) stop()
      else this.#stop = stop
      return true
    } catch (error) {
      this.#report(error)
      return !isAway(error)
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
