/** Milliseconds since 1970, with fractions, from a clock that never goes back. */
export const epochMs = (): number => performance.timeOrigin + performance.now()
