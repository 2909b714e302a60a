import { expect, test } from 'vitest'
import { CachedJson, CachedText } from './cached-text.ts'

const value = { text: 'Grüße, 世界 🌍 \u2028 \ud800 "quoted"' }

test('the bytes are those of the characters', () => {
  const text = new CachedText('ä<', new CachedJson(value), '>ö').within('[', ']')
  expect(String(text)).toBe(`[ä<${JSON.stringify(value)}>ö]`)
  expect(Buffer.from(text.toBytes()).toString()).toBe(String(text))
})

test('whoever gets all bytes may change them', () => {
  const text = new CachedText('', new CachedJson(value), '')
  text.toBytes().fill(0)
  expect(JSON.parse(Buffer.from(text.toBytes()).toString())).toEqual(value)
})
