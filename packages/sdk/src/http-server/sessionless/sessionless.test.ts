import { afterEach, describe, expect, test, vi } from 'vitest'
import { prompt } from '../../server/features/prompt.ts'
import { resource } from '../../server/features/resource.ts'
import { tool } from '../../server/features/tool.ts'
import { fetchHandler } from '../fetch/fetch-handler.ts'
import type { HttpOptions } from '../options.ts'
import { adapters } from '../tests/adapters.suite.ts'
import {
  EventReader,
  type HeaderMap,
  initializeRequest,
  post,
  type Served,
  statelessRequest,
  type ToolScript,
  testServer,
} from '../tests/http.suite.ts'

const named = (revision: string): HeaderMap => ({ 'mcp-protocol-version': revision })
const request = (method: string, params: object = {}, id: number | string = 1): object => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})
const call = (name: string, args: object = {}, meta: object = {}, id: number | string = 1): object =>
  request('tools/call', { name, arguments: args, _meta: meta }, id)

const sum = tool({
  name: 'sum',
  output: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
  run: () => ({ sum: 3 }),
})

describe.each(adapters)('clients of 2025 without sessions over %s', (_name, serve) => {
  let served: Served
  let script: ToolScript

  const start = async (options: HttpOptions = {}, overrides: object = {}): Promise<void> => {
    const made = testServer(overrides)
    script = made.script
    served = await serve(made.server, { sessions: false, ...options })
  }
  const send = (body: unknown, headers: HeaderMap = named('2025-11-25')): Promise<Response> =>
    served.fetch('/mcp', post(body, headers))
  afterEach(() => served.close())

  test.each(['2025-03-26', '2025-06-18', '2025-11-25'])(
    '%s: initialize is answered without a session id, and each POST stands alone',
    async (revision) => {
      await start()
      const opened = await served.fetch('/mcp', post(initializeRequest(revision)))
      expect(opened.status).toBe(200)
      expect(opened.headers.get('mcp-session-id')).toBeNull()
      expect(await opened.json()).toMatchObject({
        id: 0,
        result: { protocolVersion: revision, serverInfo: { name: 'http-test' }, capabilities: { tools: {} } },
      })
      const ready = await send({ jsonrpc: '2.0', method: 'notifications/initialized' }, named(revision))
      expect([ready.status, await ready.text()]).toEqual([202, ''])
      const answer = await send(call('echo', { text: 'hi' }), named(revision))
      expect(answer.headers.get('content-type')).toBe('application/json')
      expect(await answer.json()).toMatchObject({ id: 1, result: { content: [{ text: 'echo hi' }] } })
    },
  )

  test('the handshake promises no notifications that could not be sent', async () => {
    const read = (): string => 'text'
    const overrides = {
      resources: [resource({ uri: 'note:///a', name: 'a', read })],
      prompts: [prompt({ name: 'p', run: () => 'text' })],
    }
    await start({}, overrides)
    const { result } = await (await served.fetch('/mcp', post(initializeRequest()))).json()
    expect(result.capabilities).toMatchObject({ resources: {}, prompts: {}, logging: {} })
    expect(JSON.stringify(result.capabilities)).not.toMatch(/listChanged|subscribe/)
    const refused = await send(request('resources/subscribe', { uri: 'note:///a' }))
    expect(await refused.json()).toMatchObject({
      error: {
        code: -32601,
        message: 'Method not found: resources/subscribe (it needs a session, and this server gives none)',
      },
    })
  })

  test('a request is answered in the revision of its header, and without one in 2025-03-26', async () => {
    await start({}, { tools: [sum] })
    const newer = await (await send(call('sum'), named('2025-06-18'))).json()
    expect(newer.result).toMatchObject({ structuredContent: { sum: 3 } })
    const older = await (await send(call('sum'), {})).json()
    expect(older.result).toEqual({ content: [{ type: 'text', text: '{"sum":3}' }] })
  })

  test('a version that the server does not speak is a 400 that names those that it does', async () => {
    await start({}, { revisions: ['2025-06-18', '2026-07-28'] })
    const unknown = await send(request('tools/list'), named('2025-01-01'))
    expect(unknown.status).toBe(400)
    expect(await unknown.json()).toMatchObject({
      id: 1,
      error: { message: 'Bad request: unsupported MCP-Protocol-Version (supported: 2025-06-18)' },
    })
    const missing = await send(request('tools/list'), {})
    expect(missing.status).toBe(400)
    expect(await missing.json()).toMatchObject({
      error: {
        message:
          'Bad request: MCP-Protocol-Version is missing, which means 2025-03-26, and this server does not speak that (supported: 2025-06-18)',
      },
    })
  })

  test('an offer that the server does not speak is answered with the newest revision that has initialize', async () => {
    await start()
    const opened = await served.fetch('/mcp', post(initializeRequest('1999-01-01')))
    expect(await opened.json()).toMatchObject({ result: { protocolVersion: '2025-11-25' } })
    const wrong = await served.fetch('/mcp', post(request('initialize', {})))
    expect(await wrong.json()).toMatchObject({ id: 1, error: { code: -32602 } })
  })

  test('GET and DELETE are 405, with a session id too, and there is no HTTP+SSE', async () => {
    await start()
    for (const method of ['GET', 'DELETE']) {
      for (const headers of [{}, { 'mcp-session-id': 'abc' }]) {
        const response = await served.fetch('/mcp', { method, headers: { accept: 'text/event-stream', ...headers } })
        expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
        expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining(`${method} `) } })
      }
    }
    const sse = await served.fetch('/sse', { headers: { accept: 'text/event-stream' } })
    expect(sse.status).toBe(404)
  })

  test('a session id of earlier days is ignored', async () => {
    await start()
    const answer = await send(call('echo'), { ...named('2025-11-25'), 'mcp-session-id': 'gone' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('mcp-session-id')).toBeNull()
  })

  test('progress and log messages come on the stream of the POST', async () => {
    const talk = tool({
      name: 'talk',
      async run(_input, ctx) {
        await ctx.log('info', 'started')
        await ctx.progress(1, 2, 'half')
        return 'finished'
      },
    })
    await start({}, { tools: [talk] })
    const response = await send(call('talk', {}, { progressToken: 7 }))
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const events = await new EventReader(response).rest()
    // Nobody could resume this stream, so its events have no ids, and no event comes first to give one.
    expect(events.map(({ id, retry }) => [id, retry])).toEqual(events.map(() => [undefined, undefined]))
    expect(events.map(({ data }) => JSON.parse(data!))).toMatchObject([
      { method: 'notifications/message', params: { level: 'info', data: 'started' } },
      { method: 'notifications/progress', params: { progressToken: 7, progress: 1 } },
      { id: 1, result: { content: [{ text: 'finished' }] } },
    ])
  })

  test.each([
    [
      'elicit',
      (ctx: never) =>
        (ctx as { elicit(m: string, s: object): unknown }).elicit('Name?', { type: 'object', properties: {} }),
    ],
    ['sample', (ctx: never) => (ctx as { sample(p: object): unknown }).sample({ messages: [], maxTokens: 1 })],
    ['roots', (ctx: never) => (ctx as { roots(): unknown }).roots()],
  ])('%s is refused with the reason', async (_what, ask) => {
    await start({}, { tools: [tool({ name: 'asks', run: async (_input, ctx) => `${await ask(ctx as never)}` })] })
    const { result } = await (await send(call('asks'))).json()
    expect(result.isError).toBe(true)
    expect(result.content[0].text).toContain('the answer would come in another POST, perhaps to another process')
    expect(script.errors).toEqual([])
  })

  test('the level of log messages is that of one request', async () => {
    await start()
    expect(await (await send(request('logging/setLevel', { level: 'error' }))).json()).toMatchObject({ result: {} })
  })

  test('ping, unknown methods, wrong messages and answers to nothing', async () => {
    await start()
    expect(await (await send(request('ping'))).json()).toMatchObject({ id: 1, result: {} })
    const unknown = await send(request('no/such'))
    expect([unknown.status, (await unknown.json()).error.code]).toEqual([200, -32601])
    const wrong = await send({ jsonrpc: '2.0', id: 1 })
    expect(wrong.status).toBe(400)
    const answered = await send({ jsonrpc: '2.0', id: 1, result: {} })
    expect(answered.status).toBe(400)
    const cancelled = await send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    expect(cancelled.status).toBe(202)
  })

  test('a client that leaves cancels its request: nobody could come back for the answer', async () => {
    await start()
    const leaving = new AbortController()
    const init = { ...post(call('wait'), named('2025-11-25')), signal: leaving.signal }
    const sending = served.fetch('/mcp', init).catch(() => undefined)
    await script.started.seen
    leaving.abort()
    expect(await script.aborted.seen).toMatchObject({ code: 'cancelled' })
    script.release.give()
    await sending
  })

  test('2025-03-26: the requests of a batch run one after the other, as they have one slot', async () => {
    let [running, most] = [0, 0]
    const slow = tool({
      name: 'slow',
      run: async () => {
        most = Math.max(most, ++running)
        await new Promise((resolve) => setImmediate(resolve))
        running--
        return 'done'
      },
    })
    await start({}, { tools: [slow] })
    const response = await send(
      Array.from({ length: 5 }, (_, id) => call('slow', {}, {}, id)),
      named('2025-03-26'),
    )
    expect(await response.json()).toHaveLength(5)
    expect(most).toBe(1)
  })

  test('2025-03-26: an answer of a batch that is no JSON is an error, and the others are answered', async () => {
    const broken = prompt({ name: 'broken', run: () => ({ messages: [], _meta: { 'a/b': 1n } }) as never })
    const logs = tool({ name: 'logs', run: (_, ctx) => void ctx.log('error', 'first') })
    await start({ responseMode: 'sse' }, { prompts: [broken], tools: [sum, logs], logging: true })
    const batch = [call('logs', {}, {}, 'a'), request('prompts/get', { name: 'broken' }, 'b'), call('sum', {}, {}, 'c')]
    const events = await new EventReader(await send(batch, named('2025-03-26'))).rest()
    const answers = JSON.parse(events.at(-1)!.data!) as { id: string; error?: { code: number } }[]
    expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
      ['a', undefined],
      ['b', -32603],
      ['c', undefined],
    ])
  })

  test('2025-03-26: a batch is answered as one', async () => {
    await start()
    const batch = [
      call('echo', { text: 'a' }, {}, 'a'),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      call('progress', {}, { progressToken: 1 }, 'b'),
      initializeRequest('2025-03-26'),
      { jsonrpc: '2.0', id: 9 },
    ]
    const response = await send(batch, named('2025-03-26'))
    const events = await new EventReader(response).rest()
    const messages = events.map(({ data }) => JSON.parse(data!))
    expect(messages.slice(0, 2)).toMatchObject([{ params: { progress: 1 } }, { params: { progress: 2 } }])
    expect(messages[2]).toMatchObject([
      { id: 'a', result: { content: [{ text: 'echo a' }] } },
      { id: 'b', result: { content: [{ text: 'finished' }] } },
      { id: 0, error: { code: -32600, message: 'Invalid request: initialize cannot be part of a batch' } },
      { id: 9, error: { code: -32600 } },
    ])
    const silent = await send([{ jsonrpc: '2.0', method: 'notifications/initialized' }], named('2025-03-26'))
    expect(silent.status).toBe(202)
    const newer = await send(batch, named('2025-11-25'))
    expect(newer.status).toBe(400)
    const long = await send(
      Array.from({ length: 101 }, (_, id) => request('ping', {}, id)),
      named('2025-03-26'),
    )
    expect(long.status).toBe(400)
    expect((await send([], named('2025-03-26'))).status).toBe(400)
  })

  test('the token of a POST holds for that POST, and missing scopes are a 403', async () => {
    const auth = async (request: { header(name: string): string | undefined }) => {
      const principal = request.header('authorization')
      return principal === undefined ? undefined : { principal, scopes: principal === 'ada' ? ['write'] : [] }
    }
    const write = tool({ name: 'write', scopes: ['write'], run: (_input, ctx) => `by ${ctx.auth?.principal}` })
    await start({ auth: auth as never }, { tools: [write] })
    expect((await send(call('write'))).status).toBe(401)
    const ada = await send(call('write'), { ...named('2025-11-25'), authorization: 'ada' })
    expect(await ada.json()).toMatchObject({ result: { content: [{ text: 'by ada' }] } })
    const eve = await send(call('write'), { ...named('2025-11-25'), authorization: 'eve' })
    expect(eve.status).toBe(403)
    expect(eve.headers.get('www-authenticate')).toContain('insufficient_scope')
  })

  test('the context of handlers is made for each request, and disposed of with it', async () => {
    const disposed: number[] = []
    let made = 0
    const context = (): object => {
      const number = ++made
      return { number, [Symbol.dispose]: () => disposed.push(number) }
    }
    const which = tool({ name: 'which', run: (_input, ctx) => `${(ctx.context as { number: number }).number}` })
    await start({}, { tools: [which], context })
    await (await send(call('which'))).text()
    expect(await (await send(call('which'))).json()).toMatchObject({ result: { content: [{ text: '2' }] } })
    await vi.waitFor(() => expect(disposed).toEqual([1, 2]))
  })

  test('clients of 2026-07-28 are served as ever', async () => {
    await start()
    const answer = await served.fetch('/mcp', statelessRequest('tools/list'))
    expect(await answer.json()).toMatchObject({ result: { resultType: 'complete' } })
  })
})

describe('platforms that multiply instances', () => {
  const opened = async (options: HttpOptions = {}): Promise<string | null> => {
    await using handler = fetchHandler(testServer().server, options)
    const answer = await handler(new Request('http://mcp.example/mcp', post(initializeRequest())))
    await answer.text()
    return answer.headers.get('mcp-session-id')
  }
  afterEach(() => {
    vi.unstubAllEnvs()
    vi.unstubAllGlobals()
  })

  test.each(['AWS_LAMBDA_FUNCTION_NAME', 'VERCEL'])(
    'with %s in the environment there are no sessions',
    async (name) => {
      vi.stubEnv(name, '1')
      expect(await opened()).toBeNull()
      expect(await opened({ sessions: {} })).toMatch(/^[0-9a-f]{32}$/)
    },
  )

  test('nor on Cloudflare Workers', async () => {
    vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' })
    expect(await opened()).toBeNull()
  })

  test('elsewhere there are', async () => {
    expect(await opened()).toMatch(/^[0-9a-f]{32}$/)
  })
})
