/** The bytes of one message from a client: a server has many clients, and arguments are short. */
export const maxClientMessageBytes: number = 4 * 1024 * 1024

/** The bytes of one message from a server, over every transport: files and screenshots are results. */
export const maxServerMessageBytes: number = 16 * 1024 * 1024

/** How deep JSON may nest unless a limit is given: far more than any message needs, far less than recursion can bear. */
export const defaultMaxDepth = 64

const quote = 0x22
const backslash = 0x5c

/** Whether a JSON text nests arrays and objects deeper than `maxDepth`; decided on the text, before it is parsed. */
export function exceedsDepth(text: string, maxDepth: number): boolean {
  // Each level needs two brackets, so a shorter text is either shallow or not JSON.
  if (text.length < 2 * (maxDepth + 1) || hasFewBrackets(text, maxDepth)) return false
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === quote) {
      i = endOfString(text, i)
      if (i < 0) return false
    } else if (code === 0x7b || code === 0x5b) {
      if (++depth > maxDepth) return true
    } else if (code === 0x7d || code === 0x5d) depth--
  }
  return false
}

// Most messages open fewer brackets than the limit, strings included, and single characters are found at memory speed.
function hasFewBrackets(text: string, most: number): boolean {
  let count = 0
  for (let i = text.indexOf('{'); i >= 0; i = text.indexOf('{', i + 1)) if (++count > most) return false
  for (let i = text.indexOf('['); i >= 0; i = text.indexOf('[', i + 1)) if (++count > most) return false
  return true
}

/** The index of the quote that ends the string which starts at `start`, or -1. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1
    while (text.charCodeAt(before) === backslash) before--
    if ((end - before) % 2 === 1) return end
  }
  return -1
}
