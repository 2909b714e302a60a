/** Attacks on bearer(): tokens and proofs that a hand-written check would let in. */
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type HttpServer, serveHttp } from '../../http-server/serve-http.ts'
import { callToolRequest, type HeaderMap } from '../../http-server/tests/http.suite.ts'
import { tool } from '../../server/features/tool.ts'
import { createServer } from '../../server/server.ts'
import { bearer } from './bearer.ts'
import { MemoryReplays } from './dpop/replays.ts'
import type { BearerOptions } from './options.ts'
import { Holder, now, type TokenKey, TrustedIssuer, tokenKey } from './trusted-issuer.suite.ts'

const resource = 'https://mcp.example.com/mcp'
const reported: unknown[] = []
const server = createServer({
  name: 'protected',
  version: '1.0.0',
  tools: [tool({ name: 'whoami', run: (_input, ctx) => ctx.auth?.principal ?? 'nobody' })],
  onError: (error) => void reported.push(error),
})

let issuer: TrustedIssuer
let http: HttpServer

async function start(options: Partial<BearerOptions> = {}): Promise<void> {
  const auth = bearer({ issuer: issuer.url, resource, failures: false, ...options })
  http = await serveHttp(server, { closeTimeoutMs: 100, auth })
}

beforeEach(async () => {
  issuer = await TrustedIssuer.start()
  reported.length = 0
})

afterEach(async () => {
  await http?.close()
  await issuer[Symbol.asyncDispose]()
})

const call = (headers: HeaderMap): Promise<Response> => fetch(http.url, callToolRequest('whoami', {}, headers))
const statusWith = async (token: string): Promise<number> => (await call({ authorization: `Bearer ${token}` })).status

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const claims = (more: object = {}): object => ({
  iss: issuer.url,
  sub: 'ada',
  aud: resource,
  client_id: 'app',
  exp: now() + 60,
  ...more,
})
const unsigned = (header: object, payload: object = claims()): string => `${encode(header)}.${encode(payload)}`

describe('headers of tokens', () => {
  const kids: [name: string, kid: unknown][] = [
    ['a path', '../../../../etc/passwd'],
    ['an address', 'http://127.0.0.1:1/keys'],
    ['a query', "first' OR '1'='1"],
    ['a prototype name', '__proto__'],
    ['another prototype name', 'constructor'],
    ['nothing', ''],
    ['a number', 1],
    ['a list', ['first']],
    ['an object', { toString: 'first' }],
    ['null', null],
    ['huge', 'k'.repeat(5_000)],
  ]

  test.each(kids)('a key id that is %s leads to no key and no request', async (_name, kid) => {
    await start()
    const stranger = await tokenKey('stranger')
    expect(await statusWith(await issuer.token(resource, { key: stranger, header: { kid } }))).toBe(401)
    expect(new Set(issuer.paths)).toEqual(new Set(['/.well-known/oauth-authorization-server', '/keys']))
    expect(reported).toEqual([])
  })

  const headers: [name: string, header: object][] = [
    ['an extension that has to be understood', { crit: ['exp'], exp: 1 }],
    ['a payload that is not encoded', { b64: false, crit: ['b64'] }],
    ['a certificate of its own', { x5c: ['MIIB'], x5u: 'http://127.0.0.1:1/cert' }],
    ['an algorithm in another case', { alg: 'es256' }],
    ['an algorithm that is a list', { alg: ['ES256'] }],
    ['a compressed payload', { zip: 'DEF' }],
  ]

  test.each(headers)('with %s never let somebody in whom the key does not', async (_name, header) => {
    await start()
    const eve = await tokenKey('first')
    const data = unsigned({ alg: 'ES256', kid: 'first', ...header })
    const key = { key: eve.privateKey as never, dsaEncoding: 'ieee-p1363' as const }
    const token = `${data}.${sign('sha256', Buffer.from(data), key).toString('base64url')}`
    expect(await statusWith(token)).toBe(401)
    expect(reported).toEqual([])
  })

  test('a signature of zeros is none', async () => {
    await start()
    const zeros = Buffer.alloc(64).toString('base64url')
    expect(await statusWith(`${unsigned({ alg: 'ES256', kid: 'first' })}.${zeros}`)).toBe(401)
  })
})

describe('keys of the issuer', () => {
  const publish = (...jwks: object[]): void => {
    issuer.keys = [...issuer.keys, ...jwks.map((jwk) => ({ jwk }) as TokenKey)]
  }

  test('a shared secret among them signs nothing', async () => {
    const secret = Buffer.alloc(32, 7)
    publish({ kty: 'oct', k: secret.toString('base64url'), kid: 'shared', alg: 'HS256' })
    await start()
    const data = unsigned({ alg: 'HS256', kid: 'shared' })
    const signature = createHmac('sha256', secret).update(data).digest('base64url')
    expect(await statusWith(`${data}.${signature}`)).toBe(401)
  })

  test('one that is too weak signs nothing, and is no failure of this server', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1_024 })
    publish({ ...publicKey.export({ format: 'jwk' }), kid: 'weak', alg: 'RS256' })
    await start()
    const data = unsigned({ alg: 'RS256', kid: 'weak' })
    const signature = sign('sha256', Buffer.from(data), privateKey).toString('base64url')
    expect(await statusWith(`${data}.${signature}`)).toBe(401)
    expect(reported).toEqual([])
  })

  test('one that cannot be read disturbs no other', async () => {
    publish({ kty: 'EC', crv: 'P-256', x: '!', y: '!', kid: 'broken', alg: 'ES256' }, { kty: 'unknown', kid: 'odd' })
    await start()
    expect(await statusWith(await issuer.token(resource))).toBe(200)
    const stranger = await tokenKey('broken')
    expect(await statusWith(await issuer.token(resource, { key: stranger }))).toBe(401)
    expect(reported).toEqual([])
  })

  test('hundreds under one id are not all tried', async () => {
    const { jwk } = await tokenKey('same')
    publish(...Array.from({ length: 200 }, () => jwk))
    await start()
    const stranger = await tokenKey('same')
    expect(await statusWith(await issuer.token(resource, { key: stranger }))).toBe(401)
    expect(await statusWith(await issuer.token(resource))).toBe(200)
  })
})

describe('claims', () => {
  test.each(['__proto__', 'constructor', 'toString'])('a subject called %s is a subject', async (sub) => {
    await start()
    const response = await call({ authorization: `Bearer ${await issuer.token(resource, { claims: { sub } })}` })
    expect(await response.text()).toContain(`${issuer.url}#${sub}`)
  })

  const wrong: [name: string, claim: object][] = [
    ['an end that is a text', { exp: '9999999999' }],
    ['an end that is a list', { exp: [9_999_999_999] }],
    ['a start that is a text', { nbf: '0' }],
    ['an audience that only contains ours', { aud: `${resource}.evil.example` }],
    ['an audience with our host as a user', { aud: 'https://mcp.example.com@evil.example/mcp' }],
    ['an audience in a list of lists', { aud: [[resource]] }],
    ['an issuer in a list', { iss: ['x'] }],
  ]

  test.each(wrong)('%s is refused', async (_name, claim) => {
    await start()
    expect(await statusWith(await issuer.token(resource, { claims: { ...claim } }))).toBe(401)
    expect(reported).toEqual([])
  })

  test.each([[{ scope: { admin: true } }], [{ scope: 7 }], [{ scp: [['admin']] }], [{ scope: 'a,admin' }]])(
    'scopes as %j grant nothing',
    async (claim) => {
      await start({ scopes: ['admin'] })
      expect(await statusWith(await issuer.token(resource, { claims: claim }))).toBe(403)
    },
  )
})

describe('proofs', () => {
  const bound = ({ thumbprint }: Holder, sub: string): Promise<string> =>
    issuer.token(resource, { claims: { sub, cnf: { jkt: thumbprint } } })

  test('a flood of proofs by one holder makes no room to replay the proof of another', async () => {
    await start({ dpop: { replays: new MemoryReplays(5) } })
    const [ada, eve] = [await Holder.make(), await Holder.make()]
    const adas = await ada.headers(resource, await bound(ada, 'ada'))
    expect((await call(adas)).status).toBe(200)
    const evesToken = await bound(eve, 'eve')
    // Later than the one of Ada, so that hers is the first to be forgotten.
    for (let i = 1; i <= 20; i++) {
      expect((await call(await eve.headers(resource, evesToken, { claims: { iat: now() + i } }))).status).toBe(200)
    }
    expect((await call(adas)).status).toBe(401)
  })

  test('a nonce of one server is worth nothing at another, and a proof with it is not used up', async () => {
    await start({ dpop: { nonces: true } })
    const ada = await Holder.make()
    const token = await bound(ada, 'ada')
    const asked = await call(await ada.headers(resource, token))
    const nonce = asked.headers.get('dpop-nonce')!
    expect([asked.status, nonce.length > 40]).toEqual([401, true])
    await http.close()
    await start({ dpop: { nonces: true } })
    const elsewhere = await ada.headers(resource, token, { claims: { nonce } })
    expect((await call(elsewhere)).status).toBe(401)
    const own = (await call(elsewhere)).headers.get('dpop-nonce')!
    expect((await call(await ada.headers(resource, token, { claims: { nonce: own } }))).status).toBe(200)
  })
})
