// Only spaces and tabs are blank in YAML. The ends are found by loops: a search for blanks at the end takes a time that
// grows with the square of their number.
const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t'

export function trimBlanksStart(text: string): string {
  let start = 0
  while (isBlank(text[start])) start++
  return text.slice(start)
}

export function trimBlanksEnd(text: string): string {
  let end = text.length
  while (isBlank(text[end - 1])) end--
  return text.slice(0, end)
}

export const trimBlanks = (text: string): string => trimBlanksStart(trimBlanksEnd(text))

/** A comment starts at a `#` with a blank before it. */
export function withoutComment(text: string): string {
  for (let at = text.indexOf('#'); at >= 0; at = text.indexOf('#', at + 1)) {
    if (at === 0 || isBlank(text[at - 1])) return trimBlanksEnd(text.slice(0, at))
  }
  return trimBlanksEnd(text)
}
