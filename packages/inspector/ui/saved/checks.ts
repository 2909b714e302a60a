import type { JsonObject, JsonValue } from '@tenon/sdk/client'

/** One line of what is expected: something of the answer, how it is held against a value, and the value. */
export interface Check {
  path: string
  operator: string
  /** As it is typed. */
  value: string
}

/** What can be held against a value, in words. */
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
const isPlainObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isMatcher = (value: unknown): value is JsonObject =>
  isPlainObject(value) && Object.keys(value).length > 0 && Object.keys(value).every((name) => names.has(name))

/** Texts are typed without quotes wherever that leaves no doubt. */
const asTyped = (value: unknown): string =>
  typeof value === 'string' && readValue('', value) === value ? value : JSON.stringify(value)

/** The checks that an expectation holds, in the order in which they are shown. */
export function checksOf(expect: JsonObject): Check[] {
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
export function withChecks(expect: JsonObject, checks: readonly Check[]): JsonObject {
  const { text: _, count: __, at: ___, ...rest } = expect
  const byPath = new Map<string, JsonObject>()
  for (const { path, operator, value } of checks) {
    if (path.trim() === '') continue
    byPath.set(path, { ...byPath.get(path), [operator]: readValue(path, value, operator) })
  }
  const matchers = [...byPath].map(([path, matcher]) => [path, simple(matcher)] as const)
  const at = matchers.filter(([path]) => path !== 'text' && path !== 'count')
  return {
    ...rest,
    ...Object.fromEntries(matchers.filter(([path]) => path === 'text' || path === 'count')),
    ...(at.length > 0 && { at: Object.fromEntries(at) }),
  }
}

/** `{ equals: 5 }` is written as 5; an object has to stay, or it would be taken for operators. */
function simple(matcher: JsonObject): JsonValue {
  const { equals, ...others } = matcher
  return equals === undefined || Object.keys(others).length > 0 || isPlainObject(equals)
    ? matcher
    : (equals as JsonValue)
}

const ofTexts: ReadonlySet<string> = new Set(['equals', 'contains', 'matches', 'startsWith', 'endsWith'])

/** Whether what is typed is a text, whatever it looks like. */
const isText = (path: string, operator: string): boolean =>
  operator === 'matches' || (path === 'text' && ofTexts.has(operator))

/** What somebody typed: JSON if it is, and a text otherwise. What is compared with a text is one. */
export function readValue(path: string, typed: string, operator = 'equals'): JsonValue {
  if (isText(path, operator)) return typed
  try {
    return JSON.parse(typed) as JsonValue
  } catch {
    return typed
  }
}
