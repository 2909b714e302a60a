/**
 * The form in which texts are compared: small letters without accents, so that "café" is found by "cafe". It is made
 * character by character, so a part of a text is a part of its form, too.
 */
export function folded(text: string): string {
  const small = text.toLowerCase()
  return /[^\0-\x7f]/.test(small)
    ? small
        .normalize('NFKD')
        .replace(/\p{M}+/gu, '')
        .toLowerCase()
    : small
}

/** The words of a folded text: runs of letters and digits. */
export function wordsOf(text: string): string[] {
  const words: string[] = []
  let start = -1
  for (let index = 0; index <= text.length; index++) {
    const isInWord = index < text.length && isWordCode(text.charCodeAt(index))
    if (isInWord && start < 0) start = index
    if (isInWord || start < 0) continue
    words.push(text.slice(start, index))
    start = -1
  }
  return words
}

function isWordCode(code: number): boolean {
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57)
  // Spaces and punctuation outside ASCII; every other character may be part of a word.
  return code > 0xbf && !(code >= 0x2000 && code <= 0x206f) && !(code >= 0x3000 && code <= 0x303f) && code !== 0xfeff
}
