import { writeSync } from 'node:fs'

/** A message of the runner to `tenon dev`, on standard error: a file that it loaded, or why it serves nothing. */
export type RunnerMessage =
  | { kind: 'loaded'; file: string }
  | { kind: 'listening'; url: string }
  /** The file was loaded, and neither serves nor exports a server. */
  | { kind: 'nothing'; exported: string[] }
  /** The file exports a server of another library. */
  | { kind: 'foreign'; name: string }

/** The variable that holds the prefix of messages: random for each process, so no other output looks like one. */
export const prefixVariable = 'TENON_DEV_PREFIX'

export function writeRunnerMessage(prefix: string, message: RunnerMessage): void {
  try {
    writeSync(2, `${prefix}${JSON.stringify(message)}\n`)
  } catch {
    // The reader is gone.
  }
}

/** Separates messages from the other lines of standard error. */
export class RunnerMessageReader {
  readonly #prefix: string
  readonly #onMessage: (message: RunnerMessage) => void
  readonly #onText: (text: string) => void
  #rest = ''

  constructor(prefix: string, onMessage: (message: RunnerMessage) => void, onText: (text: string) => void) {
    this.#prefix = prefix
    this.#onMessage = onMessage
    this.#onText = onText
  }

  push(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop()!
    for (const line of lines) this.#read(line)
  }

  /** Reads the rest: the process has ended. */
  end(): void {
    if (this.#rest !== '') this.#read(this.#rest)
    this.#rest = ''
  }

  #read(line: string): void {
    const at = line.indexOf(this.#prefix)
    if (at < 0) {
      this.#onText(line)
      return
    }
    // A message may come in the middle of a line that the server has not ended.
    if (at > 0) this.#onText(line.slice(0, at))
    const message = parse(line.slice(at + this.#prefix.length))
    if (message) this.#onMessage(message)
  }
}

function parse(text: string): RunnerMessage | undefined {
  try {
    return JSON.parse(text) as RunnerMessage
  } catch {
    return undefined
  }
}
