import { type Readable, Writable } from 'node:stream'
import { visible, visibleJson } from '@tenon/sdk/display'
import { Activity } from './activity.ts'
import type { Keyboard } from './keyboard.ts'
import type { Style } from './style.ts'
import type { TerminalText } from './text.ts'

/** The standard streams of a run. */
export interface Streams {
  stdin: NodeJS.ReadStream
  stdout: NodeJS.WriteStream
  stderr: NodeJS.WriteStream
}

/**
 * The one owner of standard output and standard error. A terminal gets only `TerminalText` from it; a file or a program gets
 * the text of others as it is.
 */
export class Output {
  /** The keyboard, once a line was read. */
  keyboard: Keyboard | undefined
  readonly #streams: Streams

  constructor(streams: Streams) {
    this.#streams = streams
  }

  /** Whether each stream is a terminal, and its columns. */
  get stdout(): { isTTY: boolean; columns: number } {
    return about(this.#streams.stdout)
  }

  get stderr(): { isTTY: boolean; columns: number } {
    return about(this.#streams.stderr)
  }

  writeResult(text: TerminalText): void {
    this.#streams.stdout.write(String(text))
  }

  writeNote(text: TerminalText): void {
    this.#streams.stderr.write(String(text))
  }

  /** Data for a file or a program, as it is. */
  writeData(data: string | Uint8Array): void {
    if (this.stdout.isTTY) throw new TypeError('Expected a file or a program at standard output, found a terminal')
    this.#streams.stdout.write(data)
  }

  /** Passes on the standard error of a program, also in the middle of a line. */
  passOnNote(text: string): void {
    this.#streams.stderr.write(this.stderr.isTTY ? visible(text) : text)
  }

  /** The line at the bottom of the terminal. */
  activity(style: Style, shown: boolean): Activity {
    return new Activity(this.#streams.stderr, style, shown)
  }

  async openKeyboard(history: readonly string[] = []): Promise<Keyboard> {
    const { Keyboard } = await import('./keyboard.ts')
    this.keyboard ??= new Keyboard(this.#streams, history)
    return this.keyboard
  }

  closeKeyboard(): void {
    this.keyboard?.close()
    this.keyboard = undefined
  }

  /** Standard input and output as a connection, for commands that serve the protocol there. */
  get connection(): { input?: Readable; output?: Writable } {
    const { stdin, stdout } = this.#streams
    if (stdout.isTTY) return { input: stdin, output: jsonOn(stdout) }
    // Without options the library keeps everything else away from the streams of the process.
    return stdout === process.stdout ? {} : { input: stdin, output: stdout }
  }
}

/** Messages on a terminal: the same JSON, with escapes. */
const jsonOn = (stdout: NodeJS.WriteStream): Writable =>
  new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => void stdout.write(visibleJson(String(chunk)), done),
  })

const about = ({ isTTY, columns }: NodeJS.WriteStream): { isTTY: boolean; columns: number } => ({
  isTTY: isTTY === true,
  columns: columns || 80,
})
