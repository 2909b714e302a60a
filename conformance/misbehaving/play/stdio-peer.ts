import { createServer, type Server, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { ProcessTarget } from '@tenon/sdk/client'
import type { Action } from './notation.ts'
import type { Script, Voice } from './script.ts'

const pipe = fileURLToPath(new URL('pipe.mjs', import.meta.url))

/** A misbehaving server as a process of its own. */
export class StdioPeer implements AsyncDisposable {
  readonly #listener: Server
  readonly target: ProcessTarget

  private constructor(listener: Server, port: number) {
    this.#listener = listener
    this.target = { command: process.execPath, args: [pipe, String(port)], closeTimeouts: { exitMs: 2_000 } }
  }

  static async open(script: Script): Promise<StdioPeer> {
    const listener = createServer((socket) => serve(socket, script))
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    return new StdioPeer(listener, (listener.address() as { port: number }).port)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((resolve) => this.#listener.close(resolve))
  }
}

function serve(socket: Socket, script: Script): void {
  const voice = new ProcessVoice(socket)
  socket.on('error', () => {})
  // In order: the next message waits until the reaction to the last one is over.
  let turn = script.event('start', voice)
  createInterface({ input: socket }).on('line', (line) => {
    turn = turn.then(() => script.message(JSON.parse(line), voice))
  })
}

class ProcessVoice implements Voice {
  readonly #socket: Socket
  #bytewise = false
  /** The process is ending: it sends nothing more. */
  #gone = false

  constructor(socket: Socket) {
    this.#socket = socket
  }

  say(message: string): void {
    this.write(Buffer.from(`${message}\n`))
  }

  write(bytes: Uint8Array): void {
    if (!this.#bytewise) this.#frame('o', bytes)
    else for (const byte of bytes) this.#frame('o', Buffer.of(byte))
  }

  act({ verb, text }: Action): boolean {
    if (verb === 'bytewise') this.#bytewise = true
    else if (verb === 'stderr') this.#frame('e', Buffer.from(JSON.parse(text) as string))
    else if (verb === 'exit') this.#frame('x', Buffer.of(Number(text)))
    else if (verb === 'kill') this.#frame('k', Buffer.alloc(0))
    else if (verb === 'close') this.#frame('c', Buffer.alloc(0))
    else return verb === 'nothing'
    return true
  }

  #frame(letter: string, bytes: Uint8Array): void {
    if (this.#gone) return
    this.#gone = letter === 'x' || letter === 'k'
    const head = Buffer.alloc(5)
    head.write(letter)
    head.writeUInt32BE(bytes.length, 1)
    this.#socket.write(Buffer.concat([head, bytes]))
  }
}
