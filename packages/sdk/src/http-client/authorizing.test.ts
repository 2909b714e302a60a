/** Requests with credentials that are renewed when the server refuses them. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connect } from '../client/connect.ts'
import { McpError } from '../errors.ts'
import { forgetServers } from '../http-client/verdicts.ts'
import type { AuthChallenge, AuthReply, ClientAuth } from './client-auth.ts'
import type { HttpClientOptions } from './http-options.ts'
import {
  callResult,
  type HttpHandler,
  legacy,
  modern,
  resultOf,
  ScriptedHttp,
  sendJson,
  sendText,
} from './scripted-http.suite.ts'

const engines: [string, HttpClientOptions][] = [
  ['node', {}],
  ['fetch', { fetch: (input, init) => globalThis.fetch(input, init) }],
]

const ok: HttpHandler = (seen, reply) => sendJson(reply, resultOf(seen, callResult))
const demanding =
  (good: string, handler: HttpHandler): HttpHandler =>
  (seen, reply) => {
    if (seen.headers.authorization === good) return handler(seen, reply)
    reply.writeHead(401, { 'WWW-Authenticate': 'Bearer error="invalid_token"' }).end()
  }

const withSessions = ['2025-03-26', '2025-06-18', '2025-11-25'] as const

/** Credentials that change with every challenge. */
class Keys implements ClientAuth {
  number = 0
  readonly challenges: AuthChallenge[] = []
  readonly replies: number[] = []
  limit = Number.POSITIVE_INFINITY

  headers(): { [name: string]: string } {
    return { Authorization: `key ${this.number}` }
  }

  async challenged(challenge: AuthChallenge): Promise<boolean> {
    this.challenges.push(challenge)
    if (this.challenges.length > this.limit) return false
    this.number += 1
    return true
  }

  answered(_: unknown, { status }: AuthReply): void {
    this.replies.push(status)
  }
}

describe.each(engines)('credentials over %s', (_, http) => {
  let server: ScriptedHttp
  beforeEach(async () => {
    forgetServers()
    server = await ScriptedHttp.start(demanding('key 1', modern(ok)))
  })
  afterEach(() => server[Symbol.asyncDispose]())

  test('go with every request [auth.token.every-request], and are found anew after a refusal', async () => {
    const auth = new Keys()
    await using client = await connect(server.url, { ...http, auth })
    expect((await client.callTool('a')).text).toBe('ok')
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(['key 0', 'key 1', 'key 1'])
    expect(auth.challenges).toMatchObject([
      {
        status: 401,
        method: 'POST',
        wwwAuthenticate: 'Bearer error="invalid_token"',
        sent: { Authorization: 'key 0' },
        refusals: 0,
      },
    ])
    expect(auth.replies).toEqual([401, 200, 200])
  })

  // [auth.token.every-request] [auth.token.bearer-header]
  test.each(withSessions)('also go with the stream and the end of a session of %s', async (revision) => {
    server.handler = demanding('key 1', legacy(ok, 's-1', revision))
    const client = await connect(server.url, { ...http, auth: new Keys(), revisions: [revision] })
    await client.callTool('a')
    await client.close()
    const verbs = server.seen.filter(({ headers }) => headers.authorization === 'key 1').map(({ verb }) => verb)
    expect(new Set(verbs)).toEqual(new Set(['POST', 'GET', 'DELETE']))
  })

  test('win over headers of the user', async () => {
    const headers = { authorization: 'mine', 'X-Other': 'kept' }
    await using client = await connect(server.url, { ...http, auth: new Keys(), headers })
    expect(client.server.revision).toBe('2026-07-28')
    expect(server.seen.at(-1)!.headers).toMatchObject({ authorization: 'key 1', 'x-other': 'kept' })
  })

  test('a refusal that is not answered is the error', async () => {
    const auth = new Keys()
    auth.limit = 0
    const connecting = connect(server.url, { ...http, auth })
    await expect(connecting).rejects.toMatchObject({ code: 'unauthorized', status: 401 })
  })

  test('a server that goes on refusing is not asked for ever', async () => {
    server.handler = (_seen, reply) => sendText(reply, 403)
    await expect(connect(server.url, { ...http, auth: new Keys() })).rejects.toMatchObject({ status: 403 })
    expect(server.seen).toHaveLength(5)
  })

  test('what the finding of credentials throws is the error of the call', async () => {
    const auth = { headers: () => Promise.reject(new Error('no keychain')), challenged: () => false }
    await expect(connect(server.url, { ...http, auth })).rejects.toMatchObject({
      code: 'unauthorized',
      message: 'auth failed: no keychain',
    })
  })

  test('nothing is concluded about the server from what happened here', async () => {
    const challenged = () => Promise.reject(new McpError('closed', 'The keychain is closed'))
    await expect(connect(server.url, { ...http, auth: { headers: () => ({}), challenged } })).rejects.toMatchObject({
      code: 'unauthorized',
      cause: { code: 'closed' },
    })
    expect(server.log).toEqual(['POST server/discover'])
  })

  test('who gives up is not asked for credentials any more', async () => {
    const stop = new AbortController()
    let signal: AbortSignal | undefined
    const auth: ClientAuth = {
      headers: () => ({}),
      challenged: (challenge) => {
        signal = challenge.signal
        stop.abort()
        return new Promise(() => {})
      },
    }
    await expect(connect(server.url, { ...http, auth, signal: stop.signal })).rejects.toMatchObject({
      code: 'cancelled',
    })
    await expect.poll(() => signal?.aborted).toBe(true)
  })

  test('the extensions of the credentials are declared', async () => {
    const auth = Object.assign(new Keys(), { extensions: ['com.example/keys'] })
    await using client = await connect(server.url, { ...http, auth })
    await client.callTool('a')
    expect(server.seen.at(-1)!.body.params!._meta).toMatchObject({
      'io.modelcontextprotocol/clientCapabilities': { extensions: { 'com.example/keys': {} } },
    })
  })
})

test('auth that is none is refused, for a WebSocket too', async () => {
  for (const url of ['https://a.example', 'wss://a.example']) {
    await expect(connect(url, { auth: {} as ClientAuth })).rejects.toMatchObject({ code: 'invalid_argument' })
  }
})
