import { describe, expect, test } from 'vitest'
import { validateMessage } from '../../../test/wire-schema.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import { metaKeys } from '../../model/meta.ts'
import { type Revision, revisions } from '../../model/revision.ts'
import {
  type AnyServer,
  createServer,
  inputRequired,
  prompt,
  resource,
  resourceTemplate,
  type ServerOptions,
  tool,
} from '../../server.ts'
import { openWire, testClient } from '../../testing.ts'

const hi = tool({ name: 'hi', run: () => 'hi' })
const greet = prompt({ name: 'greet', run: () => 'hi' })
const motto = resource({ uri: 'note:///motto', name: 'motto', read: () => 'Measure twice' })
const note = resourceTemplate({ uriTemplate: 'note:///by/{id}', name: 'note', read: ({ variables }) => variables.id })

const make = (more: Partial<ServerOptions> = {}) =>
  createServer({ name: 'test', version: '1', tools: [hi], prompts: [greet], resources: [motto, note], ...more })

/** What a request of 2026-07-28 is answered with, word by word. */
async function say(server: AnyServer, method: string, params: JsonObject = {}): Promise<JsonObject> {
  await using wire = openWire(server)
  const _meta = { [metaKeys.protocolVersion]: '2026-07-28', [metaKeys.clientCapabilities]: { elicitation: {} } }
  wire.send({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } })
  const said = (await wire.next()) as unknown as JsonObject
  expect(validateMessage('2026-07-28', 'server', said as never, { methodOf: () => method })).toEqual([])
  return (said.result ?? said) as JsonObject
}

const hintsOf = ({ ttlMs, cacheScope }: JsonObject): unknown[] => [ttlMs, cacheScope]
const hints = async (server: AnyServer, method: string, params?: JsonObject): Promise<unknown[]> =>
  hintsOf(await say(server, method, params))
const read = (server: AnyServer, uri = 'note:///motto') => hints(server, 'resources/read', { uri })

const listMethods = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']

describe('[cache.hints-required] what a server says about keeping its results', () => {
  test('is not at all, unless it is told otherwise', async () => {
    const server = make()
    for (const method of [...listMethods, 'server/discover'])
      expect(await hints(server, method)).toEqual([0, 'private'])
    expect(await read(server)).toEqual([0, 'private'])
  })

  test('is one thing for all, and another for some', async () => {
    const server = make({
      cache: {
        ttlMs: 1_000,
        scope: 'public',
        lists: { tools: { ttlMs: 2_000 }, resources: { scope: 'private' } },
        discover: { ttlMs: 3_000 },
      },
    })
    expect(await hints(server, 'tools/list')).toEqual([2_000, 'public'])
    expect(await hints(server, 'prompts/list')).toEqual([1_000, 'public'])
    expect(await hints(server, 'resources/list')).toEqual([1_000, 'private'])
    expect(await hints(server, 'resources/templates/list')).toEqual([1_000, 'public'])
    expect(await hints(server, 'server/discover')).toEqual([3_000, 'public'])
    // Only a resource knows whether it depends on who reads it.
    expect(await read(server)).toEqual([1_000, 'private'])
  })

  test('is said by a resource, and by a read of it', async () => {
    const cache = { ttlMs: 5_000, scope: 'public' } as const
    let fresh = 0
    const server = make({
      cache: { ttlMs: 1 },
      resources: [
        resource({ uri: 'a:fixed', name: 'a', cache, read: () => 'a' }),
        resource({ uri: 'a:own', name: 'b', cache, read: () => ({ contents: 'b', ttlMs: ++fresh }) }),
        resource({ uri: 'a:mine', name: 'c', read: () => ({ contents: ['c', 'd'], cacheScope: 'public' }) }),
        resourceTemplate({ uriTemplate: 'b:{id}', name: 'd', cache: { ttlMs: 0 }, read: () => ({ contents: [] }) }),
      ],
    })
    expect(await read(server, 'a:fixed')).toEqual([5_000, 'public'])
    expect(await read(server, 'a:own')).toEqual([1, 'public'])
    expect(await read(server, 'a:own')).toEqual([2, 'public'])
    expect(await say(server, 'resources/read', { uri: 'a:mine' })).toMatchObject({
      contents: [
        { uri: 'a:mine', text: 'c' },
        { uri: 'a:mine', text: 'd' },
      ],
      ttlMs: 1,
      cacheScope: 'public',
    })
    expect(await read(server, 'b:1')).toEqual([0, 'private'])
  })

  test('[cache.same-scope-all-pages] is the same on every page', async () => {
    const tools = ['a', 'b', 'c'].map((name) => tool({ name, run: () => name }))
    const server = make({ tools, pageSize: 1, cache: { ttlMs: 10, scope: 'public' } })
    let cursor: unknown
    for (let page = 0; page < 3; page++) {
      const result = await say(server, 'tools/list', cursor === undefined ? {} : { cursor })
      expect(hintsOf(result)).toEqual([10, 'public'])
      cursor = result.nextCursor
    }
    expect(cursor).toBeUndefined()
  })

  test('[cache.no-hints-on-input-required] is nothing while it asks', async () => {
    const asking = resource({
      uri: 'a:asks',
      name: 'asks',
      cache: { ttlMs: 5_000 },
      read: () => inputRequired({ state: 1 }),
    })
    const result = await say(make({ resources: [asking], cache: { ttlMs: 1 } }), 'resources/read', { uri: 'a:asks' })
    expect(result).toMatchObject({ resultType: 'input_required' })
    expect(hintsOf(result)).toEqual([undefined, undefined])
  })

  test.each(revisions.filter((revision) => revision < '2026'))('is not said in %s', async (revision: Revision) => {
    const cache = { ttlMs: 5_000, scope: 'public' } as const
    const own = resource({ uri: 'a:b', name: 'a', cache, read: () => ({ contents: 'a', ttlMs: 1 }) })
    await using client = await testClient(make({ cache, resources: [own, note] }), { revision })
    await client.listTools()
    await client.listPrompts()
    await client.listResources()
    await client.listResourceTemplates()
    await client.readResource('a:b')
    expect(String(client.transcript)).not.toMatch(/ttlMs|cacheScope/)
  })
})

describe('[cache.public-awareness] what depends on who asks is never public', () => {
  const cache = { ttlMs: 1_000, scope: 'public' } as const

  test('a list with a rule who sees what', async () => {
    const secret = tool({ name: 'secret', visible: () => false, run: () => 'x' })
    const server = make({ cache, tools: [hi, secret] })
    expect(await hints(server, 'tools/list')).toEqual([1_000, 'private'])
    expect(await hints(server, 'prompts/list')).toEqual([1_000, 'public'])
    server.tools.remove('secret')
    expect(await hints(server, 'tools/list')).toEqual([1_000, 'public'])
  })

  test('a list whose items are made for the caller', async () => {
    const family = resourceTemplate({ uriTemplate: 'a:{id}', name: 'a', list: () => [], read: () => 'x' })
    expect(await hints(make({ cache, resources: [family] }), 'resources/list')).toEqual([1_000, 'private'])
  })

  test('a list behind middleware, even if that says so', async () => {
    const server = make({
      cache,
      middleware: [{ 'tools/list': async (_, next) => ({ ...(await next()), ttlMs: 7, cacheScope: 'public' }) }],
    })
    expect(await hints(server, 'tools/list')).toEqual([7, 'private'])
  })

  test('a list with a mounted server that has such a rule', async () => {
    const server = make({ cache })
    const inner = make({ tools: [tool({ name: 'secret', visible: () => false, run: () => 'x' })] })
    const undo = server.mount(inner, { prefix: 'in.' })
    expect(await hints(server, 'tools/list')).toEqual([1_000, 'private'])
    undo()
    expect(await hints(server, 'tools/list')).toEqual([1_000, 'public'])
  })

  test('a page that was being made when such a rule came', async () => {
    const inner = make({ tools: [] })
    const server = make({ cache })
    server.mount(inner, { prefix: 'in.' })
    const page = hints(server, 'tools/list')
    // The page is begun by the time its request has arrived; the rule comes before it is done.
    await Promise.resolve()
    queueMicrotask(() => inner.tools.add(tool({ name: 'secret', visible: () => true, run: () => 'x' })))
    expect(await page).toEqual([1_000, 'private'])
  })

  test('a read with a rule who sees it, whatever the reader says', async () => {
    const resources = [
      resource({ uri: 'a:b', name: 'a', visible: () => true, read: () => ({ contents: 'a', cacheScope: 'public' }) }),
    ]
    expect(await read(make({ cache, resources }), 'a:b')).toEqual([1_000, 'private'])
  })

  test('a read behind middleware, here or where the server is mounted', async () => {
    const own = resource({ uri: 'a:b', name: 'a', cache, read: () => 'a' })
    const inner = make({ resources: [own] })
    const outer = createServer({
      name: 'outer',
      version: '1',
      middleware: [{ 'resources/read': (_, next) => next() }],
    })
    outer.mount(inner)
    expect(await read(inner, 'a:b')).toEqual([1_000, 'public'])
    expect(await read(outer, 'a:b')).toEqual([1_000, 'private'])
  })
})

describe('[cache.ttl-server-non-negative] [cache.scope-values] a mistake is found', () => {
  const wrong: [string, JsonObject, RegExp][] = [
    ['a negative time', { ttlMs: -1 }, /cache\.ttlMs: expected milliseconds .*, got -1/],
    ['a fraction', { ttlMs: 0.5 }, /cache\.ttlMs: .* got 0\.5/],
    ['a text', { ttlMs: '5m' }, /cache\.ttlMs: .* got a string/],
    ['an unknown scope', { scope: 'shared' }, /cache\.scope: expected "public" or "private"/],
    ['a misspelt member', { ttl: 5 }, /cache: expected .*ttlMs.*, got "ttl"/],
    ['no object', 5 as never, /cache: expected an object, got an integer/],
  ]

  test.each(wrong)('%s, when a server or a resource is defined', (_, cache, problem) => {
    expect(() => make({ cache })).toThrow(problem)
    expect(() => resource({ uri: 'a:b', name: 'a', cache, read: () => 'a' })).toThrow(problem)
    expect(() => resourceTemplate({ uriTemplate: 'a:{b}', name: 'a', cache, read: () => 'a' })).toThrow(problem)
  })

  test('in what holds for one list', () => {
    expect(() => make({ cache: { lists: { tools: { ttlMs: -1 } } } })).toThrow(/cache\.lists\.tools\.ttlMs/)
    expect(() => make({ cache: { lists: { tool: {} } as object } })).toThrow(/cache\.lists: .* got "tool"/)
    expect(() => make({ cache: { discover: { scope: 'x' as 'public' } } })).toThrow(/cache\.discover\.scope/)
  })

  test('a public resource that not everybody sees', () => {
    const cache = { scope: 'public' } as const
    const make = () => resource({ uri: 'a:b', name: 'a', cache, visible: () => true, read: () => 'a' })
    expect(make).toThrow(/contradict/)
  })

  test('in what a reader returned: the operator is told, the caller is not', async () => {
    const errors: unknown[] = []
    const resources = [resource({ uri: 'a:b', name: 'a', read: () => ({ contents: 'a', ttlMs: -5 }) })]
    const server = make({ resources, onError: (error) => errors.push(error) })
    expect(await say(server, 'resources/read', { uri: 'a:b' })).toMatchObject({ error: { code: -32603 } })
    expect(errors).toMatchObject([
      { message: 'Resource a:b: ttlMs: expected milliseconds as an integer of at least 0, got -5' },
    ])
  })
})

test('[cache.ttl-positive] a client does not ask again for what the server lets it keep', async () => {
  let reads = 0
  const counted = resource({ uri: 'a:b', name: 'a', read: () => `${++reads}` })
  const server = make({ cache: { ttlMs: 60_000 }, resources: [counted] })
  await using client = await testClient(server)
  for (let times = 0; times < 3; times++) {
    expect((await client.listTools()).tools).toHaveLength(1)
    expect((await client.readResource('a:b')).contents).toMatchObject([{ text: '1' }])
  }
  const asked = client.transcript.sentBy('client').length
  expect(asked).toBe(3)
  expect((await client.readResource('a:b', { fresh: true })).contents).toMatchObject([{ text: '2' }])
})
