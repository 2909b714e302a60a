import type { Readable, Writable } from 'node:stream'
import { McpError } from '../errors.ts'
import type { MaybePromise } from '../internal/maybe-promise.ts'
import { withinMs } from '../internal/timers.ts'
import type { Channel, ChannelInfo, Receiver } from '../jsonrpc/channel.ts'
import type { Payload } from '../jsonrpc/message.ts'
import { LineReader } from './lines/line-reader.ts'
import { LineWriter } from './lines/line-writer.ts'
import type { LineLimits } from './lines/lines.ts'
import { guardStdout, type StdoutGuard } from './stdout-guard.ts'

export { divertConsole } from './stdout-guard.ts'

export interface StdioOptions extends LineLimits {
  /** Default: standard input. Any other stream belongs to the channel, which destroys it when closed. */
  input?: Readable
  /** Default: standard output, which other code cannot write to while the channel is open. */
  output?: Writable
  /** How long `close` waits for the peer to receive everything; default: 1000. */
  flushTimeoutMs?: number
}

/**
 * The server's side of stdio: lines in from standard input, lines out to standard output.
 *
 * When the input ends `closed` is called; answers may still be sent until `close`, which waits until they are written.
 */
export function stdioChannel(options: StdioOptions = {}): Channel {
  return new StdioChannel(options)
}

const maxWaiting = 1024 * 1024

class StdioChannel implements Channel {
  readonly about: ChannelInfo = { transport: 'stdio' }
  readonly sendsAfterEnd = true
  readonly #input: Readable
  readonly #output: Writable
  readonly #flushTimeoutMs: number
  readonly #guard: StdoutGuard | undefined
  readonly #writer: LineWriter
  readonly #reader: LineReader
  #broken = false
  #closing: Promise<void> | undefined

  constructor(options: StdioOptions) {
    this.#input = options.input ?? process.stdin
    this.#output = options.output ?? process.stdout
    this.#flushTimeoutMs = options.flushTimeoutMs ?? 1000
    this.#guard = this.#output === process.stdout ? guardStdout() : undefined
    this.#writer = new LineWriter(this.#output, this.#guard?.write)
    this.#reader = new LineReader(this.#input, options, (error) => {
      this.#reader.finish(error && new McpError('closed', `Reading failed: ${error.message}`, { cause: error }))
    })
    // Never removed: a late EPIPE without a listener would end the process.
    this.#output.on('error', (error) => this.#lose(error))
    this.#output.on('close', () => this.#lose())
  }

  open(receiver: Receiver): void {
    this.#reader.open(receiver)
  }

  send(payload: Payload): MaybePromise<void> {
    if (this.#closing || this.#broken)
      throw new McpError('closed', this.#reader.reason?.message ?? 'The channel is closed')
    const sending = this.#writer.send(payload)
    if (sending && this.#writer.waiting > maxWaiting) this.#holdInput(sending)
    return sending
  }

  /** A client that does not read responses gets no more requests in: otherwise the responses would pile up here. */
  #holdInput(drained: Promise<void>): void {
    if (this.#reader.isHeld) return
    this.#reader.hold()
    void drained.then(() => {
      if (!this.#closing) this.#reader.release()
    })
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#reader.finish()
    await withinMs(this.#flushTimeoutMs, this.#writer.flushed())
    this.#writer.fail()
    this.#guard?.release()
    if (this.#output !== process.stdout) this.#output.end()
    if (this.#input === process.stdin) this.#input.pause()
    else this.#input.destroy()
  }

  /** The client does not read any more, so its messages cannot be answered. */
  #lose(error?: Error): void {
    if (this.#broken || this.#closing) return
    this.#broken = true
    this.#writer.fail()
    const detail = error ? `: ${error.message}` : ''
    this.#reader.finish(new McpError('closed', `The other side stopped reading${detail}`, { cause: error }))
  }
}
