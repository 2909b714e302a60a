/** A client that is asked for a token, against a real authorization server. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Client } from '../../client/client.ts'
import { connect } from '../../client/connect.ts'
import { forgetServers } from '../../http-client/verdicts.ts'
import { type Revision, revisions } from '../../model/revision.ts'
import { isOAuthError } from '../oauth-error.ts'
import { authorizationCode } from './grants/authorization-code.ts'
import { deviceCode } from './grants/device-code.ts'
import { oauth } from './oauth.ts'
import type { OAuthOptions } from './options.ts'
import { World } from './protected-world.suite.ts'
import { memoryStore, type TokenRecord } from './stores/store.ts'

let world: World
beforeEach(async () => {
  forgetServers()
  world = await World.start()
})
afterEach(() => world[Symbol.asyncDispose]())

const open = (options: OAuthOptions = {}, allowed: readonly Revision[] = revisions): Promise<Client> =>
  connect(world.url, { revisions: allowed, auth: oauth({ grant: world.grant, ...options }) })
const withAuth = revisions.filter((one) => one >= '2025-03-26')

const failure = async (work: Promise<unknown>): Promise<Error & { failure?: string; trace?: { url: string }[] }> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(Error)
  return error as Error
}

/** Everything that could end in a log. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return [error.stack, JSON.stringify(error), JSON.stringify({ ...error }), textOf(error.cause ?? '')].join('\n')
}

describe('authorization code', () => {
  // [auth.sec.pkce] [auth.sec.pkce-s256] [auth.resource.identifies-server] [auth.reg.application-type] [auth.token.bearer-header]
  // [auth.refresh.grant-type-metadata] [auth.scope.then-supported] [auth.prm.parse-www-authenticate]
  test.each(withAuth)(
    '%s: a challenge leads to a token for exactly this resource [auth.prm.client-uses] [auth.resource.both-requests]',
    async (revision) => {
      await using client = await open({}, [revision])
      expect((await client.callTool('read')).text).toBe('read')
      const [page] = world.authorizations
      expect(Object.fromEntries(page!)).toMatchObject({
        response_type: 'code',
        code_challenge_method: 'S256',
        resource: world.url,
        scope: 'read',
      })
      // The authorization server compares the verifier with the challenge.
      expect(world.requests('authorization_code')).toMatchObject([{ resource: world.url }])
      expect(world.registrations).toMatchObject([
        { application_type: 'native', grant_types: ['authorization_code', 'refresh_token'] },
      ])
      expect(world.tokenRequests).toHaveLength(1)
    },
  )

  test('requests in parallel wait for one authorization', async () => {
    const auth = oauth({ grant: world.grant })
    const clients = await Promise.all([1, 2, 3].map(() => connect(world.url, { auth })))
    expect(world.authorizations).toHaveLength(1)
    await Promise.all(clients.map((client) => client.close()))
  })

  test('the state of the answer has to be the one that was sent [auth.sec.state]', async () => {
    const redirect: typeof world.redirect = async (preferred) => {
      const receiver = await world.redirect(preferred)
      const visit: typeof receiver.visit = async (page, signal) => {
        const back = await receiver.visit(page, signal)
        back.searchParams.set('state', 'of-somebody-else')
        return back
      }
      return { ...receiver, visit }
    }
    const error = await failure(open({ grant: authorizationCode({ redirect }) }))
    expect(error).toMatchObject({ code: 'unauthorized', failure: 'authorization' })
    expect(world.tokenRequests).toEqual([])
  })

  // [auth.iss.advertised-present] [auth.iss.validate-before-token] [auth.iss.record]
  test('an answer of another issuer is not believed, not even its error [auth.iss.error-responses]', async () => {
    world.iss = 'https://evil.example'
    world.authorizationError = { error: 'access_denied', error_description: 'call 555-1234' }
    const error = await failure(open())
    expect(error.message).toContain('iss')
    expect(error.message).not.toContain('555-1234')
    expect(world.tokenRequests).toEqual([])
  })

  test('what the user refuses is reported as such', async () => {
    world.authorizationError = { error: 'access_denied', error_description: 'No thanks' }
    const error = await failure(open())
    expect(error).toMatchObject({ failure: 'authorization', error: 'access_denied' })
    expect(error.message).toContain('No thanks')
  })

  test.each(withAuth)(
    '%s: a server that does not support PKCE is not used [auth.sec.pkce-absent-refuse] [auth.sec.pkce-verify-support]',
    async (revision) => {
      world.metadata = { code_challenge_methods_supported: undefined }
      expect(await failure(open({}, [revision]))).toMatchObject({ failure: 'discovery' })
      expect(world.authorizations).toEqual([])
      await using client = await open({ deviations: { unadvertisedPkce: true } }, [revision])
      expect(client.server.info?.name).toBe('protected')
    },
  )

  test.each(revisions)(
    '%s: a page that is no web page is never opened [sec.authurl.reject-dangerous-schemes]',
    async (revision) => {
      world.metadata = { authorization_endpoint: 'file:///etc/passwd' }
      expect(await failure(open({}, [revision]))).toMatchObject({ failure: 'discovery' })
    },
  )

  test('offline_access is asked for only where it is offered [auth.refresh.offline-access]', async () => {
    world.issuerScopes = ['read', 'offline_access']
    await using client = await open()
    await client.callTool('read')
    expect(world.authorizations[0]!.get('scope')).toBe('read offline_access')
  })

  test('a user who takes longer than the probe may is waited for', async () => {
    const redirect: typeof world.redirect = async (preferred) => {
      const receiver = await world.redirect(preferred)
      const slowly: typeof receiver.visit = async (page, signal) => {
        await new Promise((resolve) => setTimeout(resolve, 4_000))
        return receiver.visit(page, signal)
      }
      return { ...receiver, visit: slowly }
    }
    const auth = oauth({ grant: authorizationCode({ redirect }) })
    await using client = await connect(world.url, { auth, probeTimeoutMs: 2_500, timeoutMs: 2_500 })
    expect(client.server.revision).toBe('2026-07-28')
  })

  test('who gives up ends the authorization', async () => {
    const stop = new AbortController()
    let ended = false
    const redirect: typeof world.redirect = () => ({
      uri: 'http://127.0.0.1:4999/callback',
      visit: (_page, signal) => {
        stop.abort()
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('ended'))))
      },
      close: () => {
        ended = true
      },
    })
    const auth = oauth({ grant: authorizationCode({ redirect }) })
    await expect(connect(world.url, { auth, signal: stop.signal })).rejects.toMatchObject({ code: 'cancelled' })
    await expect.poll(() => ended).toBe(true)
  })
})

test('an authorization that is being ended is not joined', async () => {
  const stop = new AbortController()
  let visits = 0
  let end: (value?: unknown) => void = () => {}
  const ended = new Promise((resolve) => {
    end = resolve
  })
  const redirect: typeof world.redirect = async (preferred) => {
    const receiver = await world.redirect(preferred)
    const visit: typeof receiver.visit = async (page, signal) => {
      visits += 1
      if (visits > 1) return receiver.visit(page, signal)
      stop.abort()
      // The first takes its time to notice.
      await ended
      throw new Error('ended')
    }
    return { ...receiver, visit }
  }
  const auth = oauth({ grant: authorizationCode({ redirect }) })
  await expect(connect(world.url, { auth, signal: stop.signal })).rejects.toMatchObject({ code: 'cancelled' })
  await using client = await connect(world.url, { auth })
  expect((await client.callTool('read')).text).toBe('read')
  end()
})

describe('clients', () => {
  test('a client that is no longer known registers again (invalid_client)', async () => {
    await using client = await open()
    world.expireAll()
    world.forgetClients()
    expect((await client.callTool('read')).text).toBe('read')
    expect(world.registrations).toHaveLength(2)
    expect(world.authorizations).toHaveLength(2)
  })

  test('a registration that the authorization server has lost is replaced during authorization', async () => {
    const auth = oauth({ grant: world.grant })
    await (await connect(world.url, { auth })).close()
    await auth.forget(world.url)
    world.forgetClients()
    await (await connect(world.url, { auth })).close()
    expect(world.registrations).toHaveLength(2)
    expect(world.authorizations).toHaveLength(3)
  })

  // [auth.asbind.separate-state] [auth.asbind.key-by-issuer]
  test('a registration is kept by issuer, and used again', async () => {
    const store = memoryStore()
    await (await open({ store })).close()
    world.forgetRefreshTokens()
    world.expireAll()
    await (await open({ store })).close()
    expect(world.registrations).toHaveLength(1)
    expect(world.authorizations).toHaveLength(2)
  })

  test('credentials go to no authorization server but their own [auth.asbind.prereg-mismatch-error]', async () => {
    const client = { id: 'known', secret: 'secret-of-known', issuer: 'https://issuer.example' }
    const error = await failure(open({ client }))
    expect(error).toMatchObject({ failure: 'registration' })
    expect(world.tokenRequests).toEqual([])
    expect(textOf(error)).not.toContain('secret-of-known')
  })

  test('credentials without an issuer belong to the first that took them', async () => {
    world.clients.add('known')
    const auth = oauth({ grant: world.grant, client: { id: 'known' } })
    await using client = await connect(world.url, { auth })
    await using other = await World.start()
    world.resourceMetadata = { authorization_servers: [other.issuer] }
    world.expireAll()
    expect(await failure(client.callTool('read'))).toMatchObject({ failure: 'registration' })
    expect(other.tokenRequests).toEqual([])
    expect(other.authorizations).toEqual([])
  })

  test('a token endpoint that cannot be reached is a failure of authorization, with the way there', async () => {
    world.metadata = { token_endpoint: 'http://127.0.0.1:1/token' }
    const error = await failure(open())
    expect(error).toMatchObject({ code: 'unauthorized', failure: 'token' })
    expect(error.trace).toHaveLength(2)
    // Nothing is concluded about the revision from it: the server is not asked for another one.
    expect(world.paths.filter((path) => path === '/mcp')).toHaveLength(1)
  })

  test('without a client id and a way to get one the error says what to give', async () => {
    world.metadata = { registration_endpoint: undefined }
    const error = await failure(open())
    expect(error).toMatchObject({ failure: 'registration' })
    expect(error.message).toMatch(/give `client`/)
    // Every error has the trace of requests.
    expect(error.trace!.map(({ url }) => url)).toEqual([
      `${world.origin}/.well-known/oauth-protected-resource/mcp`,
      `${world.issuer}/.well-known/oauth-authorization-server`,
    ])
    expect(error.message).toContain(`${world.issuer}/.well-known/oauth-authorization-server (HTTP 200)`)
  })
})

describe('discovery', () => {
  test('metadata about another resource is refused [auth.prm.resource-must-match]', async () => {
    world.resourceMetadata = { resource: 'https://bank.example/mcp' }
    expect(await failure(open())).toMatchObject({ failure: 'discovery' })
    expect(world.paths).not.toContain('/.well-known/oauth-authorization-server')
  })

  test('another issuer is refused, or used with a warning if that was asked for [auth.asmeta.reject-wrong-issuer]', async () => {
    world.metadata = { issuer: 'https://other.example' }
    const error = await failure(open())
    expect(error).toMatchObject({ failure: 'discovery' })
    expect(error.message).toContain('deviations.issuerMismatch')
    const warnings: string[] = []
    world.iss = 'https://other.example'
    const onWarning = (message: string): void => void warnings.push(message)
    await using client = await open({ deviations: { issuerMismatch: 'warn' }, onWarning })
    expect(client.server.info?.name).toBe('protected')
    expect(warnings).toHaveLength(1)
  })

  test('metadata with members of the wrong type is not used, and the trace says why', async () => {
    world.metadata = { scopes_supported: 5 }
    const error = await failure(open())
    expect(error).toMatchObject({ failure: 'discovery' })
    expect(error.message).toContain('scopes_supported: expected an array of strings')
  })

  test('a server that wants other credentials is left alone', async () => {
    const fake: typeof fetch = async () =>
      new Response('', { status: 401, headers: { 'WWW-Authenticate': 'Basic realm="x"' } })
    const error = await failure(connect(world.url, { auth: oauth({ grant: world.grant }), fetch: fake }))
    expect(error).toMatchObject({ status: 401, challenge: 'Basic realm="x"' })
    expect(world.paths).toEqual([])
  })

  test('resource is left out where that was asked for', async () => {
    await using client = await open({ deviations: { omitResource: true } })
    await client.callTool('read')
    expect(world.authorizations[0]!.has('resource')).toBe(false)
    expect(world.tokenRequests[0]).not.toHaveProperty('resource')
  })

  test('a server of 2025-03-26 is its own authorization server [auth.mar25.base-url]', async () => {
    world.hasHandshake = true
    world.namesMetadata = false
    world.iss = world.origin
    await using client = await open({}, ['2025-03-26'])
    await client.callTool('read')
    expect(world.authorizations[0]!.has('resource')).toBe(false)
    const wellKnown = world.paths.filter((path) => path.includes('.well-known'))
    expect(new Set(wellKnown)).toEqual(
      new Set([
        '/.well-known/oauth-protected-resource/mcp',
        '/.well-known/oauth-protected-resource',
        '/.well-known/oauth-authorization-server',
      ]),
    )
  })

  test('tokens are not sent over plain http to another machine [sec.ssrf.https-only]', async () => {
    const seen: string[] = []
    const fake: typeof fetch = async (input) => {
      seen.push(String(input))
      return new Response('', { status: 401, headers: { 'WWW-Authenticate': 'Bearer' } })
    }
    const auth = oauth({ grant: world.grant, network: { fetch: fake } })
    const error = await failure(connect('http://mcp.example/mcp', { auth, fetch: fake }))
    expect(error.message).toContain('gets no token: plain http')
    expect(new Set(seen)).toEqual(new Set(['http://mcp.example/mcp']))
  })
})

describe('renewal', () => {
  const tokensIn = async (store: ReturnType<typeof memoryStore>): Promise<TokenRecord> =>
    JSON.parse((await store.get(`tokens ${world.issuer} ${world.url}`))!)

  test('50 calls with an expired token make one token request', async () => {
    world.expiresInS = 1
    await using client = await open()
    world.expiresInS = 3_600
    await expect.poll(() => client.callTool('read').then(() => world.requests('refresh_token').length)).toBe(1)
    world.expireAll()
    await Promise.all(Array.from({ length: 50 }, () => client.callTool('read')))
    expect(world.requests('refresh_token')).toHaveLength(2)
    expect(world.requests('refresh_token')[1]).toMatchObject({ resource: world.url })
    expect(world.authorizations).toHaveLength(1)
  })

  test('invalid_grant for an old token leaves a newer one in place', async () => {
    const store = memoryStore()
    await using client = await open({ store })
    const old = await tokensIn(store)
    // Another process used the refresh token, and was given new ones, while the answer to this one was on its way.
    world.expireAll()
    let answer: (value?: unknown) => void = () => {}
    world.slow = new Promise((resolve) => {
      answer = resolve
    })
    const call = client.callTool('read')
    await expect.poll(() => world.requests('refresh_token')).toHaveLength(1)
    const { access_token, refresh_token } = world.issue(old.clientId)
    const newer = { ...old, accessToken: access_token, refreshToken: refresh_token }
    await store.set(`tokens ${world.issuer} ${world.url}`, JSON.stringify(newer))
    world.tokenErrors = ['invalid_grant']
    answer()
    expect((await call).text).toBe('read')
    expect(await tokensIn(store)).toEqual(newer)
    expect(world.authorizations).toHaveLength(1)
  })

  test('a refresh that fails for the moment keeps the refresh token', async () => {
    const store = memoryStore()
    await using client = await open({ store })
    world.expireAll()
    world.tokenErrors = ['temporarily_unavailable']
    expect(await failure(client.callTool('read'))).toMatchObject({ failure: 'token' })
    expect((await tokensIn(store)).refreshToken).toBeDefined()
    expect((await client.callTool('read')).text).toBe('read')
    expect(world.authorizations).toHaveLength(1)
  })

  test('without a refresh token the user is asked again [auth.refresh.no-assumption]', async () => {
    world.issuesRefreshTokens = false
    await using client = await open()
    world.expireAll()
    await client.callTool('read')
    expect(world.authorizations).toHaveLength(2)
    expect(world.requests('refresh_token')).toEqual([])
  })

  test('a server that refuses every token does not make the user agree again and again', async () => {
    await using client = await open()
    world.refusesAll = true
    world.forgetRefreshTokens()
    expect(await failure(client.callTool('read'))).toMatchObject({ code: 'unauthorized' })
    expect(await failure(client.callTool('read'))).toMatchObject({ code: 'unauthorized' })
    expect(world.authorizations).toHaveLength(2)
  })

  test('closing does not make the user log in', async () => {
    const auth = oauth({ grant: world.grant })
    const client = await connect(world.url, { auth, revisions: ['2025-11-25'] })
    world.expireAll()
    world.forgetRefreshTokens()
    await client.close()
    expect(world.authorizations).toHaveLength(1)
  })

  test('a token that no header can carry is refused, and not quoted', async () => {
    const fake: typeof fetch = async (input, init) => {
      const reply = await fetch(input, init)
      if (!String(input).endsWith('/token')) return reply
      return Response.json({ access_token: 'secret-\r\nX-Evil: 1', token_type: 'Bearer' })
    }
    const error = await failure(open({ network: { fetch: fake } }))
    expect(error).toMatchObject({ failure: 'token' })
    expect(textOf(error)).not.toContain('X-Evil')
  })

  test('an authorization server that is down does not stop a token that still works', async () => {
    const store = memoryStore()
    await (await open({ store })).close()
    const due = { ...(await tokensIn(store)), renewAt: 1 }
    await store.set(`tokens ${world.issuer} ${world.url}`, JSON.stringify(due))
    world.metadata = { token_endpoint: 'http://127.0.0.1:1/token' }
    await using client = await open({ store })
    const asked = world.paths.length
    expect((await client.callTool('read')).text).toBe('read')
    // It is not asked again for every call.
    expect(world.paths.slice(asked)).toEqual(['/mcp'])
  })

  test('tokens that are taken back are worth nothing any more', async () => {
    const store = memoryStore()
    const auth = oauth({ grant: world.grant, store })
    const client = await connect(world.url, { auth })
    const { accessToken } = await tokensIn(store)
    const about = await auth.describe(world.url)
    expect(about).toMatchObject({ issuer: world.issuer, resource: world.url, scopes: ['read'], renewable: true })
    expect(about!.renewAt).toBeGreaterThan(Date.now())
    for (const secret of world.secrets) expect(JSON.stringify(about)).not.toContain(secret)
    expect(await auth.revoke(world.url)).toBe(true)
    expect(await auth.describe(world.url)).toBeUndefined()
    expect(await store.get(`tokens ${world.issuer} ${world.url}`)).toBeUndefined()
    const headers = { Authorization: `Bearer ${accessToken}` }
    await expect(connect(world.url, { headers })).rejects.toMatchObject({ status: 401 })
    expect(await auth.revoke(world.url)).toBe(false)
    await client.close()
  })

  test('forget makes the next connection ask', async () => {
    const auth = oauth({ grant: world.grant })
    await (await connect(world.url, { auth })).close()
    await auth.forget(world.url)
    await (await connect(world.url, { auth })).close()
    expect(world.authorizations).toHaveLength(2)
  })
})

describe('step-up', () => {
  test('ten calls at once that lack a scope ask the user once', async () => {
    await using client = await open()
    const calls = await Promise.all(Array.from({ length: 10 }, () => client.callTool('write')))
    expect(calls.every(({ text }) => text === 'written')).toBe(true)
    expect(world.authorizations).toHaveLength(2)
  })

  // [auth.stepup.scopes-by-strategy] [auth.scope.keep-previous] [auth.stepup.respond] [auth.stepup.user-clients] [sec.scopes.client-union] [auth.scope.challenge-authoritative]
  test.each(withAuth)('%s: asks for what is missing and what there was, once [auth.stepup.union]', async (revision) => {
    await using client = await open({}, [revision])
    expect((await client.callTool('write')).text).toBe('written')
    expect(world.authorizations.map((page) => page.get('scope'))).toEqual(['read', 'read write'])
    expect((await client.callTool('write')).text).toBe('written')
    expect(world.authorizations).toHaveLength(2)
  })

  test('a scope that is not granted is not asked for again [auth.stepup.retry-limit]', async () => {
    await using client = await open()
    world.grantsOnly = 'read'
    expect(await failure(client.callTool('write'))).toMatchObject({ code: 'unauthorized', failure: 'scope' })
    expect(await failure(client.callTool('write'))).toMatchObject({ failure: 'scope' })
    expect(world.authorizations).toHaveLength(2)
    expect((await client.callTool('read')).text).toBe('read')
  })

  test('a user who says no keeps what there was, and is left in peace [sec.scopes.client-baseline]', async () => {
    await using client = await open()
    world.authorizationError = { error: 'access_denied' }
    expect(await failure(client.callTool('write'))).toMatchObject({ failure: 'authorization' })
    expect(await failure(client.callTool('write'))).toMatchObject({ failure: 'scope' })
    expect(world.authorizations).toHaveLength(2)
    expect((await client.callTool('read')).text).toBe('read')
  })
})

test('the device code is shown to the user, and the token fetched when they agreed', async () => {
  world.tokenErrors = ['authorization_pending']
  const shown: unknown[] = []
  await using client = await open({ grant: deviceCode({ onCode: (code) => shown.push(code) }) })
  expect((await client.callTool('read')).text).toBe('read')
  expect(shown).toMatchObject([{ userCode: 'ABCD-EFGH', verificationUri: `${world.issuer}/code` }])
  expect(world.tokenRequests).toHaveLength(2)
})

describe('a hostile authorization server', () => {
  test('that never answers is not waited for', async () => {
    let answer: (value?: unknown) => void = () => {}
    world.slow = new Promise((resolve) => {
      answer = resolve
    })
    const error = await failure(open({ network: { timeoutMs: 150 } }))
    expect(error).toMatchObject({ code: 'unauthorized', failure: 'token' })
    expect(error.message).toContain('did not answer in time')
    answer()
  })

  test('that redirects the token request gets no code elsewhere', async () => {
    await using other = await World.start()
    const fake: typeof fetch = async (input, init) =>
      String(input).endsWith('/token')
        ? new Response('', { status: 307, headers: { Location: `${other.issuer}/token` } })
        : fetch(input, init)
    const error = await failure(open({ network: { fetch: fake } }))
    expect(error.message).toContain('redirects what was posted')
    expect(other.tokenRequests).toEqual([])
  })

  test('that nests its metadata without end is not read', async () => {
    let deep: unknown = 1
    for (let level = 0; level < 100; level += 1) deep = [deep]
    world.metadata = { extra: deep }
    expect(await failure(open())).toMatchObject({ failure: 'discovery' })
  })

  test('that invents token types is refused', async () => {
    const fake: typeof fetch = async (input, init) =>
      String(input).endsWith('/token')
        ? Response.json({ access_token: 'secret-mac', token_type: 'mac' })
        : fetch(input, init)
    const error = await failure(open({ network: { fetch: fake } }))
    expect(error).toMatchObject({ failure: 'token' })
    expect(textOf(error)).not.toContain('secret-mac')
  })
})

test('everything works with fetch alone, as in runtimes other than Node', async () => {
  const own: typeof fetch = (input, init) => fetch(input, init)
  const auth = oauth({ grant: world.grant, network: { fetch: own } })
  await using client = await connect(world.url, { auth, fetch: own })
  expect((await client.callTool('write')).text).toBe('written')
  world.expireAll()
  expect((await client.callTool('read')).text).toBe('read')
  expect(world.requests('refresh_token')).toHaveLength(1)
})

test('no error shows a secret', async () => {
  const errors: Error[] = []
  for (const tokenError of ['invalid_grant', 'invalid_scope', 'server_error']) {
    world.tokenErrors = [tokenError]
    errors.push(await failure(open()))
  }
  world.metadata = { token_endpoint: `${world.issuer}/nothing` }
  errors.push(await failure(open()))
  world.metadata = {}
  world.iss = 'https://evil.example'
  errors.push(await failure(open()))
  expect(world.secrets.length).toBeGreaterThan(4)
  for (const error of errors) {
    expect(isOAuthError(error)).toBe(true)
    expect(textOf(error)).not.toMatch(/secret-/)
  }
})
