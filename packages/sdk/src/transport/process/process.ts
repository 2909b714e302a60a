import { type ChildProcess, type SpawnOptions as NodeSpawnOptions, spawn as spawnNatively } from 'node:child_process'
import { McpError } from '../../errors.ts'
import { gate } from '../../internal/gate.ts'
import { guardListener } from '../../internal/guard-listener.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import { withinMs } from '../../internal/timers.ts'
import type { Channel, ChannelInfo, Receiver } from '../../jsonrpc/channel.ts'
import { maxServerMessageBytes } from '../../jsonrpc/limits.ts'
import type { Payload } from '../../jsonrpc/message.ts'
import { isAnswer } from '../is-answer.ts'
import { LineReader } from '../lines/line-reader.ts'
import { LineWriter } from '../lines/line-writer.ts'
import type { LineLimits } from '../lines/lines.ts'
import { guardGroup, startGuard } from './orphan-guard.ts'
import { type InheritEnv, serverEnv } from './process-env.ts'
import { describeCommand, spawnError } from './process-errors.ts'
import { reapGroup, signalGroup } from './process-group.ts'
import { TextTail } from './text-tail.ts'

export interface SpawnOptions extends LineLimits {
  /** A program; found through `PATH`, started without a shell. */
  command: string
  args?: readonly string[]
  /** Variables for the server, on top of those it inherits. */
  env?: Readonly<Record<string, string | undefined>>
  /**
   * Which variables of this process the server gets; default: only harmless ones such as `PATH` and `HOME`. `network` adds
   * those of proxies, certificates and package registries, a list adds those names, `true` means all.
   */
  inheritEnv?: InheritEnv
  cwd?: string
  /** The target of the server's standard error; default: `capture`, which keeps the last 8 KiB for error messages. */
  stderr?: 'capture' | 'inherit' | 'ignore' | ((text: string) => void)
  /** How long `close` waits for the server to exit by itself (1000) and after SIGTERM (1000) before it is killed. */
  closeTimeouts?: { exitMs?: number; termMs?: number }
  /** Has the server and all its children killed even if this process is killed first (POSIX only); default: true. */
  orphanGuard?: boolean
}

export interface ProcessExit {
  code: number | null
  signal: NodeJS.Signals | null
}

/** A channel to a server that runs as a child process. */
export interface ProcessChannel extends Channel {
  readonly pid: number
  /** Resolves when the process is gone. */
  readonly exited: Promise<ProcessExit>
  /** The last 8 KiB of the server's standard error. */
  stderrTail(): string
}

/** Starts a server process; fails with an `McpError` `spawn` if that is not possible. */
export async function spawnChannel(options: SpawnOptions): Promise<ProcessChannel> {
  const guarded = !isWindows && options.orphanGuard !== false
  if (guarded) startGuard()
  // Windows does not start `.cmd` files, which npm installs there.
  const spawn: Spawn = isWindows ? (await import('cross-spawn')).default : spawnNatively
  const child = start(spawn, options)
  const { pid } = child
  if (pid === undefined) throw await startFailure(child, options)
  return new ServerProcess(child, pid, guarded ? guardGroup(pid) : () => {}, options)
}

const isWindows = process.platform === 'win32'
// A crashed server writes nothing more: this is only for readers that cannot see the end.
const drainMs = 250
const killMs = 1000
// Responses to a server that sends requests and does not read would pile up here without end.
const maxUnreadAnswers = 16 * 1024 * 1024

type Spawn = (command: string, args: readonly string[], options: NodeSpawnOptions) => ChildProcess

function start(spawn: Spawn, options: SpawnOptions): ChildProcess {
  const { stderr = 'capture' } = options
  try {
    return spawn(options.command, options.args ?? [], {
      cwd: options.cwd,
      env: serverEnv(options.env, options.inheritEnv),
      stdio: ['pipe', 'pipe', stderr === 'inherit' || stderr === 'ignore' ? stderr : 'pipe'],
      shell: false,
      windowsHide: true,
      // On POSIX a group of its own, so that all its children can be ended with it; on Windows it would open a window.
      detached: !isWindows,
    })
  } catch (error) {
    throw spawnError(options, error as Error)
  }
}

const startFailure = (child: ChildProcess, options: SpawnOptions): Promise<McpError> =>
  new Promise((resolve) => child.once('error', (error) => resolve(spawnError(options, error))))

class ServerProcess implements ProcessChannel {
  readonly about: ChannelInfo = { transport: 'stdio' }
  readonly pid: number
  readonly exited: Promise<ProcessExit>
  readonly #child: ChildProcess
  readonly #options: SpawnOptions
  readonly #unguard: () => void
  readonly #writer: LineWriter
  readonly #reader: LineReader
  readonly #stderr = new TextTail(8 * 1024)
  readonly #opened = gate()
  readonly #seen = gate()
  readonly #outputEnded = gate()
  #exit: ProcessExit | undefined
  #reaped: Promise<void> = Promise.resolve()
  #closing: Promise<void> | undefined
  /** The length of the responses that the server has not read, counted anew each time it catches up. */
  #unread: { until: Promise<void>; answers: number } | undefined

  constructor(child: ChildProcess, pid: number, unguard: () => void, options: SpawnOptions) {
    this.pid = pid
    this.#child = child
    this.#options = options
    this.#unguard = unguard
    const stdin = child.stdin!
    this.#writer = new LineWriter(stdin)
    stdin.on('error', () => this.#onStreamLost('input'))
    const limits = { ...options, maxLineBytes: options.maxLineBytes ?? maxServerMessageBytes }
    this.#reader = new LineReader(child.stdout!, limits, () => {
      this.#outputEnded.open()
      this.#onStreamLost('output')
    })
    this.#listenToStderr()
    child.on('error', () => {})
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.#exit = { code, signal }
        resolve(this.#exit)
        void this.#onExit()
      })
    })
  }

  get firstSign(): Promise<void> {
    return this.#seen.passed
  }

  open(receiver: Receiver): void {
    this.#reader.open(receiver)
    this.#child.stdout!.once('data', this.#seen.open)
    this.#opened.open()
  }

  send(payload: Payload): MaybePromise<void> {
    if (this.#exit || this.#closing || this.#reader.reason) {
      throw new McpError('closed', this.#reader.reason?.message ?? 'The channel is closed')
    }
    const waiting = this.#writer.waiting
    const sending = this.#writer.send(payload)
    if (sending && isAnswer(payload)) this.#boundAnswers(sending, this.#writer.waiting - waiting)
    return sending
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  stderrTail(): string {
    return this.#stderr.toString()
  }

  async #close(): Promise<void> {
    this.#reader.finish()
    await this.#stop()
    await this.#reaped
    this.#release()
  }

  /** Ends the input, terminates, kills: each only if the one before did not help. */
  async #stop(): Promise<void> {
    const { exitMs = 1000, termMs = 1000 } = this.#options.closeTimeouts ?? {}
    void this.#writer.flushed().then(() => this.#child.stdin?.end())
    if (await withinMs(exitMs, this.exited)) return
    signalGroup(this.pid, 'SIGTERM')
    if (await withinMs(termMs, this.exited)) return
    signalGroup(this.pid, 'SIGKILL')
    await withinMs(killMs, this.exited)
  }

  async #onExit(): Promise<void> {
    this.#writer.fail()
    this.#reaped = reapGroup(this.pid, this.#options.closeTimeouts?.termMs ?? 1000).finally(this.#unguard)
    await this.#opened.passed
    // Delivers the last output of the server first. A grandchild may hold the pipes open, so not without limit.
    await withinMs(drainMs, Promise.all([this.#outputEnded.passed, this.#stderrEnded()]))
    this.#reader.finish(new McpError('closed', this.#describeExit()))
    await this.#reaped
    this.#release()
  }

  /** A server that closes a stream is about to exit, and its exit says more; if it stays, it is useless. */
  async #onStreamLost(which: 'input' | 'output'): Promise<void> {
    this.#writer.fail()
    if (this.#closing || (await withinMs(drainMs, this.exited))) return
    this.#reader.finish(
      new McpError('closed', `Server process ${this.#name()} closed its standard ${which}${this.#lastWords()}`),
    )
    await this.close()
  }

  #boundAnswers(until: Promise<void>, length: number): void {
    if (this.#unread?.until !== until) this.#unread = { until, answers: 0 }
    this.#unread.answers += length
    if (this.#unread.answers <= maxUnreadAnswers) return
    this.#writer.fail()
    const problem = `does not read its standard input: the answers it asked for exceed ${maxUnreadAnswers} bytes`
    this.#reader.finish(new McpError('closed', `Server process ${this.#name()} ${problem}${this.#lastWords()}`))
    void this.close()
  }

  #listenToStderr(): void {
    const { stderr } = this.#child
    const { stderr: listener } = this.#options
    stderr?.setEncoding('utf8')
    stderr?.on('error', () => {})
    const take = (text: string): void => {
      this.#seen.open()
      this.#stderr.add(text)
      if (typeof listener === 'function') listener(text)
    }
    // An exception of the callback must not end the process, nor the connection.
    const report = (error: unknown): void =>
      process.emitWarning(`The stderr callback of ${this.#name()} failed: ${error}`)
    stderr?.on('data', guardListener(take, { report }))
  }

  async #stderrEnded(): Promise<void> {
    const { stderr } = this.#child
    if (!stderr || stderr.closed) return
    await new Promise((resolve) => stderr.once('close', resolve))
  }

  #release(): void {
    for (const stream of this.#child.stdio) stream?.destroy()
    this.#child.unref()
    this.#unguard()
  }

  #describeExit(): string {
    const { code, signal } = this.#exit!
    const how = signal ? `was ended by ${signal}` : `exited with code ${code}`
    return `Server process ${this.#name()} ${how}${this.#lastWords()}`
  }

  #name(): string {
    return describeCommand(this.#options)
  }

  #lastWords(): string {
    const text = this.stderrTail().trim()
    return text === '' ? '' : `; last stderr: ${text}`
  }
}
