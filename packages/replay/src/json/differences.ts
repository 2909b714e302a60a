import { fits } from './fits.ts'
import { isObject } from './is-object.ts'
import { joinPath, type PathStep } from './path.ts'

/** One place in which two values are not the same; a side that has nothing there is undefined. */
export interface Difference {
  /** Such as `content[0].text`; empty for the values themselves. */
  path: string
  before?: unknown
  after?: unknown
}

/** Where two values differ, at most `limit` places. What was redacted in the first is the same as anything. */
export function differences(before: unknown, after: unknown, limit = 100): Difference[] {
  const found: Difference[] = []
  compare(before, after, [], found, limit)
  return found
}

function compare(before: unknown, after: unknown, path: PathStep[], found: Difference[], limit: number): void {
  if (found.length >= limit || fits(before, after)) return
  if (isObject(before) && isObject(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const mine = Object.hasOwn(before, name) ? before[name] : undefined
      const theirs = Object.hasOwn(after, name) ? after[name] : undefined
      compare(mine, theirs, [...path, name], found, limit)
    }
  } else if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length)
    for (let i = 0; i < length && found.length < limit; i++) compare(before[i], after[i], [...path, i], found, limit)
  } else {
    const entry: Difference = { path: joinPath(path) }
    if (before !== undefined) entry.before = before
    if (after !== undefined) entry.after = after
    found.push(entry)
  }
}
