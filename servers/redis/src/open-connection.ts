import type { Duplex } from 'node:stream'
import { ToolError } from '@tenon/sdk/server'
import { Redis } from 'ioredis'
import type { Address } from './address.ts'
import { clientOptions } from './client-options.ts'
import type { Argument, CommandName, Reply } from './commands.ts'
import { toToolError, Unreachable } from './redis-errors.ts'

/** An answer beyond this is dropped with its connection, before it fills the memory. */
const maxReplyBytes = 64_000_000

/** A connection to Redis for as long as it lasts. Every wait has an end. */
export class OpenConnection {
  readonly #client: Redis
  readonly #address: Address
  readonly #timeoutMs: number
  /** Why this side gave the connection up, or the library says that it failed. */
  #fault: unknown
  #bytesSinceAnswer = 0
  #inFlight = 0

  private constructor(address: Address, timeoutMs: number, onEnd: () => void) {
    this.#address = address
    this.#timeoutMs = timeoutMs
    this.#client = new Redis(clientOptions(address, timeoutMs))
    tolerateLateErrors(this.#client)
    this.#client.on('error', (error) => {
      this.#fault ??= error
    })
    this.#client.on('end', onEnd)
  }

  static async open(address: Address, timeoutMs: number, onEnd: () => void): Promise<OpenConnection> {
    const connection = new OpenConnection(address, timeoutMs, onEnd)
    await connection.#connect()
    return connection
  }

  /** False once the connection is lost or closing: nothing can be sent. */
  get isUsable(): boolean {
    return this.#client.status === 'ready' && this.#client.stream.writable
  }

  async call(name: CommandName, args: readonly Argument[]): Promise<Reply> {
    const space = name.indexOf(' ')
    const [command, given] = space < 0 ? [name, args] : [name.slice(0, space), [name.slice(space + 1), ...args]]
    try {
      if (++this.#inFlight > 1) this.#writeTogether()
      return await this.#inTime(this.#client.callBuffer(command, [...given]) as Promise<Reply>)
    } catch (error) {
      throw this.#toolError(error)
    } finally {
      this.#inFlight--
      this.#bytesSinceAnswer = 0
    }
  }

  /** Lets the calls in work end. */
  async close(): Promise<void> {
    await this.#inTime(this.#client.quit()).catch(() => this.#giveUp())
  }

  async #connect(): Promise<void> {
    try {
      await this.#inTime(this.#client.connect())
      // The library goes on after a refused SELECT: the connection would use database 0.
      if (this.#fault !== undefined) throw this.#fault
    } catch (error) {
      this.#giveUp()
      throw this.#toolError(this.#fault ?? error)
    }
    this.#stream!.on('data', (chunk: Buffer) => {
      this.#bytesSinceAnswer += chunk.length
      if (this.#bytesSinceAnswer <= maxReplyBytes) return
      this.#giveUp(new ToolError(`The answer of Redis has more than ${maxReplyBytes} bytes. Ask for fewer items.`))
    })
  }

  /** Commands of one turn of the event loop leave in one packet; one that is alone does not wait for others. */
  #writeTogether(): void {
    const stream = this.#client.stream as Duplex
    if (stream.writableCorked > 0) return
    stream.cork()
    setImmediate(() => stream.uncork())
  }

  async #inTime<T>(work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        const text = `Redis at ${this.#address.shown} did not answer within ${this.#timeoutMs} ms. ${lookFirst}`
        const fault = new Unreachable(text)
        this.#giveUp(fault)
        reject(fault)
      }, this.#timeoutMs)
    })
    try {
      return await Promise.race([work, late])
    } finally {
      clearTimeout(timer)
    }
  }

  /** The peer may be gone without a word, so nothing is said to it. */
  #giveUp(fault?: ToolError): void {
    if (fault !== undefined) this.#fault = fault
    this.#client.disconnect()
    this.#stream?.destroy()
  }

  get #stream(): Redis['stream'] | undefined {
    return this.#client.stream
  }

  #toolError(error: unknown): ToolError {
    const { shown, password } = this.#address
    return this.#fault instanceof ToolError ? this.#fault : toToolError(error, shown, password)
  }
}

const lookFirst = 'If this call changes something, look whether it did; then try again.'

/** The library listens for one error of a socket, and TLS may report another after it, which would end the process. */
function tolerateLateErrors(client: Redis): void {
  const { connector } = client as unknown as { connector: { connect(...given: unknown[]): Promise<Duplex> } }
  const connect = connector.connect.bind(connector)
  connector.connect = (...given) => connect(...given).then((socket) => socket.on('error', () => {}))
}
