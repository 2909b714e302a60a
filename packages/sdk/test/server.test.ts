/** Promises of a server to its author, beyond those of the revisions suite. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { revisions } from '../src/model/revision.ts'
import {
  createServer,
  McpError,
  type Middleware,
  prompt,
  RpcError,
  resource,
  resourceTemplate,
  type ServerOptions,
  type ServerTool,
  type ToolContext,
  ToolResult,
  tool,
} from '../src/server.ts'
import { memoryPair, openWire, testClient } from '../src/testing.ts'
import '../src/testing/vitest.ts'

const options = <App = unknown>(more: Partial<ServerOptions<App>> = {}): ServerOptions<App> => ({
  name: 'test',
  version: '1',
  onError: () => {},
  ...more,
})
const say = (name: string, words = name) => tool({ name, run: () => words })
const names = async (items: AsyncIterable<{ name: string }>): Promise<string[]> => {
  const found: string[] = []
  for await (const { name } of items) found.push(name)
  return found
}
const thrown = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )
const settled = () => new Promise<void>((resolve) => setTimeout(resolve, 5))

describe('definitions are refused when they are made', () => {
  const refused: [string, () => unknown, string | RegExp][] = [
    [
      'a tool without a handler',
      () => tool({ name: 'x', title: 'X' } as never),
      'tool "x": expected a function run, got nothing (there is: name, title)',
    ],
    [
      'a raw shape in place of a schema',
      () => tool({ name: 'x', input: { a: z.string() } as never, run: () => '' }),
      'wrap it in z.object',
    ],
    [
      'an options object that is no tool',
      () => createServer(options({ tools: [{ name: 'x', run: () => '' } as never] })),
      'tool: expected what tool() returns, got an object named "x"',
    ],
    [
      'tools that are no list',
      () => createServer(options({ tools: { x: say('x') } as never })),
      'createServer tools: expected an array, got an object',
    ],
    // [tools.name.charset] [tools.name.no-special] [tools.name.length]
    ['a name with spaces', () => say('two words'), 'tool "two words": expected a name of 1 to 128'],
    ['a name with a comma', () => say('a,b'), 'expected a name of 1 to 128'],
    ['no name', () => say(''), 'expected a name'],
    ['a name that is too long', () => say('x'.repeat(129)), 'expected a name of 1 to 128'],
    [
      'a prefix that no name may have',
      () => createServer(options()).mount(createServer(options({ name: 'inner' })), { prefix: 'two words ' }),
      'mount of inner prefix: expected a name',
    ],
    [
      'an input that is not an object',
      () => tool({ name: 'x', input: z.string(), run: () => '' }),
      'tool "x" input: expected a schema of an object, got type "string"',
    ],
    [
      'an input that cannot be said in JSON',
      () => tool({ name: 'x', input: z.object({ at: z.date() }), run: () => '' }),
      /tool "x" input.*at/,
    ],
    [
      // [jschema.unsupported-dialect-error]
      'a dialect that is not spoken',
      () => tool({ name: 'x', input: { $schema: 'https://example.com/mine', type: 'object' }, run: () => '' }),
      'https://example.com/mine',
    ],
    [
      // [jschema.schemas-valid]
      'a schema that is not valid',
      () =>
        tool({ name: 'x', input: { type: 'object', properties: { a: { type: 'strnig' } } } as never, run: () => '' }),
      'strnig',
    ],
    [
      'a schema that is none',
      () => tool({ name: 'x', input: 7 as never, run: () => '' }),
      'tool "x" input: expected a schema',
    ],
    // [jschema.no-network-ref] [jschema.unresolved-ref-reject]
    [
      'a $ref to elsewhere',
      () => tool({ name: 'x', input: { type: 'object', $ref: 'https://example.com/s' }, run: () => '' }),
      'example.com',
    ],
    [
      'a prompt argument that is no string',
      () => prompt({ name: 'p', arguments: z.object({ n: z.number() }), run: () => '' }),
      'prompt "p" arguments.n: expected a string',
    ],
    [
      'a completer without its argument',
      () => prompt({ name: 'p', complete: { n: () => [] } as never, run: () => '' }),
      'complete.n: there is no such argument',
    ],
    // [res.uri.custom-rfc3986]
    ['a URI that is relative', () => resource({ uri: 'notes', name: 'n', read: () => '' }), 'expected an absolute URI'],
    ['a scheme that is none', () => resource({ uri: 'my_note:///a', name: 'n', read: () => '' }), 'an absolute URI'],
    // [ver.ext.identifier-naming]
    [
      'an extension without a prefix',
      () => createServer(options({ capabilities: { extensions: { tables: {} } } })),
      'createServer capabilities.extensions: expected a name with a prefix',
    ],
    [
      'a template without a template',
      () => resourceTemplate({ name: 'n', read: () => '' } as never),
      'resource template n: expected a uriTemplate, got nothing',
    ],
    [
      'a template that does not parse',
      () => resourceTemplate({ uriTemplate: 'a:///{x', name: 'n', read: () => '' }),
      'position',
    ],
    [
      // [tools.name.unique]
      'two tools of one name',
      () => createServer(options({ tools: [say('x'), say('x')] })),
      'tool "x" is defined twice',
    ],
    ['a server without a name', () => createServer({ name: '', version: '1' }), 'createServer name: expected a string'],
    [
      'an unknown revision',
      () => createServer(options({ revisions: ['2020-01-01' as never] })),
      'createServer revisions: expected some of',
    ],
    ['a page size of nothing', () => createServer(options({ pageSize: 0 })), 'createServer pageSize'],
    [
      'a server in itself',
      () => {
        const server = createServer(options())
        server.mount(server)
      },
      'cannot be mounted into itself',
    ],
  ]

  test.each(refused)('%s', (_name, define, message) => {
    expect(define).toThrow(McpError)
    expect(define).toThrow(message)
  })
})

describe('middleware', () => {
  test('wraps operations like an onion, the first outermost', async () => {
    const order: string[] = []
    const layer =
      (name: string): Middleware =>
      async ({ method }, next) => {
        order.push(`${name} before ${method}`)
        const result = await next()
        order.push(`${name} after`)
        return result
      }
    await using client = await testClient(
      createServer(options({ tools: [say('x')], middleware: [layer('a'), layer('b')] })),
    )
    await client.callTool('x')
    expect(order).toEqual(['a before tools/call', 'b before tools/call', 'b after', 'a after'])
  })

  test('may change the params and the result, and answer by itself', async () => {
    const server = createServer(
      options({
        tools: [tool({ name: 'x', input: z.object({ n: z.number() }), run: ({ n }) => `${n}` })],
        middleware: [
          {
            'tools/call': async ({ params }, next) => {
              if (params.name === 'secret') return { content: [{ type: 'text', text: 'from the layer' }] }
              const result = await next({ ...params, arguments: { n: 42 } })
              return { ...result, _meta: { seen: true } }
            },
          },
        ],
      }),
    )
    await using client = await testClient(server)
    expect(await client.callTool('x', { n: 1 })).toMatchObject({ text: '42', meta: { seen: true } })
    expect(await client.callTool('secret')).toHaveText('from the layer')
  })

  test('may filter a list, for some and not for others', async () => {
    const server = createServer(
      options({
        tools: [say('a'), say('b')],
        middleware: [
          {
            'tools/list': async ({ ctx }, next) => {
              const page = await next()
              return ctx.caller.client?.name === 'guest' ? { ...page, tools: page.tools.slice(0, 1) } : page
            },
          },
        ],
      }),
    )
    await using guest = await testClient(server, { info: { name: 'guest', version: '1' } })
    await using member = await testClient(server)
    expect(await names(guest.tools())).toEqual(['a'])
    expect(await names(member.tools())).toEqual(['a', 'b'])
  })

  test('sees errors of handlers as errors, and its own are masked', async () => {
    const reported: unknown[] = []
    const server = createServer(
      options({
        tools: [say('x')],
        middleware: [async () => Promise.reject(new Error('secret'))],
        onError: (error) => reported.push(error),
      }),
    )
    await using client = await testClient(server)
    const error = await thrown(client.callTool('x'))
    expect(error).toBeRpcError(-32603, /^Internal error$/)
    expect(error).toMatchObject({ data: { id: expect.stringMatching(/^[0-9a-f]{8}$/) } })
    expect(reported).toMatchObject([{ message: 'secret' }])
  })
})

describe('the user context', () => {
  interface App {
    user: string
  }
  const whoami = tool({ name: 'whoami', run: (_input, ctx: ToolContext<App>) => ctx.context.user })

  test('is made from the connection and typed in handlers', async () => {
    const made: string[] = []
    const server = createServer({
      ...options<App>(),
      tools: [whoami],
      context: async ({ client }) => {
        made.push(client!.name)
        return { user: client!.name }
      },
    })
    await using ada = await testClient(server, { revision: '2025-11-25', info: { name: 'ada', version: '1' } })
    await using bob = await testClient(server, { revision: '2025-11-25', info: { name: 'bob', version: '1' } })
    expect(await ada.callTool('whoami')).toHaveText('ada')
    expect(await bob.callTool('whoami')).toHaveText('bob')
    expect(await ada.callTool('whoami')).toHaveText('ada')
    expect(made).toEqual(['ada', 'bob'])
  })

  test('is disposed of with the connection, or with the request where there is none', async () => {
    const disposed: string[] = []
    const server = createServer({
      ...options<AsyncDisposable>(),
      tools: [say('x')],
      context: async ({ client }) => ({ [Symbol.asyncDispose]: async () => void disposed.push(client!.name) }),
    })
    await using old = await testClient(server, { revision: '2025-11-25', info: { name: 'old', version: '1' } })
    await using modern = await testClient(server, { revision: '2026-07-28', info: { name: 'modern', version: '1' } })
    await old.callTool('x')
    await modern.callTool('x')
    await settled()
    expect(disposed).toEqual(['modern'])
    await old.close()
    await settled()
    expect(disposed).toEqual(['modern', 'old'])
  })

  test('that cannot be made fails the call, without a word of why', async () => {
    const server = createServer({
      ...options<App>(),
      tools: [whoami],
      context: () => Promise.reject(new Error('secret')),
    })
    await using client = await testClient(server)
    expect(await client.callTool('whoami')).toBeToolError(/^Internal error/)
  })
})

describe('visibility', () => {
  const forAda = (name: string): ServerTool =>
    tool({ name, visible: ({ client }) => client?.name === 'ada', run: () => 'yes' })
  const server = () =>
    createServer(
      options({
        tools: [say('open'), forAda('hidden')],
        prompts: [prompt({ name: 'secret', visible: () => false, run: () => '' })],
        resources: [
          resource({
            uri: 'a:///secret',
            name: 'secret',
            visible: () => Promise.reject(new Error('broken')),
            read: () => '',
          }),
        ],
      }),
    )

  test('what a caller may not see does not exist for it', async () => {
    await using ada = await testClient(server(), { info: { name: 'ada', version: '1' } })
    await using bob = await testClient(server(), { info: { name: 'bob', version: '1' } })
    expect(await names(ada.tools())).toEqual(['open', 'hidden'])
    expect(await names(bob.tools())).toEqual(['open'])
    expect(await ada.callTool('hidden')).toHaveText('yes')
    expect(await thrown(bob.callTool('hidden'))).toBeRpcError(-32602, 'Unknown tool')
    expect(await thrown(bob.getPrompt('secret'))).toBeRpcError(-32602, 'Unknown prompt')
    expect(await names(bob.prompts())).toEqual([])
  })

  test('a rule that throws says no', async () => {
    await using client = await testClient(server())
    expect(await names(client.resources())).toEqual([])
    expect(await thrown(client.readResource('a:///secret'))).toBeRpcError(-32602)
  })

  test('a hidden family lists nothing', async () => {
    const family = resourceTemplate({
      uriTemplate: 'a:///{x}',
      name: 'family',
      visible: () => false,
      list: () => [{ uri: 'a:///1', name: 'one' }],
      read: () => '',
    })
    await using client = await testClient(createServer(options({ resources: [family] })))
    expect(await names(client.resources())).toEqual([])
    expect(await names(client.resourceTemplates())).toEqual([])
  })

  test('news of a resource reach only who may still see it', async () => {
    let visible = true
    const note = resource({ uri: 'a:///note', name: 'note', visible: () => visible, read: () => '' })
    const shared = createServer(options({ resources: [note] }))
    await using client = await testClient(shared, { revision: '2025-11-25' })
    await using _watch = await client.watch('a:///note', () => {})
    visible = false
    shared.resources.changed('a:///note')
    await settled()
    visible = true
    shared.resources.changed('a:///note')
    await settled()
    expect(client.transcript.calls('notifications/resources/updated')).toHaveLength(1)
  })

  test('news of a hidden tool reach only who may see it', async () => {
    const shared = server()
    await using ada = await testClient(shared, { revision: '2025-11-25', info: { name: 'ada', version: '1' } })
    await using bob = await testClient(shared, { revision: '2025-11-25', info: { name: 'bob', version: '1' } })
    await Promise.all([ada.ping(), bob.ping()])
    shared.tools.remove('hidden')
    await settled()
    const method = 'notifications/tools/list_changed'
    expect(ada.transcript.calls(method)).toHaveLength(1)
    expect(bob.transcript.calls(method)).toHaveLength(0)
  })
})

describe('a mounted server', () => {
  const inner = () =>
    createServer({
      ...options({ name: 'inner' }),
      tools: [say('status', 'clean'), say('own', 'inner')],
      prompts: [
        prompt({
          name: 'commit',
          arguments: z.object({ style: z.enum(['short', 'long']) }),
          run: ({ style }) => style,
        }),
      ],
      resources: [
        resource({ uri: 'git:///head', name: 'head', read: () => 'main' }),
        resourceTemplate({ uriTemplate: 'git:///{ref}', name: 'ref', read: ({ variables }) => variables.ref }),
      ],
    })

  // [tools.name.disambiguate]
  test('offers its tools and prompts under the prefix, and its resources as they are', async () => {
    const server = createServer(options({ tools: [say('own', 'outer')] }))
    server.mount(inner(), { prefix: 'git_' })
    await using client = await testClient(server)
    expect(await names(client.tools())).toEqual(['own', 'git_status', 'git_own'])
    expect(await client.callTool('git_status')).toHaveText('clean')
    expect(await client.callTool('own')).toHaveText('outer')
    expect(await thrown(client.callTool('status'))).toBeRpcError(-32602)
    expect((await client.getPrompt('git_commit', { style: 'long' })).messages[0]).toMatchObject({
      content: { text: 'long' },
    })
    expect(
      (await client.complete({ type: 'ref/prompt', name: 'git_commit' }, { name: 'style', value: 's' })).values,
    ).toEqual(['short'])
    expect((await client.readResource('git:///head')).contents).toMatchObject([{ text: 'main' }])
    expect((await client.readResource('git:///v1')).contents).toMatchObject([{ text: 'v1' }])
  })

  test('keeps its own middleware and context, inside those of the outer server', async () => {
    const order: string[] = []
    const layer =
      (name: string): Middleware =>
      async ({ method, params }, next) => {
        order.push(`${name} ${method} ${'name' in params ? params.name : ''}`)
        return next()
      }
    const child = createServer({
      ...options<{ from: string }>({ name: 'child' }),
      middleware: [layer('inner')],
      context: () => ({ from: 'child' }),
      tools: [tool({ name: 'x', run: (_input, ctx: ToolContext<{ from: string }>) => ctx.context.from })],
    })
    const server = createServer(options({ middleware: [layer('outer')] }))
    server.mount(child, { prefix: 'c_' })
    await using client = await testClient(server)
    expect(await client.callTool('c_x')).toHaveText('child')
    expect(order).toEqual(['outer tools/call c_x', 'inner tools/call x'])
  })

  test('passes its changes on, until it is unmounted', async () => {
    const child = inner()
    const server = createServer(options({ tools: [] }))
    const unmount = server.mount(child, { prefix: 'git_' })
    await using client = await testClient(server, { revision: '2025-11-25' })
    await using _watch = await client.watch('git:///head', () => {})
    child.tools.add(say('push'))
    child.resources.changed('git:///head')
    await settled()
    expect(client.transcript.calls('notifications/tools/list_changed')).toHaveLength(1)
    expect(client.transcript.calls('notifications/resources/updated')).toHaveLength(1)
    expect(await names(client.tools())).toEqual(['git_status', 'git_own', 'git_push'])
    unmount()
    expect(await names(client.tools())).toEqual([])
    child.tools.add(say('late'))
    await settled()
    expect(client.transcript.calls('notifications/tools/list_changed')).toHaveLength(2)
  })

  // [tools.name.not-by-server-name]
  test('may be mounted twice, and inside another', async () => {
    const child = inner()
    const middle = createServer(options({ name: 'middle' }))
    middle.mount(child, { prefix: 'b.' })
    const server = createServer(options())
    server.mount(child, { prefix: 'a.' })
    server.mount(middle, { prefix: 'm.' })
    await using client = await testClient(server)
    expect(await names(client.tools())).toEqual(['a.status', 'a.own', 'm.b.status', 'm.b.own'])
    expect(await client.callTool('m.b.status')).toHaveText('clean')
  })
})

describe('two peers of one server', () => {
  test('never see what belongs to the other, even with equal request ids', async () => {
    const work = tool({
      name: 'work',
      input: z.object({ who: z.string() }),
      async run({ who }, ctx) {
        await ctx.progress(1, 1, who)
        await ctx.log('error', who)
        await settled()
        return who
      },
    })
    const server = createServer(options({ tools: [work] }))
    const peers = await Promise.all(
      ['ada', 'bob'].map(async (who) => {
        const logs: unknown[] = []
        const progress: unknown[] = []
        const client = await testClient(server, { revision: '2025-11-25', onLog: ({ data }) => logs.push(data) })
        return { who, logs, progress, client }
      }),
    )
    await Promise.all(
      peers.map(async ({ who, client, progress }) => {
        const result = await client.callTool('work', { who }, { onProgress: ({ message }) => progress.push(message) })
        expect(result.text).toBe(who)
      }),
    )
    const ids = peers.map(({ client }) => (client.transcript.calls('tools/call')[0] as { id: number }).id)
    expect(ids[0]).toBe(ids[1])
    for (const { who, logs, progress, client } of peers) {
      expect({ logs, progress }).toEqual({ logs: [who], progress: [who] })
      await client.close()
    }
  })

  test('a peer that goes away takes its work with it and leaves the other alone', async () => {
    const aborted: string[] = []
    const wait = tool({
      name: 'wait',
      input: z.object({ who: z.string() }),
      run: ({ who }, ctx) =>
        new Promise<string>((resolve) =>
          ctx.signal.addEventListener('abort', () => resolve(void aborted.push(who) as never)),
        ),
    })
    const server = createServer(options({ tools: [wait, say('x')] }))
    await using ada = await testClient(server)
    await using bob = await testClient(server)
    const call = thrown(ada.callTool('wait', { who: 'ada' }))
    void thrown(bob.callTool('wait', { who: 'bob' }))
    await settled()
    await ada.close()
    expect(await call).toBeMcpError('closed')
    await settled()
    expect(aborted).toEqual(['ada'])
    expect(await bob.callTool('x')).toHaveText('x')
  })
})

describe('before the handshake is done', () => {
  const initialize = (protocolVersion: string) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion, capabilities: {}, clientInfo: { name: 'c', version: '1' } },
  })

  test('only ping is answered', async () => {
    await using wire = openWire(createServer(options({ tools: [say('x')] })))
    wire.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    expect(await wire.next()).toMatchObject({
      id: 1,
      error: { code: -32602, message: expect.stringContaining('initialize') },
    })
    wire.send({ jsonrpc: '2.0', id: 2, method: 'ping' })
    expect(await wire.next()).toEqual({ jsonrpc: '2.0', id: 2, result: {} })
  })

  test('the server keeps its news to itself until notifications/initialized', async () => {
    const server = createServer(options({ tools: [say('x')] }))
    await using wire = openWire(server)
    wire.send(initialize('2025-06-18'))
    await wire.next()
    server.tools.add(say('early'))
    await settled()
    expect(wire.waiting).toEqual([])
    wire.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    await settled()
    server.tools.add(say('late'))
    expect(await wire.next()).toMatchObject({ method: 'notifications/tools/list_changed' })
  })

  test('a second initialize is refused', async () => {
    await using wire = openWire(createServer(options()))
    wire.send(initialize('2025-06-18'))
    await wire.next()
    wire.send({ ...initialize('2025-06-18'), id: 2 })
    expect(await wire.next()).toMatchObject({ id: 2, error: { code: -32600 } })
  })

  test.each([
    ['2025-03-26', undefined, '2025-03-26'],
    ['1999-01-01', undefined, '2025-11-25'],
    ['2026-07-28', undefined, '2025-11-25'],
    ['2025-11-25', ['2024-11-05', '2025-03-26'], '2025-03-26'],
  ] as const)('an offer of %s to a server of %s is answered with %s', async (offer, revisions, answer) => {
    await using wire = openWire(createServer(options(revisions ? { revisions } : {})))
    wire.send(initialize(offer))
    expect(await wire.next()).toMatchObject({ result: { protocolVersion: answer } })
  })

  test('a server without handshake revisions names what it speaks', async () => {
    await using wire = openWire(createServer(options({ revisions: ['2026-07-28'] })))
    wire.send(initialize('2025-11-25'))
    expect(await wire.next()).toMatchObject({
      error: { code: -32022, data: { supported: ['2026-07-28'], requested: '2025-11-25' } },
    })
  })
})

describe('what the server does not have', () => {
  test('is method not found', async () => {
    await using wire = openWire(createServer(options({ logging: false, tools: [say('x')] })))
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    for (const method of ['resources/list', 'resources/read', 'prompts/get', 'completion/complete', 'no/such']) {
      wire.send({ jsonrpc: '2.0', id: method, method, params: { _meta } })
      expect(await wire.next()).toMatchObject({ id: method, error: { code: -32601 } })
    }
  })

  test('is not declared', async () => {
    await using client = await testClient(createServer(options({ logging: false, tools: [] })))
    expect(client.server.capabilities).toEqual({ tools: { listChanged: true } })
  })
})

describe('bounds', () => {
  test('more subscriptions than allowed are refused', async () => {
    const server = createServer(
      options({
        limits: { maxSubscriptions: 1 },
        resources: [resourceTemplate({ uriTemplate: 'n:///{x}', name: 'n', read: () => '' })],
      }),
    )
    await using client = await testClient(server, { revision: '2025-11-25' })
    await using _first = await client.watch('n:///1', () => {})
    expect(await thrown(client.watch('n:///2', () => {}))).toBeRpcError(-32602, 'limit is 1')
  })

  test('completions are cut to a hundred, and say so', async () => {
    const values = Array.from({ length: 250 }, (_, n) => `v${n}`)
    const server = createServer(
      options({
        resources: [
          resourceTemplate({ uriTemplate: 'n:///{x}', name: 'n', complete: { x: () => values }, read: () => '' }),
        ],
      }),
    )
    await using client = await testClient(server)
    const completion = await client.complete({ type: 'ref/resource', uri: 'n:///{x}' }, { name: 'x', value: '' })
    expect(completion).toMatchObject({ total: 250, hasMore: true })
    expect(completion.values).toHaveLength(100)
  })

  test('a result that JSON cannot carry is an internal error, and the call ends', async () => {
    const server = createServer(
      options({ tools: [tool({ name: 'x', run: () => new ToolResult({ structured: { n: 1n } }) })] }),
    )
    await using client = await testClient(server)
    expect(await client.callTool('x')).toBeToolError('Internal error')
  })
})

test('a server whose handlers want a context has to make one', () => {
  const typed = tool({ name: 'x', run: (_input, ctx: ToolContext<{ user: string }>) => ctx.context.user })
  // @ts-expect-error: `context` is missing
  createServer({ name: 'test', version: '1', tools: [typed] })
  createServer({ name: 'test', version: '1', tools: [typed, say('y')], context: () => ({ user: 'ada' }) })
  // @ts-expect-error: `context` makes something else
  createServer({ name: 'test', version: '1', tools: [typed], context: () => ({ user: 1 }) })
})

// [rpc.codes.no-32002] [rpc.codes.no-32042] [rpc.codes.reserved-range-defined-only]
test('error codes that a revision has retired or kept for itself are said with its own', async () => {
  const retired = (code: number) =>
    tool({ name: `e${-code}`, run: () => Promise.reject(new RpcError(code, 'retired')) })
  const server = createServer(options({ tools: [-32002, -32042, -32021, -32023, -32099, -32100, 7].map(retired) }))
  await using old = await testClient(server, { revision: '2025-11-25' })
  await using modern = await testClient(server, { revision: '2026-07-28' })
  expect(await thrown(old.callTool('e32042'))).toBeRpcError(-32042)
  expect(await thrown(modern.callTool('e32002'))).toBeRpcError(-32602)
  expect(await thrown(modern.callTool('e32042'))).toBeRpcError(-32603)
  expect(await thrown(modern.callTool('e32021'))).toBeRpcError(-32021)
  expect(await thrown(modern.callTool('e32023'))).toBeRpcError(-32603)
  expect(await thrown(modern.callTool('e32099'))).toBeRpcError(-32603)
  expect(await thrown(old.callTool('e32099'))).toBeRpcError(-32099)
  expect(await thrown(modern.callTool('e32100'))).toBeRpcError(-32100)
  expect(await thrown(modern.callTool('e-7'))).toBeRpcError(7)
})

test('a server without modern revisions answers as its elders did', async () => {
  await using wire = openWire(createServer(options({ revisions: ['2025-06-18'] })))
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  wire.send({ jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta } })
  expect(await wire.next()).toMatchObject({ error: { code: -32602 } })
})

// [timeout.all-requests] [timeout.cancel-on-expiry] [timeout.per-request-config] [life.errors.be-prepared]
test('a question that nobody answers ends after its time, or the time of its own, and the client is told', async () => {
  const ask = tool({ name: 'ask', run: async (_input, ctx) => (await ctx.roots()).length.toString() })
  const hurry = tool({ name: 'hurry', run: async (_input, ctx) => `${await ctx.roots({ timeoutMs: 60 })}` })
  await using client = await testClient(createServer(options({ tools: [ask, hurry], limits: { askTimeoutMs: 50 } })), {
    revision: '2025-11-25',
    roots: () => new Promise(() => {}),
  })
  expect(await client.callTool('ask')).toBeToolError('No answer to roots/list within')
  expect(await client.callTool('hurry')).toBeToolError('No answer to roots/list within')
  const asked = client.transcript.calls('roots/list') as { id: number }[]
  expect(client.transcript.calls('notifications/cancelled')).toMatchObject(
    asked.map(({ id }) => ({ params: { requestId: id } })),
  )
  expect(asked).toHaveLength(2)
})

test('only the client that was sent to a URL hears that it is done there [elicit.url.complete-only-initiator]', async () => {
  const visit = tool({
    name: 'visit',
    run: async (_input, ctx) => {
      const answer = await ctx.elicitUrl('Sign in', 'https://example.com/')
      answer.complete()
      return answer.action
    },
  })
  const server = createServer(options({ tools: [visit] }))
  const connected = () =>
    testClient(server, { revision: '2025-11-25', elicit: { url: () => ({ action: 'accept' as const }) } })
  await using ada = await connected()
  await using bob = await connected()
  expect(await ada.callTool('visit')).toHaveText('accept')
  await bob.ping()
  expect(ada.transcript.calls('notifications/elicitation/complete')).toHaveLength(1)
  expect(bob.transcript.calls('notifications/elicitation/complete')).toHaveLength(0)
})

describe('schemas of tools', () => {
  const pair = { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false }

  test('are published with every keyword that they have [jschema.preserve-keywords]', async () => {
    const input = {
      type: 'object',
      properties: { pair, kind: { $ref: '#/$defs/kind' } },
      $defs: { kind: { enum: ['a', 'b'], 'x-colour': 'red' } },
      if: { required: ['kind'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['pair'] },
      unevaluatedProperties: false,
    } as const
    const server = createServer(options({ tools: [tool({ name: 'x', input, run: () => '' })] }))
    await using client = await testClient(server, { revision: '2026-07-28' })
    for await (const { inputSchema } of client.tools()) expect(inputSchema).toEqual(input)
  })

  // [jschema.default-dialect] [jschema.support-2020-12] [jschema.validate-by-dialect]
  test.each(['2025-11-25', '2026-07-28'] as const)(
    'of %s without a dialect are of 2020-12, and others are of the one they name',
    async (revision) => {
      const draft7 = { type: 'array', items: [{ type: 'string' }, { type: 'number' }], additionalItems: false }
      const taking = (name: string, $schema: string | undefined, of: object): ServerTool =>
        tool({
          name,
          input: { ...($schema && { $schema }), type: 'object', properties: { pair: of } } as never,
          run: () => 'taken',
        })
      const server = createServer(
        options({
          tools: [
            taking('newest', undefined, pair),
            taking('older', 'http://json-schema.org/draft-07/schema#', draft7),
          ],
        }),
      )
      await using client = await testClient(server, { revision })
      for (const name of ['newest', 'older']) {
        expect(await client.callTool(name, { pair: ['a', 1] })).toHaveText('taken')
        expect(await client.callTool(name, { pair: [1, 'a'] })).toBeToolError('pair[0]')
        expect(await client.callTool(name, { pair: ['a', 1, 2] })).toBeToolError('pair')
      }
    },
  )
})

test.each(['2024-11-05', '2025-06-18', '2025-11-25', '2026-07-28'] as const)(
  'a schema reaches a client of %s to the letter',
  async (revision) => {
    const input = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        tree: { $ref: '#/definitions/node' },
        kind: { oneOf: [{ const: 'a' }, { const: 'b', title: 'B' }] },
      },
      definitions: { node: { type: 'object', properties: { next: { $ref: '#/definitions/node' } } } },
      patternProperties: { '^x-': { type: 'string' } },
      additionalProperties: false,
      required: ['tree'],
      examples: [{ tree: {} }],
    }
    const server = createServer(options({ tools: [tool({ name: 'x', input, run: () => 'ok' })] }))
    await using client = await testClient(server, { revision })
    const { tools } = await client.listTools()
    expect(JSON.stringify(tools[0]!.inputSchema)).toBe(JSON.stringify(input))
    expect(await client.callTool('x', { tree: { next: {} }, 'x-note': 'hi' })).toHaveText('ok')
  },
)

test('RpcErrors of handlers go out as they are, those of other peers do not', async () => {
  const server = createServer(
    options({
      tools: [
        tool({ name: 'mine', run: () => Promise.reject(new RpcError(1234, 'mine', { a: 1 })) }),
        tool({
          name: 'foreign',
          run: () => Promise.reject(new RpcError(1234, 'foreign', undefined, { remote: true })),
        }),
      ],
    }),
  )
  await using client = await testClient(server)
  expect(await thrown(client.callTool('mine'))).toMatchObject({ code: 1234, message: 'mine', data: { a: 1 } })
  expect(await client.callTool('foreign')).toBeToolError(/^Internal error/)
})

test('what the client itself did wrong is told in words', async () => {
  const strict = z.object({ code: z.string().regex(/^[A-Z]{3}$/) })
  const ask = tool({ name: 'ask', run: async (_input, ctx) => (await ctx.elicit('Code?', strict)).action })
  const think = tool({
    name: 'think',
    run: async (_input, ctx) => (await ctx.sample({ messages: [], maxTokens: 1 })).model,
  })
  await using client = await testClient(createServer(options({ tools: [ask, think] })), {
    revision: '2025-11-25',
    capabilities: { sampling: {} },
    elicit: () => ({ action: 'accept', content: { code: 'no' } }),
  })
  expect(await client.callTool('ask')).toBeToolError('content.code')
  expect(await client.callTool('think')).toBeToolError('User rejected sampling request')
})

test('a handler that gives up because it was cancelled is no error', async () => {
  const reported: unknown[] = []
  const wait = tool({
    name: 'wait',
    run: (_input, ctx) =>
      new Promise<string>((_resolve, reject) =>
        ctx.signal.addEventListener('abort', () => reject(new Error('gave up'))),
      ),
  })
  await using client = await testClient(
    createServer(options({ tools: [wait], onError: (error) => reported.push(error) })),
  )
  const stop = new AbortController()
  const call = thrown(client.callTool('wait', {}, { signal: stop.signal }))
  await settled()
  stop.abort()
  expect(await call).toBeMcpError('cancelled')
  await client.ping()
  expect(reported).toEqual([])
})

test('what a tool returns against its output schema is not sent', async () => {
  const reported: unknown[] = []
  const server = createServer(
    options({
      tools: [tool({ name: 'x', output: z.object({ n: z.number() }), run: () => ({ n: 'one' }) as never })],
      onError: (error) => reported.push(error),
    }),
  )
  await using client = await testClient(server)
  expect(await client.callTool('x')).toBeToolError(/^Internal error/)
  expect(reported).toMatchObject([{ code: 'invalid_result', message: expect.stringContaining('result.n') }])
})

test('an error handler that throws does not end the connection', async () => {
  const server = createServer(
    options({
      tools: [tool({ name: 'crash', run: () => Promise.reject(new Error('x')) })],
      onError: () => {
        throw new Error('broken too')
      },
    }),
  )
  await using client = await testClient(server)
  expect(await client.callTool('crash')).toBeToolError()
  await client.ping()
})

const legacy = revisions.filter((revision) => revision !== '2026-07-28')
// [life.shutdown.via-transport] [rpc.custom-transport.preserve-lifecycle] [rpc.custom-transport.preserve-patterns]
test.each(legacy)(
  '%s: a server can be served on any channel, in both eras, and closed from its side',
  async (revision) => {
    const server = createServer(options({ tools: [say('x')] }))
    const [near, far] = memoryPair()
    const connection = server.connect(far, { transport: 'custom', auth: { principal: 'ada' } })
    await using wire = openWire(near)
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    wire.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x', _meta } })
    expect(await wire.next()).toMatchObject({ id: 1, result: { resultType: 'complete' } })
    const clientInfo = { name: 'c', version: '1' }
    const params = { protocolVersion: revision, capabilities: {}, clientInfo }
    wire.send({ jsonrpc: '2.0', id: 2, method: 'initialize', params })
    expect(await wire.next()).toMatchObject({ id: 2, result: { protocolVersion: revision } })
    wire.send({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'x' } })
    expect(await wire.next()).toMatchObject({ id: 3, result: { content: [{ text: 'x' }] } })
    expect(connection.caller).toMatchObject({ client: clientInfo, auth: { principal: 'ada' } })
    await connection.close()
    await wire.closed
    expect(wire.waiting).toEqual([])
    expect(await connection.closed).toMatchObject({ code: 'closed' })
  },
)
