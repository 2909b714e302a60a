import { describe, expect, test } from 'vitest'
import { MAX_URI_LENGTH } from './match.ts'
import { parseUriTemplate } from './uri-template.ts'

const match = (template: string, uri: string) => parseUriTemplate(template).match(uri)

type Case = [template: string, uri: string, values: Record<string, string | string[]> | undefined]

const cases: Record<string, Case[]> = {
  literals: [
    ['', '', {}],
    ['', 'a', undefined],
    ['a://b', 'a://b', {}],
    ['a://b', 'a://b/', undefined],
    ['a://b', 'A://b', undefined],
    ['a/é', 'a/%C3%A9', {}],
    ['a/%c3%a9', 'a/é', {}],
    ['a%62', 'ab', {}],
    ['a%2Fb', 'a%2fb', {}],
    ['a%2Fb', 'a/b', undefined],
    ['a/b', 'a%2Fb', undefined],
  ],
  'simple variables': [
    ['u://{id}', 'u://7', { id: '7' }],
    ['u://{id}', 'u://', undefined],
    ['u://{id}', 'u://a/b', undefined],
    ['u://{id}', 'u://a?b', undefined],
    ['u://{id}', 'u://a#b', undefined],
    ['u://{id}', 'u://a%2Fb%3F%23', { id: 'a/b?#' }],
    ['u://{id}', 'u://a@b.c:1;d=e,f', { id: 'a@b.c:1;d=e,f' }],
    ['u://{id}', 'u://h%C3%A9%F0%9F%98%80', { id: 'hé😀' }],
    ['u://{id}', 'u://hé😀', { id: 'hé😀' }],
    ['u://{id}/x', 'u://7/x', { id: '7' }],
    ['?q={q}&n={n}', '?q=a&n=1', { q: 'a', n: '1' }],
    ['?q={q}&n={n}', '?q=a&m=2&n=1', undefined],
    ['{a}-{b}', '1-2-3', { a: '1', b: '2-3' }],
    ['{a}{b}', 'xyz', { a: 'x', b: 'yz' }],
    ['{x,y}', '1,2', { x: '1', y: '2' }],
    ['{x,y}', '1%2C2,3', { x: '1,2', y: '3' }],
    ['{x,y}', '1', undefined],
    ['{x,y}', '1,2,3', undefined],
    ['{x*}', '1,2%2C,3', { x: ['1', '2,', '3'] }],
    ['{x*,y}', '1,2,3', { x: ['1', '2'], y: '3' }],
  ],
  'reserved variables': [
    ['file:///{+path}', 'file:///a/b.c?d#e', { path: 'a/b.c?d#e' }],
    ['file:///{+path}', 'file:///', undefined],
    ['{+path}/{name}', 'a/b/c', { path: 'a/b', name: 'c' }],
    ['{+repo}/blob/{+file}', 'o/r/blob/x/blob/y', { repo: 'o/r', file: 'x/blob/y' }],
    ['{+path}{?q}', 'a/b?q=1', { path: 'a/b', q: '1' }],
    ['{+path}{.ext}', 'v1.2/a.txt', { path: 'v1.2/a', ext: 'txt' }],
    ['{+path}{#f}', 'a/b#c', { path: 'a/b', f: 'c' }],
    ['{+x,y}', 'a/b,c', { x: 'a/b', y: 'c' }],
    ['{+x*}', 'a/b,c', { x: ['a/b', 'c'] }],
  ],
  'path segments': [
    ['r{/x}', 'r', {}],
    ['r{/x}', 'r/', { x: '' }],
    ['r{/x}', 'r/a', { x: 'a' }],
    ['r{/x}', 'r/a/b', undefined],
    ['r{/x,y}', 'r/a', { x: 'a' }],
    ['r{/x,y}', 'r/a/b', { x: 'a', y: 'b' }],
    ['r{/x*}', 'r', {}],
    ['r{/x*}', 'r/a/b%2Fc/', { x: ['a', 'b/c', ''] }],
    ['r{/x*}/end', 'r/a/b/end', { x: ['a', 'b'] }],
    ['r{/x*}/end', 'r/end', {}],
    ['{/x*}{/name}', '/a/b/c', { x: ['a', 'b'], name: 'c' }],
    ['{/x*,last:4}', '/a/b/cdef', { x: ['a', 'b'], last: 'cdef' }],
    ['{/x*}{?q}', '/a/b?q=1', { x: ['a', 'b'], q: '1' }],
  ],
  labels: [
    ['{name}{.ext}', 'a.tar.gz', { name: 'a', ext: 'tar.gz' }],
    ['{name}{.ext}', 'a', { name: 'a' }],
    ['{name}{.ext*}', 'a.tar.gz', { name: 'a', ext: ['tar', 'gz'] }],
    ['www{.x,y}', 'www.a.b', { x: 'a', y: 'b' }],
    ['www{.x,y}', 'www.a.b.c', undefined],
  ],
  'path parameters': [
    ['a{;x,y}/b', 'a;y=2;x=1/b', { x: '1', y: '2' }],
    ['a{;x,y}/b', 'a;x/b', { x: '' }],
    ['a{;x}{;y}', 'a;y=2;x=1', { x: '1', y: '2' }],
    ['{a}{;x}', 'b;x=1', { a: 'b', x: '1' }],
    ['a{;x*}', 'a;x=1;x=2', { x: ['1', '2'] }],
    ['a{;x}', 'a;x=1/2', undefined],
  ],
  queries: [
    ['a{?x,y}', 'a', {}],
    ['a{?x,y}', 'a?', {}],
    ['a{?x,y}', 'a?y=2&x=1', { x: '1', y: '2' }],
    ['a{?x,y}', 'a?y=2', { y: '2' }],
    ['a{?x}', 'a?utm=1&x=2&z', { x: '2' }],
    ['a{?x}', 'a?x=1&x=2', { x: '1' }],
    ['a{?x*}', 'a?x=1&y=0&x=2', { x: ['1', '2'] }],
    ['a{?x}', 'a?x', { x: '' }],
    ['a{?x}', 'a?x=1=2+3', { x: '1=2+3' }],
    ['a{?x}', 'a?x=b%26y%3D%23/?', { x: 'b&y=#/?' }],
    ['a{?x}', 'a?%78=1', { x: '1' }],
    ['a{?x}', 'a?x=1#f', undefined],
    ['a{?x}{#f}', 'a?x=1#f', { x: '1', f: 'f' }],
    ['a{?x}{&y}', 'a?y=2&x=1', { x: '1', y: '2' }],
    ['a?k=1{&y}', 'a?k=1&z=3&y=2', { y: '2' }],
    ['a?k=1{&y}', 'a?k=1', {}],
    ['a', 'a?x=1', undefined],
    ['a{?x:2}', 'a?x=😀😀', { x: '😀😀' }],
    ['a{?x:2}', 'a?x=123', undefined],
  ],
  fragments: [
    ['a{#x}', 'a', {}],
    ['a{#x}', 'a#', { x: '' }],
    ['a{#x}', 'a#b/c?d#e', { x: 'b/c?d#e' }],
    ['a{#x,y}', 'a#1,2', { x: '1', y: '2' }],
    ['a{#x,y}', 'a#1', { x: '1' }],
    ['{#x,y}{+z}', ',q', { z: ',q' }],
    ['a{#x*}', 'a#1,2', { x: ['1', '2'] }],
  ],
  'prefixes and repeated variables': [
    ['{x:3}', 'ab', { x: 'ab' }],
    ['{x:3}', 'abcd', undefined],
    ['{x:3}{y}', 'abcd', { x: 'abc', y: 'd' }],
    ['{x:3}-{y}', 'a-b', { x: 'a', y: 'b' }],
    ['{x:2}', '%F0%9F%98%80é', { x: '😀é' }],
    ['d/{term:1}/{term}', 'd/c/cat', { term: 'cat' }],
    ['d/{term:1}/{term}', 'd/x/cat', undefined],
    ['{term}/{term:1}', 'cat/c', { term: 'cat' }],
    ['{a}/{a}', 'x/x', { a: 'x' }],
    ['{a}/{a}', 'x/y', undefined],
    ['{a}/{a}', 'x/xy', undefined],
    ['{a:2}/{a}/{a:3}', 'ab/ab/abc', undefined],
    ['{a:2}/{a:3}', 'ab/abc', { a: 'abc' }],
    ['{a*}{?a}', 'x', { a: ['x'] }],
    ['{a*}{?a}', 'x?a=x', undefined],
    ['{/a*}{?a*}', '/x/y?a=x&a=y', { a: ['x', 'y'] }],
    ['{/a*}{?a*}', '/x/y?a=x', undefined],
  ],
  'malformed URIs': [
    ['{+x}', '%', undefined],
    ['{+x}', '%4', undefined],
    ['{+x}', '%zz', undefined],
    ['{+x}', '%FF', undefined],
    ['{+x}', '%C3', undefined],
    ['{+x}', '%C0%AF', undefined],
    ['{+x}', '%ED%A0%80', undefined],
    ['{+x}', '\ud800', undefined],
    ['a{?x}', 'a?ignored=%zz', undefined],
  ],
}

for (const [about, rows] of Object.entries(cases)) {
  describe(`match: ${about}`, () => {
    test.each(rows)('%s against %s', (template, uri, values) => {
      const found = match(template, uri)
      expect(found && { ...found }).toEqual(values)
    })
  })
}

describe('match', () => {
  test('a result has no members but the variables', () => {
    const found = match('{__proto__}/{constructor}', 'a/b')!
    expect(Object.getPrototypeOf(found)).toBeNull()
    expect(Object.entries(found)).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ])
    expect(match('a{?toString}', 'a')!.toString).toBeUndefined()
    expect(Object.entries(match('a{?__proto__}', 'a?__proto__=x')!)).toEqual([['__proto__', 'x']])
  })

  test('a result expands to the URI it came from', () => {
    const template = parseUriTemplate('db://{db}{/path*}{?q}')
    expect(template.expand(template.match('db://a/b/c?q=%26')!)).toBe('db://a/b/c?q=%26')
  })

  test('a URI over the limit matches nothing', () => {
    expect(match('{+x}', 'a'.repeat(MAX_URI_LENGTH))).toBeDefined()
    expect(match('{+x}', 'a'.repeat(MAX_URI_LENGTH + 1))).toBeUndefined()
  })
})
