/** A token that was checked is not checked again, and nothing that would refuse it is overlooked for that. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Authenticate } from '../../../http/authenticate.ts'
import type { HttpRequest } from '../../../http/request.ts'
import { bearer } from '../bearer.ts'
import type { BearerAuth, BearerOptions } from '../options.ts'
import { Holder, now, TrustedIssuer, tokenKey } from '../trusted-issuer.suite.ts'
import type { Source } from './issuers.ts'
import { RememberedTokens } from './remembered-tokens.ts'

const resource = 'https://mcp.example.com/mcp'
const minuteMs = 60_000

let issuer: TrustedIssuer
let reasons: string[]
let signatures: { mock: { calls: unknown[] } }

beforeEach(async () => {
  issuer = await TrustedIssuer.start()
  reasons = []
  signatures = vi.spyOn(crypto.subtle, 'verify')
})
afterEach(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  await issuer[Symbol.asyncDispose]()
})

/** How often a signature was checked. */
const checks = (): number => signatures.mock.calls.length

const door = (options: Partial<BearerOptions> = {}): Authenticate =>
  bearer({ issuer: issuer.url, resource, onRefused: ({ reason }) => void reasons.push(reason), ...options })

function requestWith(headers: { [name: string]: string }, path = '/mcp'): HttpRequest {
  const all: { [name: string]: string | undefined } = { host: '127.0.0.1:3000', ...headers }
  const raw = { socket: { localPort: 3000 } }
  const request = { method: 'POST', target: { path, query: '' }, onLoopback: true, raw }
  return { ...request, header: (name: string) => all[name] } as unknown as HttpRequest
}

const asked = (auth: Authenticate, token: string, path?: string): ReturnType<Authenticate> =>
  auth(requestWith({ authorization: `Bearer ${token}` }, path))

const enter = async (auth: Authenticate, token: string, path?: string): Promise<BearerAuth> =>
  (await asked(auth, token, path)) as BearerAuth

/** The keys are there, and the token was seen. */
async function seen(auth: Authenticate, token: string): Promise<void> {
  for (let i = 0; i < 2; i++) expect(await enter(auth, token)).toHaveProperty('principal')
}

describe('a token that was found good', () => {
  test('lets in at once, as one caller that no handler can change', async () => {
    const auth = door()
    const token = await issuer.token(resource, { claims: { scope: 'read', realm: { roles: ['a'] } } })
    await seen(auth, token)
    const before = checks()
    const first = asked(auth, token) as BearerAuth
    expect(first).toMatchObject({ principal: `${issuer.url}#ada`, scopes: ['read'] })
    expect(asked(auth, token)).toBe(first)
    expect(checks()).toBe(before)
    const { roles } = first.claims.realm as { roles: string[] }
    for (const part of [first, first.scopes, first.claims, roles]) expect(Object.isFrozen(part)).toBe(true)
  })

  test('ends with the token, and not later', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const auth = door({ clockToleranceS: 5 })
    const token = await issuer.token(resource, { claims: { exp: now() + 60 } })
    await seen(auth, token)
    vi.setSystemTime(Date.now() + 64_000)
    expect(await enter(auth, token)).toHaveProperty('principal')
    vi.setSystemTime(Date.now() + 2_000)
    expect(await enter(auth, token)).toMatchObject({ status: 401 })
    expect(reasons).toEqual(['expired'])
  })

  test('is refused while the clock says that it is not valid yet', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const auth = door()
    const token = await issuer.token(resource, { claims: { nbf: now() } })
    await seen(auth, token)
    vi.setSystemTime(Date.now() - minuteMs)
    expect(await enter(auth, token)).toMatchObject({ status: 401 })
    expect(reasons).toEqual(['not_yet'])
  })

  test('is refused as soon as its key is gone, and checked again with other keys', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] })
    const auth = door()
    const [old, next] = [issuer.keys[0]!, await tokenKey('next')]
    const claims = { exp: now() + 3_600 }
    const token = await issuer.token(resource, { claims })
    await seen(auth, token)
    issuer.keys = [old, next]
    vi.advanceTimersByTime(minuteMs)
    await seen(auth, await issuer.token(resource, { key: next, claims }))
    const before = checks()
    await seen(auth, token)
    expect(checks()).toBe(before + 1)
    issuer.keys = [next]
    vi.advanceTimersByTime(10 * minuteMs)
    expect(await enter(auth, token)).toMatchObject({ status: 401 })
    expect(reasons).toEqual(['key'])
  })

  test('outlives a look at keys that did not change, and needs one that succeeds', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] })
    const auth = door()
    const token = await issuer.token(resource, { claims: { exp: now() + 86_400 } })
    await seen(auth, token)
    vi.advanceTimersByTime(11 * minuteMs)
    await seen(auth, token)
    const before = checks()
    await seen(auth, token)
    expect(checks()).toBe(before)
    issuer.failsWith = 500
    vi.advanceTimersByTime(61 * minuteMs)
    expect(await enter(auth, token)).toMatchObject({ status: 503 })
  })

  test('says nothing about one that differs in a character, wherever that is', async () => {
    const auth = door()
    const token = await issuer.token(resource)
    await seen(auth, token)
    for (const part of token.split('.')) {
      const at = token.indexOf(part) + part.length / 2
      const other = token[Math.floor(at)] === 'A' ? 'B' : 'A'
      const flipped = token.slice(0, Math.floor(at)) + other + token.slice(Math.floor(at) + 1)
      expect(await enter(auth, flipped)).toMatchObject({ status: 401 })
    }
    expect(await enter(auth, token)).toHaveProperty('principal')
  })

  test('is good at its own resource and at no other', async () => {
    const auth = bearer({ issuer: issuer.url, onRefused: ({ reason }) => void reasons.push(reason) })
    const token = await issuer.token('http://127.0.0.1:3000/a')
    for (let i = 0; i < 2; i++) {
      expect(await enter(auth, token, '/a')).toHaveProperty('principal')
      expect(await enter(auth, token, '/b')).toMatchObject({ status: 401 })
    }
    expect(reasons).toEqual(['audience', 'audience'])
    expect(await enter(door(), token)).toMatchObject({ status: 401 })
  })

  test('has to have the scopes each time', async () => {
    const auth = door({ scopes: ['write'] })
    const token = await issuer.token(resource, { claims: { scope: 'read' } })
    for (let i = 0; i < 3; i++) expect(await enter(auth, token)).toMatchObject({ status: 403 })
    expect(reasons).toEqual(['scope', 'scope', 'scope'])
  })

  test('comes with a new proof each time if it belongs to a key', async () => {
    const auth = door()
    const holder = await Holder.make()
    const token = await issuer.token(resource, { claims: { cnf: { jkt: holder.thumbprint } } })
    for (let i = 0; i < 3; i++) {
      const proven = requestWith(await holder.headers(resource, token))
      expect(await auth(proven)).toHaveProperty('principal')
      expect(await auth(proven)).toMatchObject({ status: 401 })
      expect(await enter(auth, token)).toMatchObject({ status: 401 })
    }
    expect(reasons.slice(0, 2)).toEqual(['replay', 'binding'])
  })
})

describe('the memory of tokens', () => {
  const keys = {}
  const source: Source = { ...{ issuer: 'i', isOpaque: false, audienceOptional: false }, claimsOf: async () => ({}) }
  const found = (note: string) => ({
    source: { ...source, keysNow: () => keys },
    ...{ keys, audiences: [], expiresAt: Date.now() + minuteMs },
    auth: { principal: note, scopes: [], issuer: 'i', subject: note, clientId: undefined, claims: { note } },
  })

  test('is bounded in number, and the one that was used last stays', () => {
    const tokens = new RememberedTokens({ maxTokens: 3 })
    for (const name of ['a', 'b', 'c']) tokens.add(name, found(name))
    expect(tokens.find('a')).toBeDefined()
    tokens.add('d', found('d'))
    expect(tokens.size).toBe(3)
    expect(tokens.find('b')).toBeUndefined()
    expect(['a', 'c', 'd'].map((name) => tokens.find(name)?.auth.principal)).toEqual(['a', 'c', 'd'])
  })

  test('is bounded in bytes, and counts what it holds', () => {
    const tokens = new RememberedTokens({ maxBytes: 64 * 1024 })
    for (let i = 0; i < 1_000; i++) tokens.add(`token ${i}`, found('x'.repeat(1_000)))
    expect(tokens.bytes).toBeLessThanOrEqual(64 * 1024)
    expect(tokens.size).toBeGreaterThan(10)
    expect(tokens.size).toBeLessThan(65)
    const { size, bytes } = tokens
    tokens.add('huge', found('x'.repeat(100_000)))
    expect(tokens.find('huge')).toBeUndefined()
    tokens.add('token 999', found('x'.repeat(1_000)))
    expect([tokens.size, tokens.bytes]).toEqual([size, bytes])
  })

  test('gives up tokens of keys that are not in force, and those that have expired', () => {
    const tokens = new RememberedTokens()
    tokens.add('old', { ...found('old'), keys: {} })
    tokens.add('over', { ...found('over'), expiresAt: Date.now() - 1 })
    expect([tokens.find('old'), tokens.find('over')]).toEqual([undefined, undefined])
    expect([tokens.size, tokens.bytes]).toEqual([0, 0])
  })
})
