import { type Part, say, TerminalText, toText } from './text.ts'

/** The columns that a text takes: wide characters take two, marks none, colours none. */
export const widthOf = (text: Part): number => widthOfString(String(toText(text)))

function widthOfString(text: string): number {
  const bare = text.replace(colours, '')
  if (plainText.test(bare)) return bare.length
  let width = 0
  for (const { segment } of graphemes(bare)) width += wide.test(segment) ? 2 : 1
  return width
}

/** The text in as many columns as given, filled up or cut with an ellipsis. */
export function fit(text: Part, columns: number): TerminalText {
  const missing = columns - widthOf(text)
  return missing >= 0 ? say`${text}${' '.repeat(missing)}` : cut(text, columns)
}

/** The beginning of a text, with an ellipsis. Colours stay, so that none goes on after the end. */
export function cut(part: Part, columns: number): TerminalText {
  const text = toText(part)
  if (widthOf(text) <= columns) return text
  let kept = ''
  let width = 0
  for (const piece of String(text).split(colours)) {
    if (piece.startsWith('\u001b')) kept += piece
    else if (width < columns) {
      for (const { segment } of graphemes(piece)) {
        const next = width + (wide.test(segment) ? 2 : 1)
        if (next > columns - 1) {
          kept += '…'
          width = columns
          break
        }
        kept += segment
        width = next
      }
    }
  }
  return TerminalText.trust(kept)
}

/** The lines of a text as they are. */
export const splitLines = (text: TerminalText): TerminalText[] =>
  String(text)
    .split('\n')
    .map((line) => TerminalText.trust(line))

/** Lines of at most as many columns, broken at spaces. */
export function wrap(text: TerminalText, columns: number): TerminalText[] {
  const lines: string[] = []
  for (const paragraph of String(text).split('\n')) {
    let line = ''
    for (const word of paragraph.split(' ')) {
      if (line !== '' && widthOfString(line) + 1 + widthOfString(word) > columns) {
        lines.push(line)
        line = word
      } else line = line === '' ? word : `${line} ${word}`
    }
    lines.push(line)
  }
  return lines.map((line) => TerminalText.trust(line))
}

let segmenter: Intl.Segmenter | undefined

/** Loading the data of the segmenter takes as long as a third of the start of Node, and most text is plain. */
function graphemes(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return segmenter.segment(text)
}

/** One column for each character. */
const plainText = /^[\x20-\x7e]*$/
const wide =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}])/u
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
const colours = /(\u001b\[\d+m)/g
