/** Characters that move the cursor, colour a terminal, or turn the direction of text. */
const unsafe = /[\p{Cc}\p{Cf}\u2028\u2029]/gu

/** Text of a peer for an error message: bounded, and without characters that a terminal would act on. */
export function shortText(text: string, maxLength: number): string {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
  return cut.replace(unsafe, '\ufffd')
}
