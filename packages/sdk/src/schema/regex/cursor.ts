/** The code point at a position, or before it when reading backward; -1 beyond the ends. */
export function charAt(subject: string, position: number, backward: boolean): number {
  if (!backward) return position < subject.length ? subject.codePointAt(position)! : -1
  if (position <= 0) return -1
  const low = subject.charCodeAt(position - 1)
  const isLow = low >= 0xdc00 && low <= 0xdfff
  const code = isLow && position > 1 ? subject.codePointAt(position - 2)! : low
  return code > 0xffff ? code : low
}

/** Whether an anchor or word boundary holds at a position. */
export function edgeHolds(at: 'start' | 'end' | 'word' | 'not-word', subject: string, position: number): boolean {
  if (at === 'start') return position === 0
  if (at === 'end') return position === subject.length
  const boundary = isWord(subject.charCodeAt(position - 1)) !== isWord(subject.charCodeAt(position))
  return boundary === (at === 'word')
}

// Out of range is NaN, which no comparison accepts.
const isWord = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39) || code === 0x5f
