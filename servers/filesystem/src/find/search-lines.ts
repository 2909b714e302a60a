/** Finds lines in the bytes of a file. */

export interface LineMatch {
  /** From 0, within the searched bytes. */
  readonly line: number
  readonly start: number
  readonly end: number
}

export type LineSearch = (bytes: Buffer) => Iterable<LineMatch>

const lineFeed = 0x0a

/** A search for a plain text compares bytes: most files are done without making a string of them. */
export function literalSearch(text: string): LineSearch {
  const wanted = Buffer.from(text)
  return function* (bytes) {
    let counted = 0
    let line = 0
    for (let at = bytes.indexOf(wanted); at !== -1; ) {
      const start = at === 0 ? 0 : bytes.lastIndexOf(lineFeed, at - 1) + 1
      const end = endOfLine(bytes, at + wanted.length)
      line += countLines(bytes, counted, start)
      counted = start
      yield { line, start, end }
      at = end >= bytes.length ? -1 : bytes.indexOf(wanted, end + 1)
    }
  }
}

/** A search with a regular expression, one line at a time: no match goes over the end of a line. */
export function patternSearch(pattern: RegExp): LineSearch {
  return function* (bytes) {
    let start = 0
    for (let line = 0; start < bytes.length; line++) {
      const end = endOfLine(bytes, start)
      if (pattern.test(bytes.toString('utf8', start, withoutReturn(bytes, start, end)))) yield { line, start, end }
      start = end + 1
    }
  }
}

/** Looks for any match in the whole first, so that files without one are done at once. */
export function prefilteredSearch(pattern: RegExp, whole: RegExp): LineSearch {
  const search = patternSearch(pattern)
  return (bytes) => (whole.test(bytes.toString('utf8')) ? search(bytes) : [])
}

function endOfLine(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(lineFeed, from)
  return end === -1 ? bytes.length : end
}

function countLines(bytes: Buffer, from: number, to: number): number {
  let count = 0
  for (let at = bytes.indexOf(lineFeed, from); at !== -1 && at < to; at = bytes.indexOf(lineFeed, at + 1)) count++
  return count
}

const withoutReturn = (bytes: Buffer, start: number, end: number): number =>
  end > start && bytes[end - 1] === 0x0d ? end - 1 : end

/** The text of a line, without its ending. */
export const lineText = (bytes: Buffer, start: number, end: number): string =>
  bytes.toString('utf8', start, withoutReturn(bytes, start, end))
