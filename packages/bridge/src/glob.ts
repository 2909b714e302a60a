/** Whether a text fits a glob: `*` is any text, `?` one character. It takes a time that grows with both lengths alone. */
export function matchesGlob(glob: string, text: string): boolean {
  const [pattern, characters] = [[...glob], [...text]]
  let [at, next] = [0, 0]
  // The last star, and the position from which it is tried to take one character more.
  let star: { at: number; next: number } | undefined
  while (next < characters.length) {
    if (pattern[at] === '*') {
      star = { at, next }
      at += 1
    } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === characters[next])) {
      at += 1
      next += 1
    } else if (star !== undefined) {
      star.next += 1
      at = star.at + 1
      next = star.next
    } else return false
  }
  while (pattern[at] === '*') at += 1
  return at === pattern.length
}
