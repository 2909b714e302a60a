import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from './canonical-json.ts'

/** The same value with its members in another order, all the way down. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).toReversed()
  return Object.fromEntries(members.map(([name, member]) => [name, reversed(member)]))
}

test('equal values give equal texts, whatever the order of their members, and others do not', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (value, other) => {
      expect(canonicalJson(reversed(value))).toBe(canonicalJson(value))
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
      const equal = isDeepStrictEqual(JSON.parse(JSON.stringify(value)), JSON.parse(JSON.stringify(other)))
      expect(canonicalJson(value) === canonicalJson(other)).toBe(equal)
    }),
  )
})

test.each([
  [{ b: undefined, a: [undefined, () => 1], c: Number.NaN }, '{"a":[null,null],"c":null}'],
  [{ at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
  [JSON.parse('{"b":1,"__proto__":{"a":"ü"}}'), '{"__proto__":{"a":"ü"},"b":1}'],
  [undefined, 'null'],
])('what is not JSON is left out as JSON leaves it out: %o', (value, text) => {
  expect(canonicalJson(value)).toBe(text)
})
