import type { FileHandle } from 'node:fs/promises'
import { ToolError } from '@tenon/sdk/server'
import type { Guard } from '../access/guard.ts'
import { hashOf } from '../store/change-file.ts'
import { type Piece, readBytes, readLastLines, readLines, readSlice } from './read-range.ts'
import { countOf, decodeText, formatOf, isBinary, type LineEnding, lineEndingOf } from './text-document.ts'

export interface ReadOptions {
  readonly path: string
  readonly head?: number | undefined
  readonly tail?: number | undefined
  readonly startLine?: number | undefined
  readonly endLine?: number | undefined
  readonly offset?: number | undefined
  readonly length?: number | undefined
  readonly maxBytes: number
  readonly signal: AbortSignal
}

export interface TextRead {
  readonly content: string
  readonly path: string
  readonly size: number
  readonly hash?: string
  readonly encoding: string
  readonly bom: boolean
  readonly lineEnding: LineEnding
  readonly startLine?: number
  readonly endLine?: number
  readonly offset?: number
  readonly truncated: boolean
  readonly nextLine?: number
  readonly nextOffset?: number
}

/** Reads a text file, or the part of it that is asked for. */
export async function readTextFile(guard: Guard, options: ReadOptions): Promise<TextRead> {
  refuseContradictions(options)
  await using held = await guard.locate(options.path)
  const handle = await guard.open(held, options.path)
  try {
    const size = Number(held.stats.size)
    if (isWhole(options) && size <= options.maxBytes) return await readWhole(handle, held.real, size, options)
    const { encoding, bom } = formatOf(await readBytes(handle, 0, 4))
    const found =
      encoding === 'utf-8'
        ? await readPart(handle, size, options)
        : linesOf(await readWide(handle, size, options), options)
    return { path: held.real, size, encoding, bom, lineEnding: lineEndingOf(found.content), ...found }
  } finally {
    await handle.close()
  }
}

type Part = Pick<TextRead, 'content' | 'truncated'> & Partial<TextRead>

function refuseContradictions({ head, tail, startLine, endLine, offset, length }: ReadOptions): void {
  if (head !== undefined && tail !== undefined) {
    throw new ToolError('Cannot specify both head and tail parameters simultaneously')
  }
  const ways = [head ?? tail, startLine ?? endLine, offset ?? length].filter((way) => way !== undefined)
  if (ways.length > 1)
    throw new ToolError('Expected one of head, tail, startLine/endLine and offset/length, got several')
  if (startLine !== undefined && endLine !== undefined && endLine < startLine) {
    throw new ToolError(`Expected startLine ≤ endLine, got ${startLine} and ${endLine}`)
  }
}

async function readPart(handle: FileHandle, size: number, options: ReadOptions): Promise<Part> {
  const { head, tail, startLine, endLine, offset, length, maxBytes, signal } = options
  if (tail !== undefined) {
    const piece = await readLastLines(handle, tail, { size, maxBytes })
    return { content: textOf(piece, options).replace(/\r?\n$/, ''), truncated: piece.cut, offset: piece.offset }
  }
  if (offset !== undefined || length !== undefined) {
    const piece = await readSlice(handle, offset ?? 0, Math.min(length ?? maxBytes, maxBytes), size)
    const next = piece.offset + piece.bytes.length
    const isShort = piece.cut && (length === undefined || length > maxBytes)
    return {
      content: textOf(piece, options),
      truncated: isShort,
      offset: piece.offset,
      ...(piece.cut && { nextOffset: next }),
    }
  }
  const range = { first: startLine ?? 1, last: head ?? endLine ?? Number.POSITIVE_INFINITY }
  return numbered(await readLines(handle, range, { maxBytes, signal }), options)
}

const isWhole = ({ head, tail, startLine, endLine, offset, length }: ReadOptions): boolean =>
  (head ?? tail ?? startLine ?? endLine ?? offset ?? length) === undefined

async function readWhole(handle: FileHandle, path: string, size: number, options: ReadOptions): Promise<TextRead> {
  // Some files of the system say that they are empty.
  const bytes = await readBytes(handle, 0, size === 0 ? options.maxBytes : size)
  const content = textOf({ bytes, offset: 0, cut: false }, options)
  const lineEnding = lineEndingOf(content)
  return { content, path, size, hash: hashOf(bytes), ...formatOf(bytes), lineEnding, truncated: false }
}

function numbered(piece: Piece & { firstLine: number }, options: ReadOptions): Part {
  // Lines are handed over without the ending of the last one, wherever the last one is.
  const content = textOf(piece, options).replace(/\n$/, '')
  const endLine = piece.firstLine + countOf(content, '\n')
  const next = piece.cut ? (content === '' ? {} : { nextLine: endLine + 1 }) : {}
  return { content, truncated: piece.cut, startLine: piece.firstLine, endLine, offset: piece.offset, ...next }
}

function textOf({ bytes }: Piece, { path }: ReadOptions): string {
  if (isBinary(bytes)) {
    throw new ToolError(`${path} is a binary file. Use read_media_file, or get_file_info for its size and type.`)
  }
  return decodeText(bytes)
}

/** UTF-16 is read as a whole: its lines cannot be found by looking for one byte. */
async function readWide(
  handle: FileHandle,
  size: number,
  { path, maxBytes, offset, length }: ReadOptions,
): Promise<string> {
  if (size > maxBytes || offset !== undefined || length !== undefined) {
    throw new ToolError(
      `${path} is UTF-16 with ${size} bytes. UTF-16 is read up to ${maxBytes} bytes, and by lines only.`,
    )
  }
  return decodeText(await readBytes(handle, 0, maxBytes))
}

function linesOf(text: string, { head, tail, startLine, endLine }: ReadOptions): Part {
  const lines = text.replace(/\r?\n$/, '').split('\n')
  const wanted = tail === undefined ? lines.slice((startLine ?? 1) - 1, head ?? endLine) : lines.slice(-tail)
  return { content: wanted.join('\n'), truncated: false }
}
