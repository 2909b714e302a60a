import { createHash } from 'node:crypto'

/** Numbers from 0 to 1, always the same for the same seed. */
export type Random = () => number

/** Random numbers that depend on the words alone. */
export function randomFrom(...words: readonly string[]): Random {
  let state = createHash('sha256').update(words.join('\n')).digest().readUInt32LE(0)
  // Mulberry32: small, and even enough for values that only have to look different.
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** One of several things. */
export const pick = <Item>(items: readonly Item[], random: Random): Item => items[Math.floor(random() * items.length)]!
