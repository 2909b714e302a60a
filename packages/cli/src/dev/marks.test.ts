import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Mark, MarkReader } from './marks.ts'

/** What a reader makes of a text that comes in pieces. */
function read(pieces: readonly string[]): { marks: Mark[]; lines: string[] } {
  const marks: Mark[] = []
  const lines: string[] = []
  const reader = new MarkReader(
    'WORD ',
    (mark) => marks.push(mark),
    (line) => lines.push(line),
  )
  for (const piece of pieces) reader.push(piece)
  reader.end()
  return { marks, lines }
}

test('marks and lines are told apart, also in the middle of a line', () => {
  const mark = { kind: 'loaded', file: '/a.ts' } as const
  expect(read([`one\ntw${'WORD '}${JSON.stringify(mark)}\no\n`])).toEqual({ marks: [mark], lines: ['one', 'tw', 'o'] })
})

test('what is no mark after all is left out, and ends nothing', () => {
  expect(read(['WORD {broken\nnext\n'])).toEqual({ marks: [], lines: ['next'] })
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
