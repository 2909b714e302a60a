import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Arrival, Recorder, request } from '../../jsonrpc/channel.suite.ts'
import type { Refusal } from '../../jsonrpc/channel.ts'
import { encodeLine, LineDecoder, type LineDecoderOptions } from './lines.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** The output of a decoder for text that is cut into chunks of these sizes, over and over. */
function decode(input: string | Uint8Array, sizes: readonly number[] = [], options?: LineDecoderOptions): Arrival[] {
  const recorder = new Recorder()
  const decoder = new LineDecoder(recorder, options)
  const bytes = typeof input === 'string' ? bytesOf(input) : input
  for (let start = 0, i = 0; start < bytes.length; i++) {
    const size = sizes.length === 0 ? bytes.length : Math.max(1, sizes[i % sizes.length]!)
    // A copy that is overwritten afterwards, as a source that reuses its buffer would do.
    const chunk = bytes.slice(start, start + size)
    decoder.push(chunk)
    chunk.fill(0x21)
    start += size
  }
  decoder.end()
  return recorder.arrivals
}

const values = (...list: unknown[]): Arrival[] => list.map((value) => ({ value }))

describe('LineDecoder', () => {
  test('any messages cut at any places come out the same', () => {
    const message = fc.jsonValue({ stringUnit: 'binary' })
    const lineBreak = fc.constantFrom('\n', '\r\n', '\n\n', '\n \r\n')
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 10 })
    fc.assert(
      fc.property(fc.array(fc.tuple(message, lineBreak)), sizes, fc.boolean(), (messages, cuts, tight) => {
        const text = messages.map(([value, ending]) => JSON.stringify(value) + ending).join('')
        const expected = messages.map(([value]) => JSON.parse(JSON.stringify(value)))
        const longest = Math.max(4, ...text.split('\n').map((line) => bytesOf(line).length))
        expect(decode(text, cuts, tight ? { maxLineBytes: longest } : {})).toEqual(values(...expected))
      }),
      { numRuns: 300 },
    )
  })

  test('characters of several bytes may be split anywhere', () => {
    const message = request('é🦊語')
    for (let size = 1; size < 8; size++) expect(decode(encodeLine(message), [size])).toEqual(values(message))
  })

  test('no bytes make it throw, and every good line between bad ones arrives', () => {
    const junk = fc.uint8Array({ maxLength: 200 }).map((bytes) => bytes.map((byte) => (byte === 10 ? 0x22 : byte)))
    const sizes = fc.array(fc.integer({ min: 1, max: 64 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(fc.array(junk), sizes, fc.integer({ min: 1, max: 120 }), (pieces, cuts, maxLineBytes) => {
        const good = bytesOf('\n"good"\n')
        const input = pieces.flatMap((piece) => [...piece, ...good])
        const arrivals = decode(new Uint8Array(input), cuts, { maxLineBytes: Math.max(6, maxLineBytes), maxDepth: 3 })
        const found = arrivals.filter((arrival) => 'value' in arrival && arrival.value === 'good')
        expect(found.length).toBeGreaterThanOrEqual(pieces.length)
      }),
      { numRuns: 500 },
    )
  })

  test('a byte order mark and empty lines do no harm', () => {
    expect(decode('\ufeff{"a":1}\n\r\n  \n\n{"b":2}\r\n')).toEqual(values({ a: 1 }, { b: 2 }))
    expect(decode('\ufeff\n\ufeff\n1\n', [1])).toEqual(values(1))
  })

  test('a last line without an end is taken when the input ends', () => {
    expect(decode('1\n{"a":2}')).toEqual(values(1, { a: 2 }))
    expect(decode('{"a":')).toMatchObject([{ refusal: { code: -32700 } }])
  })

  test('a line that is not JSON is refused with its beginning, and without an id', () => {
    const [refused, next] = decode(`Server listening\u0007 {"id":1}${'.'.repeat(200)}\n2\n`)
    expect(refused).toEqual({
      refusal: { code: -32700, message: expect.stringContaining('"Server listening\\u0007') },
    })
    expect((refused as { refusal: { message: string } }).refusal.message.length).toBeLessThan(120)
    expect(next).toEqual({ value: 2 })
  })

  test('a line of exactly the limit passes, one byte more is refused', () => {
    const line = JSON.stringify('é'.repeat(10))
    for (const sizes of [[], [1], [7, 3]]) {
      expect(decode(`${line}\n`, sizes, { maxLineBytes: 22 })).toEqual(values('é'.repeat(10)))
      expect(decode(`${line}\n`, sizes, { maxLineBytes: 21 })).toMatchObject([{ refusal: { code: -32600 } }])
    }
  })

  test('a line over the limit is skipped, and answered by its id from either end', () => {
    const big = 'x'.repeat(20_000)
    const first = JSON.stringify({ jsonrpc: '2.0', id: 'first', method: 'm', params: { big, id: 0 } })
    const last = JSON.stringify({ result: { big, id: 0 }, jsonrpc: '2.0', id: 9 })
    for (const sizes of [[], [1000], [13, 5000], [1]]) {
      expect(decode(`1\n${first}\n2\n${last}\n3\n`, sizes, { maxLineBytes: 10_000 })).toEqual([
        { value: 1 },
        {
          refusal: {
            code: -32600,
            message: expect.stringContaining('10000 bytes'),
            id: 'first',
            kind: 'request',
            tooLarge: true,
          },
        },
        { value: 2 },
        {
          refusal: {
            code: -32600,
            message: expect.stringContaining('10000 bytes'),
            id: 9,
            kind: 'response',
            tooLarge: true,
          },
        },
        { value: 3 },
      ])
    }
  })

  test('an endless line is held in bounded memory', () => {
    const recorder = new Recorder()
    const decoder = new LineDecoder(recorder, { maxLineBytes: 100_000 })
    const chunk = new Uint8Array(64 * 1024).fill(0x61)
    const before = process.memoryUsage().arrayBuffers
    for (let i = 0; i < 2000; i++) decoder.push(chunk)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024)
    expect(recorder.arrivals).toEqual([])
    decoder.push(bytesOf('\n1\n'))
    expect(recorder.arrivals).toMatchObject([{ refusal: { code: -32600 } }, { value: 1 }])
  })

  test('a line that nests too deep is refused by its id before it is parsed', () => {
    const deep = `${'['.repeat(65)}${']'.repeat(65)}`
    const [refused, next] = decode(`{"jsonrpc":"2.0","id":3,"method":"m","params":${deep}}\n1\n`)
    expect(refused).toEqual({
      refusal: { code: -32600, message: expect.stringContaining('64 levels'), id: 3, kind: 'request' },
    })
    expect(next).toEqual({ value: 1 })
  })

  test('a member named __proto__ is only a member', () => {
    const [arrival] = decode('{"__proto__":{"admin":true}}\n') as { value: object }[]
    expect(Object.getPrototypeOf(arrival!.value)).toBe(Object.prototype)
    expect(({} as { admin?: unknown }).admin).toBeUndefined()
  })

  test('once stopped it hands out nothing, not even the rest of the chunk', () => {
    const recorder = new Recorder()
    const decoder = new LineDecoder({
      receive: (value) => {
        recorder.receive(value)
        decoder.stop()
      },
      refuse: () => {},
    })
    decoder.push(bytesOf('1\n2\n3'))
    decoder.push(bytesOf('\n4\n'))
    decoder.end()
    expect(recorder.arrivals).toEqual(values(1))
  })

  test('a 10 MB line in small pieces costs time in proportion to its length', () => {
    const text = encodeLine(request(1, { big: 'x'.repeat(10_000_000) }))
    const [arrival] = decode(text, [65_536], { maxLineBytes: 16_000_000 })
    expect(JSON.stringify((arrival as { value: unknown }).value)).toHaveLength(text.length - 1)
  })
})

describe('a decoder that is paused', () => {
  /** Decodes lines in chunks of these sizes, paused after every so many messages, resumed after every third chunk. */
  function decodeWithPauses(text: string, sizes: number[], every: number, options: LineDecoderOptions): unknown[] {
    const taken: unknown[] = []
    let whilePaused = 0
    const take = (value: unknown): void => {
      if (decoder.isPaused) whilePaused++
      taken.push(value)
      if (taken.length % every === 0) decoder.pause()
    }
    const decoder = new LineDecoder({ receive: take, refuse: ({ message }) => take(message) }, options)
    const bytes = bytesOf(text)
    for (let start = 0, i = 0; start < bytes.length; i++) {
      const size = sizes[i % sizes.length]!
      const chunk = bytes.slice(start, start + size)
      decoder.push(chunk)
      chunk.fill(0x21)
      start += size
      if (i % 3 === 2) decoder.resume()
    }
    while (!decoder.resume());
    decoder.end()
    expect(whilePaused).toBe(0)
    return taken
  }

  test.each([{}, { maxLineBytes: 24 }])(
    'hands out nothing until it is resumed, and everything in order: %j',
    (options) => {
      const sizes = fc.array(fc.integer({ min: 1, max: 120 }), { minLength: 1, maxLength: 8 })
      const texts = fc.array(fc.string({ unit: 'binary', maxLength: 30 }), { maxLength: 30 })
      fc.assert(
        fc.property(texts, sizes, fc.integer({ min: 1, max: 4 }), (all, cuts, every) => {
          const text = all.map((one) => `${JSON.stringify(one)}\n`).join('')
          const straight = decode(text, cuts, options).map((arrival) =>
            'value' in arrival ? arrival.value : (arrival as { refusal: Refusal }).refusal.message,
          )
          expect(decodeWithPauses(text, cuts, every, options)).toEqual(straight)
        }),
      )
    },
  )

  test('does not go on after it was stopped', () => {
    const taken: unknown[] = []
    const decoder = new LineDecoder({
      receive(value) {
        taken.push(value)
        decoder.pause()
      },
      refuse: () => {},
    })
    decoder.push(bytesOf('1\n2\n3\n'))
    decoder.stop()
    expect(decoder.resume()).toBe(true)
    expect(taken).toEqual([1])
  })
})
