/**
 * Untrusted text for display: no hidden characters, no changed direction of the text beside it, no terminal commands.
 * Control characters become pictures, other invisible ones their numbers. Line breaks and tabs stay.
 */
export const visible = (text: string): string =>
  text.replace(/\r\n/g, '\n').replace(unseen, (character) => {
    const code = character.codePointAt(0)!
    if (code < 0x20) return String.fromCodePoint(0x2400 + code)
    return code === 0x7f ? '\u2421' : `\u27e8U+${code.toString(16).toUpperCase().padStart(4, '0')}\u27e9`
  })

/** The same in one line. */
export const visibleLine = (text: string): string =>
  visible(
    text
      .split(/[\r\n]+/)
      .map((line) => line.trim())
      .join(' ')
      .trim(),
  )

/**
 * JSON without hidden characters or terminal commands either. The characters are written as `\\u` escapes, so it parses
 * to the same value.
 */
export const visibleJson = (json: string): string =>
  json.replace(unseen, (character) =>
    // One escape for each unit of UTF-16, as JSON requires.
    Array.from({ length: character.length }, (_, at) => escaped(character.charCodeAt(at))).join(''),
  )

const escaped = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`

/** Scripts in which a joiner or non-joiner shapes the letter before it. */
const joining = ['Arab', 'Beng', 'Deva', 'Gujr', 'Guru', 'Knda', 'Mlym', 'Mong', 'Orya', 'Sinh', 'Syrc', 'Taml', 'Telu']

/** A selector or joiner that belongs to the emoji or letter before it, and is visible in it. */
const belonging = [
  '(?<=\\p{Emoji})[\\ufe0e\\ufe0f]',
  '(?<=\\p{Extended_Pictographic}[\\ufe0f\\p{Emoji_Modifier}]?)\\u200d(?=\\p{Extended_Pictographic})',
  `(?<=[${joining.map((script) => `\\p{Script=${script}}`).join('')}])[\\u200c\\u200d]`,
].join('|')

/**
 * Control characters, separators, and everything without a width: direction marks, zero-width characters, fillers, tags
 * and selectors, which can spell whole sentences that only a model reads.
 */
const unseen = new RegExp(
  `(?![\\n\\t])(?!${belonging})[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb]`,
  'gu',
)

/** The beginning of a text on one line, for error messages that quote a peer. */
export const shortLine = (text: string, maxLength: number): string =>
  visibleLine(text.length > maxLength ? `${text.slice(0, maxLength)}…` : text)
