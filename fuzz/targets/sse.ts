import fc from 'fast-check'
import { type SseEvent, SseParser } from '../../packages/sdk/src/http/sse-parser.ts'
import { cutAt, cuts, mutatedText } from '../lib/mutate.ts'
import { assertEqual, type Target, target } from '../lib/target.ts'

function read(chunks: readonly (Uint8Array | string)[]): SseEvent[] {
  const events: SseEvent[] = []
  const parser = new SseParser((event) => events.push(event))
  for (const chunk of chunks) parser.push(chunk)
  return events
}

/** The same by the letter of the standard: the whole text, line by line. */
function readSlowly(text: string): SseEvent[] {
  const events: SseEvent[] = []
  let open: { event?: string; data: string[]; id?: string; retry?: number; any: boolean } = { data: [], any: false }
  const whole = text.startsWith('\ufeff') ? text.slice(1) : text
  const lines = whole.split(/\r\n|\n|\r/)
  // The text after the last line break is an unfinished line.
  for (const line of lines.slice(0, -1)) {
    if (line === '') {
      const { event, data, id, retry, any } = open
      if (any)
        events.push({
          event: event || 'message',
          data: data.join('\n'),
          ...(id !== undefined && { id }),
          ...(retry !== undefined && { retry }),
        })
      open = { data: [], any: false }
      continue
    }
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!
    if (name === 'data') open.data.push(value)
    else if (name === 'event') open.event = value
    else if (name === 'id' && !value.includes('\0')) open.id = value
    else if (name === 'retry' && /^[0-9]{1,15}$/.test(value)) open.retry = Number(value)
    if (['data', 'event', 'id', 'retry'].includes(name)) open.any = true
  }
  return events
}

const field = fc.oneof(
  fc.tuple(fc.constantFrom('data', 'event', 'id', 'retry', '', 'other', 'DATA'), fc.constantFrom(':', ': ', '')),
  fc.tuple(fc.constant('data'), fc.constant(': ')),
)
const lineEnd = fc.constantFrom('\n', '\r\n', '\r', '\n\n', '\r\n\r\n', '\r\r')
const line = fc
  .tuple(field, fc.oneof(fc.string({ unit: 'binary', maxLength: 8 }), fc.constantFrom('12', '{"a":1}', '')), lineEnd)
  .map(([[name, colon], value, end]) => name + colon + value + end)
const stream = mutatedText(fc.array(line, { maxLength: 12 }).map((lines) => lines.join('')))

export const sse: Target = target({
  name: 'sse',
  claim: 'a stream of events cut anywhere is read as the standard reads it in one piece',
  inputs: fc.record({ text: stream, bom: fc.boolean(), places: cuts }),
  check({ text, bom, places }) {
    const bytes = Buffer.from(`${bom ? '\ufeff' : ''}${text}`)
    const expected = readSlowly(bytes.toString())
    assertEqual(read([bytes]), expected, 'in one piece')
    assertEqual(read(cutAt(bytes, places)), expected, 'cut')
    assertEqual(read([...bytes].map((byte) => Uint8Array.of(byte))), expected, 'byte by byte')
    assertEqual(read([...bytes.toString()]), expected, 'as text')
  },
})
