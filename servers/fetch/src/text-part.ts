/** A part of a text without half of a surrogate pair at its ends. */
export const wholeCharacters = (text: string, start: number, end: number): string =>
  text.slice(startOfPart(text, Math.max(0, start)), endOfPart(text, end))

/** A part that would end inside of a surrogate pair ends behind it. */
export const endOfPart = (text: string, end: number): number => (isInsidePair(text, end) ? end + 1 : end)

const startOfPart = (text: string, start: number): number => (isInsidePair(text, start) ? start + 1 : start)

const isInsidePair = (text: string, index: number): boolean =>
  /[\uDC00-\uDFFF]/.test(text.charAt(index)) && /[\uD800-\uDBFF]/.test(text.charAt(index - 1))
