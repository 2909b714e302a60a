import { isObject } from './is-object.ts'
import { matchesRecorded } from './matches-recorded.ts'
import { joinPath, type PathStep } from './path.ts'

/** One place in which two values are not the same; a side that has nothing there is undefined. */
export interface Difference {
  /** Such as `content[0].text`; empty for the values themselves. */
  path: string
  before?: unknown
  after?: unknown
}

export interface DifferencesOptions {
  /** How many are listed at the most; 100 by default. */
  limit?: number
  /** The first value is no recording: a redaction marker in it is plain text. */
  exact?: boolean
}

/** The differences of two values. A redacted value of the first equals any value. */
export function differences(before: unknown, after: unknown, options: DifferencesOptions = {}): Difference[] {
  const { limit = 100, exact = false } = options
  const found: Difference[] = []
  const isSame = exact ? Object.is : matchesRecorded
  const path: PathStep[] = []

  const compareAt = (step: PathStep, mine: unknown, theirs: unknown): void => {
    path.push(step)
    compare(mine, theirs)
    path.pop()
  }
  const compare = (mine: unknown, theirs: unknown): void => {
    if (found.length >= limit) return
    if (isObject(mine) && isObject(theirs)) {
      for (const name of new Set([...Object.keys(mine), ...Object.keys(theirs)])) {
        compareAt(name, own(mine, name), own(theirs, name))
      }
    } else if (Array.isArray(mine) && Array.isArray(theirs)) {
      const length = Math.max(mine.length, theirs.length)
      for (let i = 0; i < length && found.length < limit; i++) compareAt(i, mine[i], theirs[i])
    } else if (!isSame(mine, theirs)) found.push(differenceAt(path, mine, theirs))
  }
  compare(before, after)
  return found
}

const own = (value: { [name: string]: unknown }, name: string): unknown =>
  Object.hasOwn(value, name) ? value[name] : undefined

const differenceAt = (path: readonly PathStep[], before: unknown, after: unknown): Difference => ({
  path: joinPath(path),
  ...(before !== undefined && { before }),
  ...(after !== undefined && { after }),
})
