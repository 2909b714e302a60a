import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assertPath, parseTarget, targetOfUrl, targetText } from './request-target.ts'

describe('a target in normal form', () => {
  test.each([
    ['/', '/', ''],
    ['/mcp', '/mcp', ''],
    ['/mcp/', '/mcp/', ''],
    ['/mcp?', '/mcp', ''],
    ['/mcp?a=1&b=/../c//d\\e%2e%00', '/mcp', 'a=1&b=/../c//d\\e%2e%00'],
    ['/mcp??', '/mcp', '?'],
    ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource/mcp', ''],
    ['/...', '/...', ''],
    ['/..a/.b', '/..a/.b', ''],
    ['/a;b=c/d', '/a;b=c/d', ''],
    ['/caf%C3%A9/100%25/a%20b', '/caf%C3%A9/100%25/a%20b', ''],
    ["/!$&'()*+,:;=@|[]~", "/!$&'()*+,:;=@|[]~", ''],
  ])('%s is read', (raw, path, query) => expect(parseTarget(raw)).toEqual({ path, query }))

  test('is the same every time, and the one before it does not matter', () => {
    const [one, other] = ['/a', '/b']
    for (const raw of [one, other, one, one, other]) expect(parseTarget(raw)).toEqual({ path: raw, query: '' })
  })

  test('is the path that a URL parser finds, with nothing left to decode', () => {
    const alphabet = fc.constantFrom(...'/.%2eEfF5cC7~a-_;?#\\ "<\0\u007f\u00e9:@[]|25')
    const raw = fc.oneof(fc.string({ unit: alphabet, maxLength: 12 }), fc.string({ unit: 'binary', maxLength: 8 }))
    const property = fc.property(
      raw.map((text) => `/${text}`),
      (text) => {
        const target = parseTarget(text)
        if (target === undefined) return
        const { pathname, search } = new URL(`http://host${text}`)
        expect(target.path).toBe(pathname)
        // Parsers encode some characters of a query, and drop a trailing question mark.
        expect(new URL(`http://host${targetText(target)}`).search).toBe(search === '?' ? '' : search)
        expect(target.path).not.toMatch(/\/\/|\\|\/\.\.?(?:\/|;|$)|%(?:2[def]|5c|7f|[01])/i)
      },
    )
    fc.assert(property, { numRuns: 500 })
  })
})

describe('any other target is refused', () => {
  test.each([
    ['nothing', ''],
    ['an asterisk', '*'],
    ['no slash', 'mcp'],
    ['a host', 'localhost:80'],
    ['the absolute form', 'http://localhost/mcp'],
    ['a dot segment', '/./mcp'],
    ['a segment that is taken back', '/x/../mcp'],
    ['dots at the end', '/mcp/..'],
    ['dots with a parameter', '/..;/mcp'],
    ['encoded dots', '/%2E%2e/mcp'],
    ['an encoded dot in a name', '/mcp%2ejson'],
    ['an encoded slash', '/a%2Fb'],
    ['an encoded backslash', '/a%5cb'],
    ['an encoded letter', '/%6dcp'],
    ['an encoded control character', '/mcp%0a'],
    ['twice encoded dots', '/%252e%252e/mcp'],
    ['half an encoding', '/mcp%a'],
    ['two slashes', '//'],
    ['two slashes in front', '//mcp'],
    ['two slashes inside', '/a//b'],
    ['a backslash', '/a\\b'],
    ['a fragment', '/mcp#a'],
    ['a fragment in the query', '/mcp?a#b'],
    ['a space', '/a b'],
    ['a line in the query', '/mcp?a\nb'],
    ['a character that is no ASCII', '/café'],
    ['64 KiB', `/${'a'.repeat(65_536)}`],
    ['64 KiB of query', `/mcp?${'a'.repeat(65_536)}`],
  ])('%s', (_name, raw) => expect(parseTarget(raw)).toBeUndefined())

  test('in linear time', () => {
    for (const piece of ['/.', '/a', '%25', '/%2e', '..', '/a;']) {
      // Quadratic time would take minutes.
      for (let i = 0; i < 200; i++) expect(parseTarget(`/${piece.repeat(30_000 / piece.length)}\\`)).toBeUndefined()
    }
  })
})

test('a URL of the Fetch standard has a target, without its fragment', () => {
  expect(targetOfUrl(new Request('http://host/x/../mcp?a=b#c').url)).toEqual({ path: '/mcp', query: 'a=b' })
  expect(targetOfUrl(new Request('http://host').url)).toEqual({ path: '/', query: '' })
  expect(targetOfUrl(new Request('http://host//mcp').url)).toBeUndefined()
})

test('a path that no request can have cannot be configured', () => {
  for (const path of ['mcp', '//mcp', '/a/../mcp', '/mcp?a', '/%6dcp', '']) {
    expect(() => assertPath(path, 'path')).toThrow(/^path: expected a path in normal form/)
  }
  assertPath('/mcp', 'path')
})
