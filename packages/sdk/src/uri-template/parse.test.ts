import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isMcpError } from '../errors.ts'
import { MAX_TEMPLATE_LENGTH, MAX_TEMPLATE_VARIABLES } from './parse.ts'
import { parseUriTemplate } from './uri-template.ts'

function refusal(template: string): string {
  try {
    parseUriTemplate(template)
  } catch (thrown) {
    if (isMcpError(thrown) && thrown.code === 'invalid_definition') return thrown.message
    throw thrown
  }
  return 'accepted'
}

describe('parse', () => {
  test('lists each variable once, in order of first use', () => {
    expect(parseUriTemplate('{b}/{a:1}/{a}{?c*,b}{#d.e,f_%C3%A9}').variables).toEqual([
      'b',
      'a',
      'c',
      'd.e',
      'f_%C3%A9',
    ])
  })

  test('keeps the template as written', () => {
    expect(parseUriTemplate('file:///{+path}').template).toBe('file:///{+path}')
  })

  test.each([
    ['a{', 'variable name at position 2, found the end'],
    ['{}', 'variable name at position 1, found "}"'],
    ['{+}', 'variable name at position 2, found "}"'],
    ['{a', "',' or '}' at position 2, found the end"],
    ['{a,}', 'variable name at position 3, found "}"'],
    ['{a.}', 'variable name at position 3, found "}"'],
    ['{.a..b}', 'variable name at position 4, found "."'],
    ['{user-id}', "',' or '}' at position 5, found \"-\""],
    ['{a b}', "',' or '}' at position 2, found \" \""],
    ['{{a}}', 'variable name at position 1, found "{"'],
    ['{a}}', 'may stand in a URI at position 3, found "}"'],
    ['a b', 'may stand in a URI at position 1, found " "'],
    ['a\u0000', 'may stand in a URI at position 1, found "\\u0000"'],
    ['a\ud800', 'may stand in a URI at position 1'],
    ['{é}', 'variable name at position 1, found "é"'],
    ['{!a}', 'operators + # . / ; ? & at position 1, found "!"'],
    ['{a:0}', 'prefix length from 1 to 9999 at position 3, found "0"'],
    ['{a:}', 'prefix length from 1 to 9999 at position 3, found "}"'],
    ['{a:10000}', 'prefix length from 1 to 9999 at position 3, found "1"'],
    ['{a:3*}', "',' or '}' at position 4, found \"*\""],
    ['{a*:3}', "',' or '}' at position 3, found \":\""],
    ['100%', 'percent-encoded UTF-8 at position 3, found "%"'],
    ['%C3{a}', 'percent-encoded UTF-8 at position 0, found "%"'],
    ['{%FF}', 'percent-encoded UTF-8 at position 1, found "%"'],
  ])('refuses %j, saying where and why', (template, reason) => {
    expect(refusal(template)).toContain(reason)
  })

  test('names the limit that a template exceeds', () => {
    expect(refusal('a'.repeat(MAX_TEMPLATE_LENGTH))).toBe('accepted')
    expect(refusal('a'.repeat(MAX_TEMPLATE_LENGTH + 1))).toContain(`at most ${MAX_TEMPLATE_LENGTH} characters`)
    expect(refusal('{a}'.repeat(MAX_TEMPLATE_VARIABLES))).toBe('accepted')
    expect(refusal('{a}'.repeat(MAX_TEMPLATE_VARIABLES + 1))).toContain(`at most ${MAX_TEMPLATE_VARIABLES} variables`)
  })

  test('property: any string is parsed or refused with an McpError', () => {
    const templateLike = fc.string({ unit: fc.constantFrom(...'{}+#./;?&,:*%0aé_- \ud800'), maxLength: 40 })
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), templateLike), (template) => {
        refusal(template)
      }),
      { numRuns: 3000 },
    )
  })
})
