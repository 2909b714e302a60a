import { visible } from '../../display/visible.ts'
import { TokenBucket } from '../../internal/token-bucket.ts'
import { describe } from '../../jsonrpc/classify.ts'
import type { ErrorReport } from '../options.ts'

// A client decides how often a handler fails, and often with which message. So both are bounded: even one that does
// nothing else fills a log with little more than 100 MB in a day.
const rate = { perMinute: 10, burst: 50 }
const maxLength = 8_000
const maxMessage = 2_000
const maxFrames = 12
const maxCauses = 4

/** Prints the errors of one server that clients are not shown on standard error: for servers without `onError`. */
export class ErrorPrinter {
  readonly #server: string
  readonly #bucket = new TokenBucket(rate)
  #leftOut = 0

  constructor(server: string) {
    this.#server = server
  }

  print(error: unknown, { id, during }: ErrorReport): void {
    if (this.#bucket.take() > 0) {
      this.#leftOut++
      return
    }
    const before = this.#leftOut === 0 ? '' : `; ${this.#leftOut} errors before it were left out`
    this.#leftOut = 0
    const text = `${this.#server}: ${during} failed (id ${id}${before})\n${errorText(error)}`
    // Indented, so that no line of a message looks like the beginning of another error.
    console.error(visible(cut(text, maxLength)).replaceAll('\n', '\n  '))
  }
}

/** The message, the stack and the causes of anything that was thrown. Frames that were shown `before` are not repeated. */
function errorText(error: unknown, causes = maxCauses, before: readonly string[] = []): string {
  try {
    if (!(error instanceof Error)) return cut(thrownText(error), maxMessage)
    const { name, message, stack = '', cause } = error
    const all = framesOf(stack, message)
    const frames = all.filter((frame) => !before.includes(frame)).slice(0, maxFrames)
    const text = [cut(`${name}: ${message}`, maxMessage), ...frames].join('\n')
    if (cause === undefined) return text
    return `${text}\ncaused by ${causes === 0 ? 'more' : errorText(cause, causes - 1, all)}`
  } catch {
    return 'an error that cannot be shown'
  }
}

/** The lines of a stack after the message, which may have been changed since. */
const framesOf = (stack: string, message: string): string[] =>
  stack
    .slice(stack.includes(message) ? stack.indexOf(message) + message.length : 0)
    .split('\n', 200)
    // V8 writes "at", others the function and "@".
    .filter((line) => /^ +at |@/.test(line))

/** Objects are shown one level deep: the whole of one may be of any size. */
function thrownText(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown)
  const members = Object.entries(thrown).slice(0, 10)
  return `{ ${members.map(([name, value]) => `${name}: ${memberText(value)}`).join(', ')} }`
}

const memberText = (value: unknown): string =>
  typeof value === 'object' && value !== null ? describe(value) : cut(String(value), 200)

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length)}...` : text)
