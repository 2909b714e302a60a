import { expect, test } from 'vitest'
import { PageState } from './page-state.ts'

test('texts are kept by key, the newest of them, within bounds', () => {
  const state = new PageState()
  state.keep({ a: '1', b: '2', __proto__: null, constructor: '3' })
  state.keep({ a: null, b: '4' })
  expect(state.entries).toEqual({ b: '4', constructor: '3' })
  for (let at = 0; at < 600; at++) state.keep({ [`key ${at}`]: 'x' })
  expect(Object.keys(state.entries)).toHaveLength(500)
  state.keep({ large: 'x'.repeat(3_000_000), larger: 'x'.repeat(3_000_000) })
  expect(Object.keys(state.entries)).toEqual(['larger'])
  expect(() => state.keep({ largest: 'x'.repeat(5_000_000) })).toThrow('expected at most 4194304 characters')
  expect(() => state.keep({ wrong: 5 })).toThrow('entries.wrong: expected a text or null, got number')
})
