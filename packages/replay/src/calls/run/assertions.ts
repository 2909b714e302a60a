import { canonical } from '../../json/canonical.ts'
import { jsonExcerpt } from '../../json/describe-value.ts'
import { differences } from '../../json/differences.ts'
import { isObject } from '../../json/is-object.ts'
import { parsePath, valueAt } from '../../json/path.ts'
import { contains, mismatches } from '../matchers.ts'
import type { Expectation, Place } from '../types.ts'
import type { Outcome } from './operations.ts'

/** An expectation that was not met. */
export interface Failure {
  /** The checked value: `text`, `structured.sum`, … */
  path: string
  message: string
  expected?: unknown
  found?: unknown
  /** The position of the expectation in the file. */
  place?: Place
}

/** A failure, and the member of the expectation that it comes from. */
export type Finding = Failure & { member: readonly string[] }

/** Checks an outcome against an expectation. */
export function assertOutcome(outcome: Outcome, expect: Expectation): Finding[] {
  const unexpected = surprise(outcome, expect)
  if (unexpected !== undefined) return [{ ...unexpected, member: [] }]
  const found: Finding[] = []
  const check = (member: readonly string[], failures: Failure[]): void => {
    found.push(...failures.map((failure) => ({ ...failure, member })))
  }
  const { error, isError, text, count, at = {}, structured, structuredEquals, result } = expect
  if (error !== undefined) check(['error'], wrongError(outcome, error))
  else if (isError !== undefined) check(['isError'], mismatch('isError', outcome.isError ?? false, isError))
  if (text !== undefined) check(['text'], mismatch('text', outcome.text, text))
  if (count !== undefined) check(['count'], mismatch('count', outcome.count, count))
  for (const [path, matcher] of Object.entries(at)) {
    check(['at', path], mismatch(path, valueAt(outcome, parsePath(path) ?? []), matcher))
  }
  if (structured !== undefined) check(['structured'], wrongPart('structured', outcome.structured, structured))
  if (structuredEquals !== undefined) {
    check(['structuredEquals'], unequal('structured', outcome.structured, structuredEquals))
  }
  if (result !== undefined) check(['result'], wrongPart('result', outcome.result, result))
  return found
}

function mismatch(path: string, found: unknown, matcher: unknown): Failure[] {
  const wrong = mismatches(found, matcher)
  if (wrong.length === 0) return []
  return [
    { path, message: `expected ${wrong.join(' and ')}, got ${jsonExcerpt(found, 200)}`, expected: matcher, found },
  ]
}

/** A call or a tool that failed unexpectedly. */
function surprise(outcome: Outcome, expect: Expectation): Failure | undefined {
  if (outcome.error !== undefined && expect.error === undefined) {
    const { code, message } = outcome.error
    return { path: 'error', message: `failed with ${code}: ${message}`, found: outcome.error }
  }
  if (outcome.isError !== true || expect.isError !== undefined || expect.error !== undefined) return undefined
  return { path: 'isError', message: `the tool failed: ${outcome.text}`, expected: false, found: true }
}

function wrongError(outcome: Outcome, expected: NonNullable<Expectation['error']>): Failure[] {
  const { error } = outcome
  if (error === undefined) return [{ path: 'error', message: 'expected an error, got a result', expected }]
  if (expected === true) return []
  const { code, message } = isObject(expected)
    ? (expected as { code?: unknown; message?: unknown })
    : { code: expected }
  const failures: Failure[] = []
  if (code !== undefined && code !== error.code) {
    const found = `expected ${code}, got ${error.code}: ${error.message}`
    failures.push({ path: 'error.code', message: found, expected: code, found: error.code })
  }
  const wrong = message === undefined ? [] : mismatches(error.message, message)
  if (wrong.length > 0) {
    const found = `expected ${wrong.join(' and ')}, got ${jsonExcerpt(error.message, 200)}`
    failures.push({ path: 'error.message', message: found, expected: message, found: error.message })
  }
  return failures
}

/** One failure for each place that differs. */
function wrongPart(path: string, found: unknown, wanted: unknown): Failure[] {
  if (contains(found, wanted)) return []
  return placesOf(path, overlap(wanted, found), wanted)
}

function unequal(path: string, found: unknown, wanted: unknown): Failure[] {
  return canonical(found ?? null) === canonical(wanted) ? [] : placesOf(path, found, wanted)
}

const placesOf = (path: string, found: unknown, wanted: unknown): Failure[] =>
  differences(wanted, found, { limit: 10 }).map((difference) => {
    const place =
      difference.path === ''
        ? path
        : difference.path.startsWith('[')
          ? path + difference.path
          : `${path}.${difference.path}`
    const { before: expected, after } = difference
    const words = `expected ${expected === undefined ? 'nothing' : jsonExcerpt(expected, 200)}, got ${jsonExcerpt(after, 200)}`
    return { path: place, message: words, expected, found: after }
  })

/** The part of a value that has the shape of another, without further members. */
function overlap(wanted: unknown, found: unknown): unknown {
  if (isObject(wanted) && isObject(found)) {
    const names = Object.keys(wanted).filter((name) => Object.hasOwn(found, name))
    return Object.fromEntries(names.map((name) => [name, overlap(wanted[name], found[name])]))
  }
  if (!Array.isArray(wanted) || !Array.isArray(found)) return found
  return found.map((item, index) => (index < wanted.length ? overlap(wanted[index], item) : item))
}
