/** Scopes of single tools over HTTP: the challenge, and clients that meet it. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connect } from '../../client/connect.ts'
import { forgetServers } from '../../http-client/verdicts.ts'
import type { HttpOptions } from '../../http-server/options.ts'
import { serveHttp } from '../../http-server/serve-http.ts'
import { adapters } from '../../http-server/tests/adapters.suite.ts'
import {
  callToolRequest,
  EventReader,
  initializeRequest,
  post,
  type Served,
  SessionClient,
  statelessRequest,
} from '../../http-server/tests/http.suite.ts'
import { revisions } from '../../model/revision.ts'
import { createServer, requireScopes, resource, tool } from '../../server.ts'
import { clientCredentials } from '../client/grants/program-grants.ts'
import { oauth } from '../client/oauth.ts'
import { bearer } from './bearer.ts'
import type { Refused } from './refused.ts'
import { TrustedIssuer } from './trusted-issuer.suite.ts'

const site = 'https://mcp.example.com/mcp'
const metadata = 'https://mcp.example.com/.well-known/oauth-protected-resource/mcp'

let runs = 0
const server = createServer({
  name: 'scoped',
  version: '1',
  tools: [
    tool({ name: 'read', run: () => 'read' }),
    tool({ name: 'write', scopes: ['files:write', 'files:list'], run: () => `written ${++runs}` }),
    tool({
      name: 'put',
      async run(_input, ctx) {
        requireScopes(ctx, 'files:write')
        return 'put'
      },
    }),
  ],
  resources: [resource({ uri: 'note:///diary', name: 'diary', scopes: ['notes'], read: () => 'Dear diary' })],
})

let issuer: TrustedIssuer

beforeEach(async () => {
  runs = 0
  forgetServers()
  issuer = await TrustedIssuer.start()
})

afterEach(() => issuer[Symbol.asyncDispose]())

const challenge = (...scopes: string[]): string =>
  `Bearer resource_metadata="${metadata}", scope="${scopes.join(' ')}", error="insufficient_scope"`

// [auth.scope403.response] [auth.scope403.needed-scopes] [auth.scope403.single-challenge] [auth.errors.status-codes]
describe.each(adapters)('a call without the scopes of its tool, over %s', (_name, serve) => {
  let served: Served
  let refused: Refused[]

  const start = async (options: HttpOptions = {}): Promise<void> => {
    refused = []
    const onRefused = (one: Refused): number => refused.push(one)
    const auth = bearer({ issuer: issuer.url, resource: site, scopes: ['read'], onRefused })
    served = await serve(server, { auth, ...options })
  }
  const bringing = async (scope = 'read'): Promise<{ authorization: string }> => ({
    authorization: `Bearer ${await issuer.token(site, { claims: { scope } })}`,
  })

  afterEach(() => served.close())

  const expectChallenge = async (response: Response, ...scopes: string[]): Promise<void> => {
    expect(response.status).toBe(403)
    expect(response.headers.get('www-authenticate')).toBe(challenge(...scopes))
    expect(await response.json()).toMatchObject({ id: 1, error: { code: 403, data: { error: 'insufficient_scope' } } })
  }

  test.each(['auto', 'json', 'sse'] as const)(
    'is answered with 403 and all that it needs (2026-07-28, %s)',
    async (responseMode) => {
      await start({ responseMode })
      await expectChallenge(
        await served.fetch('/mcp', callToolRequest('write', {}, await bringing())),
        'read',
        'files:write',
        'files:list',
      )
      await expectChallenge(
        await served.fetch('/mcp', callToolRequest('put', {}, await bringing())),
        'read',
        'files:write',
      )
      const read = statelessRequest('resources/read', { uri: 'note:///diary' }, await bringing())
      await expectChallenge(await served.fetch('/mcp', read), 'read', 'notes')
      expect(
        (await served.fetch('/mcp', callToolRequest('write', {}, await bringing('read files:write files:list'))))
          .status,
      ).toBe(200)
      expect(refused.map(({ reason, status, principal }) => [reason, status, principal])[0]).toEqual([
        'scope',
        403,
        `${issuer.url}#ada`,
      ])
    },
  )

  test.each(
    revisions
      .slice(0, -1)
      .flatMap((revision) => (['auto', 'json', 'sse'] as const).map((mode) => [revision, mode] as const)),
  )('is answered so in a session of %s (%s)', async (revision, responseMode) => {
    await start({ responseMode })
    const client = await SessionClient.open(served, revision, await bringing())
    await expectChallenge(await client.call('write'), 'read', 'files:write', 'files:list')
    const read = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'note:///diary' } }
    await expectChallenge(await client.post(read), 'read', 'notes')
    // The session goes on with the token that has them.
    const enough = await client.call('write', {}, {}, await bringing('read files:write files:list'))
    expect([enough.status, (await enough.text()).includes('written 1')]).toEqual([200, true])
  })

  test('a handler that finds out says so in a session as well', async () => {
    await start()
    const client = await SessionClient.open(served, '2025-11-25', await bringing())
    await expectChallenge(await client.call('put'), 'read', 'files:write')
  })

  test('in a batch it is an error among answers, since the rest has run', async () => {
    await start()
    const client = await SessionClient.open(served, '2025-03-26', await bringing())
    const call = (id: number, name: string) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } })
    const response = await client.post([call(1, 'write'), call(2, 'read')])
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: 1, error: expect.objectContaining({ code: 403 }) }),
        expect.objectContaining({ id: 2, result: expect.anything() }),
      ]),
    )
  })

  test('is answered so over HTTP+SSE, where answers have no status', async () => {
    await start()
    const response = await served.fetch('/sse', { headers: { accept: 'text/event-stream', ...(await bringing()) } })
    const events = new EventReader(response)
    const path = (await events.next())!.data!
    await served.fetch(path, post(initializeRequest('2024-11-05'), await bringing()))
    await events.message()
    await served.fetch(path, post({ jsonrpc: '2.0', method: 'notifications/initialized' }, await bringing()))
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'write' } }
    await expectChallenge(await served.fetch(path, post(call, await bringing())), 'read', 'files:write', 'files:list')
    const enough = await bringing('read files:write files:list')
    expect((await served.fetch(path, post(call, enough))).status).toBe(202)
    expect(await events.message()).toMatchObject({ id: 1, result: { content: [{ text: 'written 1' }] } })
    await events.cancel()
  })

  test('a broader scope counts for those it implies [auth.scope403.hierarchy]', async () => {
    const auth = bearer({
      issuer: issuer.url,
      resource: site,
      impliedScopes: { files: ['files:write', 'files:list'] },
    })
    await start({ auth })
    expect((await served.fetch('/mcp', callToolRequest('write', {}, await bringing('files')))).status).toBe(200)
  })

  test('with an authentication of your own, the challenge names the scopes', async () => {
    await start({ auth: () => ({ principal: 'ada', scopes: ['read'] }) })
    const response = await served.fetch('/mcp', callToolRequest('write'))
    expect(response.status).toBe(403)
    expect(response.headers.get('www-authenticate')).toBe(
      'Bearer error="insufficient_scope", scope="files:write files:list"',
    )
  })

  test('what a handler throws cannot break out of the challenge', async () => {
    const { RpcError } = await import('../../errors.ts')
    const evil = tool({
      name: 'evil',
      run: () => {
        throw new RpcError(403, 'no', { scopes: ['good', 'a", realm="x', 'b\r\nx: y', 7] })
      },
    })
    served = await serve(createServer({ name: 'x', version: '1', tools: [evil] }), {
      auth: () => ({ principal: 'ada' }),
    })
    const response = await served.fetch('/mcp', callToolRequest('evil'))
    expect(response.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope", scope="good"')
  })

  test('without authentication there is nobody to ask for scopes', async () => {
    served = await serve(server)
    const response = await served.fetch('/mcp', callToolRequest('write'))
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([403, null])
    const { result } = (await (await served.fetch('/mcp', statelessRequest('tools/list'))).json()) as {
      result: { tools: object[] }
    }
    expect(result.tools).toHaveLength(2)
  })
})

// [cache.private-not-shared]
test('what a client kept is not for the token with more scopes', async () => {
  const cache = { ttlMs: 3_600_000 }
  const write = tool({ name: 'write', scopes: ['files:write'], run: () => 'written' })
  const kept = createServer({
    name: 'kept',
    version: '1',
    cache,
    tools: [tool({ name: 'read', run: () => '' }), write],
  })
  const asked: string[] = []
  await using http = await serveHttp(kept, {
    closeTimeoutMs: 100,
    auth: bearer({ issuer: issuer.url, scopes: ['read'], onRefused: ({ reason }) => asked.push(reason) }),
  })
  const auth = oauth({ grant: clientCredentials(), client: { id: 'program', secret: 's', issuer: issuer.url } })
  await using client = await connect(http.url, { auth })
  const names = async (): Promise<string[]> => (await client.listTools()).tools.map(({ name }) => name)
  expect([await names(), await names()]).toEqual([['read'], ['read']])
  expect((await client.callTool('write')).text).toBe('written')
  expect(await names()).toEqual(['read', 'write'])
  expect(asked).toEqual(['missing', 'scope'])
})

// [auth.stepup.respond] [auth.scope.keep-previous] [auth.stepup.retry-limit]
describe.each(revisions)('a client of %s that lacks a scope', (revision) => {
  test('asks for what it had and what is missing, once, and the call is answered', async () => {
    await using http = await serveHttp(server, {
      closeTimeoutMs: 100,
      auth: bearer({ issuer: issuer.url, scopes: ['read'] }),
    })
    const auth = oauth({ grant: clientCredentials(), client: { id: 'program', secret: 's', issuer: issuer.url } })
    await using client = await connect(http.url, { auth, revisions: [revision] })
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['read', 'put'])
    expect((await client.callTool('write')).text).toBe('written 1')
    expect(issuer.paths.filter((path) => path === '/token')).toHaveLength(2)
    // From then on it has the scopes, and sees the tools for them.
    expect((await client.callTool('write')).text).toBe('written 2')
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['read', 'write', 'put'])
    expect(issuer.paths.filter((path) => path === '/token')).toHaveLength(2)
  })
})
