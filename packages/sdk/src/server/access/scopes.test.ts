/** What callers have to be granted for a tool, a prompt or a resource, on transports without HTTP. */
import { describe, expect, test } from 'vitest'
import { connect } from '../../client/connect.ts'
import { type Revision, revisions } from '../../model/revision.ts'
import {
  type AuthInfo,
  createServer,
  prompt,
  requireScopes,
  resource,
  resourceTemplate,
  type ServerOptions,
  tool,
} from '../../server.ts'
import { memoryPair } from '../../transport/memory.ts'

const ran: string[] = []
const read = tool({ name: 'read', run: () => 'read' })
const write = tool({
  name: 'write',
  scopes: ['files:write'],
  run: () => {
    ran.push('write')
    return 'written'
  },
})
const secret = tool({
  name: 'secret',
  scopes: ['files:write'],
  visible: ({ auth }) => auth?.vip === true,
  run: () => 's',
})
const slow = tool({ name: 'slow', scopes: ['files:write'], task: true, run: () => 'slow' })
const review = prompt({
  name: 'review',
  scopes: ['code:read'],
  arguments: { type: 'object', properties: { tone: { type: 'string', enum: ['kind', 'strict'] } } },
  run: () => 'Review',
})
const diary = resource({ uri: 'note:///diary', name: 'diary', scopes: ['notes', 'private'], read: () => 'Dear diary' })
const page = resourceTemplate({
  uriTemplate: 'page:///{id}',
  name: 'page',
  scopes: ['notes'],
  complete: { id: () => ['one'] },
  list: () => [{ uri: 'page:///one', name: 'one' }],
  read: ({ variables }) => variables.id,
})

const options = {
  name: 'scoped',
  version: '1',
  tools: [read, write, secret, slow],
  prompts: [review],
  resources: [diary, page],
} satisfies ServerOptions

const insufficient = (...scopes: string[]) => ({ code: 403, data: { error: 'insufficient_scope', scopes } })

/** A client on a channel that says who is asking. */
async function as(
  auth: AuthInfo | undefined,
  {
    revision,
    transport = 'socket',
    server = createServer(options),
  }: {
    revision?: Revision
    transport?: string
    server?: Pick<ReturnType<typeof createServer>, 'connect'>
  } = {},
) {
  const open = () => {
    const [near, far] = memoryPair()
    server.connect(far, { transport, ...(auth && { auth }) })
    return near
  }
  return connect(open, revision ? { revisions: [revision] } : {})
}

const ada = (...scopes: string[]): AuthInfo => ({ principal: 'ada', scopes })

describe.each(revisions)('scopes in %s', (revision) => {
  test('what a caller may not use is not in its lists', async () => {
    await using client = await as(ada('notes'), { revision })
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['read'])
    expect((await client.listPrompts()).prompts).toEqual([])
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['page:///one'])
    expect((await client.listResourceTemplates()).resourceTemplates.map(({ name }) => name)).toEqual(['page'])
  })

  test('what it may use is there, and works', async () => {
    await using client = await as(ada('notes', 'private', 'files:write', 'code:read'), { revision })
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['read', 'write', 'slow'])
    expect((await client.callTool('write')).text).toBe('written')
    expect((await client.getPrompt('review')).messages).toHaveLength(1)
    expect((await client.readResource('note:///diary')).contents[0]).toMatchObject({ text: 'Dear diary' })
  })

  test('using it anyway is an error that names what is needed, and nothing runs', async () => {
    await using client = await as(ada('notes'), { revision })
    ran.length = 0
    await expect(client.callTool('write')).rejects.toMatchObject(insufficient('files:write'))
    await expect(client.callTool('slow')).rejects.toMatchObject(insufficient('files:write'))
    await expect(client.getPrompt('review')).rejects.toMatchObject(insufficient('code:read'))
    await expect(client.readResource('note:///diary')).rejects.toMatchObject(insufficient('notes', 'private'))
    expect(ran).toEqual([])
  })
})

test('all of the scopes are needed, and names are compared whole', async () => {
  await using client = await as(ada('private', 'note', 'notes2', 'files:write '))
  await expect(client.readResource('note:///diary')).rejects.toMatchObject(insufficient('notes', 'private'))
  await expect(client.callTool('write')).rejects.toMatchObject(insufficient('files:write'))
})

test('a family of resources, and its completions, need scopes too', async () => {
  await using client = await as(ada())
  expect((await client.listResources()).resources).toEqual([])
  await expect(client.readResource('page:///one')).rejects.toMatchObject(insufficient('notes'))
  await expect(
    client.complete({ type: 'ref/resource', uri: 'page:///{id}' }, { name: 'id', value: '' }),
  ).rejects.toMatchObject(insufficient('notes'))
  await expect(
    client.complete({ type: 'ref/prompt', name: 'review' }, { name: 'tone', value: '' }),
  ).rejects.toMatchObject(insufficient('code:read'))
})

test('news of what a caller may not read are not to be had', async () => {
  await using client = await as(ada(), { revision: '2025-11-25' })
  const subscribing = client.request('resources/subscribe', { uri: 'note:///diary' })
  await expect(subscribing).rejects.toMatchObject(insufficient('notes', 'private'))
})

test('what a rule hides stays unknown, whatever scopes are missing', async () => {
  await using client = await as(ada())
  await expect(client.callTool('secret')).rejects.toMatchObject({ code: -32602, message: /Unknown tool/ })
  await using vip = await as({ ...ada(), vip: true })
  await expect(vip.callTool('secret')).rejects.toMatchObject(insufficient('files:write'))
  expect((await vip.listTools()).tools.map(({ name }) => name)).toEqual(['read'])
})

describe('with listed, a caller without the scopes', () => {
  const listed = { needed: ['files:write'], listed: true }
  const shown = {
    name: 'scoped',
    version: '1',
    tools: [
      tool({ name: 'write', scopes: listed, run: () => 'written' }),
      tool({ name: 'slow', scopes: listed, task: true, run: () => 'slow' }),
      tool({ name: 'secret', scopes: listed, visible: ({ auth }) => auth?.vip === true, run: () => 's' }),
    ],
    prompts: [prompt({ name: 'review', scopes: listed, run: () => 'Review' })],
    resources: [
      resource({ uri: 'note:///diary', name: 'diary', scopes: listed, read: () => 'Dear diary' }),
      resourceTemplate({ uriTemplate: 'page:///{id}', name: 'page', scopes: listed, read: () => 'page' }),
    ],
  } satisfies ServerOptions

  test.each(['2025-11-25', '2026-07-28'] as const)(
    'sees the item, and gets the missing scopes (%s)',
    async (revision) => {
      await using client = await as(ada(), { server: createServer(shown), revision })
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['write', 'slow'])
      expect((await client.listPrompts()).prompts).toHaveLength(1)
      expect((await client.listResources()).resources).toHaveLength(1)
      expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(1)
      const missing = insufficient('files:write')
      await expect(client.callTool('write')).rejects.toMatchObject(missing)
      await expect(client.callTool('slow', {}, { task: true })).rejects.toMatchObject(missing)
      await expect(client.getPrompt('review')).rejects.toMatchObject(missing)
      await expect(client.readResource('note:///diary')).rejects.toMatchObject(missing)
      await expect(client.readResource('page:///one')).rejects.toMatchObject(missing)
      await expect(client.callTool('secret')).rejects.toMatchObject({ code: -32602 })
    },
  )

  test('hears that it came', async () => {
    const server = createServer({ name: 'scoped', version: '1', tools: [] })
    await using client = await as(ada(), { server, revision: '2025-11-25' })
    const changed = new Promise<void>((resolve) => client.onChange('tools', resolve))
    await client.ping()
    server.tools.add(tool({ name: 'write', scopes: listed, run: () => 'written' }))
    await changed
  })

  test.each([
    [{ needed: 'files:write' }, 'tool "x" scopes.needed: expected an array of scopes'],
    [
      { needed: ['a'], hidden: true },
      'tool "x" scopes: expected scopes, or needed and listed (a boolean), got "hidden"',
    ],
    [
      { needed: ['a'], listed: 'yes' },
      'tool "x" scopes: expected scopes, or needed and listed (a boolean), got listed: ',
    ],
  ])('is not defined by %j', (scopes, problem) => {
    expect(() => tool({ name: 'x', scopes: scopes as never, run: () => 'x' })).toThrow(problem)
  })
})

test('a resource that another template offers without scopes is read from there', async () => {
  const open = resourceTemplate({ uriTemplate: 'page:///{+id}', name: 'open', read: () => 'open' })
  const server = createServer({ ...options, resources: [page, open] })
  await using client = await as(ada(), { server })
  expect((await client.readResource('page:///one')).contents[0]).toMatchObject({ text: 'open' })
})

test('in a mounted server they are needed as well', async () => {
  const server = createServer({ name: 'outer', version: '1' })
  server.mount(createServer(options), { prefix: 'in_' })
  await using client = await as(ada('code:read'), { server })
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['in_read'])
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['in_review'])
  await expect(client.callTool('in_write')).rejects.toMatchObject(insufficient('files:write'))
  await expect(client.readResource('page:///one')).rejects.toMatchObject(insufficient('notes'))
})

test('whoever nobody knows has none; whoever started or embeds the server needs none', async () => {
  await using stranger = await as(undefined, { transport: 'http' })
  await expect(stranger.callTool('write')).rejects.toMatchObject(insufficient('files:write'))
  for (const transport of ['stdio', 'memory']) {
    await using owner = await as(undefined, { transport })
    expect((await owner.callTool('write')).text).toBe('written')
    await using guest = await as(ada(), { transport })
    await expect(guest.callTool('write')).rejects.toMatchObject(insufficient('files:write'))
  }
})

test('a handler can need more for some arguments', async () => {
  const put = tool({
    name: 'put',
    input: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    run: ({ path }, ctx) => {
      if (path.startsWith('/etc')) requireScopes(ctx, 'files:system')
      return 'put'
    },
  })
  const server = createServer({ name: 'x', version: '1', tools: [put] })
  await using client = await as(ada(), { server })
  expect((await client.callTool('put', { path: '/home' })).text).toBe('put')
  await expect(client.callTool('put', { path: '/etc/passwd' })).rejects.toMatchObject(insufficient('files:system'))
})

test('news of a list reach those who see it', async () => {
  const server = createServer({ ...options, tools: [read] })
  await using low = await as(ada(), { server, revision: '2025-11-25' })
  await using high = await as(ada('files:write'), { server, revision: '2025-11-25' })
  const heard: string[] = []
  low.onChange('tools', () => heard.push('low'))
  const told = new Promise<void>((resolve) => {
    high.onChange('tools', () => {
      heard.push('high')
      resolve()
    })
  })
  server.tools.add(write)
  await told
  // Everybody hears of this one: whatever was on its way to the other client has arrived before it.
  server.tools.add(tool({ name: 'open', run: () => 'open' }))
  await expect.poll(() => heard.includes('low')).toBe(true)
  expect(heard.filter((who) => who === 'low')).toEqual(['low'])
})

describe('[cache.public-awareness] a list that scopes make different for callers', () => {
  const cache = { ttlMs: 1_000, scope: 'public' } as const

  test('is never public, and the text of one caller never goes to another', async () => {
    const server = createServer({ ...options, cache })
    const texts: string[] = []
    for (const scopes of [['files:write'], [], ['files:write'], []]) {
      await using client = await as(ada(...scopes), { server, revision: '2026-07-28' })
      const said = await client.request('tools/list', {})
      texts.push(JSON.stringify(said))
      expect(said).toMatchObject({ cacheScope: 'private' })
    }
    expect(texts.map((text) => text.includes('"write"'))).toEqual([true, false, true, false])
  })

  test('makes what is read private, and a public resource with scopes cannot be defined', async () => {
    const server = createServer({ ...options, cache })
    await using client = await as(ada('notes', 'private'), { server, revision: '2026-07-28' })
    expect(await client.request('resources/read', { uri: 'note:///diary' })).toMatchObject({ cacheScope: 'private' })
    const define = () => resource({ uri: 'a:b', name: 'a', scopes: ['x'], cache: { scope: 'public' }, read: () => '' })
    expect(define).toThrow(/"public" and a rule who sees it contradict each other/)
  })

  test('lists without scopes stay public', async () => {
    const server = createServer({ ...options, prompts: [prompt({ name: 'p', run: () => '' })], cache })
    await using client = await as(ada(), { server, revision: '2026-07-28' })
    expect(await client.request('prompts/list', {})).toMatchObject({ cacheScope: 'public' })
  })
})

test.each([['a b'], ['a"b'], ['a\r\nx: y'], ['offline_access'], ['']])('%j is no scope to ask for', (scope) => {
  const problem = { code: 'invalid_definition', message: expect.stringContaining('tool "t" scopes') }
  expect(() => tool({ name: 't', scopes: [scope], run: () => '' })).toThrow(expect.objectContaining(problem))
})

test('an empty list of scopes is none', () => {
  expect(tool({ name: 't', scopes: [], run: () => '' })).toMatchObject({ scopes: undefined, visible: undefined })
})
