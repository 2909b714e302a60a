/**
 * Calls back after a time; returns the way to prevent it. Answers that have arrived are read first: a process that was busy
 * itself does not blame Redis.
 */
export function whenLate(ms: number, giveUp: () => void): () => void {
  let soon: NodeJS.Immediate | undefined
  const timer = setTimeout(() => {
    soon = setImmediate(giveUp)
  }, ms)
  return () => {
    clearTimeout(timer)
    clearImmediate(soon)
  }
}
