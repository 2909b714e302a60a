// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how saved calls write variables
import { expect, test } from 'vitest'
import { expandVariables, mentioned } from './variables.ts'

const scope = { values: { city: 'Oslo', place: { zip: [1, 2] }, n: 5 }, env: { HOME: '/home' } }

test.each([
  ['${city}', 'Oslo'],
  ['in ${city}!', 'in Oslo!'],
  ['${n}', 5],
  ['n is ${n}', 'n is 5'],
  ['${place}', { zip: [1, 2] }],
  ['${place.zip[-1]}', 2],
  ['at ${place.zip}', 'at [1,2]'],
  ['${env.HOME}', '/home'],
  ['$${city}', '${city}'],
  ['a $${city} and ${city}', 'a ${city} and Oslo'],
  ['${', '${'],
  ['${}', '${}'],
  [{ a: ['${n}'] }, { a: [5] }],
])('%j becomes %j', (value, expected) => expect(expandVariables(value, scope)).toEqual(expected))

test.each(['${nothing}', '${env.NOTHING}', '${place.zip[9]}', 'a ${constructor} b', '${a b}'])(
  '%s has no value',
  (text) => {
    expect(() => expandVariables(text, scope)).toThrow('has no value')
  },
)

test('what is mentioned is known before it is used', () => {
  expect(mentioned({ a: ['${x.y} ${z}'], b: '$${w} ${env.HOME}' })).toEqual(['x', 'z'])
})

test('a value is not looked at for variables again', () => {
  expect(expandVariables('${x}', { values: { x: '${y}' }, env: {} })).toBe('${y}')
})
