import { clearScreenDown, createInterface, cursorTo, type Interface, moveCursor } from 'node:readline'
import { Writable } from 'node:stream'
import { leavePastes, markPastes, PasteFilter, pastedBreak } from './paste.ts'
import { isPlain, say, type TerminalText } from './text.ts'

interface KeyboardStreams {
  stdin: NodeJS.ReadStream
  stderr: NodeJS.WriteStream
}

/** Completes the beginning of a line: the candidates, and the text that they replace. */
type Completer = (line: string) => Promise<[string[], string]>

interface ReadLineOptions {
  signal?: AbortSignal
  /** Discards text that was typed before the prompt. */
  fresh?: boolean
  /** Nothing of the answer is shown. */
  hidden?: boolean
  /** Text that stands on the line already, to be edited. */
  initial?: string
  complete?: Completer
}

// Members of `readline` that its types lack.
type Line = Interface & { history: string[]; prevRows: number }

/** Reads typed lines. Typing without a prompt shows nothing. */
export class Keyboard {
  /** Called on Ctrl-C. By default it sends the signal. */
  onInterrupt: () => void = () => void process.kill(process.pid, 'SIGINT')
  readonly #streams: KeyboardStreams
  readonly #history: string[]
  #line: Line | undefined
  #close: () => void = () => {}
  #waiting: { take(line: string | undefined): void; complete: Completer | undefined } | undefined
  #shows = false
  /** Lines that were typed without a prompt. */
  #early: string[] = []

  constructor(streams: KeyboardStreams, history: readonly string[] = []) {
    this.#streams = streams
    this.#history = [...history]
  }

  /** One line; undefined if there is none any more (Ctrl-D). */
  async read(
    prompt: TerminalText,
    { signal, fresh = true, hidden = false, initial, complete }: ReadLineOptions = {},
  ): Promise<string | undefined> {
    signal?.throwIfAborted()
    const line = this.#open()
    if (fresh) {
      this.#early = []
      for (const name of ['e', 'u']) line.write(null as unknown as string, { ctrl: true, name })
    }
    const early = this.#early.shift()
    if (early !== undefined) {
      this.#streams.stderr.write(String(say`${prompt}${early}\n`))
      return early
    }
    try {
      return await new Promise((resolve, reject) => {
        const stop = (): void => reject(signal?.reason)
        signal?.addEventListener('abort', stop, { once: true })
        this.#waiting = {
          complete,
          take: (text) => {
            signal?.removeEventListener('abort', stop)
            resolve(text)
          },
        }
        this.#shows = true
        line.setPrompt(String(prompt))
        line.prompt(true)
        if (initial !== undefined) line.write(initial)
        this.#shows = !hidden
      })
    } finally {
      if (hidden || signal?.aborted || this.#line === undefined) this.#streams.stderr.write('\n')
      this.#shows = false
      this.#waiting = undefined
      // A partial answer to a prompt that has ended.
      if (signal?.aborted) this.clear()
    }
  }

  /** Puts a line into the history that the arrows go through. */
  remember(line: string): void {
    if (this.#history[0] !== line) this.#history.unshift(line)
    this.#restoreHistory()
  }

  /** Writes something above the line that is being typed. */
  above(write: () => void): void {
    const line = this.#line
    if (line === undefined || !this.#shows) {
      write()
      return
    }
    const { stderr } = this.#streams
    const { rows } = line.getCursorPos()
    if (rows > 0) moveCursor(stderr, 0, -rows)
    cursorTo(stderr, 0)
    clearScreenDown(stderr)
    write()
    line.prevRows = 0
    line.prompt(true)
  }

  /** Empties the line that is being typed; false if it was empty. */
  clear(): boolean {
    const line = this.#line
    if (line === undefined || line.line === '') return false
    for (const name of ['e', 'u']) line.write(null as unknown as string, { ctrl: true, name })
    return true
  }

  /** Gives the terminal back. */
  close(): void {
    this.#close()
  }

  #open(): Line {
    if (this.#line !== undefined) return this.#line
    const { stdin, stderr } = this.#streams
    const input = new PasteFilter(stdin)
    const line = createInterface({
      input,
      output: this.#output(),
      terminal: true,
      historySize: 1_000,
      escapeCodeTimeout: 50,
      completer: (text: string, done: (error: null, result: [string[], string]) => void) => {
        const found = this.#waiting?.complete?.(text) ?? Promise.resolve<[string[], string]>([[], text])
        found
          // `readline` shows them as they are.
          .then(([candidates, replaced]): [string[], string] => [candidates.filter(isPlain), replaced])
          .catch((): [string[], string] => [[], text])
          .then((result) => done(null, result))
      },
    }) as Line
    const unmark = (): void => void stderr.write(leavePastes)
    this.#line = line
    this.#close = () => line.close()
    this.#restoreHistory()
    line.on('history', () => this.#restoreHistory())
    line.on('line', (typed) => {
      const text = typed.replaceAll(pastedBreak, '\n')
      const waiting = this.#waiting
      // One line for each prompt: further ones of the same piece are for later prompts.
      this.#waiting = undefined
      this.#shows = false
      if (waiting) waiting.take(text)
      else this.#early.push(text)
    })
    line.on('SIGINT', () => this.onInterrupt())
    line.once('close', () => {
      stdin.unpipe(input)
      stdin.pause()
      unmark()
      process.off('exit', unmark)
      this.#line = undefined
      this.#close = () => {}
      this.#waiting?.take(undefined)
    })
    process.once('exit', unmark)
    stderr.write(markPastes)
    stdin.pipe(input)
    return line
  }

  /** The output of `readline`, during a prompt only. */
  #output(): Writable {
    const { stderr } = this.#streams
    const output = new Writable({
      decodeStrings: false,
      write: (chunk, _encoding, done) => {
        if (this.#shows) stderr.write(chunk)
        done()
      },
    })
    Object.defineProperty(output, 'columns', { get: () => stderr.columns })
    return output
  }

  /** Answers to prompts do not belong into the history of commands. */
  #restoreHistory(): void {
    this.#line?.history.splice(0, Infinity, ...this.#history)
  }
}
