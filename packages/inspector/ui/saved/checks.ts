import { isPlainObject, Unread } from '../form/draft.ts'
import { isNumber, readJson } from '../form/read-json.ts'

/** An expectation in a form: an `Unread` stands in it for each text that is no value yet. */
export type ExpectDraft = { readonly [name: string]: unknown }

/** One check of an answer: a part of it, a comparison, and a value. */
export interface Check {
  path: string
  operator: string
  /** As it is typed. */
  value: string
}

/** The comparisons, in words. */
export const operators: readonly [name: string, words: string][] = [
  ['equals', 'is'],
  ['contains', 'contains'],
  ['matches', 'matches the pattern'],
  ['startsWith', 'begins with'],
  ['endsWith', 'ends with'],
  ['like', 'has the parts'],
  ['not', 'is not, or does not'],
  ['includes', 'includes all of'],
  ['excludes', 'includes none of'],
  ['above', 'is above'],
  ['below', 'is below'],
  ['atLeast', 'is at least'],
  ['atMost', 'is at most'],
  ['length', 'has the length'],
  ['type', 'is of the type'],
  ['exists', 'exists'],
]

const names: ReadonlySet<string> = new Set(operators.map(([name]) => name))
const isMatcher = (value: unknown): value is ExpectDraft =>
  isPlainObject(value) && Object.keys(value).length > 0 && Object.keys(value).every((name) => names.has(name))

/** Texts are typed without quotes wherever that leaves no doubt. */
const asTyped = (value: unknown): string =>
  typeof value === 'string' && readValue('', value) === value ? value : JSON.stringify(value)

/** The checks that an expectation holds, in the order in which they are shown. */
export function checksOf(expect: ExpectDraft): Check[] {
  const { at } = expect
  const matchers: [string, unknown][] = [
    ...['text', 'count'].flatMap((path): [string, unknown][] =>
      expect[path] === undefined ? [] : [[path, expect[path]]],
    ),
    ...(isPlainObject(at) ? Object.entries(at) : []),
  ]
  return matchers.flatMap(([path, matcher]) =>
    isMatcher(matcher)
      ? Object.entries(matcher).map(([operator, value]) => ({ path, operator, value: typedFor(path, operator, value) }))
      : [{ path, operator: 'equals', value: typedFor(path, 'equals', matcher) }],
  )
}

const typedFor = (path: string, operator: string, value: unknown): string =>
  typeof value === 'string' && isText(path, operator) ? value : asTyped(value)

/** An expectation with other checks, and everything else as it was. */
export function withChecks(expect: ExpectDraft, checks: readonly Check[]): ExpectDraft {
  const { text: _, count: __, at: ___, ...rest } = expect
  const byPath = new Map<string, { [operator: string]: unknown }>()
  for (const check of checks) {
    if (isBlank(check)) continue
    byPath.set(check.path, { ...byPath.get(check.path), [check.operator]: checkValue(check, checks) })
  }
  const matchers = [...byPath].map(([path, matcher]) => [path, simple(matcher)] as const)
  const at = matchers.filter(([path]) => path !== 'text' && path !== 'count')
  return {
    ...rest,
    ...Object.fromEntries(matchers.filter(([path]) => path === 'text' || path === 'count')),
    ...(at.length > 0 && { at: Object.fromEntries(at) }),
  }
}

/** An empty row is no part of the expectation. */
const isBlank = ({ path, value }: Check): boolean => path.trim() === '' && value === ''

/** The value of a check among others: an `Unread` if the row could not be kept as it stands there. */
export function checkValue(check: Check, checks: readonly Check[]): unknown {
  const { path, operator, value } = check
  if (isBlank(check)) return undefined
  if (path.trim() === '') return new Unread(value, 'Say which part of the answer is checked')
  const same = checks.filter((other) => other.path === path && other.operator === operator)
  if (same.length > 1) return new Unread(value, 'The same check is there twice')
  return readValue(path, value, operator)
}

/** `{ equals: 5 }` is written as 5; an object has to stay, or it would be taken for operators. */
function simple(matcher: ExpectDraft): unknown {
  const { equals, ...others } = matcher
  return equals === undefined || Object.keys(others).length > 0 || isPlainObject(equals) ? matcher : equals
}

const ofTexts: ReadonlySet<string> = new Set(['equals', 'contains', 'matches', 'startsWith', 'endsWith'])

/** Whether a typed value is always a text. */
const isText = (path: string, operator: string): boolean =>
  operator === 'matches' || (path === 'text' && ofTexts.has(operator))

/**
 * A typed value: JSON if it is, and a text otherwise. A value that is compared with a text is one. A text that begins like
 * JSON has to be JSON, or half an array would be kept as a text.
 */
export function readValue(path: string, typed: string, operator = 'equals'): unknown {
  if (isText(path, operator)) return typed
  const value = typed === '' ? '' : readJson(typed)
  return value === undefined || (value instanceof Unread && !isMeantAsJson(typed)) ? typed : value
}

const isMeantAsJson = (typed: string): boolean => /^[{["]/.test(typed.trim()) || isNumber(typed.trim())
