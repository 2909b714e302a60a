import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('server.mjs', import.meta.url))

export interface PlaceOptions {
  readonly name: string
  readonly redis: string
  readonly ledger: string
  readonly kind: 'serve' | 'work'
  /** The address that it listens on. */
  readonly host: string
  /** Words before the command, such as `ip netns exec other`. */
  readonly within: readonly string[]
}

/** The place of one process: a killed one is followed by another at the same address. */
export class Place {
  readonly options: PlaceOptions
  /** Of the server; empty for a worker. */
  url = ''
  /** What its processes wrote to stderr. */
  complaints = ''
  #child: ChildProcess | undefined

  constructor(options: PlaceOptions) {
    this.options = options
  }

  async start(): Promise<void> {
    const { name, redis, ledger, kind, host, within } = this.options
    const port = this.url === '' ? '0' : new URL(this.url).port
    const [command, ...args] = [...within, process.execPath, program, name, redis, ledger, kind, port, host]
    const child = spawn(command!, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    this.#child = child
    child.stderr.on('data', (chunk: Buffer) => {
      this.complaints = `${this.complaints}${chunk.toString()}`.slice(-4_000)
    })
    const lines = createInterface({ input: child.stdout })
    const [line] = (await Promise.race([once(lines, 'line'), once(child, 'close')])) as [unknown]
    lines.close()
    if (typeof line !== 'string') throw new Error(`${name} did not start: ${this.complaints}`)
    child.stdout.resume()
    if (kind === 'serve') this.url = line
  }

  async kill(): Promise<void> {
    const child = this.#child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  /** False if its process ended by itself. */
  get lives(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null
  }
}
