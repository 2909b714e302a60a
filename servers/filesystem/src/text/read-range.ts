import type { FileHandle } from 'node:fs/promises'

/** A piece of a file, as bytes. */
export interface Piece {
  readonly bytes: Uint8Array
  /** There is more than was read. */
  readonly cut: boolean
  /** Where the piece begins in the file. */
  readonly offset: number
  /** The number of its first line, from 1, where it is known. */
  readonly firstLine?: number
}

const chunkBytes = 65_536
const lineFeed = 0x0a

/** Reads from a place on, up to a number of bytes. */
export async function readBytes(handle: FileHandle, offset: number, length: number): Promise<Uint8Array> {
  const parts: Buffer[] = []
  for (let done = 0; done < length; ) {
    const buffer = Buffer.allocUnsafe(Math.min(length - done, 4 * 2 ** 20))
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset + done)
    if (bytesRead === 0) break
    parts.push(buffer.subarray(0, bytesRead))
    done += bytesRead
  }
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
}

/** Reads a range of bytes, without the halves of characters at its ends. */
export async function readSlice(handle: FileHandle, offset: number, length: number, size: number): Promise<Piece> {
  const bytes = await readBytes(handle, offset, length)
  const start = offset === 0 ? 0 : leadingHalf(bytes)
  const isLast = offset + bytes.length >= size
  const whole = bytes.subarray(start, isLast ? bytes.length : bytes.length - trailingHalf(bytes))
  return { bytes: whole, offset: offset + start, cut: offset + start + whole.length < size }
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80

function leadingHalf(bytes: Uint8Array): number {
  let length = 0
  while (length < 3 && isContinuation(bytes[length])) length++
  return length
}

/** How many bytes at the end begin a character of UTF-8 that goes on after them. */
function trailingHalf(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!
    if (isContinuation(byte)) continue
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return needed > back ? back : 0
  }
  return 0
}

/** Reads lines from `first` to `last`, both from 1. Only what is asked for stays in memory. */
export async function readLines(
  handle: FileHandle,
  range: { first: number; last: number },
  options: { maxBytes: number; signal: AbortSignal },
): Promise<Piece & { firstLine: number }> {
  const parts: Buffer[] = []
  let line = 1
  let offset = 0
  let kept = 0
  let start = range.first === 1 ? 0 : undefined
  const buffer = Buffer.allocUnsafe(range.first > 1_000 ? 16 * chunkBytes : chunkBytes)
  for (;;) {
    options.signal.throwIfAborted()
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset)
    if (bytesRead === 0) break
    const chunk = buffer.subarray(0, bytesRead)
    let from = start === undefined ? bytesRead : 0
    let to = bytesRead
    for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, at + 1)) {
      line++
      if (line === range.first) {
        from = at + 1
        start = offset + from
      }
      if (line > range.last) {
        to = at
        break
      }
    }
    const part = chunk.subarray(from, Math.max(from, to))
    parts.push(Buffer.from(part.subarray(0, options.maxBytes - kept)))
    kept += part.length
    if (kept > options.maxBytes) return cutToLine(parts, start ?? 0, range.first)
    if (line > range.last)
      return { bytes: Buffer.concat(parts), offset: start ?? 0, cut: false, firstLine: range.first }
    offset += bytesRead
  }
  return { bytes: Buffer.concat(parts), offset: start ?? offset, cut: false, firstLine: Math.min(range.first, line) }
}

/** Ends a piece that is too long with its last whole line, if it has one. */
function cutToLine(parts: readonly Buffer[], offset: number, firstLine: number): Piece & { firstLine: number } {
  const bytes = Buffer.concat(parts)
  const end = bytes.lastIndexOf(lineFeed)
  const whole = end > 0 ? bytes.subarray(0, end) : bytes.subarray(0, bytes.length - trailingHalf(bytes))
  return { bytes: whole, offset, cut: true, firstLine }
}

/** Reads the last lines, from the end backwards. A line feed at the end of the file begins no further line. */
export async function readLastLines(
  handle: FileHandle,
  count: number,
  options: { size: number; maxBytes: number },
): Promise<Piece> {
  const parts: Uint8Array[] = []
  let position = options.size
  let kept = 0
  let found = 0
  while (position > 0 && kept < options.maxBytes) {
    const length = Math.min(chunkBytes, position, options.maxBytes - kept)
    position -= length
    const chunk = Buffer.from(await readBytes(handle, position, length))
    for (let at = chunk.lastIndexOf(lineFeed); at !== -1; at = at === 0 ? -1 : chunk.lastIndexOf(lineFeed, at - 1)) {
      if (position + at === options.size - 1 || ++found < count) continue
      const bytes = Buffer.concat([chunk.subarray(at + 1), ...parts])
      return { bytes, offset: position + at + 1, cut: false }
    }
    parts.unshift(chunk)
    kept += chunk.length
  }
  const bytes = Buffer.concat(parts)
  const start = position > 0 ? leadingHalf(bytes) : 0
  return { bytes: bytes.subarray(start), offset: position + start, cut: position > 0 }
}
