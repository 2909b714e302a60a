import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connect } from '../client/connect.ts'
import type { ConnectOptions } from '../client/options.ts'
import type { HttpClientOptions } from './http-options.ts'
import {
  callResult,
  discoverResult,
  errorOf,
  type HttpHandler,
  initializeResult,
  legacy,
  modern,
  noMethod,
  resultOf,
  ScriptedHttp,
  type SeenHttp,
  sendJson,
  sendText,
} from './scripted-http.suite.ts'
import { forgetServers } from './verdicts.ts'

const engines: [string, HttpClientOptions][] = [
  ['node', {}],
  ['fetch', { fetch: (input, init) => globalThis.fetch(input, init) }],
]

const ok: HttpHandler = (seen, reply) => sendJson(reply, resultOf(seen, callResult))
const servers: ScriptedHttp[] = []
const serve = async (handler: HttpHandler): Promise<ScriptedHttp> => {
  const server = await ScriptedHttp.start(handler)
  servers.push(server)
  return server
}
beforeEach(() => forgetServers())
afterEach(async () => {
  for (const server of servers.splice(0)) await server[Symbol.asyncDispose]()
})

describe.each(engines)('connecting over %s', (_, http) => {
  const reach = (server: ScriptedHttp, options: ConnectOptions = {}) =>
    connect(server.url, { validate: 'off', httpLimits: { reconnectMs: 20, closeTimeoutMs: 200 }, ...http, ...options })

  describe('finds the era', () => {
    // [http.compat.try-modern-first] [httpsse.compat.client-post-first]
    test('of a server of 2026-07-28', async () => {
      const server = await serve(modern(ok))
      await using client = await reach(server)
      expect(client.server.revision).toBe('2026-07-28')
      expect((await client.callTool('a')).text).toBe('ok')
      expect(server.log).toEqual(['POST server/discover', 'POST tools/call'])
    })

    /** Answers of servers of 2025 to an unknown method, before a session exists. */
    const older: [string, HttpHandler][] = [
      ['-32601', (s, r) => sendJson(r, errorOf(s, -32601, 'Method not found'))],
      ['-32601 in 404', (s, r) => sendJson(r, errorOf(s, -32601, 'Method not found'), 404)],
      ['-32600', (s, r) => sendJson(r, errorOf(s, -32600, 'Invalid Request'), 400)],
      [
        '-32700 without id',
        (_s, r) => sendJson(r, { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } }, 400),
      ],
      [
        '-32000 without id',
        (_s, r) =>
          sendJson(
            r,
            { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Bad Request: Server not initialized' } },
            400,
          ),
      ],
      ['400 with text', (_s, r) => sendText(r, 400, 'Bad Request: Unsupported protocol version')],
      ['404 with a page', (_s, r) => sendText(r, 404, '<p>no</p>', 'text/html')],
      ['400 without a body', (_s, r) => sendText(r, 400)],
      ['200 without a body', (_s, r) => sendText(r, 200)],
      ['202', (_s, r) => sendText(r, 202)],
      ['405', (_s, r) => sendText(r, 405)],
      ['406', (_s, r) => sendText(r, 406)],
    ]
    // [http.compat.inspect-400-body] [http.compat.other-body-falls-back]
    test.each(older)('of a server of 2025 by %s', async (_name, answer) => {
      const base = legacy(ok)
      const server = await serve((seen, reply) =>
        seen.body.method === 'server/discover' ? answer(seen, reply) : base(seen, reply),
      )
      await using client = await reach(server)
      expect(client.server.revision).toBe('2025-11-25')
      expect((await client.callTool('a')).text).toBe('ok')
      expect(server.log.filter((line) => line !== 'GET')).toEqual([
        'POST server/discover',
        'POST initialize',
        'POST notifications/initialized',
        'POST tools/call',
      ])
      expect(server.all('initialize')[0]!.headers).not.toHaveProperty('mcp-protocol-version')
    })

    test('of a slow server by its answer alone, and remembers nothing of its silence', async () => {
      const server = await serve(() => {})
      const patience = { probeTimeoutMs: 10, timeoutMs: 200 }
      await expect(reach(server, patience)).rejects.toMatchObject({ code: 'timeout' })
      expect(server.log).toEqual(['POST server/discover'])
      server.handler = modern(ok)
      await using client = await reach(server)
      expect(client.server.revision).toBe('2026-07-28')
    })

    test('not by a connection that breaks', async () => {
      const server = await serve((_seen, reply) => void reply.destroy())
      await expect(reach(server)).rejects.toMatchObject({ code: 'closed' })
      expect(new Set(server.log)).toEqual(new Set(['POST server/discover']))
      server.handler = modern(ok)
      await using client = await reach(server)
      expect(client.server.revision).toBe('2026-07-28')
    })

    test('and remembers a server of 2025, until told to forget', async () => {
      const server = await serve(legacy(ok))
      for (let i = 0; i < 2; i++) await (await reach(server)).close()
      expect(server.all('server/discover')).toHaveLength(1)
      expect(server.all('initialize')).toHaveLength(2)
      forgetServers(server.url)
      await (await reach(server)).close()
      expect(server.all('server/discover')).toHaveLength(2)
    })

    test('of a server that was updated since', async () => {
      const server = await serve(legacy(ok))
      await (await reach(server)).close()
      server.handler = modern((seen, reply) => (seen.body.method === 'initialize' ? noMethod : ok)(seen, reply))
      for (const first of ['POST initialize', 'POST server/discover']) {
        const before = server.seen.length
        await using client = await reach(server)
        expect(client.server.revision).toBe('2026-07-28')
        expect(server.log[before]).toBe(first)
      }
    })

    test('and does not take a client that began with the handshake for proof', async () => {
      const server = await serve((seen, reply) =>
        seen.body.method === 'server/discover'
          ? sendJson(reply, resultOf(seen, discoverResult))
          : legacy(ok)(seen, reply),
      )
      await using older = await reach(server, { revisions: ['2025-11-25'] })
      expect(older.server.revision).toBe('2025-11-25')
      await using newer = await reach(server)
      expect(newer.server.revision).toBe('2026-07-28')
    })

    // [http.compat.modern-error-stays-modern]
    test('of a server that names what it speaks', async () => {
      let first = true
      const server = await serve((seen, reply) => {
        if (!first) return modern(ok)(seen, reply)
        first = false
        return sendJson(
          reply,
          errorOf(seen, -32022, 'Unsupported protocol version', { supported: ['2026-07-28'], requested: 'x' }),
          400,
        )
      })
      await using client = await reach(server)
      expect(client.server.revision).toBe('2026-07-28')
      expect(server.log).toEqual(['POST server/discover', 'POST server/discover'])
    })

    const noEvidence: [string, HttpHandler, object][] = [
      ['401', (_s, r) => sendText(r, 401, 'who?'), { code: 'unauthorized', status: 401 }],
      ['403', (_s, r) => sendText(r, 403), { code: 'unauthorized', status: 403 }],
      ['429', (_s, r) => sendText(r, 429, 'later'), { code: 'http', status: 429 }],
      ['500', (_s, r) => sendText(r, 500, 'oh no'), { code: 'http', status: 500 }],
      ['503', (_s, r) => sendText(r, 503), { code: 'http', status: 503 }],
      [
        'a redirect elsewhere',
        (_s, r) => r.writeHead(307, { Location: 'http://localhost:1/' }).end(),
        { code: 'http', status: 307 },
      ],
      ['-32020', (s, r) => sendJson(r, errorOf(s, -32020, 'mismatch'), 400), { code: 'negotiation' }],
    ]
    test.each(noEvidence)('and takes %s for no evidence', async (_name, answer, expected) => {
      const server = await serve(answer)
      await expect(reach(server)).rejects.toMatchObject(expected)
      expect(server.log).toEqual(['POST server/discover'])
    })

    test('and says what it found where there is no server', async () => {
      const server = await serve((_s, reply) => sendText(reply, 200, '<title>Welcome</title>', 'text/html'))
      await expect(reach(server)).rejects.toMatchObject({
        code: 'http',
        message: 'Expected JSON or a stream of events, got text/html: Welcome',
      })
    })
  })

  describe('a session that the server forgot', () => {
    /** Knows only the newest session; `restart` forgets it. */
    function forgetful(
      refuse: HttpHandler,
      revision?: string,
    ): { handler: HttpHandler; restart(): void; sessions: () => number } {
      let sessions = 0
      let known = ''
      const handler: HttpHandler = (seen, reply) => {
        if (seen.body.method === 'server/discover') return sendText(reply, 400)
        if (seen.body.method === 'initialize') {
          known = `s-${++sessions}`
          return sendJson(reply, resultOf(seen, initializeResult(revision)), 200, { 'Mcp-Session-Id': known })
        }
        if (seen.verb !== 'POST') return sendText(reply, 405)
        if (seen.headers['mcp-session-id'] !== known) return refuse(seen, reply)
        return seen.body.id === undefined ? sendText(reply, 202) : ok(seen, reply)
      }
      return {
        handler,
        restart: () => {
          known = ''
        },
        sessions: () => sessions,
      }
    }
    const refusals: [string, HttpHandler][] = [
      ['JSON-RPC', (s, r) => sendJson(r, errorOf(s, -32001, 'Session not found'), 404)],
      ['a page', (_s, r) => sendText(r, 404, '<p>Not Found</p>', 'text/html')],
      ['nothing', (_s, r) => sendText(r, 404)],
      [
        '400',
        (_s, r) =>
          sendJson(
            r,
            { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Bad Request: No valid session ID provided' } },
            400,
          ),
      ],
      [
        '400 of a server that began anew',
        (_s, r) =>
          sendJson(
            r,
            { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Bad Request: Server not initialized' } },
            400,
          ),
      ],
    ]

    const inEach = ['2025-03-26', '2025-06-18', '2025-11-25'].flatMap((revision) =>
      refusals.map(([name, refuse]) => [name, revision, refuse] as const),
    )
    // [http.session.client-reinitialises]
    test.each(inEach)(
      'is replaced once for all calls, which are sent again (%s, %s)',
      async (_name, revision, refuse) => {
        const memory = forgetful(refuse, revision)
        const server = await serve(memory.handler)
        await using client = await reach(server)
        const changed: string[] = []
        for (const kind of ['tools', 'resources', 'prompts'] as const) client.onChange(kind, () => changed.push(kind))
        memory.restart()
        const calls = Array.from({ length: 50 }, (_call, i) => client.callTool(`t${i}`))
        for (const { text } of await Promise.all(calls)) expect(text).toBe('ok')
        expect(memory.sessions()).toBe(2)
        expect(changed.sort()).toEqual(['prompts', 'resources', 'tools'])
        const accepted = server.all('tools/call').filter(({ headers }) => headers['mcp-session-id'] === 's-2')
        expect(new Set(accepted.map(({ body }) => body.params?.name)).size).toBe(50)
        expect(server.all('initialize')[1]!.headers).not.toHaveProperty('mcp-session-id')
      },
    )

    test('again at once is an error, and the client stays usable', async () => {
      const memory = forgetful((_s, reply) => sendText(reply, 404))
      let refuseCalls = true
      const server = await serve((seen, reply) => {
        if (refuseCalls && seen.body.method === 'tools/call') return sendText(reply, 404)
        return memory.handler(seen, reply)
      })
      await using client = await reach(server)
      await expect(client.callTool('a')).rejects.toMatchObject({ code: 'session_expired' })
      expect(memory.sessions()).toBe(2)
      refuseCalls = false
      expect((await client.callTool('a')).text).toBe('ok')
    })

    test('and whose server is down is tried again by the next call', async () => {
      const memory = forgetful((_s, reply) => sendText(reply, 404))
      let down = false
      const server = await serve((seen, reply) =>
        down && seen.body.method === 'initialize' ? sendText(reply, 503) : memory.handler(seen, reply),
      )
      await using client = await reach(server)
      memory.restart()
      down = true
      await expect(client.callTool('a')).rejects.toMatchObject({ code: 'http', status: 503 })
      down = false
      expect((await client.callTool('a')).text).toBe('ok')
      expect(memory.sessions()).toBe(2)
    })
  })

  // [http.param.relist-and-retry]
  test('a call whose headers are refused is repeated with those of a new list, once', async () => {
    const schema = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } }
    const checked: HttpHandler = (seen, reply) => {
      if (seen.body.method === 'tools/list') {
        return sendJson(
          reply,
          resultOf(seen, {
            tools: [{ name: 'a', inputSchema: schema }],
            ttlMs: 0,
            cacheScope: 'private',
            resultType: 'complete',
          }),
        )
      }
      const { region } = (seen.body.params as { arguments: { region: string } }).arguments
      if (seen.headers['mcp-param-region'] === region) return ok(seen, reply)
      return sendJson(reply, errorOf(seen, -32020, 'Header mismatch: Mcp-Param-Region is missing'), 400)
    }
    const server = await serve(modern(checked))
    await using client = await reach(server)
    expect((await client.callTool('a', { region: 'eu' })).text).toBe('ok')
    expect(server.log.slice(1)).toEqual(['POST tools/call', 'POST tools/list', 'POST tools/call'])
    const ids = server.all('tools/call').map(({ body }: SeenHttp) => body.id)
    expect(new Set(ids).size).toBe(2)
    server.handler = modern((seen, reply) =>
      sendJson(
        reply,
        seen.body.method === 'tools/list'
          ? resultOf(seen, { tools: [], ttlMs: 0, cacheScope: 'private', resultType: 'complete' })
          : errorOf(seen, -32020, 'no'),
        seen.body.method === 'tools/list' ? 200 : 400,
      ),
    )
    await expect(client.callTool('a', { region: 'eu' })).rejects.toMatchObject({ code: -32020 })
    expect(server.all('tools/call')).toHaveLength(4)
  })
})
