/** Counts the primes in slices of the range, so that the caller can look up in between. */
export function* countPrimes(below: number, slices: number): Generator<{ slice: number; found: number }> {
  const base = primesUpTo(Math.floor(Math.sqrt(below)))
  const step = Math.max(1, Math.ceil((below - 2) / slices))
  let found = 0
  for (let start = 2, slice = 1; start < below; start += step, slice++) {
    found += countBetween(start, Math.min(start + step, below), base)
    yield { slice, found }
  }
}

function countBetween(start: number, end: number, base: readonly number[]): number {
  const composite = new Uint8Array(end - start)
  for (const prime of base) {
    const first = Math.max(prime * prime, Math.ceil(start / prime) * prime)
    for (let multiple = first; multiple < end; multiple += prime) composite[multiple - start] = 1
  }
  return composite.reduce((count, marked) => count + 1 - marked, 0)
}

function primesUpTo(limit: number): number[] {
  const primes: number[] = []
  for (let candidate = 2; candidate <= limit; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate)
  }
  return primes
}
