import { expect, test } from 'vitest'
import { RpcError } from '../../errors.ts'
import { noCommonRevision, quoteError } from './opening.ts'

test('errors of negotiation quote a hostile server in bounds, and a terminal does not act on them', () => {
  const huge = `\u001b[2J\u202e${'x'.repeat(10_000_000)}`
  for (const text of [
    noCommonRevision(Array(100_000).fill(huge), ['2026-07-28']).message,
    quoteError(new RpcError(-32600, huge)),
  ]) {
    expect(text.length).toBeLessThan(1_500)
    for (const character of ['\u001b', '\u202e']) expect(text).not.toContain(character)
  }
})
