import type { Run, SchemaCheck } from '../run.ts'
import { codePoints, isEqual, isObject, preview, typeName } from '../value.ts'
import { formats } from './formats.ts'
import type { Keyword, KeywordSite } from './keyword.ts'
import { isMultipleOf } from './multiple-of.ts'

const typeTests = new Map<string, (value: unknown) => boolean>([
  ['string', (value) => typeof value === 'string'],
  ['number', Number.isFinite],
  ['integer', (value) => Number.isInteger(value)],
  ['boolean', (value) => typeof value === 'boolean'],
  ['null', (value) => value === null],
  ['array', (value) => Array.isArray(value)],
  ['object', isObject],
])

const type: Keyword = (value, site) => {
  const names = site.strings(Array.isArray(value) ? value : [value])
  if (names.length === 0) return site.refuse('must name at least one type')
  const tests = names.map((name) => typeTests.get(name) ?? site.refuse(`'${name}' is not a JSON type`))
  const message = (found: unknown) => () => `expected ${names.join(' or ')}, got ${describe(found, names)}`
  const [first] = tests
  if (first && tests.length === 1) return (found, run) => first(found) || run.fail('type', message(found))
  return (found, run) => tests.some((test) => test(found)) || run.fail('type', message(found))
}

const describe = (found: unknown, expected: string[]): string =>
  typeof found === 'number' && expected.includes('integer') ? `number ${found}` : typeName(found)

const enumeration: Keyword = (value, site) => {
  if (!Array.isArray(value)) return site.refuse('must be a list')
  const simple = new Set(value.filter((item) => typeof item !== 'object' || item === null))
  const nested = value.filter((item) => typeof item === 'object' && item !== null)
  return (found, run) => {
    const isAllowed = typeof found === 'object' && found !== null ? isOneOf(nested, found, run) : simple.has(found)
    if (typeof found === 'string') run.spend(found.length >> 8)
    return isAllowed || run.fail('enum', () => expectedOneOf(value, found))
  }
}

function isOneOf(allowed: unknown[], found: unknown, run: Run): boolean {
  run.spend(allowed.length)
  return allowed.some((item) => isEqual(item, found, (steps) => run.spend(steps)))
}

const expectedOneOf = (allowed: unknown[], found: unknown): string =>
  `expected one of ${allowed.slice(0, 12).map(preview).join(', ')}${allowed.length > 12 ? ', ...' : ''}, got ${preview(found)}`

const constant: Keyword = (value) => (found, run) => {
  if (typeof found === 'string') run.spend(found.length >> 8)
  const isSame = isEqual(value, found, (steps) => run.spend(steps))
  return isSame || run.fail('const', () => `expected ${preview(value)}, got ${preview(found)}`)
}

const bound =
  (sign: string, holds: (found: number, limit: number) => boolean): Keyword =>
  (value, site) => {
    const limit = site.number(value)
    return (found, run) =>
      typeof found !== 'number' ||
      holds(found, limit) ||
      run.fail(site.keyword, () => `expected ${sign} ${limit}, got ${found}`)
  }

const multipleOf: Keyword = (value, site) => {
  const divisor = site.number(value)
  if (divisor <= 0) return site.refuse('must be greater than 0')
  return (found, run) =>
    typeof found !== 'number' ||
    isMultipleOf(found, divisor) ||
    run.fail('multipleOf', () => `expected a multiple of ${divisor}, got ${found}`)
}

const itemCount =
  (most: boolean): Keyword =>
  (value, site) => {
    const limit = site.count(value)
    return (found, run) =>
      !Array.isArray(found) ||
      isWithin(found.length, limit, most) ||
      run.fail(site.keyword, () => expectedCount(found.length, limit, most, 'items'))
  }

/** A bound on the number of members, which have to be counted one by one. */
const memberCount =
  (most: boolean): Keyword =>
  (value, site) => {
    const limit = site.count(value)
    return (found, run) => {
      if (!isObject(found)) return true
      const count = Object.keys(found).length
      run.spend(count * 2)
      return (
        isWithin(count, limit, most) || run.fail(site.keyword, () => expectedCount(count, limit, most, 'properties'))
      )
    }
  }

const isWithin = (count: number, limit: number, most: boolean): boolean => (most ? count <= limit : count >= limit)

const expectedCount = (count: number, limit: number, most: boolean, unit: string): string =>
  `expected at ${most ? 'most' : 'least'} ${limit} ${unit}, got ${count}`

/** Counting code points takes time, so it is done only if the number of code units does not decide. */
const length =
  (most: boolean): Keyword =>
  (value, site) => {
    const limit = site.count(value)
    return (found, run) => {
      if (typeof found !== 'string' || (most ? found.length <= limit : found.length >= limit * 2)) return true
      run.spend(found.length >> 3)
      const count = codePoints(found)
      return (
        isWithin(count, limit, most) || run.fail(site.keyword, () => expectedCount(count, limit, most, 'characters'))
      )
    }
  }

const pattern: Keyword = (value, site) => {
  if (typeof value !== 'string') return site.refuse('must be a string')
  const regex = site.pattern(value)
  return (found, run) =>
    typeof found !== 'string' ||
    regex.test(found, run) ||
    run.fail('pattern', () => `expected a match of ${preview(value)}, got ${preview(found)}`)
}

const format: Keyword = (value, site): SchemaCheck | undefined => {
  if (typeof value !== 'string') return site.refuse('must be a string')
  const test = site.compiler.assertFormats ? formats.get(value) : undefined
  if (!test) return undefined
  return (found, run) => {
    if (typeof found !== 'string') return true
    run.spend(found.length >> 4)
    return test(found) || run.fail('format', () => `expected a value of format ${value}, got ${preview(found)}`)
  }
}

/** Keywords that look at the value as a whole. */
export const valueKeywords: [string, (value: unknown, site: KeywordSite) => SchemaCheck | undefined][] = [
  ['type', type],
  ['enum', enumeration],
  ['const', constant],
  ['minimum', bound('>=', (found, limit) => found >= limit)],
  ['maximum', bound('<=', (found, limit) => found <= limit)],
  ['exclusiveMinimum', bound('>', (found, limit) => found > limit)],
  ['exclusiveMaximum', bound('<', (found, limit) => found < limit)],
  ['multipleOf', multipleOf],
  ['minLength', length(false)],
  ['maxLength', length(true)],
  ['pattern', pattern],
  ['minItems', itemCount(false)],
  ['maxItems', itemCount(true)],
  ['minProperties', memberCount(false)],
  ['maxProperties', memberCount(true)],
]

export const formatKeywords: [string, Keyword][] = [['format', format]]
