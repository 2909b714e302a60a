import { request as httpRequest } from 'node:http'
import { connect as connectSocket } from 'node:net'
import { SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { fetchHandler } from '../../http-server/fetch/fetch-handler.ts'
import { type HttpServer, serveHttp } from '../../http-server/serve-http.ts'
import { callToolRequest, type HeaderMap, post, signal, statelessRequest } from '../../http-server/tests/http.suite.ts'
import { tool } from '../../server/features/tool.ts'
import { createServer } from '../../server/server.ts'
import { parseChallenges } from '../challenge.ts'
import { bearer, isBearerAuth } from './bearer.ts'
import type { BearerAuth, BearerOptions } from './options.ts'
import type { Refused } from './refused.ts'
import { now, TrustedIssuer, tokenKey } from './trusted-issuer.suite.ts'

let issuer: TrustedIssuer
let http: HttpServer
let refused: Refused[]
let seen: (BearerAuth | undefined)[]

const resource = 'https://mcp.example.com/mcp'

const watcher = createServer({
  onError: () => {},
  name: 'protected',
  version: '1.0.0',
  tools: [
    tool({
      name: 'whoami',
      run: (_input, ctx) => {
        seen.push(isBearerAuth(ctx.auth) ? ctx.auth : undefined)
        return ctx.auth?.principal ?? 'nobody'
      },
    }),
  ],
})

async function start(options: Partial<BearerOptions> = {}): Promise<void> {
  const onRefused = (why: Refused): void => void refused.push(why)
  http = await serveHttp(watcher, {
    closeTimeoutMs: 100,
    auth: bearer({ issuer: issuer.url, resource, onRefused, ...options }),
  })
}

beforeEach(async () => {
  issuer = await TrustedIssuer.start()
  refused = []
  seen = []
})

afterEach(async () => {
  vi.useRealTimers()
  await http?.close()
  await issuer[Symbol.asyncDispose]()
})

const call = (headers: HeaderMap = {}, target = ''): Promise<Response> =>
  fetch(http.url + target, callToolRequest('whoami', {}, headers))

const withToken = (token: string): Promise<Response> => call({ authorization: `Bearer ${token}` })

/** The parameters of the first challenge. */
function challengeOf(response: Response): { [name: string]: string } {
  const [challenge] = parseChallenges(response.headers.get('www-authenticate') ?? '')
  return { scheme: challenge?.scheme ?? '', ...Object.fromEntries(challenge?.params ?? []) }
}

const metadataUrl = 'https://mcp.example.com/.well-known/oauth-protected-resource/mcp'

describe('a request with a good token', () => {
  // [xauth.cc.server-validates] [xauth.ema.server-validates] [xauth.wif.server-validates]
  test('is let in, and the handler knows who is asking, without seeing the token [auth.token.server-validates] [auth.sec.no-passthrough]', async () => {
    await start()
    const token = await issuer.token(resource, { claims: { scope: 'read write' } })
    const response = await withToken(token)
    expect(response.status).toBe(200)
    expect(seen).toMatchObject([
      {
        principal: `${issuer.url}#ada`,
        subject: 'ada',
        issuer: issuer.url,
        clientId: 'app',
        scopes: ['read', 'write'],
      },
    ])
    expect(JSON.stringify(seen)).not.toContain(token.split('.')[2])
  })

  test.each(['RS256', 'PS256', 'ES384', 'EdDSA'])('signed with %s', async (alg) => {
    issuer.keys = [await tokenKey('other', alg)]
    await start()
    expect((await withToken(await issuer.token(resource))).status).toBe(200)
  })

  test('the scheme is read in any case, and the audience in other spellings [auth.resource.accept-uppercase] [auth.resource.no-trailing-slash]', async () => {
    await start()
    const token = await issuer.token('', { claims: { aud: ['https://else.example', 'HTTPS://MCP.example.com/mcp/'] } })
    expect((await call({ authorization: `bearer ${token}` })).status).toBe(200)
  })

  test('an issuer with a path is discovered too', async () => {
    await issuer[Symbol.asyncDispose]()
    issuer = await TrustedIssuer.start('/tenant')
    await start()
    expect((await withToken(await issuer.token(resource))).status).toBe(200)
  })

  test('a token without a key id is checked against the keys that fit', async () => {
    issuer.keys = [await tokenKey('a'), await tokenKey('b'), await tokenKey('c')]
    await start()
    const token = await issuer.token(resource, { key: issuer.keys[1]!, header: { kid: undefined } })
    expect((await withToken(token)).status).toBe(200)
  })

  test('clients that act for themselves are told from users of the same name', async () => {
    await start()
    await withToken(await issuer.token(resource, { claims: { sub: undefined, client_id: 'ada' } }))
    await withToken(await issuer.token(resource))
    expect(seen.map((auth) => auth?.principal)).toEqual([`${issuer.url}?client_id=ada`, `${issuer.url}#ada`])
  })
})

describe('a request without a token', () => {
  // [auth.prm.one-discovery-mechanism]
  test('is told where to get one, and nothing else [auth.prm.header-on-401] [auth.scope.challenge-includes-scope] [auth.mar25.unauthorized-401]', async () => {
    await start({ scopes: ['files:read', 'files:list'] })
    const response = await call()
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${metadataUrl}", scope="files:read files:list"`,
    )
    expect(refused).toMatchObject([{ reason: 'missing', status: 401 }])
  })

  test('with another scheme it has none', async () => {
    await start()
    const response = await call({ authorization: 'Basic YWRhOnNlY3JldA==' })
    expect([response.status, challengeOf(response).error]).toEqual([401, undefined])
  })

  test('in the query a token does not count, and next to a header it is refused', async () => {
    await start()
    const token = await issuer.token(resource)
    const inQuery = await call({}, `?access_token=${token}`)
    expect([inQuery.status, challengeOf(inQuery).error]).toEqual([401, undefined])
    const both = await call({ authorization: `Bearer ${token}` }, `?access_token=${token}`)
    expect([both.status, challengeOf(both).error]).toEqual([400, 'invalid_request'])
  })

  // [sec.local.server-restrict-http]
  test('every method is refused, before the body is read [auth.sec.validate-before-processing] [sec.session.verify-requests]', async () => {
    await start()
    for (const init of [{ method: 'GET' }, { method: 'DELETE' }, post('{'), statelessRequest('tools/list')]) {
      expect((await fetch(http.url, init)).status).toBe(401)
    }
  })
})

describe('attacks', () => {
  const rsa = tokenKey('rsa', 'RS256')

  /** Tokens of an attacker, and the reason that the operator sees. */
  const attacks: [name: string, reason: string, make: () => Promise<string>][] = [
    [
      'no signature',
      'algorithm',
      async () => new UnsecuredJWT({ iss: issuer.url, sub: 'ada', aud: resource, exp: now() + 60 }).encode(),
    ],
    [
      'the public key as a secret',
      'algorithm',
      async () => {
        const secret = new TextEncoder().encode(JSON.stringify((await rsa).jwk))
        return new SignJWT({ iss: issuer.url, sub: 'ada', aud: resource, exp: now() + 60 })
          .setProtectedHeader({ alg: 'HS256', kid: 'first' })
          .sign(secret)
      },
    ],
    [
      'a key of the attacker under the right id',
      'signature',
      async () => issuer.token(resource, { key: await tokenKey('first') }),
    ],
    [
      'a key of the attacker in the header',
      'key',
      async () => {
        const own = await tokenKey('own')
        return issuer.token(resource, { key: own, header: { jwk: own.jwk, jku: 'http://127.0.0.1:1/keys' } })
      },
    ],
    [
      'the right id with another algorithm',
      'key',
      async () => issuer.token(resource, { key: { ...(await rsa), kid: 'first' } }),
    ],
    [
      'a token for another resource [auth.sec.reject-wrong-audience] [sec.passthrough.only-own-tokens] [auth.token.audience] [auth.token.server-only-own] [auth.token.no-transit]',
      'audience',
      () => issuer.token('https://other.example/mcp'),
    ],
    ['a token for a path below', 'audience', () => issuer.token(`${resource}/deeper`)],
    ['a token for the whole host', 'audience', () => issuer.token('https://mcp.example.com')],
    ['a token without an audience', 'audience', () => issuer.token('', { claims: { aud: undefined } })],
    ['an audience that is no text', 'audience', () => issuer.token('', { claims: { aud: { 0: resource } } })],
    ['another issuer', 'issuer', () => issuer.token(resource, { claims: { iss: 'https://evil.example' } })],
    ['an issuer spelled differently', 'issuer', () => issuer.token(resource, { claims: { iss: `${issuer.url}/` } })],
    ['no issuer', 'unreadable', () => issuer.token(resource, { claims: { iss: undefined } })],
    [
      'an expired token [auth.token.invalid-401]',
      'expired',
      () => issuer.token(resource, { claims: { exp: now() - 10 } }),
    ],
    ['a token without an end', 'expired', () => issuer.token(resource, { claims: { exp: undefined } })],
    ['a token of tomorrow', 'not_yet', () => issuer.token(resource, { claims: { nbf: now() + 86_400 } })],
    [
      'a token about nobody',
      'subject',
      () => issuer.token(resource, { claims: { sub: undefined, client_id: undefined } }),
    ],
    ['a token of another kind', 'type', () => issuer.token(resource, { header: { typ: 'logout+jwt' } })],
    [
      'a token of a key, without proof of it',
      'binding',
      () => issuer.token(resource, { claims: { cnf: { jkt: 'x' } } }),
    ],
    ['a token of a certificate', 'binding', () => issuer.token(resource, { claims: { cnf: { 'x5t#S256': 'x' } } })],
    [
      'a changed token',
      'signature',
      async () => {
        const [head, , signature] = (await issuer.token(resource)).split('.')
        const [, payload] = (await issuer.token(resource, { claims: { sub: 'eve' } })).split('.')
        return `${head}.${payload}.${signature}`
      },
    ],
    ['no token at all', 'unreadable', async () => 'x'],
    ['an encrypted token', 'unreadable', async () => 'a.b.c.d.e'],
    ['a huge token', 'unreadable', () => issuer.token(resource, { claims: { pad: 'x'.repeat(6_500) } })],
  ]

  // [auth.token.failure-response]
  test.each(attacks)('%s: 401, %s for the operator and no word about it for the peer', async (_name, reason, make) => {
    await start({ failures: false })
    const token = await make()
    const response = await withToken(token)
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${metadataUrl}", error="invalid_token"`,
    )
    expect(await response.json()).toEqual({ jsonrpc: '2.0', error: { code: -32600, message: 'Unauthorized' } })
    expect(refused).toMatchObject([{ reason, status: 401 }])
    expect(JSON.stringify(refused)).not.toContain(token)
    expect(seen).toEqual([])
  })

  test.each(['Bearer', 'Bearer ', 'Bearer a b', 'Bearer a,b', 'Bearer ä'])(
    'the header %j is answered with 400 [auth.errors.status-codes]',
    async (authorization) => {
      await start()
      const { status, headers } = await rawCall({ authorization })
      expect(status).toBe(400)
      expect(headers['www-authenticate']).toContain('error="invalid_request"')
    },
  )

  test('two headers are refused: a proxy may look at the other one', async () => {
    await start()
    const token = await issuer.token(resource)
    const { hostname, port } = new URL(http.url)
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connectSocket(Number(port), hostname, () => {
        const lines = ['POST /mcp HTTP/1.1', `Host: ${hostname}:${port}`, `Authorization: Bearer ${token}`]
        socket.write(
          [...lines, `Authorization: Bearer ${token}`, 'Content-Length: 0', 'Connection: close', '', ''].join('\r\n'),
        )
      })
      let text = ''
      socket
        .on('data', (chunk) => (text += chunk))
        .on('end', () => resolve(text))
        .on('error', reject)
    })
    expect(answer).toMatch(/^HTTP\/1.1 400 /)
  })

  test('algorithms can be narrowed, and never widened to shared secrets', async () => {
    await start({ algorithms: ['RS256'], typ: 'at+jwt' })
    expect((await withToken(await issuer.token(resource))).status).toBe(401)
    for (const algorithms of [['HS256'], ['none'], []]) {
      expect(() => bearer({ issuer: issuer.url, algorithms })).toThrow(/^algorithms: expected some of RS256/)
    }
  })

  test('a wanted typ has to be there', async () => {
    await start({ typ: 'at+jwt' })
    expect((await withToken(await issuer.token(resource, { header: { typ: 'JWT' } }))).status).toBe(401)
    expect((await withToken(await issuer.token(resource, { header: { typ: undefined } }))).status).toBe(401)
    expect((await withToken(await issuer.token(resource, { header: { typ: 'application/AT+jwt' } }))).status).toBe(200)
  })

  test('the Host of a request does not choose whose tokens are taken', async () => {
    const handler = fetchHandler(watcher, { auth: bearer({ issuer: issuer.url }) })
    const token = await issuer.token('https://other.example/mcp')
    const init = callToolRequest('whoami', {}, { authorization: `Bearer ${token}` })
    expect((await handler(new Request('https://other.example/mcp', init))).status).toBe(500)
    await handler.close()
    await start({ resource: undefined as never })
    const port = Number(new URL(http.url).port)
    expect((await withToken(await issuer.token(`http://127.0.0.1:${port + 1}/mcp`))).status).toBe(401)
    expect((await withToken(await issuer.token(http.url))).status).toBe(200)
    const host = `127.0.0.1:${port + 1}`
    const authorization = `Bearer ${await issuer.token(`http://${host}/mcp`)}`
    expect((await rawCall({ host, authorization })).status).toBe(500)
  })

  function rawCall(given: {
    [name: string]: string
  }): Promise<{ status: number; headers: { [name: string]: unknown } }> {
    return new Promise((resolve, reject) => {
      const sent = httpRequest(http.url, { method: 'POST', headers: given }, (response) => {
        response.resume()
        resolve({ status: response.statusCode!, headers: response.headers })
      })
      sent.on('error', reject).end()
    })
  }
})

describe('keys', () => {
  test('are fetched once for many requests', async () => {
    await start()
    const token = await issuer.token(resource)
    const all = await Promise.all(Array.from({ length: 20 }, () => withToken(token)))
    expect(all.map(({ status }) => status)).toEqual(new Array(20).fill(200))
    expect(issuer.paths).toEqual(['/.well-known/oauth-authorization-server', '/keys'])
  })

  test('that rotate are found after the pause, and old ones are gone', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] })
    await start()
    const before = await issuer.token(resource, { claims: { exp: now() + 3_600 } })
    expect((await withToken(before)).status).toBe(200)
    issuer.keys = [await tokenKey('second')]
    const after = await issuer.token(resource, { claims: { exp: now() + 3_600 } })
    expect((await withToken(after)).status).toBe(401)
    vi.advanceTimersByTime(31_000)
    expect((await withToken(after)).status).toBe(200)
    expect((await withToken(before)).status).toBe(401)
    expect(issuer.keyFetches).toBe(2)
  })

  test('a flood of made-up key ids makes one fetch in 30 s', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] })
    await start({ failures: false })
    const good = await issuer.token(resource, { claims: { exp: now() + 3_600 } })
    expect((await withToken(good)).status).toBe(200)
    const stranger = await tokenKey('stranger')
    const flood = async (): Promise<void> => {
      const tokens = Array.from({ length: 50 }, (_, i) =>
        issuer.token(resource, { key: stranger, header: { kid: `made-up-${i}` }, claims: { exp: now() + 3_600 } }),
      )
      const all = await Promise.all((await Promise.all(tokens)).map(withToken))
      expect(new Set(all.map(({ status }) => status))).toEqual(new Set([401]))
    }
    await flood()
    expect(issuer.keyFetches).toBe(1)
    vi.advanceTimersByTime(31_000)
    await flood()
    await flood()
    expect(issuer.keyFetches).toBe(2)
    expect((await withToken(good)).status).toBe(200)
  })

  test("that cannot be had are nobody's fault but the issuer's: 503, asked again after a pause, told to the operator", async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] })
    issuer.failsWith = 500
    await start()
    const token = await issuer.token(resource, { claims: { exp: now() + 3_600 } })
    const response = await withToken(token)
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
    expect(response.headers.has('www-authenticate')).toBe(false)
    const asked = issuer.paths.length
    expect((await withToken(token)).status).toBe(503)
    expect(issuer.paths.length).toBe(asked)
    expect(refused[0]).toMatchObject({ reason: 'unavailable', cause: expect.anything() })
    issuer.failsWith = undefined
    vi.advanceTimersByTime(6_000)
    expect((await withToken(token)).status).toBe(200)
  })

  test('stay good for an hour while the issuer is down', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] })
    await start()
    const token = await issuer.token(resource, { claims: { exp: now() + 86_400 } })
    expect((await withToken(token)).status).toBe(200)
    issuer.failsWith = 503
    vi.advanceTimersByTime(50 * 60_000)
    expect((await withToken(token)).status).toBe(200)
    vi.advanceTimersByTime(20 * 60_000)
    expect((await withToken(token)).status).toBe(503)
  })

  test('that were withdrawn are refused in time, also if the wall clock is set back meanwhile', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] })
    await start()
    const before = await issuer.token(resource, { claims: { exp: now() + 86_400 } })
    expect((await withToken(before)).status).toBe(200)
    issuer.keys = [await tokenKey('second')]
    vi.setSystemTime(Date.now() - 3_600_000)
    const after = await issuer.token(resource, { claims: { exp: now() + 86_400 } })
    vi.advanceTimersByTime(31_000)
    expect((await withToken(after)).status).toBe(200)
    expect((await withToken(before)).status).toBe(401)
  })

  test('are not taken from metadata of another issuer', async () => {
    await start({ issuer: `${issuer.url}/elsewhere` })
    const token = await issuer.token(resource, { claims: { iss: `${issuer.url}/elsewhere` } })
    expect((await withToken(token)).status).toBe(503)
  })
})

describe('scopes', () => {
  test('that are missing are named, all of them at once [auth.scope403.response] [auth.scope403.needed-scopes] [auth.scope403.single-challenge]', async () => {
    await start({ scopes: ['files:read', 'files:list'] })
    const response = await withToken(await issuer.token(resource, { claims: { scope: 'files:read' } }))
    expect(response.status).toBe(403)
    expect(challengeOf(response)).toEqual({
      scheme: 'bearer',
      error: 'insufficient_scope',
      scope: 'files:read files:list',
      resource_metadata: metadataUrl,
    })
    expect(refused).toMatchObject([{ reason: 'scope', principal: `${issuer.url}#ada` }])
  })

  test('include narrower ones [auth.scope403.hierarchy]', async () => {
    await start({ scopes: ['read'], impliedScopes: { admin: ['write'], write: ['read'] } })
    expect((await withToken(await issuer.token(resource, { claims: { scp: ['admin'] } }))).status).toBe(200)
    expect(seen[0]?.scopes).toEqual(['admin', 'write', 'read'])
  })

  test('are words, and offline_access is none of ours [auth.refresh.server-no-offline-access]', () => {
    expect(() => bearer({ issuer: 'https://id.example', scopes: ['a"b'] })).toThrow('scopes: "a\\"b" is no scope')
    expect(() => bearer({ issuer: 'https://id.example', scopes: ['offline_access'] })).toThrow('offline_access')
    expect(() => bearer({ issuer: 'https://id.example', scopesSupported: ['offline_access'] })).toThrow(
      'offline_access',
    )
  })
})

describe('metadata', () => {
  test.each(['/mcp', '/mcp/', '', '?x=1'])(
    'is at the well-known place %j, for everybody [auth.prm.server-implements] [auth.prm.authorization-servers] [auth.prm.well-known-location]',
    async (suffix) => {
      await start({ scopes: ['read'], metadata: { resource_name: 'Tables', resource: 'https://evil.example' } })
      const url = new URL(`/.well-known/oauth-protected-resource${suffix}`, http.url)
      const response = await fetch(url, { headers: { origin: 'https://page.example' } })
      expect(response.status).toBe(200)
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(await response.json()).toEqual({
        resource,
        authorization_servers: [issuer.url],
        bearer_methods_supported: ['header'],
        scopes_supported: ['read'],
        resource_name: 'Tables',
      })
    },
  )

  test('may be asked for by pages that send headers of the protocol', async () => {
    await start()
    const url = new URL('/.well-known/oauth-protected-resource/mcp', http.url)
    const response = await fetch(url, { method: 'OPTIONS', headers: { origin: 'https://page.example' } })
    expect([response.status, response.headers.get('access-control-allow-headers')]).toEqual([204, '*'])
    expect((await fetch(url, { method: 'POST' })).status).toBe(405)
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200)
  })

  test('of other paths there is none', async () => {
    await start()
    for (const path of ['/.well-known/oauth-protected-resource/other', '/.well-known/oauth-protected-resources']) {
      expect((await fetch(new URL(path, http.url))).status).toBe(404)
    }
  })

  test('is derived from where a server on this machine is mounted', async () => {
    await start({ resource: undefined as never })
    const { origin } = new URL(http.url)
    const challenge = challengeOf(await call())
    expect(challenge.resource_metadata).toBe(`${origin}/.well-known/oauth-protected-resource/mcp`)
    for (const url of [challenge.resource_metadata!, `${origin}/.well-known/oauth-protected-resource`]) {
      expect(await (await fetch(url)).json()).toMatchObject({ resource: http.url, authorization_servers: [issuer.url] })
    }
  })

  test('an audience that is a URL is the resource', async () => {
    await start({ resource: undefined as never, audience: ['api://tables', resource] })
    expect(challengeOf(await call()).resource_metadata).toBe(metadataUrl)
    expect((await withToken(await issuer.token('api://tables'))).status).toBe(200)
  })
})

describe('several issuers', () => {
  let second: TrustedIssuer

  beforeAll(async () => {
    second = await TrustedIssuer.start()
  })

  afterAll(() => second[Symbol.asyncDispose]())

  test('with the same subject are different people', async () => {
    await start({ issuer: [issuer.url, { issuer: second.url }] })
    expect((await withToken(await issuer.token(resource))).status).toBe(200)
    expect((await withToken(await second.token(resource))).status).toBe(200)
    expect(seen.map((auth) => auth?.principal)).toEqual([`${issuer.url}#ada`, `${second.url}#ada`])
  })

  test('sign only for themselves', async () => {
    await start({ issuer: [issuer.url, second.url] })
    const forged = await second.token(resource, { claims: { iss: issuer.url }, header: { kid: 'first' } })
    expect((await withToken(forged)).status).toBe(401)
    expect(refused[0]?.reason).toBe('signature')
  })

  test('are named once, and at most one has opaque tokens', () => {
    const verify = (): undefined => undefined
    expect(() => bearer({} as never)).toThrow('issuer: expected an http or https URL')
    expect(() => bearer({ issuer: [] })).toThrow('one or more')
    expect(() => bearer({ issuer: ['https://a.example', 'https://a.example'] })).toThrow('once')
    expect(() => bearer({ issuer: ['https://a.example', 'https://b.example'], verify })).toThrow('only one')
    for (const bad of ['id.example', 'https://a.example?x', 'https://a.example#x', 'ftp://a.example']) {
      expect(() => bearer({ issuer: bad })).toThrow('issuer: expected an http or https URL')
    }
  })
})

describe('introspection', () => {
  const asked = (): Partial<BearerOptions> => ({
    introspection: { endpoint: `${issuer.url}/introspect`, clientId: 'me:1', clientSecret: 's e%c' },
  })

  test('asks the issuer with credentials, and believes the answer for a moment', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] })
    await start(asked())
    issuer.opaque.set('opaque-1', { active: true, sub: 'ada', aud: resource, scope: 'read', exp: now() + 600 })
    await Promise.all([withToken('opaque-1'), withToken('opaque-1')])
    expect((await withToken('opaque-1')).status).toBe(200)
    expect(issuer.introspected).toEqual([{ token: 'opaque-1', authorization: `Basic ${btoa('me%3A1:s+e%25c')}` }])
    expect(seen[0]).toMatchObject({ principal: `${issuer.url}#ada`, scopes: ['read'] })
    issuer.opaque.delete('opaque-1')
    vi.advanceTimersByTime(11_000)
    expect((await withToken('opaque-1')).status).toBe(401)
  })

  test.each([
    ['inactive', { active: false, sub: 'ada', aud: resource }],
    ['inactive', { active: 'true', sub: 'ada', aud: resource }],
    ['audience', { active: true, sub: 'ada', aud: 'https://other.example' }],
    ['audience', { active: true, sub: 'ada' }],
    ['issuer', { active: true, sub: 'ada', aud: resource, iss: 'https://evil.example' }],
    ['expired', { active: true, sub: 'ada', aud: resource, exp: 1 }],
    ['expired', { active: true, sub: 'ada', aud: resource, exp: 'never' }],
  ])('%s: %j is refused', async (reason, answer) => {
    await start(asked())
    issuer.opaque.set('opaque', answer)
    expect((await withToken('opaque')).status).toBe(401)
    expect(refused[0]?.reason).toBe(reason)
  })

  test('a flood of made-up tokens asks no more than a few at once', async () => {
    const introspection = { ...asked().introspection!, maxInFlight: 4 }
    const release = signal()
    const held: typeof fetch = async (...given) => {
      await release.seen
      return fetch(...given)
    }
    await start({ introspection, network: { fetch: held }, failures: false })
    const flood = Array.from({ length: 10 }, (_, i) => withToken(`made-up-${i}`))
    await vi.waitFor(() => expect(refused.map(({ reason }) => reason)).toEqual(new Array(6).fill('unavailable')))
    release.give()
    const statuses = (await Promise.all(flood)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([401, 401, 401, 401, 503, 503, 503, 503, 503, 503])
    expect(issuer.introspected).toHaveLength(4)
  })

  test('an issuer that cannot be asked makes a 503 that is not remembered', async () => {
    await start(asked())
    issuer.opaque.set('opaque', { active: true, sub: 'ada', aud: resource })
    issuer.failsWith = 500
    expect((await withToken('opaque')).status).toBe(503)
    issuer.failsWith = undefined
    expect((await withToken('opaque')).status).toBe(200)
  })
})

describe("a verification of one's own", () => {
  test('says what a token is; what it says is checked', async () => {
    const known = new Map([
      ['k1', { sub: 'ada', scope: 'read' }],
      ['k2', { sub: 'ada', aud: 'https://other.example' }],
    ])
    await start({ verify: (token) => known.get(token) })
    expect((await withToken('k1')).status).toBe(200)
    expect((await withToken('k2')).status).toBe(401)
    expect((await withToken('k3')).status).toBe(401)
  })

  test('that throws lets nobody in', async () => {
    await start({
      verify: () => {
        throw new Error('the secret is xyzzy')
      },
    })
    const response = await withToken('k1')
    expect([response.status, await response.text()]).toEqual([503, expect.not.stringContaining('xyzzy')])
  })
})

describe('failures', () => {
  test('of an address are limited, and requests without a token and other addresses are not', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] })
    await start({ failures: { max: 3, address: (request) => request.header('x-peer') } })
    const good = await issuer.token(resource, { claims: { exp: now() + 3_600 } })
    const from = (peer: string, token?: string): Promise<Response> =>
      call({ 'x-peer': peer, ...(token && { authorization: `Bearer ${token}` }) })
    for (let i = 0; i < 3; i++) expect((await from('203.0.113.1', 'guess')).status).toBe(401)
    const limited = await from('203.0.113.1', good)
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '60'])
    expect((await from('203.0.113.1')).status).toBe(401)
    expect((await from('203.0.113.2', good)).status).toBe(200)
    vi.advanceTimersByTime(61_000)
    expect((await from('203.0.113.1', good)).status).toBe(200)
  })

  test('are not the only thing that is limited: so is reading the metadata, by address', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] })
    await start({ failures: { address: (request) => request.header('x-peer') } })
    const url = `${new URL(http.url).origin}/.well-known/oauth-protected-resource/mcp`
    const read = (peer: string): Promise<Response> => fetch(url, { headers: { 'x-peer': peer } })
    const first = await Promise.all(Array.from({ length: 300 }, () => read('203.0.113.1')))
    expect(new Set(first.map(({ status }) => status))).toEqual(new Set([200]))
    const limited = await read('203.0.113.1')
    expect([limited.status, Number(limited.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect((await read('203.0.113.2')).status).toBe(200)
    vi.advanceTimersByTime(61_000)
    expect((await read('203.0.113.1')).status).toBe(200)
  })

  test('of whoever holds a real token that is too old do not count', async () => {
    await start({ failures: { max: 1, address: () => 'one' } })
    const old = await issuer.token(resource, { claims: { exp: now() - 60 } })
    for (let i = 0; i < 3; i++) expect((await withToken(old)).status).toBe(401)
    expect((await withToken(await issuer.token(resource))).status).toBe(200)
  })
})
