import type { SavedCall } from '@tenon/replay'

/** The requested calls, and the earlier ones that capture values for them. */
export function withNeeded(wanted: readonly number[], calls: readonly SavedCall[]): Set<number> {
  const needed = new Set(wanted)
  // From the last to the first: a needed call may need earlier ones.
  for (const call of calls.toReversed()) {
    if (!needed.has(call.index)) continue
    const text = JSON.stringify([call.operation, call.expect, call.answers])
    for (const earlier of calls) {
      if (earlier.index >= call.index) break
      if ([...earlier.capture.keys()].some((name) => mentions(text, name))) needed.add(earlier.index)
    }
  }
  return needed
}

const mentions = (text: string, name: string): boolean =>
  ['}', '.', '['].some((end) => text.includes(`\${${name}${end}`))
