import { describe, expect, test } from 'vitest'
import { RpcError } from '../../errors.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { Client } from '../client.ts'
import { connect } from '../connect.ts'
import type { ConnectOptions } from '../options.ts'
import {
  initialized,
  legacyServer,
  modernServer,
  ScriptedServer,
  type ServerScript,
  TellingServer,
} from '../scripted-server.suite.ts'
import { type CacheSettings, ResponseCache } from './response-cache.ts'

const hint = (ttlMs: unknown, cacheScope: unknown = 'private'): JsonObject => ({ ttlMs, cacheScope })
const minute = hint(60_000)

interface Session extends AsyncDisposable {
  server: ScriptedServer
  client: Client
}

async function session(script: ServerScript, options: ConnectOptions = {}): Promise<Session> {
  const server = modernServer(script)
  const client = await connect(server.open, options)
  return { server, client, [Symbol.asyncDispose]: () => client.close() }
}

const lists: ServerScript = {
  'tools/list': { tools: [{ name: 'a', inputSchema: { type: 'object' } }], ...minute },
  'prompts/list': { prompts: [{ name: 'p' }], ...minute },
  'resources/list': { resources: [{ uri: 'a:b', name: 'r' }], ...minute },
  'resources/templates/list': { resourceTemplates: [], ...minute },
  'resources/read': ({ uri }) => ({ contents: [{ uri, text: 'x' }], ...minute }),
}

const everything = async (client: Client): Promise<unknown[]> => [
  await client.listTools(),
  await client.listPrompts(),
  await client.listResources(),
  await client.listResourceTemplates(),
  await client.readResource('a:b'),
]

/** A server process that ends when it is asked to work. */
const mortal = `
const results = {
  'server/discover': { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
  'tools/list': { tools: [{ name: String(process.pid), inputSchema: { type: 'object' } }], ttlMs: 60000 },
}
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (results[method] === undefined) process.exit(1)
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }))
})
`

describe('a result that the server lets stay fresh', () => {
  // [cache.ttl-positive] [cache.private-reuse]
  test('is asked for once, and every reader gets a copy of its own', async () => {
    await using it = await session(lists)
    const first = await everything(it.client)
    const second = await everything(it.client)
    expect(it.server.methods.slice(1)).toEqual(Object.keys(lists))
    expect(second).toEqual(first)
    for (const [index, result] of second.entries()) expect(result).not.toBe(first[index])
    const page = await it.client.listTools()
    page.tools.length = 0
    expect((await it.client.listTools()).tools).toHaveLength(1)
  })

  // [cache.key] [cache.page-ttl]
  test('answers only a request with the same params', async () => {
    await using it = await session({
      ...lists,
      'tools/list': ({ cursor }) =>
        cursor === undefined ? { tools: [], nextCursor: '2', ...minute } : { tools: [], ...hint(0) },
    })
    for (const uri of ['a:1', 'a:2', 'a:1']) expect((await it.client.readResource(uri)).contents[0]?.uri).toBe(uri)
    expect(it.server.all('resources/read')).toHaveLength(2)
    for (let times = 0; times < 2; times++) for await (const _ of it.client.tools());
    expect(it.server.all('tools/list').map(({ params }) => params?.cursor)).toEqual([undefined, '2', '2'])
  })

  test('does not answer a call with own meta, and not request or ping', async () => {
    await using it = await session(lists)
    await it.client.listTools()
    await it.client.listTools({ meta: { tenant: 'b' } })
    await it.client.request('tools/list')
    expect(it.server.all('tools/list')).toHaveLength(3)
    await it.client.ping()
    await it.client.ping()
    expect(it.server.all('server/discover')).toHaveLength(3)
  })

  // [cache.early-refetch]
  test('is asked for again with fresh, and replaced', async () => {
    let version = 0
    await using it = await session({
      'resources/read': () => ({ contents: [{ uri: 'a:b', text: `${++version}` }], ...minute }),
    })
    const read = async (fresh?: boolean): Promise<unknown> =>
      (await it.client.readResource('a:b', fresh ? { fresh } : {})).contents[0]
    expect([await read(), await read(), await read(true), await read()]).toMatchObject(
      ['1', '1', '2', '2'].map((text) => ({ text })),
    )
  })

  test('is gone after a newer one that is not to be kept', async () => {
    let ttlMs = 60_000
    await using it = await session({ 'tools/list': () => ({ tools: [], ...hint(ttlMs) }) })
    await it.client.listTools()
    ttlMs = 0
    await it.client.listTools({ fresh: true })
    await it.client.listTools()
    expect(it.server.all('tools/list')).toHaveLength(3)
  })

  test('is not replaced by an older one that arrives later', async () => {
    const answers: (() => void)[] = []
    await using it = await session({
      'resources/read': () =>
        new Promise((resolve) => {
          const text = String(answers.length)
          answers.push(() => resolve({ contents: [{ uri: 'a:b', text }], ...minute }))
        }),
    })
    const slow = it.client.readResource('a:b')
    const fresh = it.client.readResource('a:b', { fresh: true })
    await it.server.until(() => it.server.all('resources/read').length === 2)
    answers[1]!()
    expect((await fresh).contents[0]).toMatchObject({ text: '1' })
    answers[0]!()
    expect((await slow).contents[0]).toMatchObject({ text: '0' })
    expect((await it.client.readResource('a:b')).contents[0]).toMatchObject({ text: '1' })
  })

  test('is no answer to a call that is cancelled already', async () => {
    await using it = await session(lists)
    await it.client.listTools()
    const call = it.client.listTools({ signal: AbortSignal.abort() })
    await expect(call).rejects.toMatchObject({ code: 'cancelled' })
  })
})

describe('nothing is kept', () => {
  // [cache.ttl-zero] [cache.ttl-absent] [cache.ttl-negative]
  test.each([[hint(0)], [hint(-5)], [{}], [{ cacheScope: 'public' }]])('of a result with %j', async (hints) => {
    await using it = await session({ 'tools/list': { tools: [], ...hints } })
    await it.client.listTools()
    await it.client.listTools()
    expect(it.server.all('tools/list')).toHaveLength(2)
  })

  test('with cache: false', async () => {
    await using it = await session(lists, { cache: false })
    await it.client.listTools()
    await Promise.all([it.client.listTools(), it.client.listTools()])
    expect(it.server.all('tools/list')).toHaveLength(3)
  })

  test('of servers of older revisions, whatever they send', async () => {
    const server = legacyServer(lists)
    await using client = await connect(server.open)
    await client.listTools()
    await client.listTools()
    expect(server.all('tools/list')).toHaveLength(2)
  })

  test('of errors', async () => {
    let failed = false
    await using it = await session({
      'tools/list': () => {
        if (failed) return { tools: [], ...minute }
        failed = true
        return new RpcError(-32603, 'oops')
      },
    })
    await expect(it.client.listTools()).rejects.toMatchObject({ code: -32603 })
    expect((await it.client.listTools()).tools).toEqual([])
  })

  // [cache.no-mrtr-caching]
  test('of what was answered after questions', async () => {
    await using it = await session(
      {
        'resources/read': ({ inputResponses }) =>
          inputResponses
            ? { contents: [], ...minute }
            : { resultType: 'input_required', inputRequests: { a: { method: 'roots/list' } }, ...minute },
      },
      { roots: [] },
    )
    await it.client.readResource('a:b')
    await it.client.readResource('a:b')
    expect(it.server.all('resources/read')).toHaveLength(4)
  })

  // [cache.private-not-shared] [cache.public-shareable]
  test('of private results where the authorization may change from call to call', async () => {
    await using it = await session(
      { ...lists, 'prompts/list': { prompts: [], ...hint(60_000, 'public') } },
      { headers: () => ({}) },
    )
    for (let times = 0; times < 2; times++) {
      await it.client.listTools()
      await it.client.listPrompts()
    }
    expect(it.server.methods.slice(1)).toEqual(['tools/list', 'prompts/list', 'tools/list'])
  })
})

describe('news make it stale', () => {
  // [cache.notification-invalidates]
  test.each([
    ['notifications/tools/list_changed', {}, ['tools/list']],
    ['notifications/prompts/list_changed', {}, ['prompts/list']],
    ['notifications/resources/list_changed', {}, ['resources/list', 'resources/templates/list']],
    ['notifications/resources/updated', { uri: 'a:b' }, ['resources/read']],
    ['notifications/resources/updated', { uri: 'a:b/c' }, ['resources/read']],
    ['notifications/resources/updated', { uri: 'z:z' }, []],
  ])('%s %j', async (notification, params, again) => {
    const server = new TellingServer(lists)
    await using client = await connect(server.open)
    for (const kind of ['tools', 'prompts', 'resources'] as const) client.onChange(kind, () => {})
    await client.watch('a:b', () => {})
    await everything(client)
    server.tell(notification, params)
    await client.ping()
    const before = server.received.length
    await everything(client)
    expect(server.received.slice(before).map(({ method }) => method)).toEqual(again)
  })

  test('but not when they come on no subscription', async () => {
    await using it = await session(lists)
    await everything(it.client)
    it.server.notify('notifications/tools/list_changed')
    await it.client.ping()
    await everything(it.client)
    expect(it.server.all('tools/list')).toHaveLength(1)
  })

  test('also what is on its way', async () => {
    const server: TellingServer = new TellingServer({
      'tools/list': () => {
        server.tell('notifications/tools/list_changed')
        return { tools: [], ...minute }
      },
    })
    await using client = await connect(server.open)
    client.onChange('tools', () => {})
    await client.watch('a:b', () => {})
    await Promise.all([client.listTools(), client.listTools()])
    await client.listTools()
    expect(server.all('tools/list')).toHaveLength(3)
  })

  // [cache.invalid-cursor-discard]
  // [cache.page-refetch]
  test('a cursor that is refused discards the pages before it, and the list is read again', async () => {
    let epoch = 'a'
    const tool = (name: string): JsonObject => ({ name, inputSchema: { type: 'object' } })
    await using it = await session({
      'tools/list': ({ cursor }) => {
        if (cursor === undefined) return { tools: [tool('same'), tool(`${epoch}1`)], nextCursor: epoch, ...minute }
        return cursor === epoch ? { tools: [tool(`${epoch}2`)], ...hint(0) } : new RpcError(-32602, 'Unknown cursor')
      },
    })
    const all = async (): Promise<string[]> => {
      const names: string[] = []
      for await (const { name } of it.client.tools()) names.push(name)
      return names
    }
    expect(await all()).toEqual(['same', 'a1', 'a2'])
    epoch = 'b'
    expect(await all()).toEqual(['same', 'a1', 'b1', 'b2'])
    expect(await all()).toEqual(['same', 'b1', 'b2'])
    const cursors = it.server.all('tools/list').map(({ params }) => params?.cursor)
    expect(cursors).toEqual([undefined, 'a', 'a', undefined, 'b', 'b'])
  })

  test('a server that refuses all of its cursors is asked twice', async () => {
    await using it = await session({
      'prompts/list': ({ cursor }) =>
        cursor === undefined ? { prompts: [], nextCursor: 'x', ...minute } : new RpcError(-32602, 'Unknown cursor'),
    })
    const all = async (): Promise<void> => {
      for await (const _ of it.client.prompts());
    }
    await expect(all()).rejects.toMatchObject({ name: 'RpcError', code: -32602, remote: true })
    expect(it.server.all('prompts/list')).toHaveLength(4)
  })

  test('a server that was started again', async () => {
    await using client = await connect({ command: process.execPath, args: ['-e', mortal], restart: true })
    const name = async (): Promise<string> => (await client.listTools()).tools[0]!.name
    const first = await name()
    expect(await name()).toBe(first)
    await expect(client.callTool('die')).rejects.toMatchObject({ code: 'closed' })
    expect(await name()).not.toBe(first)
  })
})

describe('equal requests at the same time', () => {
  const gate = (): { open: () => void; passed: Promise<void> } => {
    let open = (): void => {}
    const passed = new Promise<void>((resolve) => {
      open = resolve
    })
    return { open, passed }
  }

  test('are sent once', async () => {
    await using it = await session(lists)
    const pages = await Promise.all([
      it.client.listTools(),
      it.client.listTools(),
      it.client.listTools({ timeoutMs: 9_000 }),
    ])
    expect(it.server.all('tools/list')).toHaveLength(2)
    expect(pages[1]).toEqual(pages[0])
    expect(pages[1]).not.toBe(pages[0])
  })

  test('are sent each if the answer is not to be kept, and from then on at once', async () => {
    const { open, passed } = gate()
    await using it = await session({
      'tools/list': async () => {
        if (it.server.all('tools/list').length > 3) await passed
        return { tools: [], ...hint(0) }
      },
    })
    await Promise.all([1, 2, 3].map(() => it.client.listTools()))
    expect(it.server.all('tools/list')).toHaveLength(3)
    const later = [1, 2, 3].map(() => it.client.listTools())
    await it.server.until(() => it.server.all('tools/list').length === 6)
    open()
    await Promise.all(later)
  })

  test('fail together, but not because one was given up', async () => {
    const { open, passed } = gate()
    let error: RpcError | undefined = new RpcError(-32603, 'oops')
    await using it = await session({
      'tools/list': async () => {
        await passed
        return error ?? { tools: [], ...minute }
      },
    })
    const failing = [it.client.listTools(), it.client.listTools()]
    open()
    for (const call of failing) await expect(call).rejects.toMatchObject({ code: -32603 })
    expect(it.server.all('tools/list')).toHaveLength(1)
    error = undefined
    const stop = new AbortController()
    const leader = it.client.listTools({ signal: stop.signal })
    const follower = it.client.listTools()
    stop.abort()
    await expect(leader).rejects.toMatchObject({ code: 'cancelled' })
    expect((await follower).tools).toEqual([])
  })

  test('can be given up one by one', async () => {
    const { open, passed } = gate()
    await using it = await session({
      'tools/list': async () => {
        await passed
        return { tools: [], ...minute }
      },
    })
    const stop = new AbortController()
    const leader = it.client.listTools()
    const follower = it.client.listTools({ signal: stop.signal })
    stop.abort()
    await expect(follower).rejects.toMatchObject({ code: 'cancelled' })
    open()
    expect((await leader).tools).toEqual([])
    expect(it.server.all('tools/list')).toHaveLength(1)
  })
})

describe('the store', () => {
  const make = (
    settings: Partial<CacheSettings> = {},
  ): { get(uri: string, ttlMs?: number, text?: string): Promise<boolean> } => {
    const cache = new ResponseCache({ maxEntries: 100, maxBytes: 10_000, keepsPrivate: true, ...settings })
    return {
      async get(uri, ttlMs = 60_000, text = '') {
        let sent = false
        await cache.fetch({ method: 'resources/read', params: { uri } }, {}, async () => {
          sent = true
          return { contents: [], text, ...hint(ttlMs) }
        })
        return !sent
      },
    }
  }

  // [cache.refetch-when-stale]
  test('lets go of what is stale', async () => {
    const store = make()
    await store.get('a', 30)
    expect(await store.get('a', 30)).toBe(true)
    await new Promise((resolve) => setTimeout(resolve, 35))
    expect(await store.get('a', 30)).toBe(false)
  })

  test('lets go of what was not used for the longest time', async () => {
    const store = make({ maxEntries: 2 })
    for (const uri of ['a', 'b', 'a', 'c']) await store.get(uri)
    expect(await store.get('a')).toBe(true)
    expect(await store.get('b')).toBe(false)
  })

  test('holds no more bytes than it may', async () => {
    const store = make({ maxBytes: 4_000 })
    await store.get('a', 60_000, 'x'.repeat(700))
    await store.get('b', 60_000, 'x'.repeat(700))
    expect(await store.get('b')).toBe(true)
    await store.get('c', 60_000, 'x'.repeat(700))
    expect(await store.get('c')).toBe(true)
    expect(await store.get('a', 60_000, 'x'.repeat(5_000))).toBe(false)
    expect(await store.get('a')).toBe(false)
    expect(await store.get('c')).toBe(true)
  })
})

test('wrong options are refused', async () => {
  const { open } = new ScriptedServer({ initialize: initialized('2025-11-25') })
  await expect(connect(open, { cache: { maxEntries: 0 } })).rejects.toMatchObject({
    code: 'invalid_argument',
    message: 'cache.maxEntries: expected a number of at least 1, got 0',
  })
  await expect(connect(open, { cache: true as never })).rejects.toMatchObject({
    message: expect.stringMatching(/^cache: /),
  })
})
