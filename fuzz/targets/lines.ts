import fc from 'fast-check'
import { LineDecoder, type LineDecoderOptions } from '../../packages/sdk/src/transport/lines/lines.ts'
import { cutAt, cuts, mutatedText, mutatedValue } from '../lib/mutate.ts'
import { saidLines, saidMessages } from '../lib/seeds.ts'
import { assert, assertEqual, type Target, target } from '../lib/target.ts'

type Heard = { received: unknown } | { refused: { id?: unknown; message: string } }

function read(chunks: readonly Uint8Array[], limits: LineDecoderOptions): Heard[] {
  const heard: Heard[] = []
  const decoder = new LineDecoder(
    {
      receive: (received) => void heard.push({ received }),
      refuse: ({ id, message }) => void heard.push({ refused: { ...(id !== undefined && { id }), message } }),
    },
    limits,
  )
  for (const chunk of chunks) decoder.push(chunk)
  decoder.end()
  return heard
}

export const lines: Target = target({
  name: 'lines',
  claim: 'lines cut anywhere are read as if they came at once, and good lines between bad ones arrive',
  inputs: fc.record({
    texts: fc.array(mutatedText(fc.constantFrom(...saidLines())), { maxLength: 6 }),
    noise: fc.array(fc.nat(255), { maxLength: 12 }),
    places: cuts,
    maxLineBytes: fc.constantFrom(64, 200, 100_000),
  }),
  check({ texts, noise, places, maxLineBytes }) {
    const marker = '{"good":true}'
    const bytes = Buffer.concat([
      Buffer.from(`${texts.join('\n')}\n`),
      Buffer.from(noise),
      Buffer.from(`\n${marker}\n`),
    ])
    const limits = { maxLineBytes, maxDepth: 16 }
    const whole = read([bytes], limits)
    assertEqual(read(cutAt(bytes, places), limits), whole, 'cut')
    assertEqual(
      read(
        [...bytes].map((byte) => Uint8Array.of(byte)),
        limits,
      ),
      whole,
      'byte by byte',
    )
    assertEqual(whole.at(-1), { received: { good: true } }, 'the good line')
  },
})

/** Members first to last, or last to first: a sender may put the id anywhere. */
const turned = (value: unknown, backwards: boolean): string =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && backwards
    ? JSON.stringify(Object.fromEntries(Object.entries(value).reverse()))
    : JSON.stringify(value)

export const longLines: Target = target({
  name: 'long-lines',
  claim: 'a line over the limit is refused with the id of its message, or with none, and never with another',
  inputs: fc.record({
    message: mutatedValue(fc.constantFrom(...saidMessages())),
    backwards: fc.boolean(),
    padding: fc.nat(9_000),
    places: cuts,
  }),
  check({ message, backwards, padding, places }) {
    const padded = isRecord(message) ? { ...message, zz: 'x'.repeat(padding) } : message
    const text = turned(padded, backwards)
    const heard = read(cutAt(Buffer.from(`${text}\n`), places), { maxLineBytes: 32, maxDepth: 64 })
    for (const one of heard) {
      if (!('refused' in one) || one.refused.id === undefined) continue
      const own = isRecord(message) ? message.id : undefined
      assert(
        one.refused.id === own,
        `refused id ${JSON.stringify(one.refused.id)}, the message has ${JSON.stringify(own)}`,
      )
    }
  },
})

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
