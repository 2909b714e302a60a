/**
 * Sessions and state belong to the subject of the token; and a whole conversation, from the challenge to the result.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connect } from '../../client/connect.ts'
import { forgetServers } from '../../http-client/verdicts.ts'
import { type HttpServer, serveHttp } from '../../http-server/serve-http.ts'
import { adapters } from '../../http-server/tests/adapters.suite.ts'
import {
  callToolRequest,
  type Served,
  SessionClient,
  statelessMeta,
  testServer,
} from '../../http-server/tests/http.suite.ts'
import { revisions } from '../../model/revision.ts'
import { clientCredentials } from '../client/grants/program-grants.ts'
import { oauth } from '../client/oauth.ts'
import { bearer } from './bearer.ts'
import type { BearerOptions } from './options.ts'
import { now, TrustedIssuer } from './trusted-issuer.suite.ts'

const resource = 'https://mcp.example.com/mcp'

let first: TrustedIssuer
let second: TrustedIssuer

beforeEach(async () => {
  forgetServers()
  first = await TrustedIssuer.start()
  second = await TrustedIssuer.start()
})

afterEach(async () => {
  await first[Symbol.asyncDispose]()
  await second[Symbol.asyncDispose]()
})

interface Person {
  authorization: string
}

const person = async (issuer: TrustedIssuer, sub = 'ada', exp = now() + 60): Promise<Person> => ({
  authorization: `Bearer ${await issuer.token(resource, { claims: { sub, exp } })}`,
})

describe.each(adapters)('%s', (_name, serve) => {
  let served: Served

  beforeEach(async () => {
    const auth = bearer({ issuer: [first.url, second.url], resource })
    served = await serve(testServer().server, { auth })
  })

  afterEach(() => served.close())

  const legacy = revisions.filter((revision) => revision !== '2026-07-28')
  test.each(legacy)(
    '%s: a session belongs to subject and issuer together [sec.session.bind-user] [sec.session.not-authentication]',
    async (revision) => {
      const client = await SessionClient.open(served, revision, { ...(await person(first)) })
      const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
      for (const thief of [await person(second), await person(first, 'eve')]) {
        expect((await client.post(list, { ...thief })).status).toBe(404)
        expect((await client.get({ ...thief })).status).toBe(404)
        expect((await client.delete({ ...thief })).status).toBe(404)
      }
      expect((await client.post(list, { authorization: undefined })).status).toBe(401)
      // A token that was renewed is another token of the same person.
      expect((await client.post(list, { ...(await person(first, 'ada', now() + 120)) })).status).toBe(200)
    },
  )

  test('a token that expires ends nothing but its own use: the session waits for the next one', async () => {
    const client = await SessionClient.open(served, '2025-11-25', { ...(await person(first)) })
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    expect((await client.post(list, { ...(await person(first, 'ada', now() - 60)) })).status).toBe(401)
    expect((await client.post(list, { ...(await person(first)) })).status).toBe(200)
  })

  test('the state of a question is refused from anybody else [sec.handle.bind-user] [sec.handle.not-authentication]', async () => {
    const meta = statelessMeta({ elicitation: { form: {} } })
    const ask = async (who: Person, more: object = {}): Promise<{ [member: string]: unknown }> => {
      const params = { name: 'ask', arguments: {}, _meta: meta, ...more }
      const init = callToolRequest('ask', {}, { ...who })
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
      return (await served.fetch('/mcp', { ...init, body })).json() as Promise<{ [member: string]: unknown }>
    }
    const asked = (await ask(await person(first))).result as { requestState: string; inputRequests: object }
    const [key] = Object.keys(asked.inputRequests)
    const retry = {
      requestState: asked.requestState,
      inputResponses: { [key!]: { action: 'accept', content: { name: 'Ada' } } },
    }
    for (const thief of [await person(second), await person(first, 'eve')]) {
      expect(await ask(thief, retry)).toMatchObject({ error: { code: -32602 } })
    }
    expect(await ask(await person(first, 'ada', now() + 120), retry)).toMatchObject({
      result: { content: [{ text: 'hello Ada' }] },
    })
  })

  test('HTTP+SSE is protected as well', async () => {
    expect((await served.fetch('/sse', { headers: { accept: 'text/event-stream' } })).status).toBe(401)
  })

  test('metadata is served', async () => {
    const response = await served.fetch('/.well-known/oauth-protected-resource/mcp')
    expect(await response.json()).toMatchObject({ resource, authorization_servers: [first.url, second.url] })
  })
})

describe('a client that knows only the address of a server', () => {
  let http: HttpServer

  const start = async (options: Partial<BearerOptions>): Promise<void> => {
    http = await serveHttp(testServer().server, {
      closeTimeoutMs: 100,
      auth: bearer({ issuer: first.url, scopes: ['read'], ...options }),
    })
  }

  afterEach(() => http.close())

  const auth = () => oauth({ grant: clientCredentials(), client: { id: 'program', secret: 's', issuer: first.url } })

  test('finds the issuer, gets a token for this resource, and is let in', async () => {
    await start({})
    await using client = await connect(http.url, { auth: auth() })
    expect((await client.callTool('whoami')).text).toBe(`${first.url}#program`)
    expect((await client.callTool('scopes')).text).toBe('read')
  })

  test('is told that programs may come, where the server says so [xauth.cc.server-advertises]', async () => {
    const id = 'io.modelcontextprotocol/oauth-client-credentials'
    const { server } = testServer({ capabilities: { extensions: { [id]: {} } } })
    http = await serveHttp(server, { closeTimeoutMs: 100, auth: bearer({ issuer: first.url }) })
    await using client = await connect(http.url, { auth: auth() })
    expect(client.server.capabilities.extensions).toHaveProperty([id])
  })

  test.each([false, true])('binds its tokens to a key, where that is wanted (nonces: %s)', async (nonces) => {
    await start({ dpop: { required: true, nonces } })
    await using client = await connect(http.url, { auth: auth() })
    const all = await Promise.all([1, 2, 3].map(() => client.callTool('whoami')))
    expect(new Set(all.map(({ text }) => text))).toEqual(new Set([`${first.url}#program`]))
  })
})
