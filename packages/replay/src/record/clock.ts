/** Milliseconds since 1970, with fractions, by the clock that messages are timed with. */
export const now = (): number => performance.timeOrigin + performance.now()
