/**
 * Twelve hexadecimal digits for a text. They name sockets, and protect nothing: a hash of `node:crypto` would take longer to
 * load than the rest of the work.
 */
export function shortHash(text: string): string {
  let [high, low] = [0xde_ad_be_ef, 0x41_c6_ce_57]
  for (const character of text) {
    const code = character.codePointAt(0)!
    high = Math.imul(high ^ code, 2_654_435_761)
    low = Math.imul(low ^ code, 1_597_334_677)
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
  const digits = (number: number): string => (number >>> 0).toString(16).padStart(8, '0')
  return `${digits(high)}${digits(low)}`.slice(0, 12)
}
