/** Milliseconds of a clock that is never set: for ages and intervals. `Date.now()` is for times shared with others. */
export const monotonicMs = (): number => performance.now()
