import { expect, test } from 'vitest'
import { Kept, KeptText } from './kept-text.ts'

const value = { text: 'Grüße, 世界 🌍 \u2028 \ud800 "quoted"' }

test('the bytes are those of the characters', () => {
  const text = new KeptText('ä<', new Kept(value), '>ö').within('[', ']')
  expect(String(text)).toBe(`[ä<${JSON.stringify(value)}>ö]`)
  expect(Buffer.from(text.toBytes()).toString()).toBe(String(text))
})

test('whoever gets all bytes may change them', () => {
  const text = new KeptText('', new Kept(value), '')
  text.toBytes().fill(0)
  expect(JSON.parse(Buffer.from(text.toBytes()).toString())).toEqual(value)
})
