import { expect, test } from 'vitest'
import { schemaChanges } from './schema-changes.ts'

const object = (properties: object, required: string[] = [], rest: object = {}) => ({
  type: 'object',
  properties,
  required,
  ...rest,
})
const text = { type: 'string' }

const cases: [what: string, before: object, after: object, input: string, output: string][] = [
  ['a new optional member', object({}), object({ a: text }), 'compatible', 'compatible'],
  ['a new required member', object({}), object({ a: text }, ['a']), 'breaking', 'compatible'],
  ['a member that is required now', object({ a: text }), object({ a: text }, ['a']), 'breaking', 'compatible'],
  ['a member that is optional now', object({ a: text }, ['a']), object({ a: text }), 'compatible', 'breaking'],
  ['a required member that is gone', object({ a: text }, ['a']), object({}), 'breaking', 'breaking'],
  ['an optional member that is gone', object({ a: text }), object({}), 'unclear', 'breaking'],
  ['a wider type', text, { type: ['string', 'null'] }, 'compatible', 'breaking'],
  ['a narrower type', { type: ['string', 'null'] }, text, 'breaking', 'compatible'],
  ['another type', text, { type: 'number' }, 'breaking', 'breaking'],
  ['an integer that may be any number', { type: 'integer' }, { type: 'number' }, 'compatible', 'breaking'],
  ['one more value', { enum: ['a'] }, { enum: ['a', 'b'] }, 'compatible', 'breaking'],
  ['one value less', { enum: ['a', 'b'] }, { enum: ['a'] }, 'breaking', 'compatible'],
  ['a higher maximum', { maximum: 1 }, { maximum: 2 }, 'compatible', 'breaking'],
  ['a higher minimum', { minimum: 1 }, { minimum: 2 }, 'breaking', 'compatible'],
  ['a bound that is new', {}, { maxLength: 5 }, 'breaking', 'compatible'],
  ['a bound that is gone', { maxLength: 5 }, {}, 'compatible', 'breaking'],
  ['no further members', object({}), object({}, [], { additionalProperties: false }), 'breaking', 'compatible'],
  ['another description', { description: 'a' }, { description: 'b' }, 'compatible', 'compatible'],
  ['a pattern that is new', text, { ...text, pattern: '^a' }, 'breaking', 'compatible'],
  ['another pattern', { pattern: '^a' }, { pattern: '^b' }, 'unclear', 'unclear'],
  ['items of another type', { items: text }, { items: { type: 'number' } }, 'breaking', 'breaking'],
]

test.each(cases)('%s', (_, before, after, input, output) => {
  expect(schemaChanges(before, after, 'input', ['s']).map(({ severity }) => severity)).toEqual([input])
  expect(schemaChanges(before, after, 'output', ['s']).map(({ severity }) => severity)).toEqual([output])
  expect(schemaChanges(before, before, 'input', [])).toEqual([])
})

test('what changed is named with its place', () => {
  const before = object({ city: object({ zip: text }) })
  const after = object({ city: object({ zip: text, name: text }, ['name']) })
  expect(schemaChanges(before, after, 'input', ['inputSchema'])).toEqual([
    { severity: 'breaking', path: 'inputSchema.properties.city.properties.name', what: 'is new, and required' },
  ])
})
