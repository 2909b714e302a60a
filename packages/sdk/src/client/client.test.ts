import { describe, expect, test } from 'vitest'
import { RpcError } from '../errors.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import { revisions } from '../model/revision.ts'
import type { Client } from './client.ts'
import { connect } from './connect.ts'
import { discovered, legacyServer, modernServer, type ScriptedServer, silence } from './scripted-server.suite.ts'

const text = (value: string): JsonObject => ({ content: [{ type: 'text', text: value }] })

const legacy = revisions.filter((revision) => revision !== '2026-07-28')

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

describe('calls', () => {
  // [tools.error.is-error-default]
  test('callTool gives content, text, structured content and meta', async () => {
    const content = [
      { type: 'text', text: 'one' },
      { type: 'image', data: '', mimeType: 'image/png' },
      { type: 'text', text: 'two' },
    ]
    const server = legacyServer({ 'tools/call': { content, structuredContent: { sum: 3 }, _meta: { took: 5 } } })
    await using client = await connect(server.open)
    expect(await client.callTool('add', { a: 1, b: 2 })).toEqual({
      content,
      text: 'one\ntwo',
      structured: { sum: 3 },
      structuredContent: { sum: 3 },
      isError: false,
      meta: { took: 5 },
      _meta: { took: 5 },
    })
    expect(server.all('tools/call')[0]?.params).toEqual({ name: 'add', arguments: { a: 1, b: 2 } })
  })

  test('callTool returns a failure of the tool and throws a refusal of the call', async () => {
    const server = legacyServer({
      'tools/call': ({ name }) =>
        name === 'fails' ? { ...text('sorry'), isError: true } : new RpcError(-32602, 'Unknown tool', { name }),
    })
    await using client = await connect(server.open)
    expect(await client.callTool('fails')).toMatchObject({ isError: true, text: 'sorry' })
    await expect(client.callTool('other')).rejects.toMatchObject({
      code: -32602,
      remote: true,
      data: { name: 'other' },
    })
  })

  // [complete.context]
  test('resources, prompts and completion go out and come back as the model has them', async () => {
    const contents = [{ uri: 'a:b', text: 'x' }]
    const server = legacyServer({
      'resources/read': { contents },
      'prompts/get': { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }] },
      'completion/complete': { completion: { values: ['rust'], hasMore: false } },
    })
    await using client = await connect(server.open)
    expect(await client.readResource('a:b')).toEqual({ contents })
    expect((await client.getPrompt('greet', { who: 'you' })).messages).toHaveLength(1)
    const context = { arguments: { framework: 'x' } }
    const completion = await client.complete(
      { type: 'ref/prompt', name: 'greet' },
      { name: 'language', value: 'r' },
      { context },
    )
    expect(completion).toEqual({ values: ['rust'], hasMore: false })
    expect(server.all('prompts/get')[0]?.params).toEqual({ name: 'greet', arguments: { who: 'you' } })
    expect(server.all('completion/complete')[0]?.params).toMatchObject({ context })
  })

  // [tools.sec.validate-results]
  test('a result that the revision does not allow is an error that names the member', async () => {
    await using client = await connect(legacyServer({ 'tools/call': { content: 'text' } }).open)
    await expect(client.callTool('x')).rejects.toMatchObject({
      code: 'invalid_result',
      message: expect.stringMatching(/content/),
    })
  })

  // [rpc.resulttype.unknown-invalid] [rpc.resulttype.absent-is-complete] [rpc.resulttype.accepted-set]
  test('a result of an unknown type is none, and one without a type is complete', async () => {
    const server = modernServer({
      'tools/call': ({ name }) => (name === 'odd' ? { ...text('x'), resultType: 'later' } : text('x')),
    })
    await using client = await connect(server.open)
    await expect(client.callTool('odd')).rejects.toMatchObject({
      code: 'invalid_result',
      message: expect.stringMatching(/resultType: expected "complete".*, got "later"/),
    })
    expect((await client.callTool('plain')).text).toBe('x')
  })

  // [rpc.request.id-type] [rpc.request.id-unique-per-session] [rpc.request.id-unique-in-flight] [rpc.version-2-0]
  test('requests never share an id, whether they are in flight or not', async () => {
    for (const server of [legacyServer({ 'tools/call': text('x') }), modernServer({ 'tools/call': text('x') })]) {
      await using client = await connect(server.open)
      for (let round = 0; round < 3; round++) {
        await Promise.all(Array.from({ length: 20 }, () => client.callTool('x')))
      }
      const requests = server.received.filter(({ id }) => id !== undefined)
      expect(new Set(requests.map(({ id }) => id)).size).toBe(requests.length)
      expect(requests.every(({ id }) => Number.isInteger(id))).toBe(true)
      expect(server.received.every((message) => (message as { jsonrpc?: string }).jsonrpc === '2.0')).toBe(true)
    }
  })

  test('request and notify send what they are given, with meta', async () => {
    const server = legacyServer({ 'x/echo': (params) => ({ params }) })
    await using client = await connect(server.open)
    const result = await client.request('x/echo', { a: 1 }, { meta: { trace: 't' } })
    expect(result).toEqual({ params: { a: 1, _meta: { trace: 't' } } })
    await client.notify('x/hello', { b: 2 })
    expect((await server.untilMethod('x/hello')).params).toEqual({ b: 2 })
  })

  test('ping is server/discover where there is no ping', async () => {
    const legacy = legacyServer({ ping: {} })
    const modern = modernServer()
    await using old = await connect(legacy.open)
    await using young = await connect(modern.open)
    await Promise.all([old.ping(), young.ping()])
    expect(legacy.methods.at(-1)).toBe('ping')
    expect(modern.methods).toEqual(['server/discover', 'server/discover'])
  })

  test('after close every call fails, and closed says why', async () => {
    const client = await connect(legacyServer({ 'tools/call': silence }).open)
    const pending = client.callTool('x')
    await Promise.all([client.close(), client.close(), expect(pending).rejects.toMatchObject({ code: 'closed' })])
    await expect(client.callTool('x')).rejects.toMatchObject({ code: 'closed' })
    expect(await client.closed).toMatchObject({ code: 'closed' })
  })

  test('a server that ends fails what is pending at once', async () => {
    const server = legacyServer({ 'tools/call': silence })
    await using client = await connect(server.open)
    const pending = client.callTool('x')
    await server.untilMethod('tools/call')
    server.end()
    await expect(pending).rejects.toMatchObject({ code: 'closed' })
    expect(await client.closed).toMatchObject({ code: 'closed' })
  })
})

test('a channel whose other side is gone is closed, before close resolves', async () => {
  const server = legacyServer()
  const channel = server.open()
  let release: () => void = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const events: string[] = []
  const slow = {
    open: channel.open.bind(channel),
    send: channel.send.bind(channel),
    close: async () => {
      events.push('closing')
      await released
      await channel.close()
    },
  }
  const client = await connect(slow)
  server.end()
  await client.closed
  expect(events).toEqual(['closing'])
  const closing = client.close().then(() => events.push('closed'))
  await new Promise((resolve) => setImmediate(resolve))
  release()
  events.push('released')
  await closing
  expect(events.filter((event) => event !== 'closing')).toEqual(['released', 'closed'])
})

// [life.caps.only-negotiated] [life.caps.only-negotiated-should] [life.caps.respect-declared]
// [prompts.respect-capabilities]
describe('what the server did not declare is refused here', () => {
  const uses: [string, (client: Client) => Promise<unknown>][] = [
    ['tools', (client) => client.callTool('x')],
    ['tools', (client) => client.listTools()],
    ['tools', (client) => collect(client.tools())],
    ['resources', (client) => client.readResource('a:b')],
    ['resources', (client) => collect(client.resources())],
    ['resources', (client) => collect(client.resourceTemplates())],
    ['resources.subscribe', (client) => client.watch('a:b', () => {})],
    ['prompts', (client) => client.getPrompt('x')],
    ['prompts', (client) => collect(client.prompts())],
    ['completions', (client) => client.complete({ type: 'ref/prompt', name: 'x' }, { name: 'a', value: '' })],
    ['logging', (client) => client.setLoggingLevel('info')],
  ]

  test.each(uses)('%s: %s', async (capability, use) => {
    const server = legacyServer({}, '2025-11-25', {})
    await using client = await connect(server.open)
    await expect(use(client)).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining(`capability ${capability}`),
    })
    expect(server.methods.at(-1)).toBe('notifications/initialized')
  })

  test('but the first revision has completion without a capability', async () => {
    const server = legacyServer({ 'completion/complete': { completion: { values: [] } } }, '2024-11-05', {})
    await using client = await connect(server.open)
    const completion = await client.complete({ type: 'ref/prompt', name: 'x' }, { name: 'a', value: '' })
    expect(completion.values).toEqual([])
  })

  test('without resources nothing can be watched, and without prompts their list cannot change', async () => {
    const warnings: string[] = []
    const server = modernServer({}, { tools: {} })
    await using client = await connect(server.open, { onWarning: (message) => warnings.push(message) })
    await expect(client.watch('a:b', () => {})).rejects.toMatchObject({ code: 'unsupported' })
    client.onChange('prompts', () => {})
    await client.ping()
    expect(warnings).toEqual([expect.stringMatching(/onChange\("prompts"\)/)])
    expect(server.methods).toEqual(['server/discover', 'server/discover'])
  })
})

describe('lists', () => {
  const pages = (next: (cursor: unknown) => JsonObject): ScriptedServer =>
    legacyServer({ 'prompts/list': ({ cursor }) => ({ prompts: [{ name: `after ${cursor}` }], ...next(cursor) }) })

  // [prompts.client-pagination] [page.missing-next-is-end] [page.both-flows] [page.no-fixed-size] [page.opaque]
  test('are followed to the end', async () => {
    const server = pages((cursor) => (cursor === 'b' ? {} : { nextCursor: cursor === 'a' ? 'b' : 'a' }))
    await using client = await connect(server.open)
    expect((await collect(client.prompts())).map(({ name }) => name)).toEqual(['after undefined', 'after a', 'after b'])
    expect(await client.listPrompts({ cursor: 'b' })).toEqual({ prompts: [{ name: 'after b' }] })
  })

  test('ask for a page only when it is needed', async () => {
    const server = pages(() => ({ nextCursor: 'more' }))
    await using client = await connect(server.open)
    for await (const _ of client.prompts()) break
    expect(server.all('prompts/list')).toHaveLength(1)
  })

  test('end with an error when a cursor comes twice', async () => {
    const server = pages((cursor) => ({ nextCursor: cursor === 'a' ? 'b' : 'a' }))
    await using client = await connect(server.open)
    await expect(collect(client.prompts())).rejects.toMatchObject({
      code: 'invalid_result',
      message: expect.stringMatching(/came twice/),
    })
    expect(server.all('prompts/list')).toHaveLength(3)
  })

  test('end with an error after the allowed number of pages', async () => {
    let page = 0
    const server = pages(() => ({ nextCursor: `${++page}` }))
    await using client = await connect(server.open, { limits: { maxPages: 4 } })
    await expect(collect(client.prompts())).rejects.toMatchObject({
      code: 'invalid_result',
      message: expect.stringMatching(/4 pages/),
    })
    expect(page).toBe(4)
  })

  // [page.empty-string-cursor]
  test('an empty cursor is the end before 2026-07-28 and a cursor from then on', async () => {
    const legacy = pages(() => ({ nextCursor: '' }))
    await using old = await connect(legacy.open)
    expect(await collect(old.prompts())).toHaveLength(1)
    const modern = modernServer({
      'prompts/list': ({ cursor }) => ({ prompts: [], ...(cursor === undefined ? { nextCursor: '' } : {}) }),
    })
    await using young = await connect(modern.open)
    await collect(young.prompts())
    expect(modern.all('prompts/list').map(({ params }) => params?.cursor)).toEqual([undefined, ''])
  })
})

describe('progress', () => {
  // [progress.token-type] [progress.token-unique] [meta.progress-token-key]
  test('is asked for with the request id as token, and only if someone listens', async () => {
    const server: ScriptedServer = legacyServer({
      'tools/call': ({ _meta }) => {
        const { progressToken } = (_meta ?? {}) as JsonObject
        if (progressToken !== undefined) {
          server.notify('notifications/progress', { progressToken, progress: 1, total: 2, message: 'half' })
          server.notify('notifications/progress', { progressToken: String(progressToken), progress: 2 })
        }
        return text('done')
      },
    })
    const seen: unknown[] = []
    await using client = await connect(server.open)
    await client.callTool('quiet')
    await client.callTool('slow', {}, { onProgress: (progress) => seen.push(progress) })
    const [quiet, slow] = server.all('tools/call')
    expect(quiet?.params?._meta).toBeUndefined()
    expect(slow?.params?._meta).toEqual({ progressToken: slow?.id })
    expect(seen).toEqual([{ progress: 1, total: 2, message: 'half' }, { progress: 2 }])
  })

  test('after the answer is ignored', async () => {
    const errors: Error[] = []
    const server = legacyServer({ 'tools/call': text('done'), ping: {} })
    const seen: unknown[] = []
    await using client = await connect(server.open, { onError: (error) => errors.push(error) })
    await client.callTool('x', {}, { onProgress: (progress) => seen.push(progress) })
    server.notify('notifications/progress', { progressToken: server.all('tools/call')[0]!.id, progress: 1 })
    await client.ping()
    expect([seen, errors]).toEqual([[], []])
  })

  // [timeout.maximum] [timeout.progress-resets]
  test('keeps a call alive beyond its timeout, but not beyond its maximum', async () => {
    const server: ScriptedServer = legacyServer({ 'tools/call': silence })
    await using client = await connect(server.open)
    const report = setInterval(() => {
      const id = server.all('tools/call')[0]?.id
      if (id !== undefined) server.notify('notifications/progress', { progressToken: id, progress: 1 })
    }, 20)
    const seen: unknown[] = []
    const call = client.callTool(
      'x',
      {},
      { timeoutMs: 500, maxTotalMs: 1_000, onProgress: (progress) => seen.push(progress) },
    )
    await expect(call).rejects.toMatchObject({ code: 'timeout', message: expect.stringMatching(/maximum total/) })
    clearInterval(report)
    expect(seen.length).toBeGreaterThan(2)
  })

  test('that nobody asked for keeps no call alive, and no handshake', async () => {
    let reports: ReturnType<typeof setInterval> | undefined
    const report: ScriptedServer = legacyServer({
      'server/discover': (_, { id }) => {
        reports ??= setInterval(() => {
          for (const progressToken of [id!, 3, '3'])
            report.notify('notifications/progress', { progressToken, progress: 1 })
        }, 5)
        return silence
      },
      'tools/call': silence,
    })
    await using client = await connect(report.open, { probeTimeoutMs: 30 })
    expect(client.server.revision).toBe('2025-11-25')
    await expect(client.callTool('x', {}, { timeoutMs: 30, maxTotalMs: 5_000 })).rejects.toThrow('within 30 ms')
    expect(report.all('tools/call')[0]?.id).toBe(3)
    clearInterval(reports)
  })

  test('listeners that throw are reported and break nothing', async () => {
    const errors: Error[] = []
    const server: ScriptedServer = legacyServer({
      'tools/call': (_, { id }) => {
        server.notify('notifications/progress', { progressToken: id, progress: 1 })
        return text('done')
      },
    })
    await using client = await connect(server.open, { onError: (error) => errors.push(error) })
    const fail = (): never => {
      throw new Error('my listener')
    }
    expect((await client.callTool('x', {}, { onProgress: fail })).text).toBe('done')
    expect(errors).toMatchObject([{ message: 'my listener' }])
  })
})

describe('giving up', () => {
  // [cancel.client-signals] [cancel.same-direction] [cancel.request-id-required] [cancel.request-id-non-task]
  test('by a signal cancels the call on both sides', async () => {
    const server = legacyServer({ 'tools/call': silence })
    await using client = await connect(server.open)
    const stop = new AbortController()
    const call = client.callTool('x', {}, { signal: stop.signal })
    const { id } = await server.untilMethod('tools/call')
    stop.abort(new Error('changed my mind'))
    await expect(call).rejects.toMatchObject({ code: 'cancelled', cause: { message: 'changed my mind' } })
    const { params } = await server.untilMethod('notifications/cancelled')
    expect(params).toEqual({ requestId: id, reason: expect.stringMatching(/changed my mind/) })
  })

  test('before the call sends nothing', async () => {
    const server = legacyServer({ 'tools/call': silence })
    await using client = await connect(server.open)
    await expect(client.callTool('x', {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' })
    expect(server.methods.at(-1)).toBe('notifications/initialized')
  })

  // [timeout.cancel-on-expiry] [tools.sec.timeouts] [stdio.cancel.notification] [cancel.client-requests-only]
  // [rpc.codes.local-errors-distinguishable]
  test('by a timeout tells the server, also in 2026-07-28', async () => {
    for (const server of [legacyServer({ 'tools/call': silence }), modernServer({ 'tools/call': silence })]) {
      await using client = await connect(server.open)
      await expect(client.callTool('x', {}, { timeoutMs: 20 })).rejects.toMatchObject({ code: 'timeout' })
      const { params } = await server.untilMethod('notifications/cancelled')
      expect(params).toMatchObject({ requestId: server.all('tools/call')[0]?.id })
    }
  })
})

describe('arguments that a server could only refuse are refused here', () => {
  // [tools.call.params] [prompts.get.params] [complete.ref-types] [complete.validate-inputs]
  test.each<[string, (client: Client) => Promise<unknown>, string]>([
    [
      'a call as one object',
      (it) => it.callTool({ name: 'x' } as never),
      'tools/call params.name: expected a string, got an object',
    ],
    ['no name', (it) => it.callTool(undefined as never), 'params.name: expected a string, got nothing'],
    [
      'arguments in a list',
      (it) => it.callTool('x', [1] as never),
      'params.arguments: expected an object, got an array',
    ],
    [
      'a number for a prompt',
      (it) => it.getPrompt('x', { n: 1 as never }),
      'params.arguments["n"]: expected a string, got number',
    ],
    [
      'a URI in an object',
      (it) => it.readResource({ uri: 'a:b' } as never),
      'resources/read params.uri: expected a string',
    ],
    [
      'a number as cursor',
      (it) => it.listTools({ cursor: 2 as never }),
      'params.cursor: expected a string, got number',
    ],
    [
      'a reference to nothing',
      (it) => it.complete({ type: 'ref/tool' } as never, { name: 'a', value: '' }),
      'params.ref.type: expected one of',
    ],
    [
      'a progress token that is none',
      (it) => it.ping({ meta: { progressToken: 1.5 } }),
      'params._meta.progressToken: expected',
    ],
  ])('%s', async (_, call, problem) => {
    for (const server of [...legacy.map((revision) => legacyServer({}, revision)), modernServer()]) {
      await using client = await connect(server.open)
      const before = server.received.length
      await expect(call(client)).rejects.toMatchObject({
        code: 'invalid_argument',
        message: expect.stringContaining(problem),
      })
      expect(server.received).toHaveLength(before)
    }
  })

  test('but what is left empty is left out', async () => {
    const server = legacyServer({ 'tools/call': text('done'), 'prompts/get': { messages: [] } })
    await using client = await connect(server.open)
    await client.callTool('x', null as never)
    await client.getPrompt('x', { city: 'Rome', day: undefined as never })
    expect(server.all('tools/call')[0]?.params).toEqual({ name: 'x' })
    expect(server.all('prompts/get')[0]?.params).toEqual({ name: 'x', arguments: { city: 'Rome' } })
  })

  // [timeout.per-request-config]
  test.each([0, -1, Number.NaN, '5' as never])('a time of %s', async (ms) => {
    const server = legacyServer({ 'tools/call': text('done') })
    await expect(connect(server.open, { timeoutMs: ms })).rejects.toThrow(/^timeoutMs: expected milliseconds above 0/)
    await using client = await connect(server.open)
    await expect(client.callTool('x', {}, { maxTotalMs: ms })).rejects.toMatchObject({ code: 'invalid_argument' })
  })

  test('but endless times are none', async () => {
    const forever = { timeoutMs: Number.POSITIVE_INFINITY, maxTotalMs: Number.POSITIVE_INFINITY }
    const server = legacyServer({ 'tools/call': text('done') })
    await using client = await connect(server.open, forever)
    expect((await client.callTool('x', {}, forever)).text).toBe('done')
  })

  // [log.levels]
  test('a log level that does not exist', async () => {
    const server = legacyServer({ 'logging/setLevel': {} })
    await using client = await connect(server.open)
    await expect(client.setLoggingLevel('verbose' as never)).rejects.toThrow(
      /^level: expected one of debug, .*"verbose"$/,
    )
    expect(server.all('logging/setLevel')).toEqual([])
  })

  test.each<[JsonObject, string]>([
    [{ info: { name: 'me' } }, 'info: expected { name, version } with strings, got an object'],
    [{ elicit: true }, 'elicit: expected a function, or { form, url } with functions, got a boolean'],
    [{ elicit: { form: 'ask' } }, 'elicit: expected a function, or { form, url } with functions, got an object'],
    [{ sample: {} }, 'sample: expected a function, or { handler } with one, got an object'],
    [{ validate: 'stricter' }, 'validate: expected "off", "warn" or "strict", got "stricter"'],
    [{ revisions: '2025-06-18' }, 'revisions: expected an array, got "2025-06-18"'],
    [{ onLog: console }, 'connect onLog: expected a function, got an object'],
  ])('an option that cannot work: %o', async (options, problem) => {
    await expect(connect(legacyServer().open, options)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: problem,
    })
  })

  test('a limit that lets nothing through', async () => {
    const connecting = connect(legacyServer().open, { limits: { maxOutgoing: 0 } })
    await expect(connecting).rejects.toThrow('limits.maxOutgoing: expected a number of at least 1, got 0')
  })

  test('capabilities and meta that no server could read', async () => {
    const server = modernServer({ 'tools/call': text('done') })
    const connecting = connect(server.open, { capabilities: { experimental: 'all' as never } })
    await expect(connecting).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('apabilities.experimental: expected an object, got string'),
    })
    expect(server.received).toEqual([])

    await using client = await connect(server.open)
    const calling = client.callTool('x', {}, { meta: { 'io.modelcontextprotocol/logLevel': 'loud' } })
    await expect(calling).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('logLevel: expected one of'),
    })
    expect(server.all('tools/call')).toEqual([])
  })

  test('but meta cannot speak for the client', async () => {
    const server = modernServer({ 'tools/call': text('done') })
    await using client = await connect(server.open)
    const version = 'io.modelcontextprotocol/protocolVersion'
    await client.callTool('x', {}, { meta: { [version]: '2099-01-01', 'com.example/own': 1 } })
    await client.callTool('x')
    const [first, second] = server.all('tools/call').map(({ params }) => params?._meta as JsonObject)
    expect(first).toEqual({ ...second, 'com.example/own': 1 })
    expect(second?.[version]).toBe('2026-07-28')
  })

  // [ver.ext.identifier-naming]
  test('an extension without a prefix', async () => {
    for (const name of ['ui', 'example/', '/ui', '1x/ui', 'com..x/ui', '__proto__']) {
      const extensions = Object.fromEntries([[name, {}]])
      await expect(connect(modernServer().open, { capabilities: { extensions } })).rejects.toThrow(
        `expected a name with a prefix, such as "com.example/name", got ${JSON.stringify(name)}`,
      )
    }
    const server = modernServer()
    const extensions = { 'com.example/ui': {}, 'io.modelcontextprotocol/ui-2': {} }
    await using _ = await connect(server.open, { capabilities: { extensions }, tasks: false })
    const { params } = server.all('server/discover')[0]!
    expect(params).toHaveProperty(['_meta', 'io.modelcontextprotocol/clientCapabilities', 'extensions'], extensions)
  })
})

describe('what servers announce', () => {
  test('log messages, list changes and raw notifications reach their listeners', async () => {
    const server = legacyServer({ ping: {} })
    const logs: unknown[] = []
    const raw: string[] = []
    const changes: string[] = []
    await using client = await connect(server.open, {
      onLog: (message) => logs.push(message),
      onNotification: ({ method }) => raw.push(method),
    })
    const stop = client.onChange('tools', () => changes.push('tools'))
    client.onChange('resources', () => changes.push('resources'))
    client.onChange('prompts', () => changes.push('prompts'))
    server.notify('notifications/message', { level: 'warning', logger: 'db', data: { slow: true } })
    for (const kind of ['tools', 'resources', 'prompts']) server.notify(`notifications/${kind}/list_changed`)
    server.notify('x/custom', { a: 1 })
    await client.ping()
    stop()
    server.notify('notifications/tools/list_changed')
    await client.ping()
    expect(logs).toEqual([{ level: 'warning', logger: 'db', data: { slow: true } }])
    expect(changes).toEqual(['tools', 'resources', 'prompts'])
    expect(raw).toContain('x/custom')
  })

  // [cancel.ignore-invalid]
  test('nonsense and throwing listeners are reported, and the connection goes on', async () => {
    const errors: Error[] = []
    const server = legacyServer({ ping: {} })
    await using client = await connect(server.open, {
      onError: (error) => errors.push(error),
      onLog: () => {
        throw new Error('my logger')
      },
    })
    client.onChange('tools', async () => {
      throw new Error('my change')
    })
    server.notify('notifications/progress', { progress: 'much' })
    server.notify('notifications/resources/updated', {})
    server.notify('notifications/cancelled', { requestId: 'never-seen' })
    server.notify('notifications/message', { level: 'info', data: 1 })
    server.notify('notifications/tools/list_changed')
    server.send('Listening on port 3000')
    server.send([])
    await client.ping()
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringMatching(/progress/),
      expect.stringMatching(/uri/),
      'my logger',
      expect.stringMatching(/JSON-RPC message object/),
      expect.stringMatching(/batch/),
      'my change',
    ])
    expect(server.received.every(({ error }) => error === undefined)).toBe(true)
  })

  // [rpc.batch.receive]
  test('batches are read in 2025-03-26', async () => {
    const server = legacyServer({}, '2025-03-26')
    const logs: unknown[] = []
    await using _ = await connect(server.open, { onLog: ({ data }) => logs.push(data) })
    const log = (data: string) => ({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data } })
    server.send([log('a'), { jsonrpc: '2.0', id: 1, method: 'ping' }, log('b')])
    const answer = await server.until((message) => Array.isArray(message))
    expect(answer).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }])
    expect(logs).toEqual(['a', 'b'])
  })
})

describe('log levels and roots', () => {
  test('setLoggingLevel asks the server, or marks every request where there is nothing to ask', async () => {
    const legacy = legacyServer({ 'logging/setLevel': {} })
    await using old = await connect(legacy.open)
    await old.setLoggingLevel('warning')
    expect(legacy.all('logging/setLevel')[0]?.params).toEqual({ level: 'warning' })

    const modern = modernServer({ 'tools/list': { tools: [] } })
    await using young = await connect(modern.open)
    await young.setLoggingLevel('debug')
    await young.listTools()
    expect(modern.methods).toEqual(['server/discover', 'tools/list'])
    expect(modern.all('tools/list')[0]?.params?._meta).toMatchObject({ 'io.modelcontextprotocol/logLevel': 'debug' })
    await young.setLoggingLevel('error')
    await young.listTools({ fresh: true })
    expect(modern.all('tools/list')[1]?.params?._meta).toMatchObject({ 'io.modelcontextprotocol/logLevel': 'error' })
    await expect(young.setLoggingLevel('loud' as never)).rejects.toMatchObject({ code: 'invalid_argument' })
  })

  // [roots.list-changed] [roots.list-changed-removed] [roots.list.result]
  test('setRoots tells servers that can be told', async () => {
    for (const revision of revisions) {
      const server = legacyServer({}, revision)
      const modern = revision === '2026-07-28' ? modernServer() : server
      await using client = await connect(modern.open, { roots: [], revisions })
      await client.setRoots([{ uri: 'file:///work', name: 'work' }])
      if (modern !== server) expect(modern.methods).toEqual(['server/discover'])
      else {
        expect(server.methods.at(-1)).toBe('notifications/roots/list_changed')
        expect((await server.ask('roots/list')).result).toEqual({ roots: [{ uri: 'file:///work', name: 'work' }] })
      }
    }
  })

  test('roots that were not declared cannot be changed, and are file URIs', async () => {
    await using client = await connect(legacyServer().open)
    await expect(client.rootsChanged()).rejects.toMatchObject({ code: 'unsupported' })
    await expect(client.setRoots([])).rejects.toMatchObject({ code: 'unsupported' })
    await expect(connect(legacyServer().open, { roots: [{ uri: 'https://example.com' }] })).rejects.toThrow(/file:\/\//)
  })
})

test('the server of a modern connection may name several versions', async () => {
  const server = modernServer({ 'server/discover': discovered(['2026-07-28', '2025-11-25']) })
  await using client = await connect(server.open, { revisions })
  expect(client.server.revision).toBe('2026-07-28')
})
