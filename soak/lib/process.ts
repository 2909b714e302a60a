import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export const program: string = fileURLToPath(new URL('../server.mjs', import.meta.url))

/** A server process that returns at the same port after a kill. */
export class ServerProcess {
  readonly kind: string
  #child: ChildProcess | undefined
  #port = 0
  /** Its standard error: empty, if all is well. */
  complaints = ''

  constructor(kind: string) {
    this.kind = kind
  }

  get port(): number {
    return this.#port
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  async start(): Promise<void> {
    const args = ['--expose-gc', program, this.kind, String(this.#port)]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    this.#child = child
    child.stderr.on('data', (chunk: Buffer) => {
      this.complaints = `${this.complaints}${chunk.toString()}`.slice(-2_000)
    })
    const lines = createInterface({ input: child.stdout })
    const [line] = (await Promise.race([once(lines, 'line'), once(child, 'close')])) as [unknown]
    lines.close()
    if (typeof line !== 'string') throw new Error(`the ${this.kind} server did not start: ${this.complaints}`)
    this.#port = (JSON.parse(line) as { port: number }).port
    child.stdout.resume()
  }

  async kill(): Promise<void> {
    const child = this.#child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    // Messages of its children about its death do not count: Node's workers cannot start without the first process.
    child.stderr?.removeAllListeners('data').resume()
    child.kill('SIGKILL')
    await exit
  }

  /** Kills it, and starts it again. The port of a killed process may take a moment to be free. */
  async restart(): Promise<void> {
    await this.kill()
    const { complaints } = this
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.start()
      } catch (error) {
        if (attempt === 20 || !this.complaints.includes('EADDRINUSE')) throw error
        this.complaints = complaints
        await new Promise((resolve) => setTimeout(resolve, 250))
      }
    }
  }
}
