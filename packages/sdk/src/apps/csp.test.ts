import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPolicyOrigin, policyOf, readCsp, restrictCsp } from './csp.ts'
import { allowAttribute, readPermissions, restrictPermissions } from './permissions.ts'

// [xapp.csp.default] [xapp.sandbox.load-with-csp]
test('without a declaration nothing outside can be reached', () => {
  expect(policyOf().split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'self' 'unsafe-inline'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "media-src 'self' data:",
    "connect-src 'none'",
    "frame-src 'none'",
    "base-uri 'self'",
    "object-src 'none'",
    "form-action 'none'",
  ])
})

test('declared origins stand where they belong [xapp.csp.construct]', () => {
  const policy = policyOf({
    connectDomains: ['wss://live.example'],
    resourceDomains: ['https://*.cdn.example'],
    frameDomains: ['https://video.example'],
    baseUriDomains: ['https://base.example'],
  })
  expect(policy).toContain("script-src 'self' 'unsafe-inline' https://*.cdn.example;")
  expect(policy).toContain("font-src 'self' https://*.cdn.example;")
  expect(policy).toContain('connect-src wss://live.example;')
  expect(policy).toContain('frame-src https://video.example;')
  expect(policy).toContain('base-uri https://base.example;')
})

test('whatever a server declares, a policy has the same directives', () => {
  const names = policyOf()
    .split(';')
    .map((directive) => directive.trim().split(' ')[0])
  const hostile = fc.oneof(
    fc.string(),
    fc.constantFrom('*', "'self'", 'https://a.example;x', 'https://a b'),
    fc.jsonValue(),
  )
  fc.assert(
    fc.property(fc.record({ connectDomains: fc.array(hostile), baseUriDomains: hostile, x: hostile }), (declared) => {
      const policy = policyOf(readCsp(declared, () => {}))
      expect(policy.split(';').map((directive) => directive.trim().split(' ')[0])).toEqual(names)
      expect(policy).not.toMatch(/["\n,*]/)
    }),
  )
})

test('what is no origin is left out, and told', () => {
  const dropped: string[] = []
  const csp = readCsp({ connectDomains: ['https://a.example', '*', 7], frameDomains: 'https://b.example' }, (what) =>
    dropped.push(what),
  )
  expect(csp).toEqual({ connectDomains: ['https://a.example'] })
  expect(dropped).toEqual(['csp.connectDomains: 2 entries are no origins'])
})

test('a long name is no burden', () => {
  expect(isPolicyOrigin(`https://${'a.'.repeat(100_000)}`)).toBe(false)
  expect(isPolicyOrigin(`https://${'a-'.repeat(120)}!`)).toBe(false)
  expect(
    ['http://localhost:3000', 'https://[::1]:8443', 'wss://a.b-c.example', 'https://*.a.example'].every(isPolicyOrigin),
  ).toBe(true)
})

// [xapp.csp.no-undeclared] [xapp.csp.restrict-more]
test('a host can take away, and never add', () => {
  const declared = { connectDomains: ['https://a.example', 'https://b.example'], frameDomains: ['https://c.example'] }
  const approved = {
    connectDomains: ['https://b.example', 'https://evil.example'],
    resourceDomains: ['https://x.example'],
  }
  expect(restrictCsp(declared, approved)).toEqual({ connectDomains: ['https://b.example'] })
  expect(restrictPermissions({ camera: {} }, { camera: {}, microphone: {} })).toEqual({ camera: {} })
})

test('permissions become the allow attribute [xapp.res.permissions-honour] [xapp.sandbox.allow-attribute]', () => {
  const read = readPermissions({ camera: {}, clipboardWrite: {}, microphone: true, usb: {} })
  expect(allowAttribute(read)).toBe('camera; clipboard-write')
  expect(allowAttribute({})).toBe('')
})
