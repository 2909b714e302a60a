import { StringDecoder } from 'node:string_decoder'
import { ToolError } from '@tenon/sdk/server'
import { gitEnvironment } from './environment.ts'
import { type GitCommand, type GitExit, runGit } from './run-git.ts'

/** Output that a tool reads as a whole; anything larger is paged. */
const maxWholeBytes = 16_000_000
/** The rest of a longer line is left out: a minified file is one line of megabytes. */
const maxLineLength = 2_000

export interface GitPlace {
  readonly program: string
  readonly folder: string
  readonly variables: { readonly [name: string]: string }
  readonly timeoutMs: number
}

export interface RunOptions {
  readonly input?: string
  /** Exit codes that are answers. Default: 0. */
  readonly accept?: readonly number[]
  readonly network?: { readonly protocols: readonly string[]; readonly timeoutMs: number }
  readonly onMessage?: (line: string) => void
}

/** Git in one place, for one request. */
export class Git {
  readonly #place: GitPlace
  readonly #signal: AbortSignal | undefined

  constructor(place: GitPlace, signal?: AbortSignal) {
    this.#place = place
    this.#signal = signal
  }

  /** All output as text. */
  async text(args: readonly string[], options: RunOptions = {}): Promise<string> {
    return (await this.bytes(args, options)).toString('utf8')
  }

  async bytes(args: readonly string[], options: RunOptions = {}): Promise<Buffer> {
    const chunks: Buffer[] = []
    let size = 0
    const exit = await this.#run(args, options, (chunk, stop) => {
      chunks.push(chunk)
      size += chunk.length
      if (size > maxWholeBytes) stop()
    })
    if (exit.stopped)
      throw new ToolError(`git ${args[0]} answered more than ${maxWholeBytes} bytes; ask for less of it.`)
    return Buffer.concat(chunks)
  }

  /** The exit code, for commands that answer with it. */
  async code(args: readonly string[], accept: readonly number[]): Promise<number> {
    return (await this.#run(args, { accept }, () => {})).code
  }

  /** Passes on lines until the receiver has enough and returns false; git ends then. */
  async lines(args: readonly string[], take: (line: string) => boolean, options: RunOptions = {}): Promise<void> {
    const splitter = new LineSplitter()
    let isOver = false
    await this.#run(args, options, (chunk, stop) => {
      for (const line of splitter.push(chunk)) {
        if (isOver) return
        if (take(line)) continue
        isOver = true
        stop()
      }
    })
    const rest = splitter.end()
    if (!isOver && rest !== '') take(rest)
  }

  /** Passes on records that end with a text, until the receiver has enough and returns false; git ends then. */
  async records(args: readonly string[], ending: string, take: (record: string) => boolean): Promise<void> {
    const decoder = new StringDecoder('utf8')
    let rest = ''
    let isOver = false
    await this.#run(args, {}, (chunk, stop) => {
      const parts = (rest + decoder.write(chunk)).split(ending)
      rest = parts.pop()!
      isOver = parts.some((record) => !take(record)) || rest.length > maxWholeBytes
      if (isOver) stop()
    })
  }

  async #run(args: readonly string[], options: RunOptions, onOutput: GitCommand['onOutput']): Promise<GitExit> {
    const { program, folder, variables, timeoutMs } = this.#place
    const { network, input, onMessage, accept = [0] } = options
    const exit = await runGit({
      program,
      args,
      folder,
      environment: { ...gitEnvironment(network), ...variables },
      timeoutMs: network?.timeoutMs ?? timeoutMs,
      onOutput,
      ...(this.#signal && { signal: this.#signal }),
      ...(input !== undefined && { input }),
      ...(onMessage && { onMessage }),
    })
    if (exit.stopped || accept.includes(exit.code)) return exit
    throw new ToolError(exit.stderr === '' ? `git ${args[0]} failed with exit code ${exit.code}` : exit.stderr)
  }
}

/** Splits bytes into lines, and cuts long ones as they come, so that no line takes more memory than it may. */
class LineSplitter {
  readonly #decoder = new StringDecoder('utf8')
  #line = ''
  #cut = 0

  end(): string {
    this.#append(this.#decoder.end())
    return this.#take()
  }

  *push(chunk: Buffer): Generator<string> {
    const parts = this.#decoder.write(chunk).split('\n')
    for (const [index, part] of parts.entries()) {
      this.#append(part)
      if (index < parts.length - 1) yield this.#take()
    }
  }

  #append(part: string): void {
    const room = maxLineLength - this.#line.length
    if (part.length <= room) this.#line += part
    else {
      this.#line += part.slice(0, Math.max(0, room))
      this.#cut += part.length - Math.max(0, room)
    }
  }

  #take(): string {
    const line = this.#cut === 0 ? this.#line : `${this.#line}… (${this.#cut} more characters)`
    this.#line = ''
    this.#cut = 0
    return line
  }
}
