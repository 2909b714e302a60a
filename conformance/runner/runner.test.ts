import { expect, test } from 'vitest'
import { Placeholders } from './placeholders.ts'
import { formatLines, parseLines } from './transcript-file.ts'

const text = `# A comment. [ping.respond]
> {"jsonrpc":"2.0","id":1,"method":"ping"}
< {"jsonrpc":"2.0","id":1,"result":{}}

# Nonsense.
#! not valid in this revision
> hello
> []
`

test('a transcript is written as it was read', () => {
  expect(formatLines(parseLines(text))).toBe(text)
})

test('only the line after the mark is broken', () => {
  const client = parseLines(text).filter((line) => line.kind === 'client')
  expect(client.map(({ broken }) => broken)).toEqual([false, true, false])
})

test('a line that is nothing is refused', () => {
  expect(() => parseLines('? {}')).toThrow('line 1')
})

test('the same made-up value has the same name, another value another', () => {
  const placeholders = new Placeholders()
  const one = '6fa459ea-ee8a-4ca4-894e-db77e160355e'
  const two = '16fd2706-8baf-433b-82eb-8c7fada847da'
  expect(placeholders.hide({ a: one, b: { c: [two, one] } })).toEqual({
    a: '<uuid-1>',
    b: { c: ['<uuid-2>', '<uuid-1>'] },
  })
})

test('a client can say what the server made up', () => {
  const placeholders = new Placeholders()
  placeholders.hide({ result: { nextCursor: 'a"b' } })
  expect(JSON.parse(placeholders.reveal('{"cursor":"<cursor-1>"}'))).toEqual({ cursor: 'a"b' })
  expect(placeholders.reveal('{"cursor":"<cursor-2>"}')).toBe('{"cursor":"<cursor-2>"}')
})

test('ids of masked errors are named, and other ids stay', () => {
  const placeholders = new Placeholders()
  const message = { id: 7, error: { message: 'Internal error (id 0a1b2c3d)', data: { id: '0a1b2c3d' } } }
  expect(placeholders.hide(message)).toEqual({
    id: 7,
    error: { message: 'Internal error (id <error-1>)', data: { id: '<error-1>' } },
  })
})
