/** The pause before an attempt, the first being 1: doubling, up to a limit, with jitter. */
export function backoffMs(attempt: number, baseMs: number, limitMs: number): number {
  const pause = Math.min(limitMs, baseMs * 2 ** Math.min(attempt - 1, 20))
  // Never shorter than half: many clients that lost the same server must not return at once, nor too soon.
  return Math.round(pause * (0.5 + Math.random() / 2))
}
