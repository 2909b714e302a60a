import { isOurs, type Shown } from './coverage.ts'
import { type Requirement, requirements } from './table.ts'

/** How many were shown, of how many. */
export interface Count {
  shown: number
  all: number
}

/** One statement in one revision where it holds. */
export interface Pair {
  requirement: Requirement
  revision: string
}

/** The pairs to show: a statement that holds in three revisions has to be shown in three. */
export const pairs: readonly Pair[] = [...requirements.values()]
  .filter(isOurs)
  .flatMap((requirement) => requirement.revisions.map((revision) => ({ requirement, revision })))

/** The levels of the report. */
export const levels: readonly (readonly [string, readonly Requirement['level'][]])[] = [
  ['must', ['must', 'must-not']],
  ['should', ['should', 'should-not']],
  ['may', ['may']],
]

export function count(shown: Shown, wanted: (pair: Pair) => boolean): Count {
  const found = pairs.filter(wanted)
  const covered = found.filter(({ requirement, revision }) => shown.get(requirement.id)?.has(revision))
  return { shown: covered.length, all: found.length }
}

export const isOf =
  (names: readonly string[]) =>
  ({ requirement }: Pair): boolean =>
    names.includes(requirement.level)
