/** A bridge passes messages unchanged, even messages that no library would send. */
import { connect, type JsonObject } from '@tenon/sdk/client'
import { fetchHandler } from '@tenon/sdk/http'
import { serveHttp } from '@tenon/sdk/node'
import { connectRaw } from '@tenon/sdk/relay'
import { createServer, resource, tool } from '@tenon/sdk/server'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { bridge } from '../src/bridge.ts'
import { type Script, scripted } from './scripted.suite.ts'

const odd = {
  content: [
    { type: 'hologram', data: [1, 2] },
    { type: 'text', text: 'x', _meta: { 'com.example/a': 1 } },
  ],
  structuredContent: { not: 'what the schema says' },
  'com.example/extra': { kept: true },
  _meta: { 'com.example/b': 2 },
}
const oddTool = {
  name: 'odd',
  inputSchema: { type: 'object', properties: { a: { $ref: '#/nowhere' } }, 'x-own': [1] },
  outputSchema: { type: 'object', required: ['something'] },
  'com.example/extra': true,
}

/** A scripted server of 2025-11-25. */
const wilful = (
  revision = '2025-11-25',
  more: (message: JsonObject, script: Script) => JsonObject | null | undefined = () => undefined,
) =>
  scripted((message, script) => {
    const own = more(message, script)
    // Null is an answer that does not come.
    if (own !== undefined) return own ?? undefined
    switch (message.method) {
      case 'initialize':
        return {
          result: {
            protocolVersion: revision,
            capabilities: { tools: {}, logging: {}, 'x-own': { a: 1 }, experimental: { e: {} } },
            serverInfo: { name: 'wilful', version: '9' },
          },
        }
      case 'tools/list':
        return { result: { tools: [oddTool] } }
      case 'tools/call':
        return { result: odd }
      case 'server/discover':
        return { error: { code: -32601, message: 'No such method' } }
      case 'x/method':
        return { result: { echo: message.params, resultType: 'of its own' } }
      case 'x/error':
        return { error: { code: -40404, message: 'Quite wrong', data: { deep: [{ a: null }] } } }
      default:
        return undefined
    }
  })

test('results, schemas and errors pass as they are', async () => {
  const far = wilful()
  await using link = bridge({ target: () => far.channel })
  await using client = await connectRaw(link.server, { revisions: ['2025-11-25'] })
  expect(client.server.capabilities).toMatchObject({ 'x-own': { a: 1 }, experimental: { e: {} } })
  expect(await client.request('tools/list')).toEqual({ tools: [oddTool] })
  expect(await client.request('tools/call', { name: 'odd', arguments: { anything: [null] } })).toEqual(odd)
  expect(far.heard.find(({ method }) => method === 'tools/call')).toMatchObject({
    params: { name: 'odd', arguments: { anything: [null] } },
  })
  expect(await client.request('x/method', { a: { b: 1 } })).toEqual({ echo: { a: { b: 1 } }, resultType: 'of its own' })
  await expect(client.request('x/error')).rejects.toMatchObject({
    code: -40404,
    message: 'Quite wrong',
    data: { deep: [{ a: null }] },
  })
})

test('_meta passes, without what is about one hop', async () => {
  const far = wilful()
  await using link = bridge({ target: () => far.channel })
  await using client = await connectRaw(link.server, { revisions: ['2026-07-28'] })
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  await client.request('tools/call', { name: 'odd', _meta: { traceparent, 'com.example/c': 3 } })
  const { params } = far.heard.find(({ method }) => method === 'tools/call') as { params: JsonObject }
  expect(params._meta).toEqual({ traceparent, 'com.example/c': 3 })
})

test('what only the two know passes in both directions', async () => {
  const far = wilful()
  const told: [string, JsonObject][] = []
  await using link = bridge({ target: () => far.channel })
  await using client = await connectRaw(link.server, {
    revisions: ['2025-06-18'],
    capabilities: { roots: { listChanged: true }, 'x-client': { on: true } } as object,
    told: (method, params) => told.push([method, params]),
    answer: async ({ method, params }) => ({ method, params }),
  })
  expect(far.heard[0]).toMatchObject({
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: { 'x-client': { on: true } } },
  })
  await client.notify('notifications/roots/list_changed')
  await client.notify('x/happened', { a: 1 })
  await expect
    .poll(() => far.heard.map(({ method }) => method))
    .toEqual(expect.arrayContaining(['notifications/roots/list_changed', 'x/happened']))
  far.send({ method: 'x/news', params: { b: 2 } })
  await expect.poll(() => told).toEqual([['x/news', { b: 2 }]])
  far.send({ id: 'q1', method: 'x/question', params: { c: 3 } })
  await expect
    .poll(() => far.heard.find(({ id, method }) => id === 'q1' && method === undefined))
    .toMatchObject({ result: { method: 'x/question', params: { c: 3 } } })
})

test('an error of the client reaches the server as it is, and the call goes on', async () => {
  const asking = (revision: string) =>
    wilful(revision, (message, script) => {
      if (message.method !== 'tools/call') return undefined
      const params = { messages: [], maxTokens: 1 }
      script.send({ id: 'ask', method: 'sampling/createMessage', params })
      return null
    })
  const far = asking('2025-11-25')
  await using link = bridge({ target: () => far.channel })
  await using client = await connect(link.server, {
    revisions: ['2025-11-25'],
    sample: () => {
      throw Object.assign(new Error('no'), {
        name: 'RpcError',
        code: -1,
        toWire: () => ({ code: -1, message: 'User rejected', data: { by: 'ada' } }),
      })
    },
  })
  const stop = new AbortController()
  const call = client.callTool('odd', {}, { signal: stop.signal })
  await expect
    .poll(() => far.heard.find(({ id }) => id === 'ask'))
    .toMatchObject({ error: { code: -1, message: 'User rejected', data: { by: 'ada' } } })
  stop.abort()
  await expect(call).rejects.toThrow()
})

test('a question to a client that did not declare it is refused as the client would', async () => {
  const far = wilful()
  await using link = bridge({ target: () => far.channel })
  await using _client = await connect(link.server, { revisions: ['2025-11-25'] })
  far.send({ id: 'ask', method: 'elicitation/create', params: { message: 'x', requestedSchema: { properties: {} } } })
  await expect.poll(() => far.heard.find(({ id }) => id === 'ask')).toMatchObject({ error: { code: -32601 } })
})

test('a bridge is served by fetch as well', async () => {
  const server = createServer({ name: 'far', version: '1.0.0', tools: [tool({ name: 'hi', run: () => 'hi' })] })
  await using link = bridge({ target: server })
  const handle = fetchHandler(link.server)
  for (const revision of ['2025-06-18', '2026-07-28'] as const) {
    await using client = await connect('http://localhost/mcp', {
      revisions: [revision],
      fetch: async (input, init) => handle(new Request(input, init)),
    })
    expect((await client.callTool('hi')).text).toBe('hi')
  }
})

test('a question that comes between calls is asked with the next one, of a client that can only be asked so', async () => {
  const far = wilful()
  await using link = bridge({ target: () => far.channel })
  await using client = await connectRaw(link.server, { revisions: ['2026-07-28'], capabilities: { roots: {} } })
  far.send({ id: 'between', method: 'roots/list' })
  const asked = await client.request('tools/call', { name: 'odd' })
  expect(asked).toMatchObject({ resultType: 'input_required', inputRequests: { 1: { method: 'roots/list' } } })
  const inputResponses = { 1: { roots: [{ uri: 'file:///here' }] } }
  const { requestState } = asked
  expect(await client.request('tools/call', { name: 'odd', requestState, inputResponses })).toMatchObject({
    structuredContent: odd.structuredContent,
  })
  expect(far.heard.find(({ id }) => id === 'between')).toMatchObject({ result: inputResponses[1] })
  expect(far.heard.filter(({ method }) => method === 'tools/call')).toHaveLength(1)
})

test('a level of log messages belongs to a request where requests say so', async () => {
  const server = createServer({
    name: 'far',
    version: '1.0.0',
    revisions: ['2025-11-25'],
    tools: [
      tool({
        name: 'talk',
        input: z.object({}),
        run: async (_, ctx) => {
          for (const level of ['debug', 'info', 'error'] as const) await ctx.log(level, level)
          return 'talked'
        },
      }),
    ],
  })
  await using link = bridge({ target: server })
  const http = await serveHttp(link.server, { port: 0 })
  const heard = async (level?: 'debug' | 'error'): Promise<unknown[]> => {
    const logs: unknown[] = []
    await using client = await connect(http.url, {
      revisions: ['2026-07-28'],
      onLog: ({ data }) => logs.push(data),
    })
    if (level !== undefined) await client.setLoggingLevel(level)
    await client.callTool('talk')
    return logs
  }
  expect(await heard('debug')).toEqual(['debug', 'info', 'error'])
  expect(await heard('error')).toEqual(['error'])
  expect(await heard()).toEqual([])
  await http.close()
})

test('callers who are known have connections of their own, and act in their own name', async () => {
  const names: string[] = []
  const server = createServer({ name: 'far', version: '1.0.0', tools: [tool({ name: 'hi', run: () => 'hi' })] })
  await using link = bridge(({ auth }) => {
    names.push(auth!.principal)
    return { target: server }
  })
  const http = await serveHttp(link.server, {
    port: 0,
    auth: (request) => ({ principal: request.header('x-user') ?? 'nobody' }),
  })
  for (const user of ['ada', 'bob', 'ada']) {
    await using client = await connect(http.url, { revisions: ['2026-07-28'], headers: { 'x-user': user } })
    expect((await client.callTool('hi')).text).toBe('hi')
  }
  expect(names).toEqual(['ada', 'bob'])
  await http.close()
})

test.each(['2025-11-25', '2026-07-28'] as const)(
  'a request of %s takes no connection that was opened with another token',
  async (revision) => {
    await using link = bridge(({ auth }) => {
      const whose = auth!.scopes!.join()
      const hi = tool({ name: 'hi', run: () => `as ${whose}` })
      return { target: createServer({ name: 'far', version: '1.0.0', tools: [hi] }) }
    })
    const http = await serveHttp(link.server, {
      port: 0,
      auth: (request) => ({ principal: 'ada', scopes: [request.header('x-token')!] }),
    })
    let token = 'strong'
    const withToken: typeof fetch = (input, init) => {
      const headers = new Headers(init?.headers)
      headers.set('x-token', token)
      return fetch(input, { ...init, headers })
    }
    await using client = await connect(http.url, { revisions: [revision], fetch: withToken })
    for (token of ['strong', 'weak', 'strong', 'third', 'weak'])
      expect((await client.callTool('hi')).text).toBe(`as ${token}`)
    await http.close()
  },
)

test('a call that waits for answers goes on for the token that made it, and for no other of the principal', async () => {
  const secret = tool({
    name: 'secret',
    async run(_input, ctx) {
      await ctx.elicit('Sure?', { type: 'object', properties: {} })
      return 'SECRET'
    },
  })
  await using link = bridge(() => ({
    target: createServer({ name: 'far', version: '1.0.0', revisions: ['2025-11-25'], tools: [secret] }),
  }))
  const http = await serveHttp(link.server, {
    port: 0,
    auth: (request) => ({
      principal: 'ada',
      scopes: [request.header('x-token')!],
      claims: { jti: crypto.randomUUID() },
    }),
  })
  let token = 'strong'
  const withToken: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('x-token', token)
    return fetch(input, { ...init, headers })
  }
  const answerAs = (next: string) => () => {
    token = next
    return { action: 'accept' as const, content: {} }
  }
  const asked = async (next: string): Promise<string> => {
    token = 'strong'
    await using client = await connect(http.url, {
      revisions: ['2026-07-28'],
      fetch: withToken,
      elicit: answerAs(next),
    })
    return (await client.callTool('secret')).text
  }
  expect(await asked('strong')).toBe('SECRET')
  await expect(asked('weak')).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('another token') })
  await http.close()
})

test('a list of tools without an end does not keep a bridge busy for ever', async () => {
  let pages = 0
  const far = scripted(({ method }) => {
    const capabilities = { tools: {}, tasks: { requests: { tools: { call: {} } } } }
    const serverInfo = { name: 'far', version: '1' }
    if (method === 'initialize') return { result: { protocolVersion: '2025-11-25', capabilities, serverInfo } }
    if (method === 'tools/list') return { result: { tools: [], nextCursor: `${++pages}` } }
    return { error: { code: -32601, message: 'no' } }
  })
  await using link = bridge({ target: () => far.channel })
  await using client = await connect(link.server, { revisions: ['2025-11-25'] })
  await expect(client.callTool('x')).rejects.toMatchObject({ code: -32601 })
  expect(pages).toBeGreaterThan(10)
})

test('a client that reads slowly is not a reason to keep all progress', async () => {
  const { NotificationQueue } = await import('../src/clients/notification-queue.ts')
  const sent: [string, JsonObject][] = []
  let ready: () => void = () => {}
  const queue = new NotificationQueue((method, params) => {
    sent.push([method, params])
    return new Promise<void>((resolve) => {
      ready = resolve
    })
  })
  for (let progress = 1; progress <= 1_000; progress++) queue.post('notifications/progress', { progress })
  for (let count = 0; count < 1_000; count++) queue.post('notifications/message', { count })
  while (sent.length < 257) {
    ready()
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(sent.slice(0, 3)).toEqual([
    ['notifications/progress', { progress: 1 }],
    ['notifications/progress', { progress: 1_000 }],
    ['notifications/message', { count: 0 }],
  ])
  ready()
  await new Promise((resolve) => setImmediate(resolve))
  expect(sent).toHaveLength(257)
})

test('a server of 2025-11-25 that wants the user to see a page first gets it shown to a client of 2026-07-28', async () => {
  let calls = 0
  const far = wilful('2025-11-25', ({ method }) => {
    if (method !== 'tools/call' || calls++ > 0) return undefined
    const page = { mode: 'url', message: 'Sign in', url: 'https://example.com/in', elicitationId: 'e1' }
    return { error: { code: -32042, message: 'Sign in first', data: { elicitations: [page] } } }
  })
  await using link = bridge({ target: () => far.channel })
  const shown: string[] = []
  await using client = await connect(link.server, {
    revisions: ['2026-07-28'],
    elicit: {
      url: ({ url }) => {
        shown.push(url)
        return { action: 'accept' }
      },
    },
    validate: 'off',
  })
  expect(await client.callTool('odd')).toMatchObject({ isError: false })
  expect(shown).toEqual(['https://example.com/in'])
  expect(calls).toBe(2)
})

test('arguments that a server wants to see in headers are there, also for who never listed its tools', async () => {
  const where = tool({
    name: 'where',
    input: {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
      required: ['region'],
    } as const,
    run: ({ region }) => `in ${region}`,
  })
  const server = createServer({ name: 'far', version: '1.0.0', revisions: ['2026-07-28'], tools: [where] })
  const http = await serveHttp(server, { port: 0 })
  await using link = bridge({ target: http.url })
  await using client = await connectRaw(link.server, { revisions: ['2026-07-28'] })
  const result = await client.request('tools/call', { name: 'where', arguments: { region: 'eu' } })
  expect(result).toMatchObject({ content: [{ text: 'in eu' }] })
  await http.close()
})

test.each(['2025-11-25', '2026-07-28'] as const)(
  'a client of %s hears of so many resources and no more',
  async (revision) => {
    const server = createServer({
      name: 'far',
      version: '1.0.0',
      resources: ['a', 'b', 'c'].map((name) => resource({ uri: `x://${name}`, name, read: () => name })),
    })
    await using link = bridge({ target: server }, { limits: { maxSubscriptions: 2 } })
    await using client = await connect(link.server, { revisions: [revision] })
    // At once: in 2026-07-28 they are one subscription, and the limit is that of one.
    const watches = await Promise.allSettled(['a', 'b', 'c'].map((name) => client.watch(`x://${name}`, () => {})))
    expect(watches.at(-1)).toMatchObject({
      status: 'rejected',
      reason: { message: expect.stringContaining('the limit is 2') },
    })
  },
)
