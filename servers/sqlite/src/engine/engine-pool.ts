import { type CallOptions, EngineFailure, EngineProcess } from './engine-process.ts'
import type { Call, EngineOptions } from './protocol.ts'

const idleMs = 60_000
const maxWaiting = 200

interface Idle {
  readonly engine: EngineProcess
  readonly timer: NodeJS.Timeout
}

/** Some processes for calls of one kind. They start when they are needed, and end when they are not. */
export class EnginePool {
  readonly #options: () => EngineOptions
  readonly #size: number
  readonly #idle: Idle[] = []
  readonly #busy = new Set<EngineProcess>()
  readonly #waiting: { start(): void }[] = []
  #taken = 0
  #isClosed = false

  constructor(options: () => EngineOptions, size: number) {
    this.#options = options
    this.#size = size
  }

  async run(call: Call, options: CallOptions): Promise<unknown> {
    await this.#acquire(options.signal)
    try {
      return await this.#runNow(call, options)
    } finally {
      this.#release()
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const engine of this.#busy) engine.end()
    for (const { start } of this.#waiting.splice(0)) start()
    const idle = this.#idle.splice(0)
    for (const { timer } of idle) clearTimeout(timer)
    await Promise.all(idle.map(({ engine }) => engine.retire()))
  }

  async #runNow(call: Call, options: CallOptions): Promise<unknown> {
    if (this.#isClosed) throw new EngineFailure('cancelled', 'the server ends')
    const engine = this.#take()
    this.#busy.add(engine)
    try {
      return await engine.call(call, options)
    } finally {
      this.#busy.delete(engine)
      if (!engine.isGone) this.#keep(engine)
    }
  }

  /** Waits until a process is free. */
  async #acquire(signal: AbortSignal | undefined): Promise<void> {
    if (this.#taken < this.#size) {
      this.#taken++
      return
    }
    if (this.#waiting.length >= maxWaiting) throw new EngineFailure('failed', 'too many calls wait; try again later')
    await new Promise<void>((resolve, reject) => {
      const cancel = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(turn), 1)
        reject(new EngineFailure('cancelled', 'cancelled'))
      }
      const start = (): void => {
        signal?.removeEventListener('abort', cancel)
        resolve()
      }
      const turn = { start }
      this.#waiting.push(turn)
      signal?.addEventListener('abort', cancel, { once: true })
    })
  }

  /** The place of a call goes to the one that waits longest. */
  #release(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#taken--
    else next.start()
  }

  #take(): EngineProcess {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      clearTimeout(idle.timer)
      if (!idle.engine.isGone) return idle.engine
    }
    return new EngineProcess(this.#options())
  }

  #keep(engine: EngineProcess): void {
    if (this.#isClosed) return void engine.retire()
    const timer = setTimeout(() => {
      const place = this.#idle.findIndex((idle) => idle.engine === engine)
      if (place >= 0) this.#idle.splice(place, 1)
      void engine.retire()
    }, idleMs)
    timer.unref()
    this.#idle.push({ engine, timer })
  }
}
