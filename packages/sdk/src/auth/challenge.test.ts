import { describe, expect, test } from 'vitest'
import { cpuTime } from '../../test/cpu-time.ts'
import { parseChallenges, scopesOf, tokenChallenge } from './challenge.ts'

const read = (header: string): unknown[] =>
  parseChallenges(header).map(({ scheme, params }) => [scheme, Object.fromEntries(params)])

describe('challenges', () => {
  test.each<[string, unknown[]]>([
    ['Bearer', [['bearer', {}]]],
    ['Bearer realm="a b", error="invalid_token"', [['bearer', { realm: 'a b', error: 'invalid_token' }]]],
    ['bearer scope="a \\"b\\"" , x=1', [['bearer', { scope: 'a "b"', x: '1' }]]],
    [
      'Bearer resource_metadata=https://a.example/x?y=1',
      [['bearer', { resource_metadata: 'https://a.example/x?y=1' }]],
    ],
    [
      'Negotiate abc==, Bearer scope="x", DPoP algs="ES256"',
      [
        ['negotiate', {}],
        ['bearer', { scope: 'x' }],
        ['dpop', { algs: 'ES256' }],
      ],
    ],
    [
      'Basic realm="x", Bearer',
      [
        ['basic', { realm: 'x' }],
        ['bearer', {}],
      ],
    ],
    ['Bearer error="a", error="b"', [['bearer', { error: 'a' }]]],
    ['Bearer error="never closed', [['bearer', {}]]],
    [', ,', []],
    ['"', []],
  ])('%s', (header, expected) => expect(read(header)).toEqual(expected))

  test('names of prototypes are names', () => {
    expect(parseChallenges('Bearer __proto__="x"')[0]!.params.get('__proto__')).toBe('x')
  })

  test('a header that was made to take long does not', () => {
    const spent = cpuTime()
    for (const piece of ['a ', ' ,', 'a="\\', 'a=b ', '"', '= ']) parseChallenges(`Bearer ${piece.repeat(100_000)}`)
    expect(spent()).toBeLessThan(1_000)
  })
})

test('of several challenges the one that names the metadata counts', () => {
  const header = 'Basic realm="x", DPoP algs="ES256", Bearer resource_metadata="https://a.example"'
  expect(tokenChallenge(header)?.scheme).toBe('bearer')
  expect(tokenChallenge('Basic realm="x"')).toBeUndefined()
  expect(tokenChallenge(undefined)).toBeUndefined()
})

test('scopes are words', () => expect(scopesOf(' a  b ')).toEqual(['a', 'b']))
