import type { ServerResponse } from 'node:http'
import { beforeEach, describe, expect, test } from 'vitest'
import { ownPort } from '../../../../../scripts/own-port.ts'
import { connect } from '../../client/connect.ts'
import type { ConnectOptions } from '../../client/options.ts'
import type { HttpClientLimits, HttpClientOptions } from '../http-options.ts'
import { openHttp } from '../open-http.ts'
import {
  callResult,
  errorOf,
  type HttpHandler,
  initializeResult,
  resultOf,
  ScriptedHttp,
  type SeenHttp,
  sendEvent,
  sendJson,
  sendText,
  startEvents,
} from '../scripted-http.suite.ts'
import { forgetServers } from '../verdicts.ts'

beforeEach(() => forgetServers())

const engines: [string, HttpClientOptions][] = [
  ['node', {}],
  ['fetch', { fetch: (input, init) => globalThis.fetch(input, init) }],
]

interface Oldest {
  refuse?: HttpHandler
  endpoint?: string
  answer?: (seen: SeenHttp, stream: ServerResponse) => void
  posted?: HttpHandler
}

/** A server of 2024-11-05: a GET opens the stream, whose first event names the endpoint. */
function oldest({
  refuse = (_, reply) => sendText(reply, 405),
  endpoint = '/post?session=1',
  answer,
  posted,
}: Oldest = {}): HttpHandler {
  let stream: ServerResponse
  return (seen, reply) => {
    if (seen.verb === 'GET') {
      stream = reply
      startEvents(reply)
      reply.write(`: hi\n\nevent: endpoint\ndata: ${endpoint}\n\n`)
      return
    }
    if (seen.path === '/mcp') return refuse(seen, reply)
    if (posted !== undefined && seen.body.method === 'tools/call') return posted(seen, reply)
    sendText(reply, 202, 'Accepted')
    if (seen.body.method === 'initialize')
      sendEvent(stream, resultOf(seen, initializeResult('2024-11-05')), 'event: message\n')
    else if (seen.body.id !== undefined) (answer ?? ((s, to) => sendEvent(to, resultOf(s, callResult))))(seen, stream)
  }
}

const reach = (server: ScriptedHttp, http: HttpClientOptions, options: ConnectOptions = {}) =>
  connect(() => openHttp(server.url, http), { validate: 'off', ...options })

describe.each(engines)('HTTP+SSE over %s', (_, http) => {
  const refusals: [string, HttpHandler][] = [
    ['405', (_seen, r) => sendText(r, 405)],
    ['404 with a page', (_seen, r) => sendText(r, 404, '<p>Cannot POST /mcp</p>', 'text/html')],
    ['400 with text', (_seen, r) => sendText(r, 400, 'Bad Request')],
    [
      '400 with JSON-RPC',
      (_seen, r) => sendJson(r, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'no' } }, 400),
    ],
  ]
  // [httpsse.compat.client-accepts-either-url] [httpsse.compat.client-post-initialize-first]
  // [httpsse.compat.fallback-on-4xx] [httpsse.compat.fallback-on-400-404-405]
  // [httpsse.compat.endpoint-event-confirms] [httpsse.client-posts-to-endpoint]
  test.each(refusals)('is found after %s', async (_name, refuse) => {
    await using server = await ScriptedHttp.start(oldest({ refuse }))
    await using client = await reach(server, http)
    expect(client.server.revision).toBe('2024-11-05')
    expect((await client.callTool('a')).text).toBe('ok')
    expect(server.seen.map(({ verb, path, body }) => `${verb} ${path} ${body.method ?? ''}`)).toEqual([
      'POST /mcp server/discover',
      'POST /mcp initialize',
      'GET /mcp ',
      'POST /post?session=1 initialize',
      'POST /post?session=1 notifications/initialized',
      'POST /post?session=1 tools/call',
    ])
  })

  test('is remembered, and used at once the next time', async () => {
    await using server = await ScriptedHttp.start(oldest())
    await (await reach(server, http, { revisions: ['2024-11-05'] })).close()
    const before = server.seen.length
    await using client = await reach(server, http, { revisions: ['2024-11-05'] })
    expect(server.seen[before]!.verb).toBe('GET')
    expect((await client.callTool('a')).text).toBe('ok')
  })

  test('that is gone later does not keep the new server from being found', async () => {
    await using server = await ScriptedHttp.start(oldest())
    await (await reach(server, http, { revisions: ['2025-11-25', '2024-11-05'] })).close()
    server.handler = (seen, reply) => {
      if (seen.verb !== 'POST') return sendText(reply, 405)
      if (seen.body.id === undefined) return sendText(reply, 202)
      sendJson(reply, resultOf(seen, initializeResult('2025-11-25')))
    }
    await using client = await reach(server, http, { revisions: ['2025-11-25', '2024-11-05'] })
    expect(client.server.revision).toBe('2025-11-25')
  })

  // [httpsse.compat.fallback-unless-modern-error]
  test('is not tried when the server knows newer ones', async () => {
    await using server = await ScriptedHttp.start((seen, reply) =>
      sendJson(reply, errorOf(seen, -32022, 'Unsupported', { supported: ['2031-01-01'] }), 400),
    )
    await expect(reach(server, http, { revisions: ['2025-11-25'] })).rejects.toMatchObject({ code: 'negotiation' })
    expect(server.log).toEqual(['POST initialize'])
  })

  test('that is not there leaves the first refusal as the reason', async () => {
    await using server = await ScriptedHttp.start((_seen, reply) => sendText(reply, 404, 'nothing here'))
    await expect(reach(server, http)).rejects.toMatchObject({
      code: 'http',
      status: 404,
      message: expect.stringMatching(/^initialize was answered with HTTP 404 at http:.*: nothing here$/),
    })
    expect(server.log).toEqual(['POST server/discover', 'POST initialize', 'GET'])
  })

  test('does not send messages to another origin', async () => {
    await using other = await ScriptedHttp.start((_seen, reply) => sendText(reply, 202))
    await using server = await ScriptedHttp.start(oldest({ endpoint: other.url }))
    await expect(reach(server, http)).rejects.toMatchObject({ code: 'http' })
    expect(other.seen).toEqual([])
  })

  test('gives up a stream that does not begin', async () => {
    await using server = await ScriptedHttp.start((seen, reply) =>
      seen.verb === 'GET' ? startEvents(reply) : sendText(reply, 405),
    )
    await expect(reach(server, { ...http, httpLimits: { acceptTimeoutMs: 100 } })).rejects.toMatchObject({
      status: 405,
    })
    await server.seen.find(({ verb }) => verb === 'GET')!.aborted
  })

  test('fails the call that is refused, and only that', async () => {
    await using server = await ScriptedHttp.start(oldest({ posted: (_seen, reply) => sendText(reply, 500, 'oh no') }))
    await using client = await reach(server, http)
    await expect(client.callTool('a')).rejects.toMatchObject({ code: 'http', status: 500 })
    await expect(client.request('ping')).resolves.toBeDefined()
  })

  test('ends with its stream', async () => {
    await using server = await ScriptedHttp.start(oldest({ answer: (_seen, stream) => stream.end() }))
    await using client = await connect(await openHttp(server.url, http), { validate: 'off', revisions: ['2024-11-05'] })
    await expect(client.callTool('a')).rejects.toMatchObject({ code: 'closed' })
    expect((await client.closed).message).toContain('ended the stream')
  })

  test('is opened again by a client that has the URL, and calls wait for that', async () => {
    const server = await ScriptedHttp.start(
      oldest({
        answer: (seen, stream) => {
          if (seen.body.method === 'ping') stream.end()
          else sendEvent(stream, resultOf(seen, callResult))
        },
      }),
    )
    const restarted: string[] = []
    const client = await connect(server.url, {
      ...http,
      validate: 'off',
      revisions: ['2024-11-05'],
      onRestart: ({ revision }) => restarted.push(revision),
    })
    const streams = server.seen.filter(({ verb }) => verb === 'GET').length
    await expect(client.ping()).rejects.toMatchObject({ code: 'closed' })
    expect((await client.callTool('a')).text).toBe('ok')
    expect(server.seen.filter(({ verb }) => verb === 'GET')).toHaveLength(streams + 1)
    expect(restarted).toEqual(['2024-11-05'])
    await client.close()
    await server[Symbol.asyncDispose]()
  })

  const reconnecting = (server: ScriptedHttp, httpLimits: HttpClientLimits, options: ConnectOptions = {}) =>
    connect(server.url, { ...http, validate: 'off', revisions: ['2024-11-05'], httpLimits, ...options })

  test('comes back with the next call after any outage, and reports its attempts', async () => {
    const errors: string[] = []
    const restarts: string[] = []
    const port = await ownPort()
    const first = await ScriptedHttp.start(oldest(), port)
    await using client = await reconnecting(
      first,
      { reconnectMs: 1, maxReconnectMs: 3_600_000 },
      { onError: ({ message }) => errors.push(message), onRestart: ({ revision }) => restarts.push(revision) },
    )
    await first[Symbol.asyncDispose]()
    // Each failed call is an attempt, which doubles the pause: at the end only a call can come before the timer.
    for (let call = 0; call < 25; call++) await expect(client.callTool('a')).rejects.toMatchObject({ code: 'closed' })
    await using second = await ScriptedHttp.start(oldest(), port)
    expect((await client.callTool('a')).text).toBe('ok')
    expect(restarts).toEqual(['2024-11-05'])
    expect(second.seen.filter(({ verb }) => verb === 'GET')).toHaveLength(1)
    const reported = errors.join('\n')
    expect(reported).toMatch(/^The connection was lost and is made anew: /m)
    expect(reported).toMatch(/^The next attempt to connect follows in \d+ ms, or with the next call: .*ECONNREFUSED/m)
    expect(await Promise.race([client.closed, 'open'])).toBe('open')
  })

  test('makes no more attempts than one in each pause, however often it is called', async () => {
    const errors: string[] = []
    const server = await ScriptedHttp.start(oldest())
    await using client = await reconnecting(
      server,
      { reconnectMs: 200, maxReconnectMs: 200 },
      { onError: ({ message }) => errors.push(message) },
    )
    await server[Symbol.asyncDispose]()
    await expect.poll(() => errors.some((text) => text.startsWith('The next attempt'))).toBe(true)
    errors.length = 0
    const start = performance.now()
    for (let call = 0; call < 5; call++) await expect(client.callTool('a')).rejects.toMatchObject({ code: 'closed' })
    const attempts = errors.filter((text) => text.startsWith('The next attempt')).length
    expect(attempts).toBeGreaterThan(0)
    expect(attempts).toBeLessThanOrEqual((performance.now() - start) / 200 + 1)
  })

  test('comes back by itself after any outage, so that changes are announced again', async () => {
    const errors: string[] = []
    const port = await ownPort()
    const first = await ScriptedHttp.start(oldest(), port)
    let back: () => void = () => {}
    const restarted = new Promise<void>((resolve) => {
      back = resolve
    })
    const client = await reconnecting(
      first,
      { reconnectMs: 1, maxReconnectMs: 20 },
      { onError: ({ message }) => errors.push(message), onRestart: () => back() },
    )
    await first[Symbol.asyncDispose]()
    await expect.poll(() => errors.length).toBeGreaterThan(8)
    const second = await ScriptedHttp.start(oldest(), port)
    await restarted
    expect((await client.callTool('a')).text).toBe('ok')
    await client.close()
    await second[Symbol.asyncDispose]()
  })

  test('comes back after any number of quick restarts', async () => {
    await using server = await ScriptedHttp.start(
      oldest({
        answer: (seen, stream) => {
          if (seen.body.method === 'ping') stream.end()
          else sendEvent(stream, resultOf(seen, callResult))
        },
      }),
    )
    await using client = await reconnecting(server, { reconnectMs: 1, maxReconnectMs: 3_600_000 })
    for (let restart = 0; restart < 30; restart++) {
      await expect(client.ping()).rejects.toMatchObject({ code: 'closed' })
      expect((await client.callTool('a')).text).toBe('ok')
    }
  })

  test('makes no attempts any more once it is closed during an outage', async () => {
    const server = await ScriptedHttp.start(oldest())
    const errors: string[] = []
    const client = await reconnecting(
      server,
      { reconnectMs: 1, maxReconnectMs: 5 },
      { onError: ({ message }) => errors.push(message) },
    )
    await server[Symbol.asyncDispose]()
    await expect.poll(() => errors.length).toBeGreaterThan(8)
    await client.close()
    const before = errors.length
    await expect(client.callTool('a')).rejects.toMatchObject({ code: 'closed', message: 'The client was closed' })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(errors).toHaveLength(before)
  })

  test('takes many calls at once, and Node sees no leak in that', async () => {
    const warnings: Error[] = []
    const warned = (warning: Error) => warnings.push(warning)
    process.on('warning', warned)
    await using server = await ScriptedHttp.start(oldest())
    await using client = await reach(server, http)
    const calls = await Promise.all(Array.from({ length: 30 }, () => client.callTool('a')))
    process.off('warning', warned)
    expect(calls.map(({ text }) => text)).toEqual(Array.from({ length: 30 }, () => 'ok'))
    expect(warnings).toEqual([])
  })

  test('posts the answers to questions', async () => {
    await using server = await ScriptedHttp.start(
      oldest({
        answer: (seen, stream) => {
          sendEvent(stream, { jsonrpc: '2.0', id: 'q', method: 'roots/list' })
          server.until(({ body }) => body.id === 'q').then(() => sendEvent(stream, resultOf(seen, callResult)))
        },
      }),
    )
    await using client = await reach(server, http, { roots: [{ uri: 'file:///a' }] })
    expect((await client.callTool('a')).text).toBe('ok')
  })
})
