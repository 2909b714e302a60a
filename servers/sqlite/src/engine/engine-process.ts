import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Bounds, Call, EngineOptions, FromEngine, ToEngine } from './protocol.ts'
import { memorySignal } from './watchdog.ts'

// Node 20 runs no TypeScript, so sources use the built file.
const processFile = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/engine/process.js' : './process.js', import.meta.url),
)

/** A call that failed. */
export class EngineFailure extends Error {
  /** `refused`: the guard said no. `failed`: the engine did. Others: the process is gone. */
  readonly reason: 'refused' | 'failed' | 'time' | 'memory' | 'crash' | 'cancelled'

  constructor(reason: EngineFailure['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

export interface CallOptions {
  readonly bounds: Bounds
  readonly signal?: AbortSignal | undefined
  readonly progress?: ((rows: number) => void) | undefined
}

/** A process with one connection, for one call at a time. */
export class EngineProcess {
  readonly #child: ChildProcess
  /** The process runs, or is gone. */
  readonly #started: Promise<unknown>
  #isGone = false

  constructor(options: EngineOptions) {
    this.#child = fork(processFile, [JSON.stringify(options)], {
      // Rows are many small objects that live shortly.
      execArgv: ['--max-semi-space-size=32'],
      // Standard output belongs to the protocol, and the environment to the operator.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: pick(process.env, ['PATH', 'SystemRoot', 'TMPDIR', 'TEMP', 'TMP', 'LD_LIBRARY_PATH']),
    })
    this.#child.on('error', () => {})
    this.#started = new Promise((resolve) => this.#child.once('message', resolve).once('exit', resolve))
    this.#child.once('exit', () => {
      this.#isGone = true
    })
    this.#rest()
  }

  get isGone(): boolean {
    return this.#isGone
  }

  /**
   * Runs a call. A call that is late or cancelled ends the process, and with it the transaction. The start of the
   * process does not count as time of the call.
   */
  async call(call: Call, { bounds, signal, progress }: CallOptions): Promise<unknown> {
    const cancelled = (): EngineFailure => new EngineFailure('cancelled', 'cancelled')
    this.#work()
    await this.#started
    try {
      if (signal?.aborted) throw cancelled()
      return await this.#answer(call, bounds, progress, (end) => {
        const late = (): void => end(new EngineFailure('time', `longer than ${bounds.timeMs / 1000} s`))
        const timer = setTimeout(late, bounds.timeMs)
        const abort = (): void => end(cancelled())
        signal?.addEventListener('abort', abort, { once: true })
        return () => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', abort)
        }
      })
    } finally {
      this.#rest()
    }
  }

  /** Sends a call and waits for its result, for the end of the process, or for a reason to end it. */
  #answer(
    call: Call,
    bounds: Bounds,
    progress: CallOptions['progress'],
    watch: (end: (failure: EngineFailure) => void) => () => void,
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      let ending: EngineFailure | undefined
      const release = watch((failure) => {
        ending = failure
        this.end()
      })
      const heard = (message: unknown): void => {
        const answer = message as FromEngine
        if ('progress' in answer) progress?.(answer.progress)
        if ('result' in answer) settle(() => resolve(answer.result))
        if ('failure' in answer) {
          settle(() => reject(new EngineFailure(answer.isRefusal ? 'refused' : 'failed', answer.failure)))
        }
      }
      const exited = (code: number | null, by: string | null): void =>
        settle(() => reject(ending ?? endOf(code, by, bounds)))
      const settle = (how: () => void): void => {
        release()
        this.#child.off('message', heard).off('exit', exited)
        how()
      }
      this.#child.on('message', heard).on('exit', exited)
      if (this.#isGone) exited(this.#child.exitCode, this.#child.signalCode)
      else this.#child.send({ call, bounds } satisfies ToEngine, () => {})
    })
  }

  /** Ends the process at once. The next one takes back what it left undone. */
  end(): void {
    this.#isGone = true
    this.#child.kill('SIGKILL')
  }

  /** Ends an idle process, which closes the database first. */
  async retire(): Promise<void> {
    if (this.#isGone) return
    const exited = new Promise((resolve) => this.#child.once('exit', resolve))
    this.#child.ref()
    if (this.#child.connected) this.#child.disconnect()
    await exited
  }

  #work(): void {
    this.#child.ref()
    this.#child.channel?.ref()
  }

  /** An idle engine keeps no program from ending. */
  #rest(): void {
    this.#child.unref()
    this.#child.channel?.unref()
  }
}

function endOf(code: number | null, by: string | null, { memoryBytes }: Bounds): EngineFailure {
  if (by === memorySignal) return new EngineFailure('memory', `more than ${memoryBytes} bytes`)
  return new EngineFailure('crash', `the engine ended (${by ?? code})`)
}

function pick(from: NodeJS.ProcessEnv, names: string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]))
}
