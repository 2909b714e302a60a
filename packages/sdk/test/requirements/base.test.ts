/** Requirements for every message, for discovery, paging, caching, schemas and `_meta`. */

import { readdirSync, readFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test, vi } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { legacyServer, modernServer, type ServerScript } from '../../src/client/scripted-server.suite.ts'
import { ErrorCode, RpcError } from '../../src/errors.ts'
import { adapters } from '../../src/http-server/tests/adapters.suite.ts'
import {
  callToolRequest,
  EventReader,
  statelessMeta,
  statelessRequest,
} from '../../src/http-server/tests/http.suite.ts'
import type { JsonObject } from '../../src/jsonrpc/message.ts'
import { metaKeys } from '../../src/model/meta.ts'
import { revisions } from '../../src/model/revision.ts'
import { compileSchema } from '../../src/schema/validator.ts'
import { createServer, prompt, resource, resourceTemplate, tool } from '../../src/server.ts'
import { codecFor } from '../../src/wire/codecs.ts'

const isLegacyCode = (code: number): boolean => code <= -32000 && code >= -32019
const legacyCodes = Array.from({ length: 20 }, (_, index) => -32000 - index)

describe('error codes', () => {
  // [rpc.codes.legacy-range-avoid]
  test('of this library are none of those that older ones used', () => {
    const { errorCode } = codecFor('2026-07-28')
    for (const [name, code] of Object.entries(ErrorCode)) expect(isLegacyCode(errorCode(code)), name).toBe(false)
    // Views and their hosts talk to each other, with the codes of their own extension.
    const ours = sources().filter(({ file }) => !file.startsWith('apps/'))
    const written = ours.flatMap(({ text }) => text.match(/(?<![\d-])-320[01]\d\b/g) ?? [])
    expect([...new Set(written)]).toEqual([String(ErrorCode.ResourceNotFound)])
  })

  // [rpc.codes.legacy-range-opaque]
  test.each(legacyCodes.filter((code) => code !== -32002))(
    '%i means nothing but that the call failed',
    async (code) => {
      const server = modernServer({
        'tools/call': new RpcError(code, 'Session not found'),
        'tools/list': { tools: [] },
      })
      await using client = await connect(server.open)
      await expect(client.callTool('x')).rejects.toMatchObject({ code, message: 'Session not found', remote: true })
      expect(server.all('tools/call')).toHaveLength(1)
      expect(server.opened).toBe(1)
      await expect(client.listTools()).resolves.toMatchObject({ tools: [] })
    },
  )

  // [res.error.client-accepts-32002]
  test('a resource that an older server does not find is not found', async () => {
    const missing = new RpcError(-32002, 'Resource not found', { uri: 'note:///a' })
    for (const server of [modernServer({ 'resources/read': missing }), legacyServer({ 'resources/read': missing })]) {
      await using client = await connect(server.open)
      await expect(client.readResource('note:///a')).rejects.toMatchObject({
        code: ErrorCode.ResourceNotFound,
        message: 'Resource not found',
        data: { uri: 'note:///a' },
      })
      expect(server.all('resources/read')).toHaveLength(1)
    }
  })
})

// [discover.request-meta-only]
test('discovery asks with nothing but metadata', async () => {
  const server = modernServer()
  await using client = await connect(server.open, { roots: [], info: { name: 'me', version: '1' } })
  await client.ping()
  const asked = server.all('server/discover')
  expect(asked.length).toBeGreaterThan(1)
  for (const { params } of asked) expect(Object.keys(params!)).toEqual(['_meta'])
})

const tools = (...names: string[]): JsonObject => ({
  tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })),
})
const namesOf = async (listed: AsyncIterable<{ name: string }>): Promise<string[]> => {
  const names: string[] = []
  for await (const { name } of listed) names.push(name)
  return names
}

// [page.no-persist]
test.each(revisions)('%s: a cursor is not kept for the next session', async (revision) => {
  const make = (script: ServerScript) =>
    revision === '2026-07-28' ? modernServer(script) : legacyServer(script, revision)
  const list = ({ cursor }: JsonObject): JsonObject =>
    cursor === undefined ? { ...tools('a'), nextCursor: 'of this session' } : tools('b')
  for (let session = 0; session < 2; session++) {
    const server = make({ 'tools/list': list })
    await using client = await connect(server.open)
    const first = client.tools()[Symbol.asyncIterator]()
    await first.next()
    expect(server.all('tools/list').map(({ params }) => params?.cursor)).toEqual([undefined])
    if (session === 0) await first.next()
  }
})

describe('what may be kept for a while', () => {
  // [cache.no-polling-by-ttl]
  test('is not asked for again until somebody wants it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'Date', 'performance'] })
    try {
      const server = modernServer({ 'tools/list': { ...tools('a'), ttlMs: 1_000, cacheScope: 'private' } })
      await using client = await connect(server.open)
      await client.listTools()
      await vi.advanceTimersByTimeAsync(60_000)
      expect(server.all('tools/list')).toHaveLength(1)
      await client.listTools()
      expect(server.all('tools/list')).toHaveLength(2)
    } finally {
      vi.useRealTimers()
    }
  })

  // [cache.snapshot-refetch]
  test('is read from the beginning by who wants it fresh', async () => {
    const keep = { ttlMs: 60_000, cacheScope: 'private' }
    const server = modernServer({
      'tools/list': ({ cursor }) =>
        cursor === undefined ? { ...tools('a'), nextCursor: 'two', ...keep } : { ...tools('b'), ...keep },
    })
    await using client = await connect(server.open)
    expect(await namesOf(client.tools())).toEqual(['a', 'b'])
    expect(await namesOf(client.tools())).toEqual(['a', 'b'])
    expect(server.all('tools/list')).toHaveLength(2)
    expect(await namesOf(client.tools({ fresh: true }))).toEqual(['a', 'b'])
    const cursors = server.all('tools/list').map(({ params }) => params?.cursor)
    expect(cursors).toEqual([undefined, 'two', undefined, 'two'])
  })
})

// [jschema.network-ref-off-by-default]
test('a schema that points elsewhere is refused, and nobody is asked for it', async () => {
  let visits = 0
  const web = createHttpServer((_request, response) => {
    visits++
    response.end('{"type":"string"}')
  })
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  const $ref = `http://127.0.0.1:${(web.address() as AddressInfo).port}/schema.json`
  expect(() => compileSchema({ $ref })).toThrow($ref)
  const input = { type: 'object', properties: { a: { $ref } } } as const
  expect(() => tool({ name: 'a', input, run: () => '' })).toThrow($ref)
  const server = modernServer({
    'tools/list': { tools: [{ name: 'x', inputSchema: { type: 'object' }, outputSchema: { $ref } }] },
    'tools/call': { content: [], structuredContent: {} },
  })
  await using client = await connect(server.open, { validate: 'strict' })
  await client.listTools()
  await client.callTool('x').catch(() => {})
  expect(visits).toBe(0)
  await new Promise((resolve) => web.close(resolve))
})

describe('keys of _meta', () => {
  const definitions: [string, (meta: JsonObject) => unknown][] = [
    ['tool', (meta) => tool({ name: 'a', meta, run: () => '' })],
    ['prompt', (meta) => prompt({ name: 'a', meta, run: () => '' })],
    ['resource', (meta) => resource({ uri: 'a:b', name: 'a', meta, read: () => '' })],
    ['resource template', (meta) => resourceTemplate({ uriTemplate: 'a:{b}', name: 'a', meta, read: () => '' })],
  ]
  const good = ['a', 'A1', '7', 'a-b_c.d', 'com.example/', 'com.example/a', 'x/y', 'a-1.b2/c', '']
  const badPrefixes = ['/a', '.com/a', 'com./a', 'com..example/a', 'a/b/c', 'a b/c']
  const badLabels = ['1a/b', '-a/b', 'a-/b', 'a_b/c', 'com.2x/a', 'é/a']
  const badNames = ['-a', 'a-', '_a', 'a.', 'x/-a', 'x/a_', 'a b', 'ä', 'a\n']

  // [meta.prefix-form] [meta.label-form] [meta.name-form]
  test.each(definitions)('of a %s have the form of the specification', (_what, define) => {
    for (const key of good) expect(() => define({ [key]: 1 }), key).not.toThrow()
    for (const key of [...badPrefixes, ...badLabels, ...badNames]) {
      expect(() => define({ [key]: 1 }), JSON.stringify(key)).toThrow(/meta: expected keys of the form/)
    }
  })

  // [meta.reserved-prefix] [meta.reserved-prefix-2025-06]
  test('that are reserved are used only where the specification or one of its extensions defines them', () => {
    const reserved = /['"`]((?:[a-z][a-z0-9-]*\.)+[a-z][a-z0-9-]*\/[A-Za-z0-9._-]*)/g
    const isReserved = (key: string): boolean => /(^|\.)(modelcontextprotocol|mcp)(\.|\/)/.test(key)
    // Read, to refuse the tasks of a draft, and never written.
    const draft = 'modelcontextprotocol.io/task'
    const used = sources().flatMap(({ text }) => [...text.matchAll(reserved)].map(([, key]) => key!))
    const extensions = [
      'io.modelcontextprotocol/tasks',
      'io.modelcontextprotocol/ui',
      'io.modelcontextprotocol/skills',
      'io.modelcontextprotocol/enterprise-managed-authorization',
      'io.modelcontextprotocol/oauth-client-credentials',
      'io.modelcontextprotocol.skills/',
    ]
    const defined = [...Object.values(metaKeys), ...extensions, draft]
    const invented = used.filter((key) => isReserved(key) && !defined.some((one) => key.startsWith(one)))
    expect([...new Set(invented)]).toEqual([])
    expect(used).toContain(metaKeys.protocolVersion)
  })
})

// [log.own-stream-only]
test.each(adapters)('logs go to the stream of their request and to no other, over %s', async (_name, serve) => {
  const talk = tool({
    name: 'talk',
    async run(_, ctx) {
      await ctx.log('error', 'only for you')
      return 'done'
    },
  })
  const server = createServer({ name: 'a', version: '1', tools: [talk] })
  const served = await serve(server)
  const _meta = statelessMeta()
  const listening = new EventReader(
    await served.fetch(
      '/mcp',
      statelessRequest('subscriptions/listen', { notifications: { toolsListChanged: true }, _meta }),
    ),
  )
  expect(await listening.message()).toMatchObject({ method: 'notifications/subscriptions/acknowledged' })
  const silent = await served.fetch('/mcp', callToolRequest('talk'))
  expect(await silent.text()).not.toContain('only for you')
  const call = new EventReader(
    await served.fetch('/mcp', callToolRequest('talk', {}, {}, { [metaKeys.logLevel]: 'debug' })),
  )
  expect(JSON.stringify(await call.rest())).toContain('only for you')
  server.tools.add(tool({ name: 'new', run: () => '' }))
  // The next message on the other stream is its own.
  expect(await listening.message()).toMatchObject({ method: 'notifications/tools/list_changed' })
  await listening.cancel()
  await served.close()
})

/** The sources of the library, without their tests. */
function sources(): { file: string; text: string }[] {
  const folder = new URL('../../src/', import.meta.url)
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.(test|suite)\.ts$/.test(file))
    .map((file) => ({ file, text: readFileSync(new URL(file, folder), 'utf8') }))
}
