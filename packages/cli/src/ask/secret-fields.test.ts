import { expect, test } from 'vitest'
import { secretFields } from './secret-fields.ts'

const fields = (...names: string[]) => ({
  type: 'object' as const,
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
})

test('fields for secrets are known by their names, however they are written', () => {
  const names = ['password', 'apiKey', 'API_TOKEN', 'card-number', 'pin']
  expect(secretFields(fields(...names))).toEqual(names)
  expect(secretFields(fields('name', 'shipping', 'tokenizer', 'spin'))).toEqual([])
  const titled = { type: 'object' as const, properties: { x: { type: 'string' as const, title: 'Your passphrase' } } }
  expect(secretFields(titled)).toEqual(['x'])
})
