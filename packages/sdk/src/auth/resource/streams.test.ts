/** Streams end with the token that opened them. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connect } from '../../client/connect.ts'
import { forgetServers } from '../../http-client/verdicts.ts'
import { serveHttp } from '../../http-server/serve-http.ts'
import { adapters } from '../../http-server/tests/adapters.suite.ts'
import {
  callToolRequest,
  EventReader,
  type Served,
  SessionClient,
  statelessRequest,
  type ToolScript,
  testServer,
} from '../../http-server/tests/http.suite.ts'
import { tool } from '../../server.ts'
import { clientCredentials } from '../client/grants/program-grants.ts'
import { oauth } from '../client/oauth.ts'
import { bearer } from './bearer.ts'
import { now, TrustedIssuer } from './trusted-issuer.suite.ts'

const resource = 'https://mcp.example.com/mcp'

let issuer: TrustedIssuer

beforeEach(async () => {
  forgetServers()
  issuer = await TrustedIssuer.start()
})
afterEach(() => issuer[Symbol.asyncDispose]())

describe.each(adapters)('over %s', (_name, serve) => {
  let served: Served
  let script: ToolScript

  const start = async (isOpaque = false): Promise<void> => {
    const introspection = { endpoint: `${issuer.url}/introspect`, clientId: 'rs', clientSecret: 's', cacheMs: 0 }
    const auth = bearer({ issuer: issuer.url, resource, clockToleranceS: 0, ...(isOpaque && { introspection }) })
    const made = testServer()
    script = made.script
    served = await serve(made.server, { auth })
  }
  afterEach(() => served.close())

  const token = async (seconds: number) => ({
    authorization: `Bearer ${await issuer.token(resource, { claims: { exp: now() + seconds } })}`,
  })
  const listen = (who: { authorization: string }) =>
    served.fetch('/mcp', statelessRequest('subscriptions/listen', { notifications: { toolsListChanged: true } }, who))

  test('the stream of a session ends when the token expires, and goes on with the next', async () => {
    await start()
    const client = await SessionClient.open(served, '2025-11-25', await token(60))
    const events = new EventReader(await client.get(await token(2)))
    const first = await events.next()
    expect(await events.rest()).toEqual([])
    const again = await client.get({ ...(await token(60)), 'last-event-id': first!.id })
    expect(again.status).toBe(200)
    await again.body!.cancel()
  })

  test('a subscription ends when the token expires', async () => {
    await start()
    const response = await listen(await token(2))
    const events = new EventReader(response)
    expect(await events.message()).toMatchObject({ method: 'notifications/subscriptions/acknowledged' })
    expect((await events.rest()).filter(({ data }) => data?.includes('"result"'))).toEqual([])
  })

  test('a stream of HTTP+SSE ends when the token expires', async () => {
    await start()
    const response = await served.fetch('/sse', { headers: { accept: 'text/event-stream', ...(await token(2)) } })
    const events = new EventReader(response)
    expect(await events.next()).toMatchObject({ event: 'endpoint' })
    expect(await events.rest()).toEqual([])
  })

  test('a call that is in work is not cut off', async () => {
    await start()
    const who = await token(2)
    const answer = served.fetch('/mcp', callToolRequest('wait', {}, who))
    await script.started.seen
    await expect
      .poll(async () => (await served.fetch('/mcp', callToolRequest('echo', {}, who))).status, { timeout: 100_000 })
      .toBe(401)
    script.release.give()
    expect(await (await answer).json()).toMatchObject({ result: { content: [{ text: 'waited' }] } })
  })

  test('a token that is seen to be revoked ends what it opened, and nothing else [sec.session.verify-requests]', async () => {
    await start(true)
    for (const name of ['mine', 'other']) issuer.opaque.set(name, { active: true, sub: 'ada', aud: resource })
    const mine = new EventReader(await listen({ authorization: 'Bearer mine' }))
    const other = new EventReader(await listen({ authorization: 'Bearer other' }))
    await mine.message()
    await other.message()
    issuer.opaque.delete('mine')
    expect((await served.fetch('/mcp', callToolRequest('echo', {}, { authorization: 'Bearer mine' }))).status).toBe(401)
    await mine.rest()
    // Of the other one only the server is the end.
    let ended = false
    const rest = other.rest().then(() => {
      ended = true
    })
    expect((await served.fetch('/mcp', callToolRequest('echo', {}, { authorization: 'Bearer other' }))).status).toBe(
      200,
    )
    expect(ended).toBe(false)
    await served.close()
    await rest
  })
})

// A client without a user: the stream ends, and is opened again with the next token.
test.each(['2025-11-25', '2026-07-28'] as const)(
  'a client of %s hears of news after its first token has expired',
  async (revision) => {
    issuer.expiresInS = 1
    const { server } = testServer()
    const auth = bearer({ issuer: issuer.url, clockToleranceS: 0 })
    await using http = await serveHttp(server, { closeTimeoutMs: 100, retryMs: 50, auth })
    const program = oauth({ grant: clientCredentials(), client: { id: 'program', secret: 's', issuer: issuer.url } })
    await using client = await connect(http.url, { auth: program, revisions: [revision] })
    let heard = 0
    client.onChange('tools', () => {
      heard += 1
    })
    const tokens = (): number => issuer.paths.filter((path) => path === '/token').length
    issuer.expiresInS = 60
    // The stream gets the second token: nothing else is sent.
    await expect.poll(tokens, { timeout: 100_000 }).toBe(2)
    const before = heard
    let added = 0
    await expect
      .poll(
        () => {
          server.tools.add(tool({ name: `t${added++}`, run: () => '' }))
          return heard > before
        },
        { timeout: 100_000 },
      )
      .toBe(true)
  },
)
