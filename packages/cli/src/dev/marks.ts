import { writeSync } from 'node:fs'

/** What the process of a server tells besides what it says: which files it consists of, and how it can be reached. */
export type Mark =
  | { kind: 'loaded'; file: string }
  | { kind: 'listening'; url: string }
  /** It was loaded, and neither serves nor exports a server. */
  | { kind: 'nothing'; exported: string[] }
  /** It exports a server of another library. */
  | { kind: 'foreign'; name: string }

/** The variable with the word that marks begin with; it is another one each time, so nothing else looks like a mark. */
export const markVariable = 'TENON_DEV_MARK'

/** Writes a mark among what else goes to standard error. */
export function writeMark(word: string, mark: Mark): void {
  try {
    writeSync(2, `${word}${JSON.stringify(mark)}\n`)
  } catch {
    // Nobody reads it any more.
  }
}

/** Tells marks and text apart. */
export class MarkReader {
  readonly #word: string
  readonly #onMark: (mark: Mark) => void
  readonly #onText: (text: string) => void
  #rest = ''

  constructor(word: string, onMark: (mark: Mark) => void, onText: (text: string) => void) {
    this.#word = word
    this.#onMark = onMark
    this.#onText = onText
  }

  push(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop()!
    for (const line of lines) this.#read(line)
  }

  /** There is no more. */
  end(): void {
    if (this.#rest !== '') this.#read(this.#rest)
    this.#rest = ''
  }

  #read(line: string): void {
    const at = line.indexOf(this.#word)
    if (at < 0) {
      this.#onText(line)
      return
    }
    // A mark may come in the middle of a line that the server has not ended.
    if (at > 0) this.#onText(line.slice(0, at))
    const mark = parse(line.slice(at + this.#word.length))
    if (mark) this.#onMark(mark)
  }
}

function parse(text: string): Mark | undefined {
  try {
    return JSON.parse(text) as Mark
  } catch {
    return undefined
  }
}
