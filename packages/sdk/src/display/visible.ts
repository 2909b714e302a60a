/**
 * A text of a stranger in a form that is only shown: nothing in it hides, turns around what stands beside it, or tells a
 * terminal what to do. Control characters become pictures, other unseen ones their numbers. Line breaks and tabs stay.
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
 * JSON in which nothing hides or commands a terminal either. The characters are written as `\\u` escapes, so it is the same
 * JSON for whoever parses it.
 */
export const visibleJson = (json: string): string =>
  json.replace(unseen, (character) =>
    // One escape for each unit of UTF-16, as JSON has it.
    Array.from({ length: character.length }, (_, at) => escaped(character.charCodeAt(at))).join(''),
  )

const escaped = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`

/** Scripts in which a joiner, or its opposite, says how the letter before it is written. */
const joining = ['Arab', 'Beng', 'Deva', 'Gujr', 'Guru', 'Knda', 'Mlym', 'Mong', 'Orya', 'Sinh', 'Syrc', 'Taml', 'Telu']

/** What belongs to what stands before it, and is to be seen in it: one selector or joiner of an emoji or of a letter. */
const belonging = [
  '(?<=\\p{Emoji})[\\ufe0e\\ufe0f]',
  '(?<=\\p{Extended_Pictographic}[\\ufe0f\\p{Emoji_Modifier}]?)\\u200d(?=\\p{Extended_Pictographic})',
  `(?<=[${joining.map((script) => `\\p{Script=${script}}`).join('')}])[\\u200c\\u200d]`,
].join('|')

/**
 * Control characters, separators, and everything that has no width: direction marks, zero-width characters, fillers, tags
 * and selectors, in which whole sentences can be written that only a model reads.
 */
const unseen = new RegExp(
  `(?![\\n\\t])(?!${belonging})[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb]`,
  'gu',
)
