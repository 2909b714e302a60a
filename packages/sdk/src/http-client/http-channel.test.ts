import { Agent } from 'node:http'
import { createServer as createSecureServer, Agent as SecureAgent } from 'node:https'
import { type AddressInfo, Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import type { Client } from '../client/client.ts'
import { connect } from '../client/connect.ts'
import type { ConnectOptions } from '../client/options.ts'
import type { HttpClientOptions, StreamState } from './http-options.ts'
import { openHttp } from './open-http.ts'
import {
  callResult,
  discoverResult,
  errorOf,
  type HttpHandler,
  legacy,
  modern,
  resultOf,
  ScriptedHttp,
  sendEvent,
  sendJson,
  sendText,
  startEvents,
} from './scripted-http.suite.ts'

const engines: [string, HttpClientOptions][] = [
  ['node', {}],
  ['fetch', { fetch: (input, init) => globalThis.fetch(input, init) }],
]

const withSessions = ['2025-03-26', '2025-06-18', '2025-11-25'] as const
const fast = { reconnectMs: 20, maxReconnectMs: 50, acceptTimeoutMs: 2_000, closeTimeoutMs: 200 }

interface Opened extends AsyncDisposable {
  server: ScriptedHttp
  client: Client
  errors: Error[]
  warnings: string[]
}

async function open(handler: HttpHandler, http: HttpClientOptions = {}, options: ConnectOptions = {}): Promise<Opened> {
  const server = await ScriptedHttp.start(handler)
  const errors: Error[] = []
  const warnings: string[] = []
  const warn = (message: string): void => void warnings.push(message)
  const limits = { ...fast, ...http.httpLimits }
  try {
    const client = await connect(() => openHttp(server.url, { ...http, httpLimits: limits, warn }), {
      validate: 'off',
      onError: (error) => errors.push(error),
      ...options,
    })
    const dispose = async (): Promise<void> => {
      await client.close()
      await server[Symbol.asyncDispose]()
    }
    return { server, client, errors, warnings, [Symbol.asyncDispose]: dispose }
  } catch (error) {
    await server[Symbol.asyncDispose]()
    throw error
  }
}

const ok: HttpHandler = (seen, reply) => sendJson(reply, resultOf(seen, callResult))
const okEvents: HttpHandler = (seen, reply) => {
  startEvents(reply)
  sendEvent(reply, resultOf(seen, callResult))
  reply.end()
}
const complete = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }

describe.each(engines)('over %s', (engine, http) => {
  describe('headers', () => {
    // [http.post.accept-header] [http.post.one-message-one-post] [http.post.body-request-or-notification]
    // [http.post.metadata-headers] [http.version.header-on-every-post] [http.version.header-equals-body]
    // [http.headers.mcp-method] [http.headers.mcp-name] [http.headers.mcp-name-encoding]
    test('of 2026-07-28 repeat the body', async () => {
      await using t = await open(modern(ok), http)
      await t.client.callTool('größe')
      const [probe, call] = t.server.seen
      expect(probe!.headers).toMatchObject({
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'server/discover',
      })
      expect(probe!.headers).not.toHaveProperty('mcp-name')
      expect(call!.headers).toMatchObject({ 'mcp-method': 'tools/call', 'mcp-name': '=?base64?Z3LDtsOfZQ==?=' })
      expect(call!.headers).not.toHaveProperty('mcp-session-id')
    })

    // [http.session.client-sends-id] [http.session.client-deletes] [http.version.legacy-header]
    // [http.version.legacy-negotiated-value] [http.get.open-stream] [http.get.accept-header] [http.post.body-single]
    // [http.post.accept-header] [http.post.one-message-one-post]
    test.each(withSessions)('of %s name the session and, after the handshake, the version', async (revision) => {
      await using t = await open(legacy(ok, 's-1', revision), http, { revisions: [revision] })
      await t.client.callTool('a')
      await t.client.close()
      const [initialize, ...later] = t.server.seen
      expect(initialize!.headers).not.toHaveProperty('mcp-protocol-version')
      expect(initialize!.headers).not.toHaveProperty('mcp-session-id')
      expect(later.map(({ verb }) => verb)).toEqual(['POST', 'GET', 'POST', 'DELETE'])
      for (const { headers, verb, body } of later) {
        // The header came with 2025-06-18.
        expect(headers['mcp-protocol-version']).toBe(revision === '2025-03-26' ? undefined : revision)
        expect(headers['mcp-session-id']).toBe('s-1')
        expect(headers).not.toHaveProperty('mcp-method')
        if (verb === 'GET') expect(headers.accept).toBe('text/event-stream')
        if (verb === 'POST') expect(headers.accept).toBe('application/json, text/event-stream')
        expect(Array.isArray(body)).toBe(false)
      }
    })

    // [http.post.body-single-or-batch]
    test('of 2025-03-26 name no version, and no session if there is none', async () => {
      await using t = await open(legacy(ok, '', '2025-03-26'), http, { revisions: ['2025-03-26'] })
      await t.client.callTool('a')
      await t.client.close()
      expect(t.server.log).toEqual(['POST initialize', 'POST notifications/initialized', 'GET', 'POST tools/call'])
      for (const { headers } of t.server.seen) {
        expect(headers).not.toHaveProperty('mcp-protocol-version')
        expect(headers).not.toHaveProperty('mcp-session-id')
      }
    })

    test('of the user go with every request, and replace none of the protocol', async () => {
      let count = 0
      const headers = async () => ({ Authorization: `Bearer ${++count}`, 'CONTENT-TYPE': 'text/plain', accept: '*/*' })
      await using t = await open(legacy(ok), { ...http, headers }, { revisions: ['2025-11-25'] })
      await t.client.callTool('a')
      await t.client.close()
      expect(t.server.seen.map((seen) => seen.headers.authorization).sort()).toEqual(
        t.server.seen.map((_, i) => `Bearer ${i + 1}`),
      )
      expect(t.server.seen[0]!.headers['content-type']).toBe('application/json')
      expect(t.server.seen[0]!.headers.accept).toBe('application/json, text/event-stream')
    })

    if (engine === 'node') {
      test('name the library unless the user does, and always the true length', async () => {
        await using plain = await open(modern(ok), http)
        await plain.client.callTool('größe')
        const [, call] = plain.server.seen
        expect(call!.headers['user-agent']).toMatch(/^tenon\/\d/)
        expect(call!.headers['content-length']).toBe(String(Buffer.byteLength(JSON.stringify(call!.body))))
        expect(call!.headers).not.toHaveProperty('transfer-encoding')

        const headers = { 'user-agent': 'mine', 'content-length': '1' }
        await using named = await open(modern(ok), { ...http, headers })
        expect((await named.client.callTool('a')).text).toBe((await plain.client.callTool('a')).text)
        for (const seen of named.server.seen) {
          expect(seen.headers['user-agent']).toBe('mine')
          expect(seen.headers['content-length']).toBe(String(Buffer.byteLength(JSON.stringify(seen.body))))
        }
      })
    }

    test('a function for headers that fails fails the call, and says so', async () => {
      const headers = () => Promise.reject(new Error('no token'))
      await expect(open(modern(ok), { ...http, headers })).rejects.toThrow('headers: the function failed')
    })
  })

  describe('answers', () => {
    // [http.post.client-accepts-both-reply-types] [http.multi.parallel-streams]
    test.each([...withSessions, '2026-07-28'] as const)(
      'of %s arrive as JSON and as events, in parallel',
      async (revision) => {
        const handler: HttpHandler = (seen, reply) =>
          seen.body.params?.name === 'json' ? ok(seen, reply) : okEvents(seen, reply)
        const serving = revision === '2026-07-28' ? modern(handler) : legacy(handler, 's-1', revision)
        await using t = await open(serving, http, { revisions: [revision] })
        const calls = Array.from({ length: 20 }, (_, i) => t.client.callTool(i % 2 ? 'json' : 'events'))
        for (const { text } of await Promise.all(calls)) expect(text).toBe('ok')
      },
    )

    // [http.sse.ignore-comments] [http.sse.empty-data-tolerated]
    test('come after comments, empty events and progress', async () => {
      await using t = await open(
        modern((seen, reply) => {
          startEvents(reply)
          reply.write(': hello\n\n')
          sendEvent(reply, '', 'id: 1\n')
          const token = (seen.body.params as { _meta: { progressToken: number } })._meta.progressToken
          sendEvent(reply, {
            jsonrpc: '2.0',
            method: 'notifications/progress',
            params: { progressToken: token, progress: 1 },
          })
          sendEvent(reply, resultOf(seen, callResult))
          reply.end()
        }),
        http,
      )
      const progress: number[] = []
      const { text } = await t.client.callTool('a', {}, { onProgress: (step) => progress.push(step.progress) })
      expect([text, progress]).toEqual(['ok', [1]])
      expect(t.errors).toEqual([])
    })

    test('with the id as text, or an error without one, are understood', async () => {
      await using t = await open(
        modern((seen, reply) => {
          if (seen.body.params?.name === 'a')
            sendJson(reply, { ...resultOf(seen, callResult), id: String(seen.body.id) })
          else sendJson(reply, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'broken' } }, 500)
        }),
        http,
      )
      expect((await t.client.callTool('a')).text).toBe('ok')
      await expect(t.client.callTool('b')).rejects.toMatchObject({ name: 'RpcError', code: -32000 })
    })

    test('that the server leaves open do not keep the connection', async () => {
      await using t = await open(
        modern((seen, reply) => {
          startEvents(reply)
          sendEvent(reply, resultOf(seen, callResult))
        }),
        http,
      )
      expect((await t.client.callTool('a')).text).toBe('ok')
      await t.server.all('tools/call')[0]!.aborted
    })

    test('questions of the server come on the stream of a call, and their answers are posted', async () => {
      await using t = await open(
        legacy((seen, reply) => {
          if (seen.body.method !== 'tools/call') return ok(seen, reply)
          startEvents(reply)
          sendEvent(reply, { jsonrpc: '2.0', id: 'q', method: 'roots/list' })
          t.server
            .until(({ body }) => body.id === 'q')
            .then(({ body }) => {
              sendEvent(reply, resultOf(seen, { content: [{ type: 'text', text: JSON.stringify(body.result) }] }))
              reply.end()
            })
        }),
        http,
        { revisions: ['2025-11-25'], roots: [{ uri: 'file:///a' }] },
      )
      expect((await t.client.callTool('a')).text).toBe('{"roots":[{"uri":"file:///a"}]}')
    })
  })

  describe('refusals', () => {
    const answers: [string, HttpHandler, object][] = [
      [
        'a page',
        (_, r) => sendText(r, 404, '<html><title>Not <b>here</b></title><script>x()</script></html>', 'text/html'),
        {
          code: 'http',
          status: 404,
          message: expect.stringMatching(/^tools\/call was answered with HTTP 404 at http:.*: Not here$/),
        },
      ],
      ['text', (_, r) => sendText(r, 500, 'oh no'), { code: 'http', status: 500, body: 'oh no' }],
      ['nothing', (_, r) => sendText(r, 400), { code: 'http', status: 400 }],
      [
        '202',
        (_, r) => sendText(r, 202),
        { code: 'http', message: 'tools/call was answered with HTTP 202 and no body' },
      ],
      [
        'a page with 200',
        (_, r) => sendText(r, 200, '<p>Log in</p>', 'text/html'),
        { code: 'http', message: 'Expected JSON or a stream of events, got text/html: Log in' },
      ],
      ['half a message', (_, r) => sendText(r, 200, '{"jsonrpc"', 'application/json'), { code: 'invalid_result' }],
      [
        'another answer',
        (_, r) => sendJson(r, { jsonrpc: '2.0', id: 999_999, result: {} }),
        { code: 'invalid_result' },
      ],
      ['deep JSON', (_, r) => sendText(r, 200, '['.repeat(100_000), 'application/json'), { code: 'invalid_result' }],
      [
        'a stream without the answer',
        (_, r) => {
          startEvents(r)
          r.end()
        },
        { code: 'closed', message: expect.stringContaining('may have run') },
      ],
      [
        'a broken stream',
        (_, r) => {
          startEvents(r)
          sendEvent(r, '', 'id: 1\n')
          setTimeout(() => r.destroy(), 20)
        },
        { code: 'closed', message: expect.stringContaining('may have run') },
      ],
      [
        'a broken connection',
        (_, r) => {
          r.destroy()
        },
        {
          code: 'closed',
          message: expect.stringMatching(/^The connection to .* failed: .*; tools\/call may have run$/),
        },
      ],
      ['JSON-RPC in 400', (s, r) => sendJson(r, errorOf(s, -32602, 'bad'), 400), { name: 'RpcError', code: -32602 }],
    ]
    // [http.sse.no-resumption] [http.sse.reissue-after-break]
    test.each(answers)('%s is an error that says so', async (_, handler, expected) => {
      await using t = await open(modern(handler), http)
      await expect(t.client.callTool('a')).rejects.toMatchObject(expected)
      expect(t.server.log).toEqual(['POST server/discover', 'POST tools/call'])
    })

    test.each([401, 403])('%i is about credentials, and keeps the challenge', async (status) => {
      await using t = await open(
        modern((_, reply) => {
          reply.writeHead(status, { 'WWW-Authenticate': 'Bearer scope="a"' })
          reply.end()
        }),
        http,
      )
      await expect(t.client.callTool('a')).rejects.toMatchObject({
        code: 'unauthorized',
        status,
        challenge: 'Bearer scope="a"',
      })
    })

    test.each([
      ['404', (_: unknown, r: Parameters<HttpHandler>[1]) => sendText(r, 404)],
      [
        '404 with JSON-RPC',
        (s: Parameters<HttpHandler>[0], r: Parameters<HttpHandler>[1]) =>
          sendJson(r, errorOf(s, -32001, 'Session not found'), 404),
      ],
      [
        '400 that speaks of the session',
        (s: Parameters<HttpHandler>[0], r: Parameters<HttpHandler>[1]) =>
          sendJson(r, errorOf(s, -32000, 'Bad Request: No valid session ID provided'), 400),
      ],
    ] as [string, HttpHandler][])('%s with a session means that it expired', async (_, handler) => {
      await using t = await open(legacy(handler), http, { revisions: ['2025-11-25'] })
      await expect(t.client.request('ping')).rejects.toMatchObject({ code: 'session_expired' })
    })
  })

  describe('cancellation', () => {
    const hang: HttpHandler = (_, reply) => startEvents(reply)

    // [http.post.cancelled-not-needed] [http.post.no-responses]
    test('in 2026-07-28 ends the request, and posts nothing', async () => {
      await using t = await open(modern(hang), http)
      const stop = new AbortController()
      const call = t.client.callTool('a', {}, { signal: stop.signal })
      const seen = await t.server.until(({ body }) => body.method === 'tools/call')
      stop.abort()
      await expect(call).rejects.toMatchObject({ code: 'cancelled' })
      await seen.aborted
      expect(t.server.log).toEqual(['POST server/discover', 'POST tools/call'])
    })

    // [http.sse.explicit-cancel]
    test('in 2025 posts the notification, and does not resume the stream', async () => {
      const primed: HttpHandler = (seen, reply) => {
        if (seen.body.method === 'ping') return ok(seen, reply)
        startEvents(reply)
        sendEvent(reply, '', 'id: 1\nretry: 1\n')
      }
      await using t = await open(legacy(primed), http, { revisions: ['2025-11-25'] })
      const stop = new AbortController()
      const call = t.client.callTool('a', {}, { signal: stop.signal })
      const seen = await t.server.until(({ body }) => body.method === 'tools/call')
      stop.abort()
      await expect(call).rejects.toMatchObject({ code: 'cancelled' })
      const cancelled = await t.server.until(({ body }) => body.method === 'notifications/cancelled')
      expect(cancelled.body.params?.requestId).toBe(seen.body.id)
      await seen.aborted
      await t.client.request('ping')
      expect(t.server.seen.filter(({ verb, headers }) => verb === 'GET' && headers['last-event-id'])).toEqual([])
    })
  })

  describe('a stream of 2025 that breaks', () => {
    /** Answers a call after its stream was resumed `times` times. */
    const breaking = (times: number, fields: string): HttpHandler => {
      let left = times
      let asked: Parameters<HttpHandler>[0]
      const base = legacy((seen, reply) => {
        asked = seen
        startEvents(reply)
        sendEvent(reply, '', `id: 0\n${fields}`)
        reply.end()
      })
      return (seen, reply) => {
        if (seen.verb !== 'GET' || seen.headers['last-event-id'] === undefined) return base(seen, reply)
        left -= 1
        startEvents(reply)
        if (left > 0) sendEvent(reply, '', `id: ${times - left}\n`)
        else sendEvent(reply, resultOf(asked, callResult))
        reply.end()
      }
    }

    // [http.sse.client-reconnects] [http.resume.get-with-last-event-id] [http.resume.always-get]
    test('is resumed by GET from the last event, any number of times while there is news', async () => {
      await using t = await open(breaking(8, ''), http, { revisions: ['2025-11-25'] })
      expect((await t.client.callTool('a')).text).toBe('ok')
      const resumptions = t.server.seen.filter(({ headers }) => headers['last-event-id'] !== undefined)
      expect(resumptions.map(({ verb, headers }) => `${verb} ${headers['last-event-id']}`)).toEqual(
        ['0', '1', '2', '3', '4', '5', '6', '7'].map((id) => `GET ${id}`),
      )
      expect(resumptions[0]!.headers).toMatchObject({ 'mcp-session-id': 's-1', accept: 'text/event-stream' })
      expect(t.server.all('tools/call')).toHaveLength(1)
    })

    test('is resumed from the last event with an id that can be a header', async () => {
      const handler = breaking(2, `\n\nid: ü\ndata:\n\nid: a\u0001b\ndata:\n\nid: ${'x'.repeat(1025)}\ndata:\n\n`)
      await using t = await open(handler, http, { revisions: ['2025-11-25'] })
      expect((await t.client.callTool('a')).text).toBe('ok')
      const resumed = t.server.seen.flatMap(({ headers }) => headers['last-event-id'] ?? [])
      expect(resumed).toEqual(['0', '1'])
    })

    // [http.sse.client-honours-retry]
    test('is resumed after the pause that the server asks for', async () => {
      await using t = await open(breaking(1, 'retry: 300\n'), http, { revisions: ['2025-11-25'] })
      await t.client.callTool('a')
      const [call] = t.server.all('tools/call')
      const resumed = t.server.seen.find(({ headers }) => headers['last-event-id'] !== undefined)
      expect(resumed!.at - call!.at).toBeGreaterThanOrEqual(290)
    })

    test('and brings no news is given up', async () => {
      const handler: HttpHandler = (seen, reply) => {
        if (seen.verb === 'GET' && seen.headers['last-event-id']) return sendText(reply, 503)
        return breaking(1, 'retry: 5\n')(seen, reply)
      }
      await using t = await open(handler, { ...http, httpLimits: { maxResumptions: 3 } }, { revisions: ['2025-11-25'] })
      await expect(t.client.callTool('a')).rejects.toMatchObject({
        code: 'closed',
        message: expect.stringContaining('could not be resumed'),
      })
      expect(t.server.seen.filter(({ headers }) => headers['last-event-id'])).toHaveLength(3)
    })

    test('because the server is gone fails after two attempts', async () => {
      const httpLimits = { maxResumptions: 1_000, maxReconnectMs: 3_600_000 }
      await using t = await open(breaking(1, 'retry: 100\n'), { ...http, httpLimits }, { revisions: ['2025-11-25'] })
      const call = t.client.callTool('a')
      call.catch(() => {})
      await t.server.until(({ body }) => body.method === 'tools/call')
      await t.server[Symbol.asyncDispose]()
      await expect(call).rejects.toMatchObject({
        code: 'closed',
        message: expect.stringMatching(/could not be resumed: .*ECONNREFUSED.*; it may have run/),
      })
    })

    test('and cannot be resumed fails at once', async () => {
      const handler: HttpHandler = (seen, reply) =>
        seen.verb === 'GET' ? sendText(reply, 405) : breaking(1, 'retry: 5\n')(seen, reply)
      await using t = await open(handler, http, { revisions: ['2025-11-25'] })
      await expect(t.client.callTool('a')).rejects.toMatchObject({ code: 'closed' })
      expect(t.server.seen.filter(({ headers }) => headers['last-event-id'])).toHaveLength(1)
    })
  })

  describe('the stream on which a server of 2025 speaks first', () => {
    test('is opened after the handshake, opened again when it breaks, and its state is told', async () => {
      const states: StreamState[] = []
      let opened = 0
      const base = legacy(ok)
      const handler: HttpHandler = (seen, reply) => {
        if (seen.verb !== 'GET') return base(seen, reply)
        opened += 1
        startEvents(reply)
        sendEvent(reply, { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }, `id: e${opened}\nretry: 30\n`)
        if (opened < 3) reply.end()
      }
      const changes: number[] = []
      let third: () => void = () => {}
      const reached = new Promise<void>((resolve) => {
        third = resolve
      })
      await using t = await open(
        handler,
        { ...http, onStream: (state) => states.push(state) },
        {
          revisions: ['2025-11-25'],
          onNotification: () => {
            changes.push(opened)
            if (opened === 3) third()
          },
        },
      )
      await reached
      const gets = t.server.seen.filter(({ verb }) => verb === 'GET')
      expect(gets.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'e1', 'e2'])
      expect(gets[2]!.at - gets[1]!.at).toBeGreaterThanOrEqual(25)
      expect(states.map(({ kind }) => kind)).toEqual(['open', 'waiting', 'open', 'waiting', 'open'])
      await t.client.close()
      expect(states.at(-1)).toEqual({ kind: 'closed' })
    })

    test.each(['ü', 'a\u0001b', '\u{1f600}', 'x'.repeat(1025)])('opens again after the event id %j', async (id) => {
      const base = legacy(ok)
      let opened = 0
      const handler: HttpHandler = (seen, reply) => {
        if (seen.verb !== 'GET') return base(seen, reply)
        opened += 1
        startEvents(reply)
        sendEvent(reply, '', 'id: a 1\n')
        sendEvent(reply, '', `id: ${id}\nretry: 5\n`)
        if (opened < 2) reply.end()
      }
      await using t = await open(handler, http, { revisions: ['2025-11-25'] })
      await expect.poll(() => opened).toBe(2)
      const gets = t.server.seen.filter(({ verb }) => verb === 'GET')
      expect(gets.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'a 1'])
    })

    test.each([404, 405, 400, 500])('may be refused with %i', async (status) => {
      const states: StreamState[] = []
      const base = legacy(ok)
      const handler: HttpHandler = (seen, reply) => (seen.verb === 'GET' ? sendText(reply, status) : base(seen, reply))
      await using t = await open(
        handler,
        { ...http, onStream: (state) => states.push(state) },
        { revisions: ['2025-11-25'] },
      )
      await t.client.callTool('a')
      await expect.poll(() => states).toEqual([{ kind: 'none' }])
      expect(t.errors).toEqual([])
    })
  })

  describe('the end of the handshake', () => {
    test('is not overtaken by the first call', async () => {
      const base = legacy(ok)
      const order: string[] = []
      const handler: HttpHandler = async (seen, reply) => {
        const { method = seen.verb } = seen.body
        if (method === 'notifications/initialized') await new Promise((resolve) => setTimeout(resolve, 50))
        order.push(method)
        return base(seen, reply)
      }
      await using t = await open(handler, http, { revisions: ['2025-11-25'] })
      await t.client.callTool('a')
      expect(order.slice(0, 2)).toEqual(['initialize', 'notifications/initialized'])
      expect(order).toContain('tools/call')
    })
  })

  test('a server that is away for a moment after the handshake is told of its end, and listened to', async () => {
    const base = legacy(ok)
    let away = 4
    const handler: HttpHandler = (seen, reply) => {
      const isLate = seen.verb === 'GET' || seen.body.method === 'notifications/initialized'
      if (isLate && away-- > 0) return sendText(reply, away % 2 === 0 ? 503 : 502)
      if (seen.verb !== 'GET') return base(seen, reply)
      startEvents(reply)
      sendEvent(reply, '')
    }
    const states: StreamState[] = []
    const onStream = (state: StreamState): void => void states.push(state)
    const limits = { reconnectMs: 1, maxReconnectMs: 1 }
    await using t = await open(handler, { ...http, ...limits, onStream }, { revisions: ['2025-11-25'] })
    await t.client.callTool('a')
    expect(t.server.all('notifications/initialized')).toHaveLength(5)
    away = 2
    await expect.poll(() => states.at(-1)).toEqual({ kind: 'open' })
  })

  test('a server that does not know the last event any more is listened to from then on', async () => {
    const base = legacy(ok)
    let streams = 0
    const handler: HttpHandler = (seen, reply) => {
      if (seen.verb !== 'GET') return base(seen, reply)
      if (seen.headers['last-event-id'] !== undefined) return sendText(reply, 400, 'Unknown event')
      startEvents(reply)
      streams++
      if (streams > 1) return sendEvent(reply, '')
      reply.end('id: 7\ndata:\n\n')
    }
    const states: StreamState[] = []
    const onStream = (state: StreamState): void => void states.push(state)
    const limits = { reconnectMs: 1, maxReconnectMs: 1 }
    await using t = await open(handler, { ...http, ...limits, onStream }, { revisions: ['2025-11-25'] })
    await t.client.callTool('a')
    await expect.poll(() => streams).toBe(2)
    expect(states.map(({ kind }) => kind)).not.toContain('none')
    expect(t.server.log.filter((line) => line === 'GET')).toHaveLength(3)
  })

  describe('closing', () => {
    // [http.session.client-deletes] [http.get.close-any-time]
    test('ends the session and everything that is open', async () => {
      const base = legacy((_, reply) => startEvents(reply))
      await using t = await open(
        (seen, reply) => (seen.verb === 'GET' ? startEvents(reply) : base(seen, reply)),
        http,
        {
          revisions: ['2025-11-25'],
        },
      )
      const call = t.client.callTool('a')
      const seen = await t.server.until(({ body }) => body.method === 'tools/call')
      const stream = await t.server.until(({ verb }) => verb === 'GET')
      await Promise.all([t.client.close(), expect(call).rejects.toMatchObject({ code: 'closed' })])
      await Promise.all([seen.aborted, stream.aborted])
      expect(t.server.log.at(-1)).toBe('DELETE')
    })

    test('does not wait long for a server that does not answer', async () => {
      const base = legacy(ok)
      await using t = await open((seen, reply) => (seen.verb === 'DELETE' ? undefined : base(seen, reply)), http, {
        revisions: ['2025-11-25'],
      })
      await t.client.close()
      await expect(t.client.request('ping')).rejects.toMatchObject({ code: 'closed' })
    })
  })

  describe('arguments in headers', () => {
    const schema = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } }
    const bad = { type: 'object', properties: { region: { type: 'number', 'x-mcp-header': 'Region' } } }
    const tools = [
      { name: 'good', inputSchema: schema },
      { name: 'bad', inputSchema: bad },
    ]
    const handler: HttpHandler = (seen, reply) =>
      seen.body.method === 'tools/list' ? sendJson(reply, resultOf(seen, { ...complete, tools })) : ok(seen, reply)

    // [http.param.client-support] [http.param.client-mirrors] [http.param.extraction]
    // [http.param.omit-when-null-or-absent] [http.param.reject-invalid-tool] [http.param.reject-log]
    test('are sent once the tools are known, and unusable tools are left out', async () => {
      await using t = await open(modern(handler), http)
      const { tools: listed } = await t.client.listTools()
      expect(listed.map(({ name }) => name)).toEqual(['good'])
      expect(t.warnings).toEqual([expect.stringContaining('"bad" is left out')])
      await t.client.callTool('good', { region: 'eu' })
      await t.client.callTool('good', { region: '' })
      await t.client.callTool('good', {})
      expect(t.server.all('tools/call').map(({ headers }) => headers['mcp-param-region'])).toEqual([
        'eu',
        '',
        undefined,
      ])
    })

    test('mean nothing before 2026-07-28', async () => {
      await using t = await open(legacy(handler), http, { revisions: ['2025-11-25'] })
      expect((await t.client.listTools()).tools).toHaveLength(2)
      await t.client.callTool('good', { region: 'eu' })
      expect(t.server.all('tools/call')[0]!.headers).not.toHaveProperty('mcp-param-region')
    })
  })

  describe('redirects', () => {
    const redirect =
      (status: number, to: string | ((origin: string) => string)): HttpHandler =>
      (seen, reply) => {
        if (seen.path === '/moved') return modern(ok)(seen, reply)
        const location = typeof to === 'string' ? to : to(`http://${seen.headers.host}`)
        reply.writeHead(status, { Location: location })
        reply.end()
      }

    test.each([301, 302, 307, 308])('within the origin are followed (%i)', async (status) => {
      await using t = await open(redirect(status, '/moved'), { ...http, headers: { Authorization: 'secret' } })
      await t.client.callTool('a')
      expect(
        t.server.seen.filter(({ path }) => path === '/moved').map(({ verb, headers }) => [verb, headers.authorization]),
      ).toEqual([
        ['POST', 'secret'],
        ['POST', 'secret'],
      ])
      // Only a permanent redirect is remembered.
      expect(t.server.seen).toHaveLength(status === 301 || status === 308 ? 3 : 4)
    })

    test('to another origin get nothing', async () => {
      await using other = await ScriptedHttp.start(modern(ok))
      const opening = open(
        redirect(307, () => other.url),
        { ...http, headers: { Authorization: 'secret' } },
      )
      await expect(opening).rejects.toThrow(`redirects to another origin, ${other.origin}`)
      expect(other.seen).toEqual([])
    })

    test.each([
      ['without end', redirect(307, '/mcp'), 'redirects more than 5 times'],
      ['to nowhere', redirect(307, 'http://['), 'which is no URL'],
      ['to a page', redirect(303, '/page'), '303'],
    ])('%s are an error', async (_, handler, message) => {
      await expect(open(handler, http)).rejects.toThrow(message)
    })
  })

  describe('a hostile server', () => {
    const small = { httpLimits: { maxMessageBytes: 10_000 } }
    const flood = (reply: Parameters<HttpHandler>[1], piece: string): void => {
      const timer = setInterval(() => reply.write(piece.repeat(1_000)), 1)
      reply.on('close', () => clearInterval(timer))
    }

    test.each([
      [
        'an endless body',
        (r: Parameters<HttpHandler>[1]) => {
          r.writeHead(200, { 'Content-Type': 'application/json' })
          flood(r, ' ')
        },
        'larger than the limit of 10000',
      ],
      [
        'an endless line',
        (r: Parameters<HttpHandler>[1]) => {
          startEvents(r)
          flood(r, 'data: x')
        },
        'larger than the limit of 10000',
      ],
      [
        'an endless error',
        (r: Parameters<HttpHandler>[1]) => {
          r.writeHead(500)
          flood(r, 'no ')
        },
        'HTTP 500: no no',
      ],
      [
        'an endless page',
        (r: Parameters<HttpHandler>[1]) => {
          r.writeHead(200, { 'Content-Type': 'text/html' })
          flood(r, '<p>')
        },
        'got text/html',
      ],
    ])('with %s is cut off', async (_, attack, message) => {
      await using t = await open(
        modern((_seen, reply) => attack(reply)),
        { ...http, ...small },
      )
      await expect(t.client.callTool('a')).rejects.toThrow(message)
      await t.server.all('tools/call')[0]!.aborted
    })

    test('that drips is given up after the time of the call', async () => {
      await using t = await open(
        modern((_, reply) => {
          reply.writeHead(200, { 'Content-Type': 'application/json' })
          const timer = setInterval(() => reply.write(' '), 10)
          reply.on('close', () => clearInterval(timer))
        }),
        http,
      )
      await expect(t.client.callTool('a', {}, { timeoutMs: 100 })).rejects.toMatchObject({ code: 'timeout' })
      await t.server.all('tools/call')[0]!.aborted
    })

    test('cannot set a session id that is no header', async () => {
      await using t = await open(legacy(ok, 'a b'), http, { revisions: ['2025-11-25'] })
      await t.client.callTool('a')
      expect(t.warnings).toHaveLength(1)
      expect(t.server.all('tools/call')[0]!.headers).not.toHaveProperty('mcp-session-id')
    })

    test('that compresses is bounded by what comes out', async () => {
      const { gzipSync } = await import('node:zlib')
      const bomb = gzipSync(Buffer.alloc(5_000_000, 0x20))
      await using t = await open(
        modern((seen, reply) => {
          reply.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
          reply.end(bomb)
          expect(engine === 'fetch' || seen.headers['accept-encoding'] === undefined).toBe(true)
        }),
        { ...http, ...small },
      )
      await expect(t.client.callTool('a')).rejects.toThrow(engine === 'node' ? 'compressed' : 'larger than the limit')
    })
  })
})

describe('a kept connection that the server closes', () => {
  test('is replaced for what may be sent twice, and a tool is not', async () => {
    const { createServer } = await import('node:net')
    // Answers the first request of a connection, and closes on the second.
    const seen: string[] = []
    const raw = createServer((socket) => {
      let requests = 0
      socket.on('error', () => {})
      socket.on('data', (bytes) => {
        const text = String(bytes)
        const { id, method } = JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4))
        seen.push(method)
        if (++requests > 1) {
          socket.resetAndDestroy()
          return
        }
        const result =
          method === 'server/discover'
            ? { supportedVersions: ['2026-07-28'], capabilities: { tools: {}, prompts: {} } }
            : { prompts: [] }
        const body = JSON.stringify({ jsonrpc: '2.0', id, result: { ...complete, ...result } })
        socket.write(
          `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        )
      })
    })
    await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve))
    const { port } = raw.address() as { port: number }
    const client = await connect(() => openHttp(`http://127.0.0.1:${port}/`), { validate: 'off' })
    expect((await client.listPrompts()).prompts).toEqual([])
    await expect(client.callTool('a')).rejects.toMatchObject({ code: 'closed' })
    expect(seen).toEqual(['server/discover', 'prompts/list', 'prompts/list', 'tools/call'])
    await client.close()
    raw.close()
  })
})

describe('an agent', () => {
  test('makes the connections', async () => {
    await using server = await ScriptedHttp.start(modern(ok))
    let made = 0
    class Counting extends Agent {
      override createConnection(...args: Parameters<Agent['createConnection']>): ReturnType<Agent['createConnection']> {
        made += 1
        return super.createConnection(...args)
      }
    }
    const agent = new Counting({ keepAlive: true })
    await using client = await connect(server.url, { agent, validate: 'off' })
    await client.callTool('a')
    expect(made).toBe(1)
    agent.destroy()
  })

  test('whose connection is not made in time is not waited for', async () => {
    class Stuck extends Agent {
      override createConnection(): Socket {
        return Object.assign(new Socket(), { connecting: true })
      }
    }
    const opening = connect('http://127.0.0.1:1/', { agent: new Stuck(), httpLimits: { connectTimeoutMs: 50 } })
    await expect(opening).rejects.toMatchObject({
      code: 'closed',
      message: expect.stringContaining('no connection within 50 ms'),
    })
  })
})

test('https is spoken, with what the agent knows about keys', async () => {
  // A shared key instead of a certificate, which would expire.
  const psk = { identity: 'test', psk: Buffer.from('0123456789abcdef') }
  const secure = createSecureServer(
    { pskCallback: () => psk.psk, ciphers: 'PSK', maxVersion: 'TLSv1.2' },
    (request, reply) => {
      let text = ''
      request.on('data', (chunk) => {
        text += chunk
      })
      request.on('end', () => sendJson(reply, { jsonrpc: '2.0', id: JSON.parse(text).id, result: discoverResult }))
    },
  )
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve))
  const { port } = secure.address() as AddressInfo
  const agent = new SecureAgent({
    keepAlive: true,
    pskCallback: () => psk,
    ciphers: 'PSK',
    maxVersion: 'TLSv1.2',
    checkServerIdentity: () => undefined,
  })
  const client = await connect(`https://127.0.0.1:${port}/`, { agent })
  expect(client.server.revision).toBe('2026-07-28')
  await client.close()
  agent.destroy()
  // Without the key there is no connection, and the error has the reason.
  await expect(connect(`https://127.0.0.1:${port}/`)).rejects.toMatchObject({ code: 'closed' })
  secure.close()
})

describe('the target', () => {
  test.each([
    ['ftp://a', 'expected an http or https URL'],
    ['http://user:secret@a', 'must not contain credentials'],
  ])('%s is refused', (url, message) => expect(openHttp(url)).rejects.toThrow(message))

  test('that does not answer says where and why', async () => {
    await expect(connect(() => openHttp('http://127.0.0.1:1/'))).rejects.toThrow(
      /http:\/\/127\.0\.0\.1:1 failed: .*ECONNREFUSED/,
    )
  })
})
