/** The candidate that was probably meant, if one is near enough. Long names are compared by their beginning. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.slice(0, 64).toLowerCase()
  const most = Math.max(2, Math.floor(wanted.length / 3))
  let best: string | undefined
  let bestDistance = most + 1
  for (const candidate of candidates) {
    const distance = editDistance(wanted, candidate.slice(0, 64).toLowerCase())
    if (distance >= bestDistance) continue
    best = candidate
    bestDistance = distance
  }
  return best
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[b.length]!
}
