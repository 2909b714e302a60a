import { SessionFileError } from './parse-line.ts'

interface SessionLine {
  text: string
  /** Counted from 1. */
  number: number
  /** False for a last line without a line break, which may be half of one. */
  whole: boolean
}

/** The lines of a file as it is read: one is held at a time, and none may be longer than `maxLength`. */
export async function* linesOf(
  source: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
  maxLength: number,
): AsyncGenerator<SessionLine, void, undefined> {
  const decoder = new TextDecoder()
  const pieces: string[] = []
  let length = 0
  let number = 1
  for await (const chunk of source) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    let start = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      pieces.push(text.slice(start, end))
      if (length + end - start > maxLength) throw tooLong(number, maxLength)
      yield { text: pieces.splice(0).join(''), number, whole: true }
      length = 0
      number += 1
      start = end + 1
    }
    length += text.length - start
    if (length > maxLength) throw tooLong(number, maxLength)
    pieces.push(text.slice(start))
  }
  const rest = pieces.join('') + decoder.decode()
  if (rest !== '') yield { text: rest, number, whole: false }
}

const tooLong = (line: number, limit: number): SessionFileError =>
  new SessionFileError(line, `longer than the limit of ${limit} characters`)
