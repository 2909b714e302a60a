import type { Worker } from 'node:cluster'
import { McpError } from '../../errors.ts'
import { guardListener } from '../../internal/guard-listener.ts'
import { withinMs } from '../../internal/timers.ts'

interface WorkerPoolOptions {
  size: number
  /** The port at which workers listen. */
  port: number
  fork(): Worker
  report(error: unknown): void
  onMessage(message: unknown, from: Worker): void
}

const startLimitMs = 30_000
/** A worker that lived shorter than this is likely to die again. */
const quickDeathMs = 10_000
const firstDelayMs = 50
const longestDelayMs = 30_000
/** The time of a worker beyond that for its requests, before it is killed. */
const extraMs = 2_000

/** The configured number of workers, until it is closed. */
export class WorkerPool {
  readonly #options: WorkerPoolOptions
  readonly #workers = new Set<Worker>()
  readonly #serving = new WeakSet<Worker>()
  readonly #delays = new Set<ReturnType<typeof setTimeout>>()
  #quickDeaths = 0
  #started = false
  #closing = false

  constructor(options: WorkerPoolOptions) {
    this.#options = options
  }

  /**
   * Resolves when all workers listen: connections that come earlier would stay with those that are there. One that ends
   * before that would end every time.
   */
  async start(): Promise<void> {
    const first = Array.from({ length: this.#options.size }, () => this.#fork())
    const listening = first.map((worker) => this.#listening(worker))
    const inTime = await withinMs(startLimitMs, Promise.all(listening))
    if (!inTime)
      throw new McpError('spawn', 'A worker did not call serveHttp: the script has to do so in every process')
    this.#started = true
  }

  send(message: object, except?: Worker): void {
    for (const worker of this.#workers) {
      // A worker that is about to end needs no messages.
      if (worker !== except && worker.isConnected()) worker.send(message, () => {})
    }
  }

  /** Lets the workers finish, and kills those that do not. */
  async close(graceMs: number): Promise<void> {
    this.#closing = true
    for (const delay of this.#delays) clearTimeout(delay)
    const ends = [...this.#workers].map((worker) => end(worker, this.#serving.has(worker) ? graceMs + extraMs : 0))
    await Promise.all(ends)
  }

  #fork(): Worker {
    const { fork, onMessage, report } = this.#options
    const worker = fork()
    const bornAt = performance.now()
    this.#workers.add(worker)
    worker.on(
      'message',
      guardListener((message: unknown) => onMessage(message, worker), { report }),
    )
    worker.on('error', report)
    worker.on('listening', () => this.#serving.add(worker))
    worker.once('exit', (code, signal) => {
      this.#workers.delete(worker)
      // A worker that disconnected on purpose is not replaced.
      if (this.#started && !this.#closing && !worker.exitedAfterDisconnect)
        this.#replace(bornAt, describeEnd(code, signal))
    })
    return worker
  }

  #listening(worker: Worker): Promise<void> {
    return new Promise((resolve, reject) => {
      worker.on('listening', ({ port }) => {
        if (port === this.#options.port) resolve()
      })
      worker.once('exit', (code, signal) => {
        reject(new McpError('spawn', `A worker ended before it listened (${describeEnd(code, signal)})`))
      })
    })
  }

  /** The first time almost at once, but a worker that dies again and again must not keep the machine busy. */
  #replace(bornAt: number, how: string): void {
    this.#quickDeaths = performance.now() - bornAt < quickDeathMs ? this.#quickDeaths + 1 : 0
    const delayMs = Math.min(longestDelayMs, firstDelayMs * 2 ** Math.max(0, this.#quickDeaths - 1))
    this.#options.report(new McpError('spawn', `A worker ended (${how}); the next one starts in ${delayMs} ms`))
    const delay = setTimeout(() => {
      this.#delays.delete(delay)
      this.#refork(bornAt)
    }, delayMs)
    this.#delays.add(delay)
  }

  #refork(bornAt: number): void {
    try {
      this.#fork()
    } catch (error) {
      this.#options.report(error)
      this.#replace(bornAt, 'it could not be started')
    }
  }
}

/** Makes a worker finish its requests and exit. */
export const closeMessage = 'tenon:close'

const describeEnd = (code: number | null, signal: string | null): string =>
  signal === null ? `exit code ${code}` : `signal ${signal}`

async function end(worker: Worker, limitMs: number): Promise<void> {
  const ended = new Promise<void>((resolve) => worker.process.once('exit', () => resolve()))
  if (worker.process.exitCode !== null || worker.process.signalCode !== null) return
  // Not `disconnect`: that lets a worker go only when the last of its clients has gone.
  if (worker.isConnected()) worker.send(closeMessage, () => {})
  if (await withinMs(limitMs, ended)) return
  worker.process.kill('SIGKILL')
  await ended
}
