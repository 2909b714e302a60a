import { describe, expect, test } from 'vitest'
import { matchesGlob } from './glob.ts'
import { offerRules } from './offer-rules.ts'

test.each([
  ['add', 'add', true],
  ['add', 'adder', false],
  ['read_*', 'read_', true],
  ['read_*', 'unread_x', false],
  ['*_file', 'read_text_file', true],
  ['r*d*e', 'read_file', true],
  ['?dd', 'add', true],
  ['?', '', false],
  ['?', '🦉', true],
  ['*', '', true],
  ['', '', true],
  ['a.c', 'abc', false],
  ['(a+)+$', 'aaaa', false],
  ['file:///a/*', 'file:///a/b/c', true],
])('glob %j on %j: %s', (glob, text, expected) => {
  expect(matchesGlob(glob, text)).toBe(expected)
})

test('a glob of a fool takes no exponential time', () => {
  expect(matchesGlob(`${'*a'.repeat(50)}b`, 'a'.repeat(2_000))).toBe(false)
})

describe('rules', () => {
  const tool = (name: string) => ({ kind: 'tool' as const, name })
  const uri = (name: string) => ({ kind: 'resource' as const, name })

  test('without an allowed glob everything is served that is not denied', () => {
    const rules = offerRules([], ['delete_*'])
    expect([tool('read'), tool('delete_all'), uri('a:///b')].map(rules)).toEqual([true, false, true])
  })

  test('what is allowed is a list of everything, and what is denied goes before it', () => {
    const rules = offerRules(['read_*'], ['read_secret'])
    expect([tool('read_a'), tool('read_secret'), tool('write'), uri('a:///b')].map(rules)).toEqual([
      true,
      false,
      false,
      false,
    ])
  })

  test('a kind in front restricts that kind alone', () => {
    const rules = offerRules(['tools:add'], ['resources:*'])
    const prompt = { kind: 'prompt' as const, name: 'sub' }
    const template = { kind: 'template' as const, name: 'a:///{b}' }
    expect([tool('add'), tool('sub'), prompt, uri('a:///b'), template].map(rules)).toEqual([
      true,
      false,
      true,
      false,
      false,
    ])
  })

  test.each([
    'file:///etc/passwd',
    'FILE:///etc/passwd',
    'file:///home/../etc/passwd',
    'file:///%65tc/passwd',
    'file:///home/%2e%2e/etc/passwd',
    'file://localhost/etc/passwd',
  ])('a denied resource is denied in every spelling: %s', (name) => {
    expect(offerRules([], ['file:///etc/*'])(uri(name))).toBe(false)
    expect(offerRules(['file:///home/*'], [])(uri(name))).toBe(false)
  })

  test('an empty glob is refused', () => {
    expect(() => offerRules(['tools:'], [])).toThrow('allow: expected a glob')
  })
})
