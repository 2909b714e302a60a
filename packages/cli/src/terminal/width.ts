/** The columns that a text takes: wide characters take two, marks none, colours none. */
export function widthOf(text: string): number {
  let width = 0
  for (const { segment } of segments.segment(text.replace(colours, ''))) width += wide.test(segment) ? 2 : 1
  return width
}

/** The text in as many columns as given, filled up or cut with an ellipsis; colours stay whole if it is not cut. */
export function fit(text: string, columns: number): string {
  const missing = columns - widthOf(text)
  return missing >= 0 ? text + ' '.repeat(missing) : cut(text, columns)
}

/** The beginning of a text that has no colours. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  let kept = ''
  let width = 0
  for (const { segment } of segments.segment(text)) {
    width += wide.test(segment) ? 2 : 1
    if (width > columns - 1) break
    kept += segment
  }
  return `${kept}…`
}

/** Lines of at most as many columns, broken at spaces. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = []
  for (const paragraph of text.split('\n')) {
    let line = ''
    for (const word of paragraph.split(' ')) {
      if (line !== '' && widthOf(line) + 1 + widthOf(word) > columns) {
        lines.push(line)
        line = word
      } else line = line === '' ? word : `${line} ${word}`
    }
    lines.push(line)
  }
  return lines
}

const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const wide =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}])/u
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
const colours = /\u001b\[\d+m/g
