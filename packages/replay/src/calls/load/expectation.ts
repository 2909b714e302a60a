import type { JsonValue } from '@tenon/sdk/client'
import { describeValue } from '../../json/describe-value.ts'
import { isObject } from '../../json/is-object.ts'
import { type PathStep, parsePath } from '../../json/path.ts'
import type { Expectation, Matcher } from '../types.ts'
import { loadMatcher } from './matcher.ts'
import type { ValueChecks } from './value-checks.ts'

const members = [
  'isError',
  'error',
  'text',
  'structured',
  'structuredEquals',
  'result',
  'count',
  'schema',
  'at',
  'maxMs',
] as const

/** Reads the expectation of a call. */
export function loadExpectation(value: unknown, path: readonly PathStep[], checks: ValueChecks): Expectation {
  const given = checks.object(value, path, members)
  if (given === undefined) return {}
  const expectation: Expectation = {}
  const here = (name: string): PathStep[] => [...path, name]
  if (given.isError !== undefined) expectation.isError = checks.boolean(given.isError, here('isError')) ?? false
  if (given.schema !== undefined) expectation.schema = checks.boolean(given.schema, here('schema')) ?? false
  if (given.maxMs !== undefined) expectation.maxMs = checks.number(given.maxMs, here('maxMs')) ?? 0
  if (given.error !== undefined) expectation.error = loadError(given.error, here('error'), checks)
  for (const name of ['text', 'count'] as const) {
    if (given[name] !== undefined) expectation[name] = loadMatcher(given[name], here(name), checks)
  }
  for (const name of ['structured', 'structuredEquals', 'result'] as const) {
    if (given[name] !== undefined) expectation[name] = given[name] as JsonValue
  }
  if (given.at !== undefined) expectation.at = loadAt(given.at, here('at'), checks)
  return expectation
}

function loadAt(value: unknown, path: readonly PathStep[], checks: ValueChecks): { [path: string]: Matcher } {
  const given = checks.object(value, path) ?? {}
  for (const [name, matcher] of Object.entries(given)) {
    const here = [...path, name]
    if (parsePath(name) === undefined) checks.problems.add(here, 'expected a path such as structured.items[0].name')
    loadMatcher(matcher, here, checks)
  }
  return given as { [path: string]: Matcher }
}

function loadError(value: unknown, path: readonly PathStep[], checks: ValueChecks): NonNullable<Expectation['error']> {
  if (value === true || typeof value === 'number' || typeof value === 'string') return value
  if (!isObject(value)) {
    checks.problems.add(path, `expected true, a code, or an object with code and message, got ${describeValue(value)}`)
    return true
  }
  const given = checks.object(value, path, ['code', 'message'])!
  const { code, message } = given
  if (code !== undefined && typeof code !== 'number' && typeof code !== 'string') {
    checks.problems.add([...path, 'code'], `expected a number or a text, got ${describeValue(code)}`)
  }
  if (message !== undefined) loadMatcher(message, [...path, 'message'], checks)
  return given as { code?: number | string; message?: Matcher }
}
