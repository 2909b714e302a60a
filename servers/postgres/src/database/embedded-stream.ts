import { Duplex } from 'node:stream'
import { Worker } from 'node:worker_threads'

const program = new URL('../../worker/embedded-worker.mjs', import.meta.url)

/** Authentication is over, a key to cancel with that nobody uses, and the server is ready. */
const welcome = Buffer.from([
  0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x4b, 0, 0, 0, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49,
])
const terminate = 0x58

/** The database in the thread broke off, or could not open its folder. */
export class EmbeddedFailure extends Error {
  override readonly name = 'EmbeddedFailure'
}

/**
 * A connection to an embedded database, which is a thread of this process: `pg` takes it for a socket. Destroying it ends
 * the thread with whatever it does; the files recover as after a crash.
 */
export class EmbeddedStream extends Duplex {
  readonly #folder: string
  readonly #before: Promise<unknown>
  readonly ended: Promise<void>
  #onEnded!: () => void
  #worker: Worker | undefined
  #isGreeted = false

  /** @param before - Settles when the thread before has left the folder. */
  constructor(folder: string, before: Promise<unknown>) {
    super()
    this.#folder = folder
    this.#before = before
    this.ended = new Promise((resolve) => {
      this.#onEnded = resolve
    })
  }

  connect(): this {
    void this.#before.then(() => {
      if (this.destroyed) return this.#onEnded()
      // Output of the database must not reach the streams on which this process speaks.
      const worker = new Worker(program, {
        workerData: { folder: this.#folder },
        stdout: true,
        stderr: true,
        // Flags of this process, such as those of `--eval`, may not fit a thread.
        execArgv: [],
      })
      this.#worker = worker
      worker.stdout.resume()
      worker.stderr.resume()
      worker.on('message', (message: 'ready' | Uint8Array) => this.#onMessage(message))
      worker.on('error', (cause) => this.destroy(new EmbeddedFailure(cause.message, { cause })))
      worker.on('exit', () => {
        this.#onEnded()
        this.push(null)
        this.destroy()
      })
    })
    return this
  }

  #onMessage(message: 'ready' | Uint8Array): void {
    if (message === 'ready') this.emit('connect')
    else if (message.length > 0 && !this.destroyed)
      this.push(Buffer.from(message.buffer, message.byteOffset, message.length))
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    if (!this.#isGreeted) {
      this.#isGreeted = true
      this.push(welcome)
    } else if (chunk[0] !== terminate) {
      this.#worker?.postMessage(new Uint8Array(chunk))
    }
    done()
  }

  override _read(): void {}

  override _final(done: () => void): void {
    this.#worker?.postMessage('close')
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (this.#worker === undefined) this.#onEnded()
    else void this.#worker.terminate()
    done(error)
  }

  setNoDelay(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }
}
