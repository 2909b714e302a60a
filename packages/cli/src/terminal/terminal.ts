import { Activity } from './activity.ts'
import type { Keyboard } from './keyboard.ts'
import { coloured, plain, type Style, wantsColour } from './style.ts'

/** The streams and the surroundings that a command runs in. */
export interface Surroundings {
  stdin: NodeJS.ReadStream
  stdout: NodeJS.WriteStream
  stderr: NodeJS.WriteStream
  env: NodeJS.ProcessEnv
  cwd: string
  /** Where lines are typed, once somebody was asked. */
  keyboard?: Keyboard
}

/** Where a command writes: results to stdout, everything about them to stderr. */
export class Terminal {
  readonly surroundings: Surroundings
  /** For stdout. */
  readonly style: Style
  /** For stderr. */
  readonly notes: Style
  /** What the command is doing, on stderr, gone when it is done. */
  readonly activity: Activity
  readonly quiet: boolean

  constructor(surroundings: Surroundings, { quiet = false, json = false }: { quiet?: boolean; json?: boolean } = {}) {
    const { stdout, stderr, env } = surroundings
    this.surroundings = surroundings
    this.quiet = quiet
    this.style = wantsColour(stdout, env) && !json ? coloured : plain
    this.notes = wantsColour(stderr, env) ? coloured : plain
    this.activity = new Activity(stderr, this.notes, !quiet && stderr.isTTY === true && env.TERM !== 'dumb')
  }

  /** Whether a person reads the results, and not a file or a program. */
  get isRead(): boolean {
    return this.surroundings.stdout.isTTY === true
  }

  /** Whether a person can be asked. */
  get canAsk(): boolean {
    const { stdin, stderr } = this.surroundings
    return stdin.isTTY === true && stderr.isTTY === true
  }

  /** The columns of a line of results; without bound if nobody reads it. */
  get columns(): number {
    return this.isRead ? this.surroundings.stdout.columns || 80 : Infinity
  }

  /** A result. */
  print(text: string): void {
    this.#aside(() => this.surroundings.stdout.write(text))
  }

  line(text = ''): void {
    this.print(`${text}\n`)
  }

  /** Something about a result, left out by `--quiet`. */
  note(text: string): void {
    if (!this.quiet) this.warn(text)
  }

  /** Something that has to be said. */
  warn(text: string): void {
    this.#aside(() => this.surroundings.stderr.write(`${text}\n`))
  }

  /** Where a person can type. */
  async keyboard(): Promise<Keyboard> {
    const { Keyboard } = await import('./keyboard.ts')
    this.surroundings.keyboard ??= new Keyboard(this.surroundings)
    return this.surroundings.keyboard
  }

  #aside(write: () => void): void {
    const { keyboard } = this.surroundings
    this.activity.pause(() => (keyboard ? keyboard.above(write) : write()))
  }
}
