import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type SseEvent, SseParser } from './sse-parser.ts'

function parse(chunks: (string | Uint8Array)[], maxEventSize?: number): SseEvent[] {
  const events: SseEvent[] = []
  const parser = new SseParser((event) => events.push(event), maxEventSize === undefined ? {} : { maxEventSize })
  for (const chunk of chunks) parser.push(chunk)
  return events
}

const message = (data: string): SseEvent => ({ event: 'message', data })

describe('fields', () => {
  test('name, data, id and retry are read', () => {
    expect(parse(['event: endpoint\ndata: /x\nid: 7\nretry: 500\n\n'])).toEqual([
      { event: 'endpoint', data: '/x', id: '7', retry: 500 },
    ])
  })

  test('lines of data are joined by line feeds', () => {
    expect(parse(['data: a\ndata:\ndata:  b\n\n'])).toEqual([message('a\n\n b')])
  })

  test('only one space after the colon belongs to the syntax', () => {
    expect(parse(['data:a\n\ndata:  a \n\ndata\n\n'])).toEqual([message('a'), message(' a '), message('')])
  })

  test('comments and unknown fields are ignored, alone or among others', () => {
    expect(parse([': hello\n\n:\n\ndata: a\n: b\nfoo: c\n\n'])).toEqual([message('a')])
  })

  test('an event that only carries an id or a pause is reported, without data', () => {
    expect(parse(['id: 1\ndata:\n\nid: 2\n\nretry: 10\n\n'])).toEqual([
      { ...message(''), id: '1' },
      { ...message(''), id: '2' },
      { ...message(''), retry: 10 },
    ])
  })

  test('an id with NUL and a pause that is no number are ignored', () => {
    expect(parse(['id: a\0b\nretry: 1s\ndata: x\n\n'])).toEqual([message('x')])
  })

  test('an event that the stream ends in is not one', () =>
    expect(parse(['data: a\n\ndata: b\n'])).toEqual([message('a')]))
})

describe('line ends and pieces', () => {
  test('LF, CR and CRLF end lines, also mixed', () => {
    expect(parse(['data: a\r\rdata: b\r\n\r\ndata: c\n\ndata: d\r\n\n'])).toEqual(['a', 'b', 'c', 'd'].map(message))
  })

  test('a byte order mark at the start is skipped, as bytes and as text', () => {
    expect(parse(['\uFEFFdata: a\n\n'])).toEqual([message('a')])
    expect(parse([new TextEncoder().encode('\uFEFFdata: a\n\n')])).toEqual([message('a')])
  })

  const event = fc.record({
    data: fc.array(
      fc.string({ unit: 'binary' }).map((text) => text.replace(/[\r\n]/g, '')),
      { minLength: 1 },
    ),
    end: fc.constantFrom('\n', '\r', '\r\n'),
    comment: fc.boolean(),
  })

  test('where the stream is cut makes no difference', () => {
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 6 }),
        fc.array(fc.nat(40), { maxLength: 30 }),
        fc.boolean(),
        (events, cuts, asBytes) => {
          const text = events
            .map(
              ({ data, end, comment }) =>
                (comment ? `:ping${end}` : '') + data.map((line) => `data: ${line}${end}`).join('') + end,
            )
            .join('')
          const bytes = new TextEncoder().encode(text)
          const chunks: (string | Uint8Array)[] = []
          let start = 0
          for (const cut of [...cuts, Number.POSITIVE_INFINITY]) {
            const whole = asBytes ? bytes : text
            chunks.push(whole.slice(start, start + cut))
            start += cut
          }
          const decoded = (line: string): string =>
            asBytes ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(line)) : line
          expect(parse(chunks)).toEqual(events.map(({ data }) => message(data.map(decoded).join('\n'))))
        },
      ),
      { numRuns: 300 },
    )
  })

  test('a listener that feeds another parser disturbs nothing', () => {
    const inner: string[] = []
    const other = new SseParser(({ data }) => inner.push(data))
    const outer: string[] = []
    const parser = new SseParser(({ data }) => {
      outer.push(data)
      other.push(`data: inner ${data}\n\n`)
    })
    parser.push('data: 1\n\ndata: 2\n\ndata: 3\n\n')
    expect(outer).toEqual(['1', '2', '3'])
    expect(inner).toEqual(['inner 1', 'inner 2', 'inner 3'])
  })
})

describe('limits', () => {
  const endless =
    (piece: string): (() => unknown) =>
    () =>
      parse(
        Array.from({ length: 300 }, () => piece),
        1_000,
      )

  test.each([
    ['a line without end', 'data: x'],
    ['a comment without end', ':xxxxxx'],
    ['lines of data without an empty one', 'data: xx\n'],
    ['empty lines of data', 'data\n'],
    ['unknown fields', 'foo: bar\n'],
  ])('%s is refused', (_, piece) => expect(endless(piece)).toThrow('larger than the limit of 1000'))

  test('any number of events and comments below the limit pass', () => {
    const many = Array.from({ length: 500 }, () => ': keep-alive\ndata: xxxxxxxx\n\n')
    expect(parse(many, 100)).toHaveLength(500)
    expect(
      parse(
        Array.from({ length: 500 }, () => ': keep-alive\n'),
        100,
      ),
    ).toEqual([])
  })

  test('a long line in small pieces costs time in proportion to its length', () => {
    const pieces = Array.from({ length: 200_000 }, () => 'xxxxx')
    const events = parse(['data: ', ...pieces, '\n\n'])
    expect(events[0]?.data).toHaveLength(1_000_000)
  })
})
