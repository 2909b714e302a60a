import { ToolError } from '@tenon/sdk/server'

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be'

export type LineEnding = 'lf' | 'crlf' | 'mixed' | 'none'

interface Format {
  readonly encoding: Encoding
  readonly bom: boolean
}

const marks: readonly (readonly [Encoding, Uint8Array])[] = [
  ['utf-8', Uint8Array.of(0xef, 0xbb, 0xbf)],
  ['utf-16le', Uint8Array.of(0xff, 0xfe)],
  ['utf-16be', Uint8Array.of(0xfe, 0xff)],
]

/** Reads the byte order mark. Without one a file is UTF-8. */
export function formatOf(start: Uint8Array): Format {
  const found = marks.find(([, mark]) => mark.every((byte, index) => start[index] === byte))
  return found === undefined ? { encoding: 'utf-8', bom: false } : { encoding: found[0], bom: true }
}

/** True for contents that are no text: a null byte in what is not UTF-16. */
export const isBinary = (bytes: Uint8Array): boolean =>
  formatOf(bytes).encoding === 'utf-8' && bytes.subarray(0, 65_536).includes(0)

/** Text without its byte order mark; bytes that are no text become replacement characters. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder(formatOf(bytes).encoding).decode(bytes)
}

export function lineEndingOf(text: string): LineEnding {
  const all = countOf(text, '\n')
  if (all === 0) return 'none'
  const crlf = countOf(text, '\r\n')
  return crlf === 0 ? 'lf' : crlf === all ? 'crlf' : 'mixed'
}

export function countOf(text: string, part: string): number {
  let count = 0
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) count++
  return count
}

/**
 * A text file in work. Its text is seen with plain line feeds; a change replaces a piece of it, and every byte around the
 * piece stays as it was: byte order mark, encoding, and the line ending of each line.
 */
export class TextDocument {
  readonly format: Format
  #raw: string
  #seen: string | undefined

  constructor(bytes: Uint8Array, path: string) {
    if (isBinary(bytes)) throw new ToolError(`${path} is a binary file. Only text can be edited.`)
    this.format = formatOf(bytes)
    try {
      this.#raw = new TextDecoder(this.format.encoding, { fatal: true }).decode(bytes)
    } catch {
      throw new ToolError(`${path} is not valid ${this.format.encoding.toUpperCase()}; an edit would damage it.`)
    }
  }

  /** The text, every line ending as a line feed. */
  get text(): string {
    this.#seen ??= this.#raw.replaceAll('\r\n', '\n')
    return this.#seen
  }

  /** Replaces a piece of `text`. New lines get the ending that most lines of the file have. */
  replace(start: number, end: number, replacement: string): void {
    const plain = replacement.replaceAll('\r\n', '\n')
    const [from, to] = [this.#rawIndex(start), this.#rawIndex(end)]
    const fitting = this.#usesCrlf() ? plain.replaceAll('\n', '\r\n') : plain
    this.#raw = this.#raw.slice(0, from) + fitting + this.#raw.slice(to)
    this.#seen = undefined
  }

  get bytes(): Uint8Array {
    const raw = this.format.bom ? `\uFEFF${this.#raw}` : this.#raw
    if (this.format.encoding === 'utf-8') return Buffer.from(raw)
    const bytes = Buffer.from(raw, 'utf16le')
    return this.format.encoding === 'utf-16le' ? bytes : bytes.swap16()
  }

  #usesCrlf(): boolean {
    const crlf = countOf(this.#raw, '\r\n')
    return crlf > 0 && crlf * 2 >= countOf(this.#raw, '\n')
  }

  /** The place in the raw text of a place in the seen one: each line before it may have one character more. */
  #rawIndex(seen: number): number {
    if (this.#raw.length === this.text.length) return seen
    let index = seen
    for (let at = this.#raw.indexOf('\r\n'); at !== -1 && at < index; at = this.#raw.indexOf('\r\n', at + 2)) index++
    return index
  }
}

/** The number of the line that a place of a text is in, from 1. */
export const lineAt = (text: string, index: number): number => countOf(text.slice(0, index), '\n') + 1
