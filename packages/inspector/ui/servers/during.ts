/** A time from its beginning to its end, in epoch milliseconds. */
export interface TimeSpan {
  from: number
  to: number
}

/** The lines of a time; all of them without one. */
export const within = <Line extends { at: number }>(
  lines: readonly Line[],
  span: TimeSpan | undefined,
): readonly Line[] => (span === undefined ? lines : lines.filter(({ at }) => at >= span.from && at <= span.to))
