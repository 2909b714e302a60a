import { createLocalJWKSet, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { Desk, server } from './desk.suite.ts'
import { issuer } from './issuer.ts'

const json = async (response: Response): Promise<{ [member: string]: unknown }> => response.json() as never

describe('metadata', () => {
  // [auth.as.metadata-rfc8414] [auth.as.metadata-rfc8414-or-oidc]
  test('is where OAuth and OpenID clients look for it', async () => {
    const { as } = new Desk({ url: 'http://127.0.0.1:4000/tenant' })
    const places = [
      '/.well-known/oauth-authorization-server/tenant',
      '/.well-known/openid-configuration/tenant',
      '/tenant/.well-known/openid-configuration',
    ]
    for (const place of places) {
      const response = await as.fetch(new Request(`http://127.0.0.1:4000${place}`))
      expect(response.status).toBe(200)
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(await json(response)).toMatchObject({
        issuer: 'http://127.0.0.1:4000/tenant',
        token_endpoint: 'http://127.0.0.1:4000/tenant/token',
      })
    }
    const elsewhere = new Request('http://127.0.0.1:4000/.well-known/oauth-authorization-server')
    expect((await as.fetch(elsewhere)).status).toBe(404)
  })

  // [auth.as.metadata-code-challenge-oidc] [auth.cimd.as-advertises] [auth.iss.as-advertises]
  // [xauth.cc.as-auth-methods] [xauth.cc.as-signing-algs] [xauth.dpop.as-alg-metadata] [xauth.dpop.as-no-none]
  test('says what is supported', async () => {
    const desk = new Desk({ scopes: ['read'] })
    const metadata = await json(await desk.send('/.well-known/openid-configuration'))
    expect(metadata).toMatchObject({
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
      scopes_supported: ['read', 'offline_access'],
    })
    expect(metadata.token_endpoint_auth_methods_supported).toEqual(
      expect.arrayContaining(['none', 'client_secret_basic', 'private_key_jwt']),
    )
    for (const list of ['token_endpoint_auth_signing_alg_values_supported', 'dpop_signing_alg_values_supported']) {
      expect(metadata[list]).toContain('ES256')
      expect(metadata[list]).not.toContain('none')
      expect(metadata[list]).not.toContain('HS256')
    }
  })

  test('leaves out what is turned off', async () => {
    const desk = new Desk({ registration: false, clientDocuments: false })
    const metadata = await json(await desk.send('/.well-known/oauth-authorization-server'))
    expect(metadata).not.toHaveProperty('registration_endpoint')
    expect(metadata.client_id_metadata_document_supported).toBe(false)
    expect((await desk.registration()).error).toBe('access_denied')
  })
})

describe('requests', () => {
  test('for another host are not answered: a name that was rebound reads no page', async () => {
    const { as } = new Desk()
    expect((await as.fetch(new Request('http://evil.example:4000/jwks'))).status).toBe(421)
    expect((await as.fetch(new Request('http://127.0.0.1:4001/jwks'))).status).toBe(421)
    expect((await new Desk({ allowedHosts: ['inner'] }).as.fetch(new Request('http://inner/jwks'))).status).toBe(200)
  })

  test('by other methods are refused, and pages have no preflight', async () => {
    const desk = new Desk()
    const wrong = await desk.send('/token')
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST'])
    expect((await desk.send('/token', { method: 'OPTIONS' })).status).toBe(204)
    expect((await desk.send('/authorize', { method: 'OPTIONS' })).status).toBe(405)
  })

  test('with bodies that are too large, of the wrong type, or no JSON are refused', async () => {
    const desk = new Desk()
    const register = (body: string, type = 'application/json'): Promise<Response> =>
      desk.send('/register', { method: 'POST', body, headers: { 'content-type': type } })
    expect((await register('x'.repeat(70_000))).status).toBe(413)
    expect((await register('{}', 'text/plain')).status).toBe(415)
    expect((await register('{')).status).toBe(400)
    expect((await register('['.repeat(50) + ']'.repeat(50))).status).toBe(400)
    expect((await register('[]')).status).toBe(400)
  })

  test('that come too often are answered with 429, by address and by client', async () => {
    const desk = new Desk({ rateLimits: { perAddress: 3, perClient: 100, registrations: 1 } })
    await desk.register()
    const second = await desk.send('/register', { method: 'POST', body: '{}' })
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '60'])
    for (let i = 0; i < 3; i++) expect((await desk.send('/jwks')).status).toBe(200)
    expect((await desk.send('/jwks')).status).toBe(429)
    const other = await desk.as.fetch(new Request(`${desk.as.url}/jwks`), { address: '203.0.113.8' })
    expect(other.status).toBe(200)
    desk.time += 60_001
    expect((await desk.send('/jwks')).status).toBe(200)
    expect(desk.events.filter(({ type }) => type === 'limited')).toHaveLength(2)
  })

  test('of one client are limited from however many addresses they come', async () => {
    const secret = 'a secret of a client'
    const desk = new Desk({ rateLimits: { perClient: 2 }, clients: [{ id: 'program', secret }] })
    const ask = (address: string): Promise<Response> =>
      desk.as.fetch(
        new Request(`${desk.as.url}/token`, {
          method: 'POST',
          body: new URLSearchParams({
            grant_type: 'client_credentials',
            client_id: 'program',
            client_secret: 'a guess',
          }),
        }),
        { address },
      )
    expect((await ask('203.0.113.1')).status).toBe(401)
    expect((await ask('203.0.113.2')).status).toBe(401)
    expect((await ask('203.0.113.3')).status).toBe(429)
  })

  test('are answered whatever a platform passes along', async () => {
    const { as } = new Desk()
    const bun = { address: { port: 4_000 } } as unknown as { address: string }
    expect((await as.fetch(new Request(`${as.url}/jwks`), bun)).status).toBe(200)
  })

  test('that fail inside hear nothing of why', async () => {
    const desk = new Desk({ file: '/proc/none/of/this' })
    const response = await desk.send('/jwks')
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('/proc')
    expect(desk.errors).toHaveLength(1)
  })
})

describe('keys', () => {
  test('are published without their private half, and the last two stay good', async () => {
    const desk = new Desk()
    const { access } = await desk.tokens()
    await desk.as.rotateKey()
    const { keys } = (await json(await desk.send('/jwks'))) as { keys: { [member: string]: unknown }[] }
    expect(keys).toHaveLength(2)
    for (const key of keys) expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
    const { payload, protectedHeader } = await jwtVerify(access, createLocalJWKSet({ keys } as never), {
      issuer: desk.as.url,
      audience: server,
      currentDate: new Date(desk.time),
    })
    expect(protectedHeader.typ).toBe('at+jwt')
    expect(payload).toMatchObject({ sub: 'developer', scope: 'read write' })
  })
})

describe('options', () => {
  const wrong: [string, object, string][] = [
    ['plain http beyond this machine', { url: 'http://id.example' }, 'url'],
    ['a URL with a query', { url: 'https://id.example/?a' }, 'url'],
    ['no URL', { url: 'id' }, 'url'],
    ['the user list on the internet', { url: 'https://id.example', users: [{ subject: 'ada' }] }, 'signIn'],
    [
      'two ways to sign in',
      { url: 'http://127.0.0.1:1', users: [{ subject: 'a' }], signIn: () => undefined },
      'expected one',
    ],
    ['a scope that is none', { url: 'http://127.0.0.1:1', scopes: ['a b'] }, 'scopes'],
    [
      'a user without a subject',
      { url: 'http://127.0.0.1:1', users: ['ada'] },
      'users: expected { subject }, got "ada"',
    ],
    ['users by name', { url: 'http://127.0.0.1:1', users: { ada: {} } }, 'users: expected an array'],
    ['a slip', { url: 'http://127.0.0.1:1', user: [] }, 'unknown option user; did you mean users?'],
    ['an option of something else', { url: 'http://127.0.0.1:1', banana: 1 }, 'unknown option banana; there are url,'],
    ['nobody to sign in', { url: 'http://127.0.0.1:1', users: [] }, 'users'],
    ['a client twice', { url: 'http://127.0.0.1:1', clients: [{ id: 'a' }, { id: 'a' }] }, 'clients'],
    [
      'a redirect into a script',
      { url: 'http://127.0.0.1:1', clients: [{ id: 'a', redirectUris: ['javascript:1'] }] },
      'clients',
    ],
    ['a short secret', { url: 'http://127.0.0.1:1', clients: [{ id: 'a', secret: 'short' }] }, 'secret'],
    ['a private key', { url: 'http://127.0.0.1:1', clients: [{ id: 'a', keys: [{ kty: 'EC', d: 'x' }] }] }, 'keys'],
    ['a resource that is none', { url: 'http://127.0.0.1:1', resources: ['here'] }, 'resources'],
    [
      'an issuer to trust without TLS',
      { url: 'http://127.0.0.1:1', trusts: [{ issuer: 'http://idp.example' }] },
      'issuer',
    ],
  ]
  // [auth.sec.https-endpoints] [sec.authurl.as-https] [xauth.wif.as-issuer-https]
  test.each(wrong)('%s is refused at once', (_, options, named) => {
    expect(() => issuer(options as never)).toThrow(
      expect.objectContaining({ code: 'invalid_definition', message: expect.stringContaining(named) }),
    )
  })
})
