import { afterEach, describe, expect, test } from 'vitest'
import type { HttpOptions } from '../options.ts'
import { adapters } from '../tests/adapters.suite.ts'
import {
  callToolRequest,
  EventReader,
  type HeaderMap,
  post,
  type Served,
  statelessMeta,
  statelessRequest,
  type ToolScript,
  testServer,
} from '../tests/http.suite.ts'

describe.each(adapters)('2026-07-28 over %s', (_name, serve) => {
  let served: Served
  let script: ToolScript

  const start = async (options: HttpOptions = {}, overrides: object = {}): Promise<void> => {
    const test = testServer(overrides)
    script = test.script
    served = await serve(test.server, options)
  }
  const send = async (init: RequestInit): Promise<{ status: number; body: never; response: Response }> => {
    const response = await served.fetch('/mcp', init)
    const text = await response.text()
    return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as never, response }
  }
  afterEach(() => served.close())

  // [http.endpoint.single-post] [http.post.request-reply-type]
  test('a request is answered with JSON, without a session', async () => {
    await start()
    const { status, body, response } = await send(callToolRequest('echo', { text: 'hi' }))
    expect(status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('mcp-session-id')).toBeNull()
    expect(body).toMatchObject({ id: 1, result: { content: [{ type: 'text', text: 'echo hi' }] } })
  })

  // [http.sse.notifications-before-response] [http.sse.notifications-relate] [http.sse.x-accel-buffering]
  // [http.sse.end-after-response] [http.sse.no-resumption]
  test('the answer becomes a stream when something is sent before it', async () => {
    await start()
    const response = await served.fetch('/mcp', callToolRequest('progress', {}, {}, { progressToken: 'p' }))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(response.headers.get('x-accel-buffering')).toBe('no')
    expect(response.headers.get('cache-control')).toContain('no-cache')
    const events = await new EventReader(response).rest()
    const messages = events.map(({ data }) => JSON.parse(data!))
    expect(messages.map(({ method, id }) => method ?? id)).toEqual([
      'notifications/progress',
      'notifications/progress',
      1,
    ])
    // There is no resumption in this revision, so there is nothing to resume from.
    expect(events.every(({ id }) => id === undefined)).toBe(true)
  })

  test('a client that takes only JSON gets JSON', async () => {
    await start()
    const init = callToolRequest('progress', {}, { accept: 'application/json' }, { progressToken: 'p' })
    expect(await send(init)).toMatchObject({ status: 200, body: { id: 1, result: {} } })
  })

  test.each([
    ['json', 'application/json'],
    ['sse', 'text/event-stream'],
  ] as const)('responseMode %s pins the form', async (responseMode, type) => {
    await start({ responseMode })
    for (const name of ['echo', 'progress']) {
      const response = await served.fetch('/mcp', callToolRequest(name, {}, {}, { progressToken: 'p' }))
      expect(response.headers.get('content-type')).toBe(type)
      await response.text()
    }
  })

  test.each([
    ['an unknown method', () => statelessRequest('unknown/method', { _meta: statelessMeta() }), 404],
    ['a missing client capability', () => callToolRequest('ask'), 400],
  ])('%s keeps its status with responseMode sse', async (_what, request, status) => {
    await start({ responseMode: 'sse' })
    expect(await send(request())).toMatchObject({ status, body: { id: 1, error: {} } })
  })

  const without = (key: string): object =>
    Object.fromEntries(Object.entries(statelessMeta()).filter(([name]) => !name.endsWith(key)))

  // [ver.meta.missing-required-http-400]
  test.each<[string, object | undefined]>([
    ['_meta is missing', undefined],
    ['the version is missing', without('protocolVersion')],
    ['the capabilities are missing', without('clientCapabilities')],
  ])('%s: 400 and -32602, with the id', async (_what, meta) => {
    await start()
    const init = statelessRequest('tools/list', { _meta: meta })
    expect(await send(init)).toMatchObject({ status: 400, body: { id: 1, error: { code: -32602 } } })
  })

  // [http.version.mismatch-rejected] [http.validate.mismatch-rejected] [http.validate.missing-rejected]
  // [http.validate.invalid-chars-rejected] [http.validate.status-400] [http.validate.code-32020]
  // [http.headers.value-case-sensitive]
  test.each<[string, HeaderMap]>([
    ['the version header is missing', { 'mcp-protocol-version': undefined }],
    ['the version header differs', { 'mcp-protocol-version': '2025-11-25' }],
    ['the method header is missing', { 'mcp-method': undefined }],
    ['the method header differs', { 'mcp-method': 'tools/list' }],
    ['the method header has another case', { 'mcp-method': 'Tools/Call' }],
    ['the name header is missing', { 'mcp-name': undefined }],
    ['the name header differs', { 'mcp-name': 'progress' }],
    ['the name header is doubled', { 'mcp-name': 'echo, echo' }],
    ['the name header is broken base64', { 'mcp-name': '=?base64?ZWNobw?=' }],
  ])('%s: 400 and -32020, and the tool is not run', async (_what, headers) => {
    await start()
    const { status, body } = await send(callToolRequest('echo', {}, headers))
    expect({ status, body }).toMatchObject({ status: 400, body: { id: 1, error: { code: -32020 } } })
  })

  // [http.encode.decode-before-compare] [http.headers.trim-whitespace]
  test('names in base64 and names with spaces around them are understood', async () => {
    await start()
    for (const name of ['=?base64?ZWNobw==?=', '  echo  ']) {
      expect((await send(callToolRequest('echo', {}, { 'mcp-name': name }))).status).toBe(200)
    }
  })

  // [http.encode.decode-before-compare]
  test('a name that looks encoded is decoded before it is compared', async () => {
    await start()
    const uri = '=?base64?bm90ZTo=?='
    const { status, body } = await send(statelessRequest('resources/read', { uri }))
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: { code: -32020 } })
  })

  // [http.version.mismatch-rejected]
  test('a version in the body that nobody has differs from a header that somebody has', async () => {
    await start()
    const _meta = { ...statelessMeta(), 'io.modelcontextprotocol/protocolVersion': 'v999.0.0' }
    expect(await send(statelessRequest('tools/list', { _meta }))).toMatchObject({
      status: 400,
      body: { error: { code: -32020 } },
    })
  })

  // [http.version.unsupported-400]
  test('an unknown version: 400, -32022 and what is spoken here', async () => {
    await start()
    const _meta = { ...statelessMeta(), 'io.modelcontextprotocol/protocolVersion': 'v999.0.0' }
    const { status, body } = await send(
      statelessRequest('tools/list', { _meta }, { 'mcp-protocol-version': 'v999.0.0' }),
    )
    expect(status).toBe(400)
    expect(body).toMatchObject({ id: 1, error: { code: -32022, data: { requested: 'v999.0.0' } } })
    expect((body as { error: { data: { supported: string[] } } }).error.data.supported).toContain('2026-07-28')
  })

  // [http.version.unknown-method-404]
  test.each(['unknown/method', 'initialize', 'ping', 'logging/setLevel', 'resources/subscribe'])(
    '%s: 404 and -32601',
    async (method) => {
      await start()
      expect(await send(statelessRequest(method))).toMatchObject({
        status: 404,
        body: { id: 1, error: { code: -32601 } },
      })
    },
  )

  // [ver.caps.missing-error-http-400]
  test('a missing client capability: 400 and -32021', async () => {
    await start()
    const { status, body } = await send(callToolRequest('ask'))
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: { code: -32021, data: { requiredCapabilities: { elicitation: {} } } } })
  })

  test('other errors keep status 200', async () => {
    await start()
    expect(await send(callToolRequest('nonexistent'))).toMatchObject({ status: 200, body: { error: { code: -32602 } } })
  })

  // [http.param.annotate] [http.param.mismatch-400-32020] [http.param.not-expected-when-null-or-absent]
  // [http.param.missing-header-rejected] [http.param.validate-match] [http.param.reject-invalid-chars]
  // [http.encode.decode-before-compare]
  test.each<[string, object, HeaderMap, number]>([
    ['equal', { region: 'eu', count: 42 }, { 'mcp-param-region': 'eu', 'mcp-param-count': '42.0' }, 200],
    ['in base64', { region: 'Hello' }, { 'mcp-param-region': '=?base64?SGVsbG8=?=' }, 200],
    ['absent on both sides', {}, {}, 200],
    ['null and not sent', { region: null }, {}, 200],
    ['missing', { region: 'eu' }, {}, 400],
    ['different', { region: 'eu' }, { 'mcp-param-region': 'us' }, 400],
    ['broken base64', { region: 'Hello' }, { 'mcp-param-region': '=?base64?SGVsbG8?=' }, 400],
    ['sent for nothing', {}, { 'mcp-param-region': 'eu' }, 400],
  ])('a parameter header that is %s', async (_what, args, headers, expected) => {
    await start()
    const { status, body } = await send(callToolRequest('region', args, headers))
    expect(status).toBe(expected)
    if (expected === 400) expect(body).toMatchObject({ id: 1, error: { code: -32020 } })
  })

  // [http.sse.no-server-requests]
  test.each(['auto', 'sse'] as const)(
    'with responseMode %s a question travels inside the answer, not as a request',
    async (mode) => {
      await start({ responseMode: mode })
      const response = await served.fetch('/mcp', callToolRequest('ask', {}, {}, statelessMeta({ elicitation: {} })))
      const messages =
        mode === 'auto'
          ? [await response.json()]
          : (await new EventReader(response).rest()).map(({ data }) => JSON.parse(data!))
      expect(messages).toMatchObject([
        { id: 1, result: { resultType: 'input_required', inputRequests: { 1: { method: 'elicitation/create' } } } },
      ])
    },
  )

  // [http.cancel.stream-close-is-cancel] [http.cancel.stop-work]
  test('closing the stream cancels the request', async () => {
    await start()
    const response = await served.fetch('/mcp', callToolRequest('progress_then_wait', {}, {}, { progressToken: 1 }))
    const events = new EventReader(response)
    await events.message()
    await events.cancel()
    expect(await script.aborted.seen).toMatchObject({ code: 'cancelled' })
    script.release.give()
  })

  // [http.cancel.stream-close-is-cancel]
  test('leaving before any answer cancels the request', async () => {
    await start()
    const stop = new AbortController()
    const asking = served.fetch('/mcp', { ...callToolRequest('wait'), signal: stop.signal }).catch(() => undefined)
    await script.started.seen
    stop.abort()
    expect(await script.aborted.seen).toMatchObject({ code: 'cancelled' })
    script.release.give()
    await asking
  })

  // [http.post.accepted-202] [http.post.not-accepted-error-status] [http.post.not-accepted-body]
  // [http.post.notification-headers-undefined]
  test('notifications are accepted, whatever their headers; responses are not', async () => {
    await start()
    const version = { 'mcp-protocol-version': '2026-07-28' }
    const note = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
    const accepted = await send(post(note, version))
    expect(accepted).toMatchObject({ status: 202, body: undefined })
    expect(await send(post({ jsonrpc: '2.0', id: 1, result: {} }, version))).toMatchObject({ status: 400 })
  })

  // [http.compat.ignore-session-id] [http.compat.ignore-last-event-id] [http.sse.no-resumption]
  test('a session id and Last-Event-ID mean nothing', async () => {
    await start()
    const headers = { 'mcp-session-id': 'whatever', 'last-event-id': 'x.1' }
    const { status, response } = await send(callToolRequest('echo', {}, headers))
    expect(status).toBe(200)
    expect(response.headers.get('mcp-session-id')).toBeNull()
  })

  test('other methods without a session: 405, and Allow lists none of them', async () => {
    await start()
    const stateless = { 'mcp-protocol-version': '2026-07-28' }
    for (const method of ['GET', 'DELETE', 'PUT', 'OPTIONS']) {
      for (const named of [{}, stateless, { ...stateless, 'mcp-session-id': 'abc' }]) {
        const response = await served.fetch('/mcp', { method, headers: { accept: 'text/event-stream', ...named } })
        expect(response.status).toBe(405)
        const isOfSessions =
          named !== stateless && !('mcp-session-id' in named) && method !== 'GET' && method !== 'DELETE'
        expect(response.headers.get('allow')).toBe(isOfSessions ? 'GET, POST, DELETE' : 'POST')
      }
    }
  })

  test('GET and DELETE of a revision with sessions, without one: 400 that names the header', async () => {
    await start()
    for (const method of ['GET', 'DELETE']) {
      const headers = { accept: 'text/event-stream', 'mcp-protocol-version': '2025-06-18' }
      const response = await served.fetch('/mcp', { method, headers })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining('Mcp-Session-Id') } })
    }
  })

  test('notifications/cancelled is accepted without a session, and cancels nothing: ids of clients are not unique', async () => {
    await start()
    const waiting = served.fetch('/mcp', callToolRequest('wait'))
    await script.started.seen
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
    for (const headers of [{}, { 'mcp-protocol-version': '2026-07-28' }]) {
      const response = await served.fetch('/mcp', post(cancelled, headers))
      expect([response.status, await response.text()]).toEqual([202, ''])
    }
    // In a revision with sessions it belongs to one.
    const older = await served.fetch('/mcp', post(cancelled, { 'mcp-protocol-version': '2025-11-25' }))
    expect(older.status).toBe(400)
    script.release.give()
    expect(await (await waiting).json()).toMatchObject({ result: { content: [{ text: 'waited' }] } })
  })

  // [http.compat.get-delete-405] [http.version.absent-rejected] [http.endpoint.single-post]
  // [ver.compat.modern-server-rejects-legacy-http]
  test('without older revisions every other way in is closed', async () => {
    await start({}, { revisions: ['2026-07-28'] })
    const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } }
    expect(await send(post(initialize))).toMatchObject({ status: 400, body: { id: 1, error: { code: -32022 } } })
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' }
    expect(await send(post(list))).toMatchObject({ status: 400, body: { id: 2, error: { code: -32020 } } })
    const headers = { 'mcp-session-id': 'x', accept: 'text/event-stream' }
    const got = await served.fetch('/mcp', { headers })
    expect(got.status).toBe(405)
    expect(got.headers.get('allow')).toBe('POST')
    expect((await served.fetch('/mcp', { method: 'DELETE', headers })).status).toBe(405)
  })

  test('without newer revisions a stateless request is one of a client that has to fall back', async () => {
    await start({}, { revisions: ['2025-06-18', '2025-11-25'] })
    const { status, body } = await send(statelessRequest('server/discover'))
    expect(status).toBe(400)
    expect([-32020, -32021, -32022]).not.toContain((body as { error: { code: number } }).error.code)
  })

  test('a result that is not JSON is an internal error, not a silence', async () => {
    const middleware = [{ 'tools/call': async () => ({ content: [], extra: 1n }) }]
    await start({}, { middleware })
    const { status, body } = await send(callToolRequest('echo'))
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: 1, error: { code: -32603 } })
    expect(script.errors).toHaveLength(1)
  })

  // [http.sse.keepalive-comments]
  test('silence turns into a stream with comments', async () => {
    await start({ keepAliveMs: 20 })
    const response = await served.fetch('/mcp', callToolRequest('wait'))
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const events = new EventReader(response)
    const answer = events.message()
    await expect.poll(() => events.comments.length).toBeGreaterThan(1)
    script.release.give()
    expect(await answer).toMatchObject({ id: 1, result: {} })
  })

  // [http.param.primitive-types]
  test('a tool whose annotations no client accepts is reported when serving starts', async () => {
    const { tool } = await import('../../server/features/tool.ts')
    const input = { type: 'object', properties: { n: { type: 'number', 'x-mcp-header': 'N' } } } as const
    await start({}, { tools: [tool({ name: 'wrong', input, run: () => '' })] })
    expect(String(script.errors[0])).toMatch(/wrong.*x-mcp-header/)
  })
})
