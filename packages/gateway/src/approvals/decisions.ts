import type { Bus } from '@tenon/sdk/server'

const topic = 'gateway-approvals'

interface Waiting extends Disposable {
  /** Resolves with the next decision, after a time or with the signal. */
  made(waitMs: number, signal: AbortSignal): Promise<void>
}

/** News of decisions, for the requests that wait for them here. Whoever was told looks at the record. */
export class Decisions {
  readonly #bus: Bus | undefined
  readonly #waiting = new Map<string, Set<() => void>>()
  #listening: Promise<() => void> | undefined

  constructor(bus: Bus | undefined) {
    this.#bus = bus
  }

  async tell(id: string): Promise<void> {
    this.#wake(id)
    await this.#bus?.publish(topic, id)
  }

  /** Hears of decisions about a request from now on, so that none is missed between a look and the wait. */
  async about(id: string): Promise<Waiting> {
    let hear!: () => void
    const heard = new Promise<void>((resolve) => {
      hear = resolve
    })
    const others = this.#waiting.get(id) ?? new Set()
    this.#waiting.set(id, others.add(hear))
    const leave = (): void => {
      others.delete(hear)
      if (others.size === 0 && this.#waiting.get(id) === others) this.#waiting.delete(id)
    }
    try {
      await this.#listen()
    } catch (error) {
      leave()
      throw error
    }
    return {
      made: (waitMs, signal) => firstOf(heard, hear, waitMs, signal),
      [Symbol.dispose]: leave,
    }
  }

  async close(): Promise<void> {
    const stop = await this.#listening?.catch(() => undefined)
    stop?.()
  }

  async #listen(): Promise<void> {
    if (this.#bus === undefined) return
    this.#listening ??= Promise.resolve(this.#bus.subscribe(topic, (id) => this.#wake(id))).catch((error: unknown) => {
      this.#listening = undefined
      throw error
    })
    await this.#listening
  }

  #wake(id: string): void {
    for (const hear of this.#waiting.get(id) ?? []) hear()
  }
}

async function firstOf(heard: Promise<void>, stop: () => void, waitMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted || waitMs <= 0) return
  const timer = setTimeout(stop, waitMs)
  signal.addEventListener('abort', stop)
  await heard
  clearTimeout(timer)
  signal.removeEventListener('abort', stop)
}
