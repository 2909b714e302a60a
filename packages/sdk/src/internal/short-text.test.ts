import { expect, test } from 'vitest'
import { noCommonRevision, quoteError } from '../client/connecting/opening.ts'
import { RpcError } from '../errors.ts'
import { shortText } from './short-text.ts'

test('text of a peer is bounded, and a terminal does not act on it', () => {
  expect(shortText('plain é 中', 20)).toBe('plain é 中')
  expect(shortText('\u001b[31mred\u0007\u202e\u2028', 20)).toBe('\ufffd[31mred\ufffd\ufffd\ufffd')
  expect(shortText('x'.repeat(10_000_000), 5)).toBe('xxxxx…')
})

test('errors of negotiation quote a hostile server in bounds', () => {
  const huge = `\u001b[2J${'x'.repeat(10_000_000)}`
  const { message } = noCommonRevision(Array(100_000).fill(huge), ['2026-07-28'])
  expect(message.length).toBeLessThan(1_000)
  expect(message).not.toContain('\u001b')
  const quoted = quoteError(new RpcError(-32600, huge))
  expect(quoted.length).toBeLessThan(1_000)
  expect(quoted).not.toContain('\u001b')
})
