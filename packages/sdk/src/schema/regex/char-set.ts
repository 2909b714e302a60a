/** The characters that one atom of a pattern (a literal, a class, an escape) accepts. */
export interface CharSet {
  has(code: number): boolean
  /** 1 for each accepted ASCII character. */
  readonly ascii: Uint8Array
  /** False only if surely no character beyond ASCII is accepted. */
  readonly beyondAscii: boolean
}

const cache = new Map<string, CharSet>()
const cacheSize = 500

/** The set for the source text of one atom; the native engine decides, one character at a time, so it cannot backtrack. */
export function charSetOf(atom: string): CharSet {
  let set = cache.get(atom)
  if (!set) {
    set = makeCharSet(atom)
    if (cache.size >= cacheSize) cache.clear()
    cache.set(atom, set)
  }
  return set
}

function makeCharSet(atom: string): CharSet {
  const native = new RegExp(`^${atom}$`, 'u')
  const ascii = Uint8Array.from({ length: 128 }, (_, code) => (native.test(String.fromCharCode(code)) ? 1 : 0))
  return {
    ascii,
    beyondAscii: mayExceedAscii(atom),
    has: (code) => (code < 128 ? ascii[code] === 1 : native.test(String.fromCodePoint(code))),
  }
}

// Judges by the text, so it errs on the side of "yes": negations, properties, \s, \u and any character beyond ASCII.
const mayExceedAscii = (atom: string): boolean => atom === '.' || /^\[\^|\\[DSWspPux]|[^\x20-\x7e]/.test(atom)
