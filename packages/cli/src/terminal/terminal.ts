import { visibleJson } from '@tenon/sdk/display'
import type { Activity } from './activity.ts'
import type { Keyboard } from './keyboard.ts'
import type { Output } from './output.ts'
import { coloured, plain, type Style, wantsColour } from './style.ts'
import { paragraph, say, TerminalText } from './text.ts'

/** The surroundings of a command. Its output goes through a `Terminal`. */
export interface Surroundings {
  stdin: NodeJS.ReadStream
  output: Output
  env: NodeJS.ProcessEnv
  cwd: string
}

interface TerminalOptions {
  quiet?: boolean
  json?: boolean
  /** False if nobody is to be asked, though there is a person. */
  asks?: boolean
}

/** The output of a command: results to stdout, notes and errors to stderr. */
export class Terminal {
  readonly surroundings: Surroundings
  /** For stdout. */
  readonly style: Style
  /** For stderr. */
  readonly notes: Style
  /** The current activity, on stderr, cleared when it is done. */
  readonly activity: Activity
  readonly quiet: boolean
  readonly #asks: boolean

  constructor(surroundings: Surroundings, { quiet = false, json = false, asks = true }: TerminalOptions = {}) {
    this.#asks = asks
    const { output, env } = surroundings
    const { stdout, stderr } = output
    this.surroundings = surroundings
    this.quiet = quiet
    this.style = wantsColour(stdout, env) && !json ? coloured : plain
    this.notes = wantsColour(stderr, env) ? coloured : plain
    this.activity = output.activity(this.notes, !quiet && stderr.isTTY && env.TERM !== 'dumb')
  }

  /** Whether a person reads the results, and not a file or a program. */
  get isRead(): boolean {
    return this.surroundings.output.stdout.isTTY
  }

  /** Whether a person can be asked. */
  get canAsk(): boolean {
    const { stdin, output } = this.surroundings
    return this.#asks && stdin.isTTY === true && output.stderr.isTTY
  }

  /** The columns of a line of results; unbounded without a terminal. */
  get columns(): number {
    return this.isRead ? this.surroundings.output.stdout.columns : Infinity
  }

  /** A result. */
  print(text: TerminalText): void {
    this.#aside((output) => output.writeResult(text))
  }

  line(text: TerminalText = say``): void {
    this.print(say`${text}\n`)
  }

  /** Text of others that is the result itself: as it is for files and programs, visible on a terminal. */
  content(text: string): void {
    const whole = text.endsWith('\n') ? text : `${text}\n`
    if (this.isRead) this.print(paragraph(whole))
    else this.surroundings.output.writeData(whole)
  }

  /** A line of JSON. A terminal gets control and invisible characters as escapes. */
  json(value: unknown): void {
    const json = JSON.stringify(value)
    this.content(this.isRead ? visibleJson(json) : json)
  }

  /** Bytes, for a file or a program only. */
  bytes(bytes: Uint8Array): void {
    this.surroundings.output.writeData(bytes)
  }

  /** Something about a result, left out by `--quiet`. */
  note(text: TerminalText): void {
    if (!this.quiet) this.warn(text)
  }

  /** A message that `--quiet` does not hide. */
  warn(text: TerminalText): void {
    this.#aside((output) => output.writeNote(say`${text}\n`))
  }

  /** Empties the screen. */
  clear(): void {
    this.print(TerminalText.trust('\u001b[2J\u001b[3J\u001b[H'))
  }

  /** The keyboard of the user. */
  keyboard(): Promise<Keyboard> {
    return this.surroundings.output.openKeyboard()
  }

  #aside(write: (output: Output) => void): void {
    const { output } = this.surroundings
    const { keyboard } = output
    this.activity.pause(() => (keyboard ? keyboard.above(() => write(output)) : write(output)))
  }
}
