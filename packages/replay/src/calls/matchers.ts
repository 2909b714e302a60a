import { canonical } from '../json/canonical.ts'
import { describeValue, jsonExcerpt } from '../json/describe-value.ts'
import { isObject } from '../json/is-object.ts'

/** A text longer than this is not given to a pattern, which may take long for it. */
const maxMatched = 100_000

interface Operator {
  /** The type of its operand; any if undefined. */
  takes?: 'a text' | 'a number' | 'a list' | 'true or false' | 'a pattern' | 'a value or operators'
  test(found: unknown, operand: never): boolean
}

const isText = (value: unknown): value is string => typeof value === 'string'
const same = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b)
const compared = (found: unknown, is: (found: number) => boolean): boolean => typeof found === 'number' && is(found)

const operators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['equals', { test: (found, operand) => same(found, operand) }],
  ['not', { takes: 'a value or operators', test: (found, operand) => !matches(found, operand) }],
  ['like', { test: (found, operand) => contains(found, operand) }],
  ['contains', { test: (found, operand) => hasIn(found, operand) }],
  ['includes', { takes: 'a list', test: (found, operand: unknown[]) => operand.every((each) => hasIn(found, each)) }],
  ['excludes', { takes: 'a list', test: (found, operand: unknown[]) => !operand.some((each) => hasIn(found, each)) }],
  ['startsWith', { takes: 'a text', test: (found, operand: string) => isText(found) && found.startsWith(operand) }],
  ['endsWith', { takes: 'a text', test: (found, operand: string) => isText(found) && found.endsWith(operand) }],
  [
    'matches',
    {
      takes: 'a pattern',
      test: (found, operand: string) =>
        isText(found) && found.length <= maxMatched && toPattern(operand)?.test(found) === true,
    },
  ],
  ['above', { takes: 'a number', test: (found, operand: number) => compared(found, (one) => one > operand) }],
  ['below', { takes: 'a number', test: (found, operand: number) => compared(found, (one) => one < operand) }],
  ['atLeast', { takes: 'a number', test: (found, operand: number) => compared(found, (one) => one >= operand) }],
  ['atMost', { takes: 'a number', test: (found, operand: number) => compared(found, (one) => one <= operand) }],
  [
    'length',
    {
      takes: 'a value or operators',
      test: (found, operand) => (isText(found) || Array.isArray(found)) && matches(found.length, operand),
    },
  ],
  ['type', { takes: 'a text', test: (found, operand: string) => typeOf(found) === operand }],
  ['exists', { takes: 'true or false', test: (found, operand: boolean) => (found !== undefined) === operand }],
])

const operatorNames: readonly string[] = [...operators.keys()]

/** True if a value equals a plain matcher, or passes every operator of an object. */
export function matches(found: unknown, matcher: unknown): boolean {
  return mismatches(found, matcher).length === 0
}

/** The parts of a matcher that a value does not pass, for a message. */
export function mismatches(found: unknown, matcher: unknown): string[] {
  if (!isObject(matcher)) return same(found, matcher) ? [] : [`${jsonExcerpt(matcher, 200)}`]
  return Object.entries(matcher)
    .filter(([name, operand]) => operators.get(name)?.test(found, operand as never) !== true)
    .map(([name, operand]) => `${wordsOf(name)} ${jsonExcerpt(operand, 200)}`)
}

const wordsOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** Whether a value has everything that another has: members of objects may be more, items of lists may not. */
export function contains(found: unknown, wanted: unknown): boolean {
  if (isObject(wanted)) {
    return (
      isObject(found) &&
      Object.entries(wanted).every(([name, member]) => Object.hasOwn(found, name) && contains(found[name], member))
    )
  }
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(found) &&
      found.length === wanted.length &&
      wanted.every((item, index) => contains(found[index], item))
    )
  }
  return same(found, wanted)
}

function hasIn(found: unknown, wanted: unknown): boolean {
  if (isText(found)) return isText(wanted) && found.includes(wanted)
  return Array.isArray(found) && found.some((item) => contains(item, wanted))
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (Number.isInteger(value)) return 'integer'
  return value === undefined ? 'nothing' : typeof value
}

/** `/words/i`, or the words alone; undefined if it is no pattern. */
function toPattern(text: string): RegExp | undefined {
  const [, source = text, flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(text) ?? []
  try {
    return new RegExp(source, flags.replace(/[gy]/g, ''))
  } catch {
    return undefined
  }
}

/** The problem of a matcher, and the member that has it. */
export function matcherProblem(matcher: unknown): { name?: string; problem: string } | undefined {
  if (!isObject(matcher)) return undefined
  const names = Object.keys(matcher)
  if (names.length === 0) return { problem: 'expected at least one operator; equals compares with an object' }
  for (const name of names) {
    const operator = operators.get(name)
    if (operator === undefined) {
      const known = operatorNames.join(', ')
      return { name, problem: `is no operator (${known}); equals compares with an object` }
    }
    const problem = operandProblem(operator, matcher[name])
    if (problem !== undefined) return { name, problem }
  }
  return undefined
}

function operandProblem({ takes }: Operator, operand: unknown): string | undefined {
  const isVariable = isText(operand) && operand.includes('${')
  if (takes === undefined || isVariable) return undefined
  if (takes === 'a value or operators') return matcherProblem(operand)?.problem
  const fine = {
    'a text': isText(operand),
    'a number': typeof operand === 'number',
    'a list': Array.isArray(operand),
    'true or false': typeof operand === 'boolean',
    'a pattern': isText(operand) && toPattern(operand) !== undefined,
  }[takes]
  return fine ? undefined : `expected ${takes}, got ${describeValue(operand)}`
}
