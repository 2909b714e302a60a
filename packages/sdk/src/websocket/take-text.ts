import { ErrorCode } from '../errors.ts'
import type { Receiver } from '../jsonrpc/channel.ts'
import { exceedsDepth } from '../jsonrpc/limits.ts'
import { peek, peekAnswer } from '../transport/lines/peek.ts'
import { refusedText } from '../transport/refused-text.ts'

const glimpseLength = 4 * 1024

/** Delivers the JSON value of one text frame to a receiver, or the reason why there is none. */
export function takeText(text: string, maxDepth: number, receiver: Pick<Receiver, 'receive' | 'refuse'>): void {
  if (exceedsDepth(text, maxDepth)) {
    const message = `Message nests deeper than the limit of ${maxDepth} levels`
    const glimpse = peek(text, text.slice(-glimpseLength))
    receiver.refuse({ code: ErrorCode.InvalidRequest, message, ...glimpse }, refusedText(text))
    return
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    const start = JSON.stringify(text.slice(0, 60))
    const message = `Parse error: not JSON: ${start}`
    receiver.refuse({ code: ErrorCode.ParseError, message, ...peekAnswer(text) }, refusedText(text))
    return
  }
  receiver.receive(value, undefined, undefined, text)
}
