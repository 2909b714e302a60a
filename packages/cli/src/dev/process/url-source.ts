import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { CommandFailure, ExitCode } from '../../exit.ts'
import { launch, type Program } from './program.ts'
import type { ServerSource } from './server-source.ts'

const killAfterMs = 2_000
const patienceMs = 20_000

/** A server that listens by itself: one process for all connections, which is started again for every change. */
export class UrlSource implements ServerSource {
  readonly #program: Program
  readonly #url: string
  #child: ChildProcess | undefined

  constructor(program: Program, url: string) {
    this.#program = program
    this.#url = url
  }

  target(): string {
    return this.#url
  }

  async renew(signal: AbortSignal): Promise<void> {
    await this.close()
    signal.throwIfAborted()
    const { command, args, cwd, env, stderr } = launch(this.#program)
    // In a group of its own, so that it can be ended with all it started. Its input ends with this process, however that
    // ends, and the runner with its input.
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env, TENON_DEV_URL: this.#url },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    })
    this.#child = child
    child.stdin!.on('error', () => {})
    for (const stream of [child.stdout!, child.stderr!]) stream.setEncoding('utf8').on('data', stderr)
    await this.#answering(child, signal)
  }

  async close(): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (child?.pid === undefined || hasEnded(child)) return
    const ended = once(child, 'exit')
    signalAll(child, 'SIGTERM')
    const timer = setTimeout(() => signalAll(child, 'SIGKILL'), killAfterMs)
    await ended
    clearTimeout(timer)
    signalAll(child, 'SIGKILL')
  }

  /** Waits until the address answers with any status. */
  async #answering(child: ChildProcess, signal: AbortSignal): Promise<void> {
    const until = performance.now() + patienceMs
    while (!hasEnded(child)) {
      signal.throwIfAborted()
      if (
        await fetch(this.#url, { method: 'OPTIONS', signal }).then(
          () => true,
          () => false,
        )
      )
        return
      if (performance.now() > until) throw failure(`Nobody answers at ${this.#url}`)
      await sleep(50, undefined, { signal })
    }
    throw failure(`It ended with ${child.exitCode ?? child.signalCode} before anybody answered at ${this.#url}`)
  }
}

const failure = (message: string): CommandFailure => new CommandFailure(ExitCode.Unreachable, 'no_answer', message)

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

function signalAll({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? pid! : -pid!, signal)
  } catch {
    // They are gone already.
  }
}
