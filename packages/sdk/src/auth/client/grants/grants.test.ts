/** Tokens without a browser, and tokens that are bound to a key. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import {
  calculateJwkThumbprint,
  decodeProtectedHeader,
  exportPKCS8,
  generateKeyPair,
  importJWK,
  type JWK,
  jwtVerify,
} from 'jose'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connect } from '../../../client/connect.ts'
import { callResult, discoverResult } from '../../../http-client/scripted-http.suite.ts'
import { forgetServers } from '../../../http-client/verdicts.ts'
import type { JsonObject } from '../../../jsonrpc/message.ts'
import { oauth } from '../oauth.ts'
import { authorizationCode } from './authorization-code.ts'
import { enterpriseManaged } from './enterprise-managed.ts'
import type { Grant } from './grant.ts'
import { clientCredentials, workloadIdentity } from './program-grants.ts'

interface Answer {
  status?: number
  headers?: { [name: string]: string }
  body?: unknown
}

interface Seen {
  path: string
  headers: IncomingMessage['headers']
  form: { [name: string]: string }
  message: JsonObject
}

/** A server, its authorization server and an identity provider at one address, which record their requests. */
let server: Server
let origin: string
let seen: Seen[]
let answer: (request: Seen) => Answer
/** Members over the metadata of the authorization server. */
let issuerMembers: JsonObject

beforeEach(async () => {
  forgetServers()
  seen = []
  issuerMembers = {}
  server = createServer(async (request, reply) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const isJson = request.headers['content-type'] === 'application/json'
    const one: Seen = {
      path: request.url!,
      headers: request.headers,
      form: isJson ? {} : Object.fromEntries(new URLSearchParams(text)),
      message: isJson ? JSON.parse(text) : {},
    }
    seen.push(one)
    const { status = 200, headers = {}, body } = wellKnown(one.path) ?? answer(one)
    reply.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

function wellKnown(path: string): Answer | undefined {
  if (path.includes('oauth-protected-resource')) {
    return { body: { resource: `${origin}/mcp`, authorization_servers: [origin], scopes_supported: ['read'] } }
  }
  if (!path.includes('oauth-authorization-server')) return undefined
  const endpoints = { authorization_endpoint: `${origin}/authorize`, token_endpoint: `${origin}/token` }
  return { body: { issuer: origin, ...endpoints, code_challenge_methods_supported: ['S256'], ...issuerMembers } }
}

const answerMcp = ({ message }: Seen) => ({
  body: { jsonrpc: '2.0', id: message.id, result: message.method === 'server/discover' ? discoverResult : callResult },
})

/** Takes `Bearer good`, and asks for it otherwise. */
const plainServer = (request: Seen) =>
  request.headers.authorization === 'Bearer good'
    ? answerMcp(request)
    : { status: 401, headers: { 'WWW-Authenticate': 'Bearer' } }

const token = { body: { access_token: 'good', token_type: 'Bearer', expires_in: 60 } }
const formsAt = (path: string): Seen[] => seen.filter((request) => request.path === path)

describe('programs', () => {
  test('prove who they are with a signed assertion for the issuer [xauth.cc.jwt-claims] [xauth.cc.grant-type] [xauth.cc.auth-method]', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
    answer = (request) => (request.path === '/token' ? token : plainServer(request))
    const client = { id: 'nightly', privateKey: await exportPKCS8(privateKey) }
    await using connection = await connect(`${origin}/mcp`, { auth: oauth({ grant: clientCredentials(), client }) })
    expect(connection.server.revision).toBe('2026-07-28')
    const [{ form }] = formsAt('/token') as [Seen]
    expect(form).toMatchObject({ grant_type: 'client_credentials', resource: `${origin}/mcp`, scope: 'read' })
    expect(form.client_id).toBeUndefined()
    const { payload } = await jwtVerify(form.client_assertion!, publicKey)
    expect(payload).toMatchObject({ iss: 'nightly', sub: 'nightly', aud: origin })
  })

  test('declare the extension [xauth.cc.client-declares]', async () => {
    answer = (request) => (request.path === '/token' ? token : plainServer(request))
    const auth = oauth({ grant: clientCredentials(), client: { id: 'nightly', secret: 's' } })
    await using _client = await connect(`${origin}/mcp`, { auth })
    expect(JSON.stringify(seen.at(-1)!.message)).toContain('io.modelcontextprotocol/oauth-client-credentials')
  })

  test('a key that cannot be read is not quoted', async () => {
    answer = plainServer
    const client = { id: 'nightly', privateKey: '-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----' }
    const connecting = connect(`${origin}/mcp`, { auth: oauth({ grant: clientCredentials(), client }) })
    const error = (await connecting.catch((thrown: unknown) => thrown)) as Error
    expect(error).toMatchObject({ code: 'unauthorized', cause: { code: 'invalid_argument' } })
    expect(error.stack).not.toContain('c2VjcmV0')
  })

  test('basic credentials reach servers that decode them, and those that do not', async () => {
    answer = (request) => (request.path === '/token' ? token : plainServer(request))
    const client = { id: 'my-client_1.a', secret: 'a+b/c=' }
    await using _client = await connect(`${origin}/mcp`, { auth: oauth({ grant: clientCredentials(), client }) })
    const [, encoded] = formsAt('/token')[0]!.headers.authorization!.split(' ')
    const [id, secret] = atob(encoded!).split(':')
    expect(id).toBe('my-client_1.a')
    expect(decodeURIComponent(secret!)).toBe('a+b/c=')
  })

  // [xauth.wif.grant-type] [xauth.wif.assertion] [xauth.wif.client-surfaces-errors]
  test('a workload shows the token of its platform once, refused or not [xauth.wif.no-retry]', async () => {
    answer = (request) =>
      request.path === '/token' ? { status: 400, body: { error: 'invalid_grant' } } : plainServer(request)
    const auth = oauth({ grant: workloadIdentity({ assertion: ({ issuer }) => `jwt-for-${issuer}` }) })
    await expect(connect(`${origin}/mcp`, { auth })).rejects.toMatchObject({ failure: 'token', error: 'invalid_grant' })
    expect(formsAt('/token').map(({ form }) => form)).toEqual([
      {
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion: `jwt-for-${origin}`,
        resource: `${origin}/mcp`,
        scope: 'read',
      },
    ])
  })

  // [xauth.ema.exchange-audience] [xauth.ema.exchange-resource] [xauth.ema.exchange-resource-value] [xauth.ema.token-request]
  // [xauth.ema.token-request-auth] [xauth.ema.client-declares] [xauth.ema.not-in-url] [xauth.ema.exchange-client-auth]
  test('the identity provider of an enterprise grants, and the user is sent nowhere [xauth.ema.exchange] [xauth.ema.no-redirect]', async () => {
    const idJag = 'urn:ietf:params:oauth:token-type:id-jag'
    answer = (request) => {
      if (request.path === '/idp/token') {
        return { body: { access_token: 'the-grant', issued_token_type: idJag, token_type: 'N_A' } }
      }
      return request.path === '/token' ? token : plainServer(request)
    }
    const idp = {
      issuer: `${origin}/idp`,
      tokenEndpoint: `${origin}/idp/token`,
      clientId: 'app-at-idp',
      clientSecret: 'idp-s',
    }
    const auth = oauth({
      grant: enterpriseManaged({ idp, assertion: () => 'id-token' }),
      client: { id: 'app', secret: 's' },
    })
    await using _client = await connect(`${origin}/mcp`, { auth })
    expect(formsAt('/idp/token')[0]!.form).toMatchObject({
      requested_token_type: idJag,
      audience: origin,
      resource: `${origin}/mcp`,
      subject_token: 'id-token',
    })
    const basic = (id: string, secret: string): string => `Basic ${btoa(`${id}:${secret}`)}`
    expect(formsAt('/idp/token')[0]!.headers.authorization).toBe(basic('app-at-idp', 'idp-s'))
    const [{ form, headers }] = formsAt('/token') as [Seen]
    expect(form).toMatchObject({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: 'the-grant',
      resource: `${origin}/mcp`,
    })
    expect(headers.authorization).toBe(basic('app', 's'))
    expect(JSON.stringify(seen.at(-1)!.message)).toContain('io.modelcontextprotocol/enterprise-managed-authorization')
    expect(seen.map(({ path }) => path).join()).not.toMatch(/the-grant|id-token|good/)
    expect(seen.some(({ path }) => path.startsWith('/authorize'))).toBe(false)
  })
})

describe('what a program shows', () => {
  const refusing = (grant: Grant, client?: { id: string; secret: string }): Promise<Error> => {
    answer = plainServer
    const auth = oauth({ grant, ...(client && { client }) })
    return connect(`${origin}/mcp`, { auth }).then(
      () => Promise.reject(new Error('connected')),
      (error: Error) => error,
    )
  }

  test('goes nowhere by plain http, except on this machine [xauth.ema.tls] [xauth.wif.secure-channel]', async () => {
    const idp = { issuer: 'http://idp.example', tokenEndpoint: 'http://idp.example/token', clientId: 'app' }
    const managed = enterpriseManaged({ idp, assertion: () => 'id-token' })
    expect((await refusing(managed, { id: 'app', secret: 's' })).message).toContain('plain http')
    issuerMembers = { token_endpoint: 'http://id.example/token' }
    expect((await refusing(workloadIdentity({ assertion: () => 'jwt' }))).message).toContain('plain http')
  })

  test('is in no error, whatever the other side answers [xauth.ema.no-logging]', async () => {
    const idp = { issuer: `${origin}/idp`, tokenEndpoint: `${origin}/idp/token`, clientId: 'app' }
    const managed = enterpriseManaged({ idp, assertion: () => 'secret-id-token' })
    const idJag = 'urn:ietf:params:oauth:token-type:id-jag'
    for (const bad of [
      { status: 400, body: { error: 'invalid_grant' } },
      { status: 500, body: 'x' },
      { body: { access_token: 1 } },
    ]) {
      for (const at of ['/idp/token', '/token']) {
        answer = ({ path }) => {
          if (path === at) return bad
          if (path === '/idp/token') {
            return { body: { access_token: 'secret-id-jag', issued_token_type: idJag, token_type: 'N_A' } }
          }
          return { status: 401, headers: { 'WWW-Authenticate': 'Bearer' } }
        }
        const auth = oauth({ grant: managed, client: { id: 'app', secret: 'secret-s' } })
        const error = (await connect(`${origin}/mcp`, { auth }).catch((thrown: unknown) => thrown)) as Error
        expect(error).toMatchObject({ code: 'unauthorized' })
        expect(inspect(error, { depth: 20, showHidden: true })).not.toMatch(/secret-/)
      }
    }
  })

  test('has to be known before: a program does not register itself [xauth.cc.preregistered]', async () => {
    issuerMembers = { registration_endpoint: `${origin}/register` }
    const error = await refusing(clientCredentials())
    expect(error).toMatchObject({ failure: 'registration', message: expect.stringContaining('give `client`') })
    expect(formsAt('/register')).toEqual([])
  })

  test('is shown again for a new token before the old one expires [xauth.cc.refresh]', async () => {
    let given = 0
    answer = (request) => {
      if (request.path !== '/token') {
        return request.headers.authorization === `Bearer good-${given}` ? answerMcp(request) : plainServer(request)
      }
      given += 1
      return { body: { access_token: `good-${given}`, token_type: 'Bearer', expires_in: 1 } }
    }
    const auth = oauth({ grant: clientCredentials(), client: { id: 'nightly', secret: 's' } })
    await using client = await connect(`${origin}/mcp`, { auth })
    const refusals = (): number =>
      seen.filter(({ path, headers }) => path === '/mcp' && headers.authorization === undefined).length
    await expect.poll(() => client.callTool('a').then(() => given), { timeout: 100_000 }).toBeGreaterThan(1)
    // The server asked once, at the beginning.
    expect(refusals()).toBe(1)
  })
})

describe('DPoP', () => {
  const redirect = () => ({
    uri: 'http://127.0.0.1:4999/callback',
    visit: async (page: URL) =>
      new URL(`http://127.0.0.1:4999/callback?code=c&state=${page.searchParams.get('state')}`),
    close: () => {},
  })
  const options = { grant: authorizationCode({ redirect }), client: { id: 'app' } }

  const boundServer = (request: Seen) =>
    request.headers.authorization === 'DPoP good'
      ? answerMcp(request)
      : { status: 401, headers: { 'WWW-Authenticate': 'DPoP algs="ES256"' } }
  const boundToken = { body: { access_token: 'good', token_type: 'DPoP', expires_in: 60 } }

  const proofOf = async ({ headers }: Seen): Promise<{ key: string; claims: JsonObject }> => {
    const proof = String(headers.dpop)
    const { jwk } = decodeProtectedHeader(proof) as { jwk: JWK }
    expect(jwk).not.toHaveProperty('d')
    const { payload } = await jwtVerify(proof, await importJWK(jwk, 'ES256'))
    return { key: await calculateJwkThumbprint(jwk), claims: payload as JsonObject }
  }

  // [xauth.dpop.scheme]
  test('every request has a proof of its own, by one key [xauth.dpop.fresh-proof] [xauth.dpop.token-request-proof]', async () => {
    answer = (request) => (request.path === '/token' ? boundToken : boundServer(request))
    await using client = await connect(`${origin}/mcp`, { auth: oauth(options) })
    await client.callTool('a')
    const proven = seen.filter(({ headers }) => headers.dpop !== undefined)
    expect(proven.map(({ path }) => path)).toEqual(['/token', '/mcp', '/mcp'])
    const proofs = await Promise.all(proven.map(proofOf))
    expect(new Set(proofs.map(({ key }) => key)).size).toBe(1)
    expect(new Set(proofs.map(({ claims }) => claims.jti)).size).toBe(3)
    expect(proofs[1]!.claims).toMatchObject({ htm: 'POST', htu: `${origin}/mcp`, ath: expect.any(String) })
  })

  test('a nonce is put into the next proof, and the request sent again once [xauth.dpop.rs-nonce]', async () => {
    const wantsNonce = { 'WWW-Authenticate': 'DPoP error="use_dpop_nonce"', 'DPoP-Nonce': 'n-1' }
    answer = (request) => {
      if (request.path === '/token') return boundToken
      if (request.headers.authorization === 'DPoP good') return { status: 401, headers: wantsNonce }
      return boundServer(request)
    }
    await expect(connect(`${origin}/mcp`, { auth: oauth(options) })).rejects.toMatchObject({ status: 401 })
    const proven = seen.filter(({ path, headers }) => path === '/mcp' && headers.dpop !== undefined)
    const nonces = (await Promise.all(proven.map(proofOf))).map(({ claims }) => claims.nonce)
    expect(nonces).toEqual([undefined, 'n-1'])
    expect(formsAt('/token')).toHaveLength(1)
  })

  test('a nonce that the authorization server wants is put into the next proof as well [xauth.dpop.as-nonce]', async () => {
    answer = (request) => {
      if (request.path !== '/token') return boundServer(request)
      if (formsAt('/token').length > 1) return boundToken
      return { status: 400, headers: { 'DPoP-Nonce': 'n-2' }, body: { error: 'use_dpop_nonce' } }
    }
    await using _client = await connect(`${origin}/mcp`, { auth: oauth(options) })
    const nonces = (await Promise.all(formsAt('/token').map(proofOf))).map(({ claims }) => claims.nonce)
    expect(nonces).toEqual([undefined, 'n-2'])
  })

  test('a token that is not bound is refused where that was asked for', async () => {
    answer = (request) => (request.path === '/token' ? token : plainServer(request))
    const auth = oauth({ ...options, dpop: 'always' })
    await expect(connect(`${origin}/mcp`, { auth })).rejects.toMatchObject({ failure: 'token' })
  })
})
