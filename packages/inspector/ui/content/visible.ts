/**
 * What cannot be seen, or turns around what can be seen: control characters, direction marks, zero-width characters, tags.
 * The joiner inside of an emoji belongs to it.
 */
const unseen = /(?![\n\t])(?:[\p{Cc}\p{Zl}\p{Zp}]|(?!\u200d)\p{Cf}|(?<!\p{Extended_Pictographic}\ufe0f?)\u200d)/gu

/** A text in which nothing hides: control characters as pictures, other unseen ones as their numbers. */
export const visible = (text: string): string =>
  text.replace(/\r\n/g, '\n').replace(unseen, (character) => {
    const code = character.codePointAt(0)!
    if (code < 0x20) return String.fromCodePoint(0x2400 + code)
    if (code === 0x7f) return '\u2421'
    return `\u27e8U+${code.toString(16).toUpperCase().padStart(4, '0')}\u27e9`
  })

/** The same for one line. */
export const visibleLine = (text: string): string => visible(text).replaceAll('\n', '\u2424')
