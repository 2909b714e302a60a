import type { PathStep } from '../../json/path.ts'
import { matcherProblem } from '../matchers.ts'
import type { Matcher } from '../types.ts'
import type { ValueChecks } from './value-checks.ts'

/** A value, or operators that exist. */
export function loadMatcher(value: unknown, path: readonly PathStep[], checks: ValueChecks): Matcher {
  const wrong = matcherProblem(value)
  if (wrong !== undefined) checks.problems.add(wrong.name === undefined ? path : [...path, wrong.name], wrong.problem)
  return value as Matcher
}
