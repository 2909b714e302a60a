import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { PasteFilter } from './paste.ts'

/** The output for typed chunks. */
async function typed(...chunks: (string | Buffer)[]): Promise<string> {
  const filter = new PasteFilter(new PassThrough() as unknown as NodeJS.ReadStream)
  for (const chunk of chunks) filter.write(chunk)
  filter.end()
  let text = ''
  for await (const part of filter) text += part
  return text
}

test('keys pass as they are', async () => {
  expect(await typed('a\r', '\u001b[A', '\u0003', '\u001b')).toBe('a\r\u001b[A\u0003\u001b')
})

test('a paste is text, wherever its chunks are cut', async () => {
  const whole = 'x\u001b[200~one\r\ntwo\u0003\u001b[Athree\tä\u001b[201~\ry'
  const expected = 'xone⏎two[Athree ä\ry'
  expect(await typed(whole)).toBe(expected)
  const bytes = Buffer.from(whole)
  for (let at = 3; at < bytes.length; at++) {
    // A lone escape is a key: only there a beginning cannot be told from one.
    expect(await typed(bytes.subarray(0, at), bytes.subarray(at)), `cut at ${at}`).toBe(expected)
  }
})
