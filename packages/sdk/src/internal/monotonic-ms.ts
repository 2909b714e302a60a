/** Milliseconds of a clock that nobody sets: for ages and intervals. `Date.now()` is for times that others know too. */
export const monotonicMs = (): number => performance.now()
