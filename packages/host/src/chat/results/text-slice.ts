const isTrailing = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

/** The largest index up to this one that does not divide a character of two code units. */
export const characterStart = (text: string, index: number): number =>
  index > 0 && index < text.length && isTrailing(text.charCodeAt(index)) ? index - 1 : index

/** The beginning of a text that has at most this many bytes, never half a character. */
export function firstBytes(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text
  const head = text.slice(0, bytes)
  if (Buffer.byteLength(head) <= bytes) return text.slice(0, characterStart(text, bytes))
  let low = 0
  let high = head.length
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (Buffer.byteLength(head.slice(0, middle)) <= bytes) low = middle
    else high = middle - 1
  }
  return text.slice(0, characterStart(text, low))
}
