/** CSV as in RFC 4180: fields in quotes may have commas, line breaks and doubled quotes. */

import { Refusal } from './refusal.ts'

/** The records of a text that comes in pieces. */
export function* parseCsv(pieces: Iterable<string>): Generator<string[]> {
  const reader = new CsvReader()
  for (const piece of pieces) yield* reader.read(piece)
  yield* reader.end()
}

const maxFields = 2_000
/** Everything up to the next character with a meaning. */
const plain = /[^,"\r\n]*/y
const quoted = /[^"]*/y

class CsvReader {
  #record: string[] = []
  #field = ''
  #isQuoted = false
  /** A quote in a quoted field: the end of it, or the first half of a quote. */
  #isAfterQuote = false
  #isAfterReturn = false;

  *read(piece: string): Generator<string[]> {
    for (let at = 0; at < piece.length; ) {
      if (this.#isQuoted && !this.#isAfterQuote) {
        at = this.#take(quoted, piece, at)
        if (at < piece.length) this.#isAfterQuote = true
        at++
        continue
      }
      const char = piece[at]!
      if (this.#isAfterQuote) {
        this.#isAfterQuote = false
        if (char === '"') {
          this.#field += '"'
          at++
          continue
        }
        this.#isQuoted = false
      }
      const isSecondHalf = char === '\n' && this.#isAfterReturn
      this.#isAfterReturn = char === '\r'
      if (isSecondHalf) at++
      else if (char === '"' && this.#field === '') {
        this.#isQuoted = true
        at++
      } else if (char === ',') {
        this.#endField()
        at++
      } else if (char === '\r' || char === '\n') {
        yield* this.#endRecord()
        at++
      } else if (char === '"') {
        this.#field += char
        at++
      } else at = this.#take(plain, piece, at)
    }
  }

  *end(): Generator<string[]> {
    if (this.#isQuoted && !this.#isAfterQuote) throw new Refusal('csv: a quoted field has no end')
    yield* this.#endRecord()
  }

  #take(pattern: RegExp, piece: string, at: number): number {
    pattern.lastIndex = at
    this.#field += pattern.exec(piece)![0]
    return pattern.lastIndex
  }

  #endField(): void {
    if (this.#record.push(this.#field) > maxFields) throw new Refusal(`csv: more than ${maxFields} fields in a line`)
    this.#field = ''
    this.#isQuoted = false
    this.#isAfterQuote = false
  }

  *#endRecord(): Generator<string[]> {
    if (this.#record.length === 0 && this.#field === '' && !this.#isAfterQuote) return
    this.#endField()
    yield this.#record
    this.#record = []
  }
}

const needsQuotes = /[",\r\n]|^\s|\s$/

/** One line, with its end. An empty text is in quotes: without them it is NULL. */
export const csvLine = (fields: readonly (string | null)[]): string =>
  `${fields.map((field) => (field === null ? '' : field === '' || needsQuotes.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(',')}\r\n`
