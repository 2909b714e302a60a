/** The candidates that a word may be a misspelling of, best first, at most three. */
export function nearest(word: string, candidates: Iterable<string>): string[] {
  const wanted = word.toLowerCase()
  return [...candidates]
    .map((candidate) => ({ candidate, distance: distanceOf(wanted, candidate.toLowerCase()) }))
    .filter(
      ({ candidate, distance }) => distance <= Math.max(1, Math.floor(Math.min(word.length, candidate.length) / 3)),
    )
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ candidate }) => candidate)
}

// Words are short. Longer ones are names of a server, and nobody mistypes 64 characters.
const longest = 64

/** Edits between two words; one swap of neighbours counts once, and a beginning that fits is near. */
function distanceOf(a: string, b: string): number {
  if (a.length > longest || b.length > longest) return a === b ? 0 : Infinity
  if (a.length >= 3 && b.startsWith(a)) return 1
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      next[j] = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        next[j] = Math.min(next[j]!, before[j - 2]! + 1)
    }
    before = row
    row = next
  }
  return row[b.length]!
}
