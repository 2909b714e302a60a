import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type RunnerMessage, RunnerMessageReader } from './runner-messages.ts'

/** The messages and lines of a text that comes in pieces. */
function read(pieces: readonly string[]): { messages: RunnerMessage[]; lines: string[] } {
  const messages: RunnerMessage[] = []
  const lines: string[] = []
  const reader = new RunnerMessageReader(
    'WORD ',
    (message) => messages.push(message),
    (line) => lines.push(line),
  )
  for (const piece of pieces) reader.push(piece)
  reader.end()
  return { messages, lines }
}

test('messages and lines are told apart, also in the middle of a line', () => {
  const message = { kind: 'loaded', file: '/a.ts' } as const
  expect(read([`one\ntw${'WORD '}${JSON.stringify(message)}\no\n`])).toEqual({
    messages: [message],
    lines: ['one', 'tw', 'o'],
  })
})

test('a broken message is left out, and ends nothing', () => {
  expect(read(['WORD {broken\nnext\n'])).toEqual({ messages: [], lines: ['next'] })
})

test('how a text is cut into pieces makes no difference', () => {
  const text = `a\nWORD {"kind":"loaded","file":"/x"}\nbWORD {"kind":"loaded","file":"/y"}\nlast`
  fc.assert(
    fc.property(fc.array(fc.nat(text.length), { maxLength: 6 }), (cuts) => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), text.length]
      const pieces = places.slice(1).map((end, index) => text.slice(places[index], end))
      expect(read(pieces)).toEqual(read([text]))
    }),
  )
})
