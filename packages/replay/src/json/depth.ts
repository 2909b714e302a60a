/** True if JSON text nests deeper than a limit. Called before parsing, because later code recurses. */
export function exceedsDepth(text: string, limit: number): boolean {
  let depth = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (quoted) {
      if (code === 0x5c) i += 1
      else if (code === 0x22) quoted = false
    } else if (code === 0x22) quoted = true
    else if (code === 0x7b || code === 0x5b) {
      depth += 1
      if (depth > limit) return true
    } else if (code === 0x7d || code === 0x5d) depth -= 1
  }
  return false
}
