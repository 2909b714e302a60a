import { exportJWK } from 'jose'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type HttpServer, serveHttp } from '../../../http-server/serve-http.ts'
import { callToolRequest } from '../../../http-server/tests/http.suite.ts'
import type { MaybePromise } from '../../../internal/maybe-promise.ts'
import { tool } from '../../../server/features/tool.ts'
import { createServer } from '../../../server/server.ts'
import { parseChallenges } from '../../challenge.ts'
import { bearer } from '../bearer.ts'
import type { BearerOptions } from '../options.ts'
import type { Refused } from '../refused.ts'
import { Holder, now, type ProofShape, TrustedIssuer, tokenKey } from '../trusted-issuer.suite.ts'
import { Nonces } from './nonces.ts'

const resource = 'https://mcp.example.com/mcp'
const server = createServer({
  name: 'protected',
  version: '1.0.0',
  tools: [tool({ name: 'whoami', run: (_input, ctx) => ctx.auth?.principal ?? 'nobody' })],
})

let issuer: TrustedIssuer
let http: HttpServer
let ada: Holder
let token: string
let refused: Refused[]

async function start(options: Partial<BearerOptions> = {}): Promise<void> {
  const onRefused = (why: Refused): void => void refused.push(why)
  const auth = bearer({ issuer: issuer.url, resource, onRefused, ...options })
  http = await serveHttp(server, { closeTimeoutMs: 100, auth })
}

beforeEach(async () => {
  issuer = await TrustedIssuer.start()
  ada = await Holder.make()
  token = await bound(ada)
  refused = []
})

afterEach(async () => {
  vi.useRealTimers()
  await http?.close()
  await issuer[Symbol.asyncDispose]()
})

const bound = ({ thumbprint }: Holder, claims: object = {}): Promise<string> =>
  issuer.token(resource, { claims: { cnf: { jkt: thumbprint }, exp: now() + 3_600, ...claims } })

const call = (headers: { [name: string]: string }): Promise<Response> =>
  fetch(http.url, callToolRequest('whoami', {}, headers))

const withProof = async (shape?: ProofShape): Promise<Response> => call(await ada.headers(resource, token, shape))

const challenges = (response: Response): object[] =>
  parseChallenges(response.headers.get('www-authenticate') ?? '').map(({ scheme, params }) => ({
    scheme,
    ...Object.fromEntries(params),
  }))

describe('a token that belongs to a key', () => {
  test('is good with a proof of that key [xauth.dpop.validate]', async () => {
    await start()
    expect((await withProof()).status).toBe(200)
    expect((await withProof()).status).toBe(200)
  })

  test.each(['RS256', 'PS256', 'EdDSA', 'ES384'])('is good with %s', async (alg) => {
    ada = await Holder.make(alg)
    token = await bound(ada)
    await start()
    expect((await withProof()).status).toBe(200)
  })

  test('is worth nothing as a plain one', async () => {
    await start()
    const response = await call({ authorization: `Bearer ${token}`, dpop: await ada.proof(resource, token) })
    expect(response.status).toBe(401)
    expect(refused[0]?.reason).toBe('binding')
  })

  test('for another resource stays one, whatever proves it [xauth.dpop.audience-still]', async () => {
    token = await bound(ada, { aud: 'https://other.example/mcp' })
    await start()
    expect((await withProof()).status).toBe(401)
    expect(refused[0]?.reason).toBe('audience')
  })

  test('a query in the address of a proof does not matter', async () => {
    await start()
    expect((await withProof({ claims: { htu: `${resource}?x=1#y` } })).status).toBe(200)
    expect((await withProof({ claims: { htu: `${resource}/` } })).status).toBe(200)
  })
})

describe('proofs that are refused [xauth.dpop.reject-401]', () => {
  const attacks: [name: string, reason: string, shape: () => MaybePromise<ProofShape>][] = [
    ['for another method', 'proof', () => ({ method: 'GET' })],
    ['for another host', 'proof', () => ({ claims: { htu: 'https://other.example/mcp' } })],
    ['for another scheme', 'proof', () => ({ claims: { htu: 'http://mcp.example.com/mcp' } })],
    ['for another path', 'proof', () => ({ claims: { htu: 'https://mcp.example.com/other' } })],
    ['for no address', 'proof', () => ({ claims: { htu: 'mcp' } })],
    ['for another token', 'proof', () => ({ claims: { ath: 'fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo' } })],
    ['for no token', 'proof', () => ({ claims: { ath: undefined } })],
    ['of long ago [xauth.dpop.iat-window]', 'proof', () => ({ claims: { iat: now() - 302 } })],
    ['of the future', 'proof', () => ({ claims: { iat: now() + 302 } })],
    ['of no time', 'proof', () => ({ claims: { iat: undefined } })],
    ['without an id', 'proof', () => ({ claims: { jti: undefined } })],
    ['with a huge id', 'proof', () => ({ claims: { jti: 'x'.repeat(300) } })],
    ['of another type', 'proof', () => ({ header: { typ: 'JWT' } })],
    ['signed by somebody else', 'proof', async () => ({ signer: await tokenKey('eve') })],
    ['with a private key in them', 'proof', async () => ({ header: { jwk: await exportJWK(ada.key.privateKey) } })],
    ['without a key', 'proof', () => ({ header: { jwk: undefined } })],
  ]

  test.each(attacks)('%s', async (_name, reason, shape) => {
    await start()
    const response = await withProof(await shape())
    expect(response.status).toBe(401)
    expect(challenges(response)).toMatchObject([{ scheme: 'dpop', error: 'invalid_dpop_proof' }])
    expect(refused).toMatchObject([{ reason, principal: `${issuer.url}#ada` }])
  })

  test('by another key than that of the token', async () => {
    const eve = await Holder.make()
    await start()
    const response = await call(await eve.headers(resource, token))
    expect(response.status).toBe(401)
    expect(refused[0]?.reason).toBe('binding')
  })

  test('with a shared secret, or with none [xauth.dpop.asymmetric-only]', async () => {
    await start()
    const [, payload, signature] = (await ada.proof(resource, token)).split('.')
    for (const alg of ['none', 'HS256']) {
      const jwk = alg === 'none' ? ada.key.jwk : { kty: 'oct', k: 'c2VjcmV0' }
      const header = Buffer.from(JSON.stringify({ alg, typ: 'dpop+jwt', jwk })).toString('base64url')
      const dpop = `${header}.${payload}.${alg === 'none' ? '' : signature}`
      expect((await call({ authorization: `DPoP ${token}`, dpop })).status).toBe(401)
    }
    expect(refused.map(({ reason }) => reason)).toEqual(['proof', 'proof'])
    expect(() => bearer({ issuer: issuer.url, dpop: { algorithms: ['HS256'] } })).toThrow('dpop.algorithms')
  })

  test('that are missing, two, or huge', async () => {
    await start()
    const authorization = `DPoP ${token}`
    const one = await ada.proof(resource, token)
    const two = await ada.proof(resource, token)
    expect((await call({ authorization })).status).toBe(401)
    expect((await call({ authorization, dpop: `${one}, ${two}` })).status).toBe(401)
    expect((await call({ authorization, dpop: 'x'.repeat(9_000) })).status).toBe(401)
    expect(refused.map(({ reason }) => reason)).toEqual(['proof', 'proof', 'proof'])
  })

  test('that were used before [xauth.dpop.jti-tracking]', async () => {
    await start()
    const headers = await ada.headers(resource, token)
    expect((await call(headers)).status).toBe(200)
    const again = await call(headers)
    expect([again.status, refused[0]?.reason]).toEqual([401, 'replay'])
  })

  test('at the same moment: one of them is taken', async () => {
    await start()
    const headers = await ada.headers(resource, token)
    const all = await Promise.all(Array.from({ length: 10 }, () => call(headers)))
    expect(all.map(({ status }) => status).sort()).toEqual([200, ...new Array(9).fill(401)])
  })

  test('whose id somebody else used are good', async () => {
    const bob = await Holder.make()
    const claims = { jti: 'same' }
    await start()
    expect((await call(await ada.headers(resource, token, { claims }))).status).toBe(200)
    const other = await bound(bob, { sub: 'bob' })
    expect((await call(await bob.headers(resource, other, { claims }))).status).toBe(200)
  })
})

describe('a server that wants proofs', () => {
  test('says so, and takes plain tokens as well', async () => {
    await start({ dpop: { algorithms: ['ES256'] }, scopes: ['read'] })
    token = await bound(ada, { scope: 'read' })
    expect(challenges(await call({}))).toEqual([
      { scheme: 'bearer', resource_metadata: expect.any(String), scope: 'read' },
      { scheme: 'dpop', resource_metadata: expect.any(String), scope: 'read', algs: 'ES256' },
    ])
    expect((await withProof()).status).toBe(200)
    const plain = await issuer.token(resource, { claims: { scope: 'read' } })
    expect((await call({ authorization: `Bearer ${plain}` })).status).toBe(200)
    const bad = challenges(await call({ authorization: 'Bearer x' })) as { error?: string }[]
    expect(bad.map(({ error }) => error)).toEqual(['invalid_token', undefined])
  })

  test('or refuses them', async () => {
    await start({ dpop: { required: true } })
    const response = await call({ authorization: `Bearer ${await issuer.token(resource)}` })
    expect(challenges(response)).toMatchObject([{ scheme: 'dpop', error: 'invalid_token' }])
    const metadata = await fetch(new URL('/.well-known/oauth-protected-resource', http.url))
    expect(await metadata.json()).toMatchObject({
      dpop_bound_access_tokens_required: true,
      dpop_signing_alg_values_supported: expect.arrayContaining(['ES256']),
    })
  })

  test('a token that belongs to no key is none for DPoP', async () => {
    await start()
    const plain = await issuer.token(resource)
    expect((await call(await ada.headers(resource, plain))).status).toBe(401)
    expect(refused[0]?.reason).toBe('binding')
  })

  test('with nonces hands them out, and takes them for a while [xauth.dpop.server-nonce]', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] })
    await start({ dpop: { nonces: true } })
    const asked = await withProof()
    expect(asked.status).toBe(401)
    expect(challenges(asked)).toContainEqual(expect.objectContaining({ scheme: 'dpop', error: 'use_dpop_nonce' }))
    const nonce = asked.headers.get('dpop-nonce')!
    expect((await withProof({ claims: { nonce } })).status).toBe(200)
    vi.advanceTimersByTime(5 * 60_000)
    expect((await withProof({ claims: { nonce } })).status).toBe(200)
    vi.advanceTimersByTime(5 * 60_000)
    const late = await withProof({ claims: { nonce } })
    expect([late.status, late.headers.get('dpop-nonce')]).toEqual([401, expect.not.stringMatching(nonce)])
  })

  test('proofs with nonces somebody made up are refused', async () => {
    await start({ dpop: { nonces: true } })
    const real = (await withProof()).headers.get('dpop-nonce')!
    const foreign = await new Nonces().current()
    for (const nonce of [foreign, `${real}x`, real.replace(/^./, 'z'), '', '.', 7]) {
      expect((await withProof({ claims: { nonce } })).status).toBe(401)
    }
  })

  test('shares nonces with whoever has the secret', async () => {
    const secret = 'k'.repeat(32)
    await start({ dpop: { nonces: { secret } } })
    const nonce = await new Nonces(secret).current()
    expect((await withProof({ claims: { nonce } })).status).toBe(200)
    expect(() => new Nonces('short')).toThrow('32 bytes')
  })
})

test('a window of more than five minutes is refused [xauth.dpop.iat-window]', () => {
  for (const maxAgeS of [0, 301, Number.NaN]) {
    expect(() => bearer({ issuer: 'https://id.example', dpop: { maxAgeS } })).toThrow('dpop.maxAgeS')
  }
})
