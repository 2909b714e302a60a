// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how saved calls write variables
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { expandVariables } from '../variables.ts'
import { literal, toExpectation, toSavedCall } from './saved-call.ts'

test('what looks like a variable means itself, and is read as it was', () => {
  expect(literal(['no ${', { a: 'b ${c} d' }])).toEqual(['no ${', { a: 'b $${c} d' }])
  const piece = fc.constantFrom('$', '{', '}', 'a', '${a}', '$${a}', ' ')
  const text = fc.array(piece).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(text, (any) => {
      expect(expandVariables(literal(any), { values: {}, env: {} })).toBe(any)
    }),
  )
})

test.each([
  ['tools/call', { name: 'add', arguments: { a: 1 } }, { tool: 'add', arguments: { a: 1 } }],
  ['tools/call', { name: 'now', arguments: {} }, { tool: 'now' }],
  ['tools/call', { arguments: {} }, undefined],
  ['resources/read', { uri: 'notes:///1' }, { read: 'notes:///1' }],
  ['prompts/get', { name: 'greet', arguments: { who: 'Ada' } }, { prompt: 'greet', arguments: { who: 'Ada' } }],
  [
    'completion/complete',
    {
      ref: { type: 'ref/prompt', name: 'greet' },
      argument: { name: 'who', value: 'A' },
      context: { arguments: { x: 'y' } },
    },
    { complete: { prompt: 'greet', argument: 'who', value: 'A', context: { x: 'y' } } },
  ],
  ['ping', {}, undefined],
])('%s with %j is %j', (method, params, saved) => expect(toSavedCall(method, params)).toEqual(saved))

const text = (value: string) => ({ type: 'text', text: value })

test.each([
  [{ content: [text('5')], structuredContent: { sum: 5 } }, { structured: { sum: 5 } }],
  [
    { content: [text('no')], isError: true },
    { isError: true, text: 'no' },
  ],
  [{ content: [text('a'), { type: 'image', data: '' }, text('b')] }, { count: 3, text: 'a\nb' }],
  [{ content: [] }, { count: 0 }],
  [{ contents: [{ uri: 'a:b', blob: '' }] }, { count: 1 }],
  [{ contents: [{ uri: 'a:b', text: 'x'.repeat(500) }] }, { text: { startsWith: 'x'.repeat(400) } }],
  [{ messages: [{ role: 'user', content: text('hi') }] }, { text: 'hi' }],
  [{ messages: [{ role: 'user', content: [text('a'), text('b')] }] }, { count: 1, text: 'a\nb' }],
  [{ completion: { values: ['a'] } }, { at: { values: ['a'] } }],
  [{ taskId: 'x' }, {}],
])('of %j is expected %j', (result, expected) => expect(toExpectation(result)).toEqual(expected))
