const RESERVED = new Set(":/?#[]@!$&'()*+,;=")
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39
const isLetter = (code: number): boolean => (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
const isHexDigit = (code: number): boolean =>
  isDigit(code) || (code >= 0x41 && code <= 0x46) || (code >= 0x61 && code <= 0x66)

/** True for the one-character strings that RFC 3986 reserves. */
export const isReserved = (character: string): boolean => RESERVED.has(character)

/** True for letters, digits and `_`. */
export const isNameCharacter = (character: string): boolean => {
  const code = character.charCodeAt(0)
  return isLetter(code) || isDigit(code) || character === '_'
}

/** True for the one-character strings that never need encoding. */
export const isUnreserved = (character: string): boolean =>
  isNameCharacter(character) || character === '-' || character === '.' || character === '~'

export const isSurrogate = (codePoint: number): boolean => codePoint >= 0xd800 && codePoint <= 0xdfff

/** True if `%` and two hexadecimal digits are at `at`. */
export const isTriplet = (text: string, at: number): boolean =>
  text[at] === '%' && isHexDigit(text.charCodeAt(at + 1)) && isHexDigit(text.charCodeAt(at + 2))

function utf8Length(firstByte: number): number {
  if (firstByte < 0x80) return 1
  if (firstByte < 0xe0) return 2
  return firstByte < 0xf0 ? 3 : 4
}

/** Decodes the one character whose percent-encoded UTF-8 starts at `at`; `undefined` if it is malformed. */
export function readEncoded(text: string, at: number): { codePoint: number; end: number } | undefined {
  if (!isTriplet(text, at)) return undefined
  const end = at + 3 * utf8Length(Number.parseInt(text.slice(at + 1, at + 3), 16))
  try {
    return { codePoint: decodeURIComponent(text.slice(at, end)).codePointAt(0)!, end }
  } catch {
    return undefined
  }
}

// Marks a reserved character that was percent-encoded: `%2F` is data where `/` is structure.
const ENCODED = 0x200000
const CODE_POINT = 0x1fffff

/**
 * Splits a URI into one number per character, so that no later step can cut a percent-encoded character in two.
 *
 * Raw and encoded spellings of a character are equal unless the character is reserved. Returns `undefined` if an
 * encoding is malformed or not UTF-8, or if the text has a lone surrogate.
 */
export function toUnits(text: string): Int32Array | undefined {
  const units = new Int32Array(text.length)
  let count = 0
  for (let at = 0; at < text.length; count++) {
    if (text[at] === '%') {
      const read = readEncoded(text, at)
      if (!read) return undefined
      units[count] = isReserved(String.fromCodePoint(read.codePoint)) ? read.codePoint | ENCODED : read.codePoint
      at = read.end
    } else {
      const codePoint = text.codePointAt(at)!
      if (isSurrogate(codePoint)) return undefined
      units[count] = codePoint
      at += codePoint > 0xffff ? 2 : 1
    }
  }
  return units.subarray(0, count)
}

/** The decoded text of the units from `start` to `end`. */
export function unitsToText(units: Int32Array, start: number, end: number): string {
  let text = ''
  for (let at = start; at < end; at++) text += String.fromCodePoint(units[at]! & CODE_POINT)
  return text
}
