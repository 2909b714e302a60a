import { ErrorCode } from '../errors.ts'
import type { Receiver } from '../jsonrpc/channel.ts'
import { exceedsDepth } from '../jsonrpc/limits.ts'
import { peek } from '../transport/lines/peek.ts'

const glimpseLength = 4 * 1024

/** Delivers the JSON value of one text frame to a receiver, or the reason why there is none. */
export function takeText(text: string, maxDepth: number, receiver: Pick<Receiver, 'receive' | 'refuse'>): void {
  if (exceedsDepth(text, maxDepth)) {
    const message = `Message nests deeper than the limit of ${maxDepth} levels`
    receiver.refuse({ code: ErrorCode.InvalidRequest, message, ...peek(text, text.slice(-glimpseLength)) })
    return
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    const start = JSON.stringify(text.slice(0, 60))
    receiver.refuse({ code: ErrorCode.ParseError, message: `Parse error: not JSON: ${start}` })
    return
  }
  receiver.receive(value)
}
