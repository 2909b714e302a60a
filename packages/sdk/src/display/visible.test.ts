import fc from 'fast-check'
import { expect, test } from 'vitest'
import { visible, visibleJson, visibleLine } from './visible.ts'

test.each([
  ['\u001b[2Jcleared', '␛[2Jcleared'],
  ['\u001b]52;c;ZXZpbA==\u0007', '␛]52;c;ZXZpbA==␇'],
  ['a\rb', 'a␍b'],
  ['a\r\nb\tc', 'a\nb\tc'],
  ['\u009b31m', '⟨U+009B⟩31m'],
  ['\u202egnp.exe', '⟨U+202E⟩gnp.exe'],
  ['one\u2028two', 'one⟨U+2028⟩two'],
  ['del\u007f', 'del␡'],
  ['a\u200bb\u00adc\u2060d', 'a⟨U+200B⟩b⟨U+00AD⟩c⟨U+2060⟩d'],
  ['hidden \u{e0041}', 'hidden ⟨U+E0041⟩'],
  ['😀\ufe0f\ufe01\u{e0100}', '😀\ufe0f⟨U+FE01⟩⟨U+E0100⟩'],
  ['fillers \u3164\u115f', 'fillers ⟨U+3164⟩⟨U+115F⟩'],
  ['a\u200db', 'a⟨U+200D⟩b'],
  ['👩\u200d\u200d👧', '👩⟨U+200D⟩⟨U+200D⟩👧'],
  ['می\u200c\u200cخواهم', 'می\u200c⟨U+200C⟩خواهم'],
])('%j is shown as %j', (text, shown) => expect(visible(text)).toBe(shown))

test.each(['👩‍👩‍👧', '👩🏽‍💻', '❤️', '1️⃣', '🏳️‍🌈', 'می‌خواهم', 'ශ්‍රී', 'क्‍ष', 'é', 'e\u0301', '日本', '٠١', 'a\u00a0b'])(
  '%s is writing, and stays as it is',
  (text) => expect(visible(text)).toBe(text),
)

test('a line has no break, and spaces only between words', () => {
  expect(visibleLine('  First.\r\n\n  Second.\rThird. \n')).toBe('First. Second. Third.')
})

test('no control character is left, whatever the text is', () => {
  const anything = fc.array(fc.integer({ min: 0, max: 0x10ffff })).map((codes) => String.fromCodePoint(...codes))
  fc.assert(
    fc.property(anything, (text) => {
      expect(visibleLine(text).replaceAll('\t', '')).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u)
      expect(visible(visible(text))).toBe(visible(text))
    }),
  )
})

test('JSON stays the same JSON, without control characters', () => {
  expect(visibleJson(JSON.stringify({ '\u009b': '\u202e\u007f\u{e0041}\n👩‍💻' }))).toBe(
    '{"\\u009b":"\\u202e\\u007f\\udb40\\udc41\\n👩‍💻"}',
  )
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      const json = JSON.stringify(value)
      expect(JSON.parse(visibleJson(json))).toEqual(JSON.parse(json))
      expect(visibleJson(json)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u)
    }),
  )
})
