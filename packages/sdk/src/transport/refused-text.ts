import type { RefusedInput } from '../jsonrpc/channel.ts'

const maxStart = 4 * 1024

/** A refused text, for observers. */
export const refusedText = (text: string): RefusedInput => ({
  bytes: new TextEncoder().encode(text).length,
  start: text.slice(0, maxStart),
})
