/**
 * Text from a server in a form that a terminal only shows: it can neither move the cursor, nor set the title, nor write
 * into the clipboard, nor turn the direction of what follows. Line breaks and tabs stay.
 */
export function visible(text: string): string {
  return text.replace(unsafe, (character) => {
    const code = character.codePointAt(0)!
    if (code < 0x20) return String.fromCodePoint(0x2400 + code)
    return code === 0x7f ? '␡' : `\\u{${code.toString(16)}}`
  })
}

/** The same in one line. */
export const visibleLine = (text: string): string =>
  visible(
    text
      .split(/[\r\n]+/)
      .map((line) => line.trim())
      .join(' ')
      .trim(),
  )

// Control and format characters, except line breaks, tabs, and those that join or break words without hiding anything.
const unsafe = /(?!\r\n|[\n\t\u00ad\u200c\u200d])[\p{Cc}\p{Cf}]/gu
