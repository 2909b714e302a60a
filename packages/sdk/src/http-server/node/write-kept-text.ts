import type { ServerResponse } from 'node:http'
import type { CachedText, Text } from '../../transport/cached-text.ts'

export const byteLengthOf = (text: Text): number =>
  typeof text === 'string'
    ? Buffer.byteLength(text)
    : Buffer.byteLength(text.head) + text.kept.bytes.length + Buffer.byteLength(text.tail)

/** As `response.end`, without copying the kept bytes. */
export function endKept(response: ServerResponse, { head, kept, tail }: CachedText): void {
  response.write(head)
  response.write(kept.bytes)
  response.end(tail)
}

/** As `response.write`, without copying the kept bytes. */
export function writeKept(response: ServerResponse, { head, kept, tail }: CachedText): boolean {
  response.cork()
  response.write(head)
  response.write(kept.bytes)
  const room = response.write(tail)
  response.uncork()
  return room
}
