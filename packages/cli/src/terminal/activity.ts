import type { Style } from './style.ts'
import { say, type TerminalText } from './text.ts'
import { cut } from './width.ts'

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
// A shorter activity would only flicker.
const patienceMs = 150
const frameMs = 80

/** How far something has come. */
interface Share {
  progress: number
  total?: number
  message?: string
}

/** One line at the bottom of the terminal that shows the current activity, and leaves no trace. */
export class Activity {
  readonly #stream: NodeJS.WriteStream
  readonly #style: Style
  readonly #shown: boolean
  #text: TerminalText | undefined
  #timer: NodeJS.Timeout | undefined
  #frame = 0
  #drawn = false
  #holders = 0

  constructor(stream: NodeJS.WriteStream, style: Style, shown: boolean) {
    this.#stream = stream
    this.#style = style
    this.#shown = shown
  }

  /** Whether there is a terminal to show it on. */
  get isShown(): boolean {
    return this.#shown
  }

  /** Shows a text until the work is done. */
  async during<T>(text: TerminalText, work: () => Promise<T>): Promise<T> {
    this.start(text)
    try {
      return await work()
    } finally {
      this.stop()
    }
  }

  start(text: TerminalText): void {
    this.#text = text
    if (!this.#shown || this.#timer) return
    this.#timer = setTimeout(() => {
      this.#draw()
      this.#timer = setInterval(() => this.#draw(), frameMs)
      this.#timer.unref()
    }, patienceMs)
    this.#timer.unref()
  }

  /** Says something else from now on. */
  say(text: TerminalText): void {
    this.#text = text
    if (this.#drawn) this.#draw()
  }

  /** Shows progress as a bar, or as a number without a total. */
  progress({ progress, total, message = '' }: Share): void {
    const text = message === '' ? '' : ` ${message}`
    if (total !== undefined && total > 0) this.#text = say`${this.#bar(progress / total)} ${progress}/${total}${text}`
    else this.#text = say`${progress}${text}`
    if (this.#drawn) this.#draw()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#text = undefined
    this.#erase()
  }

  /** Writes something else, without the line in between. */
  pause(write: () => void): void {
    this.#erase()
    write()
  }

  /** Hides the line, because the user is typing, until the returned function is called. */
  hold(): () => void {
    this.#holders += 1
    this.#erase()
    return () => {
      this.#holders -= 1
    }
  }

  #bar(share: number): TerminalText {
    const filled = Math.round(Math.min(Math.max(share, 0), 1) * 20)
    return say`${this.#style.cyan('━'.repeat(filled))}${this.#style.dim('━'.repeat(20 - filled))}`
  }

  #draw(): void {
    if (this.#text === undefined || this.#holders > 0) return
    this.#frame = (this.#frame + 1) % frames.length
    const columns = (this.#stream.columns || 80) - 2
    const text = String(this.#text).includes('\u001b') ? this.#text : cut(this.#text, columns - 2)
    this.#stream.write(`\r\u001b[2K${this.#style.cyan(frames[this.#frame]!)} ${text}`)
    this.#drawn = true
  }

  #erase(): void {
    if (!this.#drawn) return
    this.#stream.write('\r\u001b[2K')
    this.#drawn = false
  }
}
