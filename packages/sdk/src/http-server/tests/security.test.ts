import { afterEach, describe, expect, test } from 'vitest'
import type { HttpOptions } from '../options.ts'
import { MemorySessionStore } from '../stores/memory-session-store.ts'
import { adapters } from './adapters.suite.ts'
import {
  callToolRequest,
  EventReader,
  type HeaderMap,
  initializeRequest,
  post,
  type Served,
  SessionClient,
  statelessRequest,
  type ToolScript,
  testServer,
} from './http.suite.ts'

const list = { jsonrpc: '2.0', id: 5, method: 'tools/list' }

describe.each(adapters)('attacks over %s', (_name, serve) => {
  let served: Served
  let errors: unknown[]
  let started: ToolScript['started']
  let release: ToolScript['release']
  const start = async (options: HttpOptions = {}): Promise<void> => {
    const { server, script } = testServer()
    ;({ errors, started, release } = script)
    served = await serve(server, options)
  }
  const status = async (init: RequestInit): Promise<number> => {
    const response = await served.fetch('/mcp', init)
    await response.text()
    return response.status
  }
  afterEach(() => served.close())

  // [http.security.validate-origin] [http.security.invalid-origin-403] [httpsse.security.origin]
  test.each<[string, HeaderMap, number]>([
    ['a foreign Host', { host: 'evil.example.com' }, 403],
    ['a Host that begins like ours', { host: 'localhost.evil.example.com' }, 403],
    ['a Host that ends like ours', { host: 'evil.localhost' }, 403],
    ['a Host with a user', { host: 'localhost@evil.example.com' }, 403],
    ['our Host on another port', { host: 'localhost:9' }, 200],
    ['our Host in capitals', { host: 'LOCALHOST' }, 200],
    ['IPv6', { host: '[::1]:80' }, 200],
    ['a foreign Origin', { origin: 'http://evil.example.com' }, 403],
    ['an Origin that begins like ours', { origin: 'http://localhost.evil.example.com' }, 403],
    ['an Origin with a path', { origin: 'http://localhost/x' }, 403],
    ['Origin null', { origin: 'null' }, 403],
    ['a local Origin', { origin: 'http://localhost:5173' }, 200],
  ])('%s', async (_what, headers, expected) => {
    await start({ allowedHosts: ['localhost', '127.0.0.1', '[::1]'] })
    expect(await status(callToolRequest('echo', {}, headers))).toBe(expected)
    if (expected === 200) return
    // Everything is closed to them, not only one method.
    expect(await status({ method: 'GET', headers: headers as never })).toBe(403)
    expect(await status({ method: 'DELETE', headers: headers as never })).toBe(403)
    expect((await served.fetch('/sse', { headers: headers as never })).status).toBe(403)
  })

  test('pages of a host that was named as our own may call', async () => {
    await start({ allowedHosts: ['mcp.example', 'localhost'] })
    const host = 'mcp.example'
    expect(await status(callToolRequest('echo', {}, { host, origin: 'https://mcp.example' }))).toBe(200)
    expect(await status(callToolRequest('echo', {}, { host, origin: 'https://mcp.example.evil' }))).toBe(403)
    expect(await status(callToolRequest('echo', {}, { host, origin: 'ftp://mcp.example' }))).toBe(403)
  })

  test('what a form can send is not read', async () => {
    await start()
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', undefined]
    const smuggled = ['text/plain; application/json', 'application/json, text/plain', 'application/jsonp']
    for (const type of [...types, ...smuggled]) {
      expect(await status(callToolRequest('echo', {}, { 'content-type': type }))).toBe(415)
    }
    expect(await status(callToolRequest('echo', {}, { 'content-type': 'Application/JSON; charset=utf-8' }))).toBe(200)
  })

  test('a body that is packed is not unpacked', async () => {
    await start()
    expect(await status(callToolRequest('echo', {}, { 'content-encoding': 'gzip' }))).toBe(415)
  })

  test.each<[string, number]>([
    ['text/html', 406],
    ['application/json;q=0', 406],
    ['*/*', 200],
    ['application/json', 200],
    ['text/event-stream', 200],
  ])('Accept %s: %i', async (accept, expected) => {
    await start()
    expect(await status(callToolRequest('echo', {}, { accept }))).toBe(expected)
  })

  // Nobody knows yet of which session it would be. [rpc.codes.parse-error @2025-03-26,2025-06-18,2025-11-25,2026-07-28]
  test('what is not JSON: 400, -32700, no id, and nothing of it in the answer', async () => {
    await start()
    const response = await served.fetch('/mcp', post('<script>alert(1)</script>'))
    expect(response.status).toBe(400)
    const text = await response.text()
    expect(JSON.parse(text)).toEqual({ jsonrpc: '2.0', error: { code: -32700, message: expect.any(String) } })
    expect(text).not.toContain('script')
  })

  test('a million levels of JSON are refused for their depth, in either era and before anything is parsed', async () => {
    await start({ maxBodyBytes: 8_000_000 })
    const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)
    const call = (levels: number): RequestInit => {
      const init = callToolRequest('echo', { text: 'DEEP' })
      return { ...init, body: (init.body as string).replace('"DEEP"', `"x","deep":${nested(levels)}`) }
    }
    for (const init of [call(1_000_000), call(64), post(nested(1_000_000))]) {
      const response = await served.fetch('/mcp', init)
      expect(response.status).toBe(400)
      expect(await response.text()).toContain('deeper than the limit of 64')
    }
    expect(await status(call(60))).toBe(200)
  })

  test('a body over the limit: 413', async () => {
    await start({ maxBodyBytes: 1000 })
    expect(await status(post(list, { 'mcp-session-id': 'x' }))).toBe(404)
    expect(await status(post({ ...list, params: { pad: 'x'.repeat(1000) } }))).toBe(413)
  })

  test('more requests at once than allowed: 503, and later it works again', async () => {
    await start({ maxInFlight: 1 })
    const call = served.fetch('/mcp', callToolRequest('wait'))
    await started.seen
    const refused = await served.fetch('/mcp', callToolRequest('echo'))
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('1')
    await refused.text()
    release.give()
    expect((await call).status).toBe(200)
    await expect.poll(() => status(callToolRequest('echo'))).toBe(200)
  })

  test('names of prototypes are names like any other', async () => {
    await start()
    const body =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"__proto__","arguments":{"__proto__":{"a":1}}}}'
    const client = await SessionClient.open(served)
    expect(await (await client.post(body)).json()).toMatchObject({ error: { code: -32602 } })
    expect(await status(statelessRequest('__proto__'))).toBe(404)
    expect((await client.get({ 'mcp-session-id': '__proto__' })).status).toBe(404)
  })

  const byHeader: HttpOptions['auth'] = (request) => {
    const principal = request.header('authorization')
    return principal === undefined
      ? { status: 401, headers: { 'www-authenticate': 'Bearer' }, message: 'Who are you?' }
      : { principal }
  }

  // [http.security.authenticate] [httpsse.security.authenticate]
  test('without a principal nothing is answered', async () => {
    await start({ auth: byHeader })
    for (const init of [callToolRequest('echo'), post(initializeRequest()), { method: 'GET' }, { method: 'DELETE' }]) {
      const response = await served.fetch('/mcp', init)
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toBe('Bearer')
    }
    expect((await served.fetch('/sse')).status).toBe(401)
  })

  test('an authenticator without an answer lets nobody in, and one that throws neither', async () => {
    await start({ auth: () => undefined })
    expect(await status(callToolRequest('echo'))).toBe(401)
    await served.close()
    await start({
      auth: () => {
        throw new Error('the secret is xyzzy')
      },
    })
    const response = await served.fetch('/mcp', callToolRequest('echo'))
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('xyzzy')
    expect(errors).toHaveLength(1)
  })

  test('handlers know who is asking, in both eras', async () => {
    await start({ auth: byHeader })
    const recent = await served.fetch('/mcp', callToolRequest('whoami', {}, { authorization: 'ada' }))
    expect(await recent.json()).toMatchObject({ result: { content: [{ text: 'ada' }] } })
    const client = await SessionClient.open(served, '2025-06-18', { authorization: 'bob' })
    expect(await (await client.call('whoami')).json()).toMatchObject({ result: { content: [{ text: 'bob' }] } })
  })

  test('a stolen session id is worth nothing without its principal', async () => {
    await start({ auth: byHeader })
    const client = await SessionClient.open(served, '2025-11-25', { authorization: 'ada' })
    const events = await new EventReader(await client.call('progress', {}, { progressToken: 1 })).rest()
    const thief = { authorization: 'eve' }
    expect((await client.post(list, thief)).status).toBe(404)
    expect((await client.get(thief)).status).toBe(404)
    expect((await client.get({ ...thief, 'last-event-id': events[0]!.id })).status).toBe(404)
    expect((await client.delete(thief)).status).toBe(404)
    expect((await client.post(list)).status).toBe(200)
  })

  test('a stolen session id is worth nothing in a process that has to look the session up either', async () => {
    const options = { auth: byHeader, sessions: { store: new MemorySessionStore() } }
    await start(options)
    const first = served
    const client = await SessionClient.open(first, '2025-06-18', { authorization: 'ada' })
    await start(options)
    const headers = { 'mcp-session-id': client.id }
    expect(await status(post(list, { ...headers, authorization: 'eve' }))).toBe(404)
    expect(await status(post(list, { ...headers, authorization: 'ada' }))).toBe(200)
    expect(await status(post(list, { ...headers, authorization: 'eve' }))).toBe(404)
    await first.close()
  })

  test('what a caller may do comes from the token of the request, not from the first one of the session', async () => {
    await start({ auth: (request) => ({ principal: 'ada', scopes: [request.header('authorization') ?? 'none'] }) })
    const client = await SessionClient.open(served, '2025-06-18', { authorization: 'admin' })
    const answer = await client.call('scopes', {}, {}, { authorization: 'read' })
    expect(await answer.json()).toMatchObject({ result: { content: [{ text: 'read' }] } })
  })

  test('a handler that waits keeps the token of its request, whatever others bring meanwhile', async () => {
    await start({ auth: (request) => ({ principal: 'ada', scopes: (request.header('x-scopes') ?? '').split(' ') }) })
    const client = await SessionClient.open(served, '2025-11-25', { 'x-scopes': 'low' })
    const waiting = client.call('wait_scopes')
    await started.seen
    expect(await (await client.call('scopes', {}, {}, { 'x-scopes': 'high' }, 2)).text()).toContain('high')
    release.give()
    expect(await (await waiting).text()).toContain('"low"')
  })

  test('a session id that the client chose opens nothing', async () => {
    await start()
    const fixed = { 'mcp-session-id': 'chosen-by-the-attacker' }
    expect(await status(post(initializeRequest(), fixed))).toBe(404)
    expect(await status(post(list, fixed))).toBe(404)
  })

  test('session ids that are doubled or joined open nothing', async () => {
    await start()
    const client = await SessionClient.open(served)
    for (const id of [`${client.id}, ${client.id}`, `${client.id}x`, client.id.toUpperCase().replace(/^/, ' x')]) {
      expect((await client.post(list, { 'mcp-session-id': id })).status).toBe(404)
    }
  })

  test('without cors nothing is said to browsers', async () => {
    await start()
    const response = await served.fetch('/mcp', callToolRequest('echo', {}, { origin: 'http://localhost:5173' }))
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    await response.text()
  })

  test('cors: pages of the listed origins, and what they may send and read', async () => {
    await start({ cors: { origins: ['https://app.example'] } })
    const origin = 'https://app.example'
    const preflight = await served.fetch('/mcp', {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,mcp-param-region,mcp-session-id,x-evil,"><script>',
      },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe(origin)
    expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type, mcp-param-region, mcp-session-id')
    const response = await served.fetch('/mcp', post(initializeRequest(), { origin }))
    expect(response.status).toBe(200)
    expect(response.headers.get('access-control-allow-origin')).toBe(origin)
    expect(response.headers.get('access-control-expose-headers')).toMatch(/Mcp-Session-Id.*WWW-Authenticate/)
    expect(response.headers.get('vary')).toBe('Origin')
    await response.text()
    const foreign = await served.fetch('/mcp', callToolRequest('echo', {}, { origin: 'https://evil.example' }))
    expect(foreign.status).toBe(403)
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull()
    await foreign.text()
  })

  test('cors: cookies for every origin cannot be configured', async () => {
    for (const origins of ['*', ['https://app.example', '*']] as const) {
      await expect(start({ cors: { origins, credentials: true } })).rejects.toMatchObject({
        code: 'invalid_argument',
        message: expect.stringMatching(/^cors: expected a list of origins/),
      })
    }
    await start({ cors: { origins: '*' } })
    const response = await served.fetch('/mcp', callToolRequest('echo', {}, { origin: 'https://any.example' }))
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.has('access-control-allow-credentials')).toBe(false)
    await response.text()
  })

  test('a path that no request can have cannot be configured', async () => {
    for (const options of [{ path: 'mcp' }, { path: '/a//b' }, { sse: '/x/../sse' }])
      await expect(start(options)).rejects.toMatchObject({ code: 'invalid_argument' })
  })

  test('a path that is not ours: a 404 that names it, and the path of the endpoint', async () => {
    await start()
    const wrong = await served.fetch('/mpc', callToolRequest('echo'))
    expect(wrong.status).toBe(404)
    expect(await wrong.json()).toMatchObject({ error: { message: 'Not found: /mpc (the endpoint is at /mcp)' } })
    expect((await served.fetch('/', callToolRequest('echo'))).status).toBe(404)
    expect((await served.fetch('/mcp/../etc', callToolRequest('echo'))).status).toBe(404)
    const long = await served.fetch(`/${'a'.repeat(8_000)}`, callToolRequest('echo'))
    expect((await long.text()).length).toBeLessThan(500)
  })

  test.each(['/mcp', '/mcp/'])('the endpoint at %s is served with and without the slash at its end', async (path) => {
    const seen: string[] = []
    const auth = async (request: { target: { path: string } }) => {
      seen.push(request.target.path)
      return { principal: 'ada' }
    }
    await start({ path, auth: auth as never })
    for (const asked of ['/mcp', '/mcp/', '/mcp/?a=1']) {
      expect((await served.fetch(asked, callToolRequest('echo'))).status).toBe(200)
    }
    // Every check sees one spelling, the configured one.
    expect(seen).toEqual([path, path, path])
    expect((await served.fetch('/mcp//', callToolRequest('echo'))).status).toBe(400)
    expect((await served.fetch('/mcp/x', callToolRequest('echo'))).status).toBe(404)
  })

  test('HTTP+SSE is served with a slash at the end too', async () => {
    await start()
    const leaving = new AbortController()
    const init = { headers: { accept: 'text/event-stream' }, signal: leaving.signal }
    const response = await served.fetch('/sse/', init)
    const { value } = await response.body!.getReader().read()
    expect(new TextDecoder().decode(value)).toContain('data: /sse?sessionId=')
    leaving.abort()
  })
})
