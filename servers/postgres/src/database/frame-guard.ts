import type { Wire } from './wire.ts'

const headerBytes = 5

/** The server sent a message that is larger than allowed: mostly a row. */
export class TooLargeMessage extends Error {
  override readonly name = 'TooLargeMessage'
}

/**
 * Ends a connection when a message begins that is larger than `maxBytes`. The size stands at the beginning of a message,
 * so a value of a gigabyte never enters memory.
 */
export function guardFrames(wire: Wire, maxBytes: () => number): void {
  const attach = wire.attachListeners.bind(wire)
  wire.attachListeners = (stream) => {
    const isTooLarge = frameReader(maxBytes)
    // This listener comes before that of the parser, and a destroyed stream reports nothing more.
    stream.on('data', (chunk: Buffer) => {
      if (!isTooLarge(chunk)) return
      stream.removeAllListeners('data')
      stream.destroy(new TooLargeMessage(`a message of the server is larger than ${maxBytes()} bytes`))
    })
    attach(stream)
  }
}

/** Follows messages through chunks, whatever way they are cut. */
export function frameReader(maxBytes: () => number): (chunk: Buffer) => boolean {
  /** Bytes of the current message that are still to come. */
  let left = 0
  /** The beginning of a header whose end is in the next chunk. */
  let rest = Buffer.alloc(0)
  return (given) => {
    const chunk = rest.length === 0 ? given : Buffer.concat([rest, given])
    const limit = maxBytes()
    let at = left
    while (at + headerBytes <= chunk.length) {
      const size = chunk.readUInt32BE(at + 1)
      if (size > limit) return true
      // The size counts itself, and not the type before it.
      at += 1 + Math.max(4, size)
    }
    left = Math.max(0, at - chunk.length)
    rest = Buffer.from(chunk.subarray(Math.min(at, chunk.length)))
    return false
  }
}
