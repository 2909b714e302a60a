/** Clients that break rules, flood, or race: the server answers what it can, and keeps its bounds. */
import { describe, expect, test } from 'vitest'
import {
  createServer,
  prompt,
  RpcError,
  resource,
  resourceTemplate,
  type Server,
  type ServerOptions,
  type ServerTool,
  tool,
} from '../server.ts'
import { memoryPair, openWire, type Wire } from '../testing.ts'

type Json = { [member: string]: unknown }

const make = (more: Partial<ServerOptions>): Server =>
  createServer({ name: 'test', version: '1', onError: () => {}, ...more })
const say = (name: string, words = name): ServerTool => tool({ name, run: () => words })
const settled = () => new Promise<void>((resolve) => setTimeout(resolve, 5))

const modern = (capabilities: Json = {}): Json => ({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': capabilities,
})
const request = (id: unknown, method: string, params: Json = {}): Json => ({ jsonrpc: '2.0', id, method, params })
const notification = (method: string, params: Json = {}): Json => ({ jsonrpc: '2.0', method, params })
const initialize = (protocolVersion: unknown, capabilities: Json = {}): Json =>
  request('init', 'initialize', { protocolVersion, capabilities, clientInfo: { name: 'c', version: '1' } })

async function openSession(server: Server, capabilities: Json = {}, revision = '2025-11-25'): Promise<Wire> {
  const wire = openWire(server)
  wire.send(initialize(revision, capabilities))
  await wire.next()
  wire.send(notification('notifications/initialized'))
  return wire
}

async function ask(wire: Wire, id: unknown, method: string, params: Json = {}): Promise<unknown> {
  wire.send(request(id, method, params))
  return wire.next()
}

describe('what a request declares', () => {
  test('a progress token of null is none [progress.token-type]', async () => {
    const count = tool({ name: 'count', run: (_input, ctx) => void ctx.progress(1) as undefined })
    const server = make({ tools: [count] })
    await using session = await openSession(server)
    await using alone = openWire(server)
    expect(await ask(session, 1, 'tools/call', { name: 'count', _meta: { progressToken: null } })).toMatchObject({
      id: 1,
      result: {},
    })
    const _meta = { ...modern(), progressToken: null }
    expect(await ask(alone, 1, 'tools/call', { name: 'count', _meta })).toMatchObject({ id: 1, result: {} })
  })

  test('a capability of null is none [ver.caps.no-undeclared]', async () => {
    const roots = tool({ name: 'roots', run: async (_input, ctx) => `${(await ctx.roots()).length}` })
    const form = tool({
      name: 'form',
      run: async (_input, ctx) => (await ctx.elicit('?', { type: 'object', properties: {} })).action,
    })
    await using wire = openWire(make({ tools: [roots, form] }))
    const _meta = modern({ roots: null, elicitation: null })
    expect(await ask(wire, 1, 'tools/call', { name: 'roots', _meta })).toMatchObject({ error: { code: -32021 } })
    expect(await ask(wire, 2, 'tools/call', { name: 'form', _meta })).toMatchObject({ error: { code: -32021 } })
  })

  test('names that objects know are names like any other, wherever they stand', async () => {
    const seen: unknown[] = []
    const look = tool({
      name: 'look',
      input: { type: 'object' },
      run: (input, ctx) => {
        seen.push(JSON.stringify(input), JSON.stringify(ctx.caller.capabilities))
        return `${({} as Json).polluted}`
      },
    })
    await using wire = openWire(make({ tools: [look] }))
    const evil = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}')
    const _meta = { ...modern(evil), ...evil }
    const answer = await ask(wire, 1, 'tools/call', { name: 'look', arguments: evil, _meta })
    expect(answer).toMatchObject({ result: { content: [{ text: 'undefined' }] } })
    expect(seen).toEqual([JSON.stringify(evil), JSON.stringify(evil)])
  })
})

describe('input', () => {
  test('that no schema describes does not reach a handler [tools.sec.validate-inputs]', async () => {
    const seen: unknown[] = []
    const bare = tool({ name: 'bare', run: (input) => void seen.push(input) as undefined })
    const plain = prompt({
      name: 'plain',
      run: (args) => {
        seen.push(args)
        return ''
      },
    })
    await using wire = await openSession(make({ tools: [bare], prompts: [plain] }))
    await ask(wire, 1, 'tools/call', { name: 'bare', arguments: { path: '/etc/passwd' } })
    await ask(wire, 2, 'prompts/get', { name: 'plain', arguments: { path: '/etc/passwd' } })
    expect(seen).toEqual([{}, {}])
  })

  test('an empty cursor is refused, whatever was asked before [page.invalid-cursor] [tools.list.not-per-connection]', async () => {
    await using wire = await openSession(make({ tools: [say('x')] }))
    expect(await ask(wire, 1, 'tools/list', { cursor: '' })).toMatchObject({ error: { code: -32602 } })
    expect(await ask(wire, 2, 'tools/list')).toMatchObject({ result: {} })
    expect(await ask(wire, 3, 'tools/list', { cursor: '' })).toMatchObject({ error: { code: -32602 } })
  })
})

describe('subscriptions', () => {
  const numbers = resourceTemplate({ uriTemplate: 'n:///{x}', name: 'n', read: () => '' })

  test('that come all at once keep the limit', async () => {
    await using wire = await openSession(make({ resources: [numbers], limits: { maxSubscriptions: 2 } }))
    for (let id = 0; id < 5; id++) wire.send(request(id, 'resources/subscribe', { uri: `n:///${id}` }))
    const answers = await Promise.all([0, 1, 2, 3, 4].map(() => wire.next()))
    expect(answers.filter((answer) => 'result' in answer)).toHaveLength(2)
  })

  test('that are taken back at once are gone', async () => {
    const server = make({ resources: [numbers] })
    await using wire = await openSession(server)
    wire.send(request(1, 'resources/subscribe', { uri: 'n:///1' }))
    wire.send(request(2, 'resources/unsubscribe', { uri: 'n:///1' }))
    await Promise.all([wire.next(), wire.next()])
    server.resources.changed('n:///1')
    await settled()
    expect(wire.waiting).toEqual([])
  })

  test('to what does not exist take no place', async () => {
    const only = resource({ uri: 'n:///only', name: 'n', read: () => '' })
    await using wire = await openSession(make({ resources: [only], limits: { maxSubscriptions: 1 } }))
    expect(await ask(wire, 1, 'resources/subscribe', { uri: 'n:///none' })).toMatchObject({ error: { code: -32002 } })
    expect(await ask(wire, 2, 'resources/subscribe', { uri: 'n:///only' })).toMatchObject({ result: {} })
  })
})

describe('errors of handlers', () => {
  test('of another library that go by the same name are masked, and the call is answered', async () => {
    const foreign = (code: unknown): Error => Object.assign(new Error('secret'), { name: 'RpcError', code })
    const failing = (name: string, code: unknown): ServerTool =>
      tool({ name, run: () => Promise.reject(foreign(code)) })
    await using wire = await openSession(
      make({
        tools: [failing('text', 'NOT_FOUND'), failing('number', 5)],
        prompts: [prompt({ name: 'p', run: () => Promise.reject(foreign('NOT_FOUND')) })],
      }),
    )
    for (const name of ['text', 'number']) {
      expect(await ask(wire, name, 'tools/call', { name })).toMatchObject({
        id: name,
        result: { isError: true, content: [{ text: expect.stringMatching(/^Internal error/) }] },
      })
    }
    expect(await ask(wire, 'p', 'prompts/get', { name: 'p' })).toMatchObject({ id: 'p', error: { code: -32603 } })
  })

  test('have an integer for a code [rpc.error.code-integer]', async () => {
    const failing = tool({ name: 'x', run: () => Promise.reject(new RpcError(1.5, 'odd')) })
    await using wire = await openSession(make({ tools: [failing] }))
    expect(await ask(wire, 1, 'tools/call', { name: 'x' })).toMatchObject({ id: 1, result: { isError: true } })
  })
})

describe('who floods', () => {
  test('with news of roots is asked for them once at a time', async () => {
    let running = 0
    let most = 0
    const server = make({
      onRootsChanged: async (roots) => {
        most = Math.max(most, ++running)
        await roots()
        running--
      },
    })
    await using wire = await openSession(server, { roots: { listChanged: true } })
    for (let count = 0; count < 1_000; count++) wire.send(notification('notifications/roots/list_changed'))
    expect(await wire.next()).toMatchObject({ id: 1, method: 'roots/list' })
    await settled()
    expect(wire.waiting).toEqual([])
    // What changed while it was asking is asked for afterwards.
    wire.send({ jsonrpc: '2.0', id: 1, result: { roots: [] } })
    expect(await wire.next()).toMatchObject({ id: 2, method: 'roots/list' })
    wire.send({ jsonrpc: '2.0', id: 2, result: { roots: [] } })
    await settled()
    expect(wire.waiting).toEqual([])
    expect(most).toBe(1)
  })

  test('with requests that it cancels gets no more work done at once than the limit', async () => {
    let working = 0
    const release: (() => void)[] = []
    const deaf = tool({
      name: 'deaf',
      run: () => {
        working++
        return new Promise<string>((resolve) => release.push(() => resolve('done')))
      },
    })
    await using wire = await openSession(make({ tools: [deaf], limits: { maxIncoming: 3 } }))
    for (let id = 0; id < 50; id++) {
      wire.send(request(id, 'tools/call', { name: 'deaf' }))
      wire.send(notification('notifications/cancelled', { requestId: id }))
    }
    await settled()
    expect(working).toBe(3)
    expect(wire.waiting).toHaveLength(47)
    for (const finish of release) finish()
    await settled()
    wire.send(request('after', 'tools/call', { name: 'deaf' }))
    await settled()
    expect(working).toBe(4)
  })
})

test('what is cancelled before its handler starts is never started [cancel.receiver-stops]', async () => {
  const ran: string[] = []
  const reported: unknown[] = []
  const server = createServer<object>({
    name: 'test',
    version: '1',
    context: async () => {
      await settled()
      return {}
    },
    tools: [tool({ name: 't', run: () => void ran.push('tool') as undefined })],
    prompts: [prompt({ name: 'p', run: () => `${ran.push('prompt')}` })],
    resources: [resource({ uri: 'a:///r', name: 'r', read: () => `${ran.push('resource')}` })],
    onError: (error) => reported.push(error),
  })
  await using wire = openWire(server)
  wire.send(request(1, 'tools/call', { name: 't', _meta: modern() }))
  wire.send(request(2, 'prompts/get', { name: 'p', _meta: modern() }))
  wire.send(request(3, 'resources/read', { uri: 'a:///r', _meta: modern() }))
  for (const requestId of [1, 2, 3]) wire.send(notification('notifications/cancelled', { requestId }))
  await settled()
  await settled()
  expect({ ran, reported, answers: wire.waiting }).toEqual({ ran: [], reported: [], answers: [] })
})

test('a server that is busy still answers a ping [ping.respond]', async () => {
  const wait = tool({ name: 'wait', run: () => new Promise<never>(() => {}) })
  await using wire = await openSession(make({ tools: [wait], limits: { maxIncoming: 1 } }))
  wire.send(request(1, 'tools/call', { name: 'wait' }))
  expect(await ask(wire, 2, 'tools/call', { name: 'wait' })).toMatchObject({ error: { data: { limit: 1 } } })
  expect(await ask(wire, 3, 'ping')).toEqual({ jsonrpc: '2.0', id: 3, result: {} })
})

describe('where there is no handshake', () => {
  const server = () => make({ tools: [say('x')], revisions: ['2026-07-28'] })

  // [rpc.binding.directions]
  test('the server never asks, not even for a sign of life [rpc.direction.server-never-requests]', async () => {
    const [near, far] = memoryPair()
    const connection = make({ tools: [say('x')] }).connect(far)
    await using wire = openWire(near)
    await ask(wire, 1, 'tools/call', { name: 'x', _meta: modern() })
    await expect(connection.ping()).rejects.toMatchObject({ code: 'unsupported' })
    expect(wire.waiting).toEqual([])
  })

  test('a bare ping is a request without its meta [ping.removed] [ver.meta.missing-required-invalid-params]', async () => {
    await using wire = openWire(server())
    expect(await ask(wire, 1, 'ping')).toMatchObject({ error: { code: -32602 } })
    expect(await ask(wire, 2, 'ping', { _meta: modern() })).toMatchObject({ error: { code: -32601 } })
  })

  test.each([undefined, 7, { a: 1 }])('an initialize for version %j is told what is spoken', async (version) => {
    await using wire = openWire(server())
    wire.send(initialize(version))
    // [ver.compat.modern-only-server-hint]
    expect(await wire.next()).toEqual({
      jsonrpc: '2.0',
      id: 'init',
      error: { code: -32602, message: expect.stringContaining('protocolVersion'), data: { supported: ['2026-07-28'] } },
    })
  })

  test('a mounted server disposes of the context that it made for a request', async () => {
    const disposed: number[] = []
    const inner = createServer({
      name: 'inner',
      version: '1',
      tools: [say('x')],
      context: () => ({ [Symbol.dispose]: () => void disposed.push(1) }),
    })
    const outer = make({})
    outer.mount(inner, { prefix: 'in_' })
    await using wire = openWire(outer)
    expect(await ask(wire, 1, 'tools/call', { name: 'in_x', _meta: modern() })).toMatchObject({ result: {} })
    await settled()
    expect(disposed).toEqual([1])
  })
})

describe('what a handler says', () => {
  test('progress that JSON cannot carry is left out [progress.increasing]', async () => {
    const count = tool({
      name: 'count',
      async run(_input, ctx) {
        await ctx.progress(1, Number.POSITIVE_INFINITY)
        await ctx.progress(Number.POSITIVE_INFINITY)
        await ctx.progress(2, 2)
        return ''
      },
    })
    await using wire = await openSession(make({ tools: [count] }))
    wire.send(request(1, 'tools/call', { name: 'count', _meta: { progressToken: 'p' } }))
    expect(await wire.next()).toMatchObject({ params: { progressToken: 'p', progress: 1 } })
    expect(await wire.next()).toMatchObject({ params: { progress: 2, total: 2 } })
    expect(await wire.next()).toMatchObject({ id: 1 })
    expect(JSON.stringify(wire.transcript.sentBy('server'))).not.toContain('null')
  })

  test('a URL to open is a URL [elicit.url.valid]', async () => {
    const visit = tool({
      name: 'visit',
      run: async (_input, ctx) => (await ctx.elicitUrl('Sign in', 'example.com/login')).action,
    })
    await using wire = await openSession(make({ tools: [visit] }), { elicitation: { url: {} } })
    expect(await ask(wire, 1, 'tools/call', { name: 'visit' })).toMatchObject({ id: 1, result: { isError: true } })
  })

  test('nothing is not data, even where the schema takes anything', async () => {
    const empty = tool({ name: 'empty', output: {}, run: () => undefined as never })
    await using wire = openWire(make({ tools: [empty] }))
    expect(await ask(wire, 1, 'tools/call', { name: 'empty', _meta: modern() })).toMatchObject({
      result: { isError: true, content: [{ text: expect.stringMatching(/^Internal error/) }] },
    })
  })
})
