/** Names follow from the configuration alone, and one that could mean two things means nothing. */
import { connect } from '@tenon/sdk/client'
import { createServer, prompt, resource, type Server, tool } from '@tenon/sdk/server'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createGateway, type GatewayConfig, GatewayConfigError, type VirtualServerConfig } from '../src/index.ts'

const named = (name: string, ...tools: string[]): Server =>
  createServer({
    name,
    version: '1.0.0',
    tools: tools.map((each) => tool({ name: each, run: () => `${name} ${each}` })),
    prompts: [prompt({ name: 'greet', run: () => `Hello from ${name}` })],
    resources: [
      resource({ uri: `${name}://own`, name: 'own', read: () => name }),
      resource({ uri: 'shared://one', name: 'shared', read: () => name }),
    ],
  })

const upstreams = {
  left: { target: named('left', 'search', 'read', 'only') },
  right: { target: named('right', 'search', 'write', 'find') },
}

const revisionsOfBoth = ['2025-11-25', '2026-07-28'] as const

async function serverOf(config: VirtualServerConfig, revision: (typeof revisionsOfBoth)[number]) {
  const problems: string[] = []
  const gateway = createGateway(
    { upstreams, servers: { one: config } },
    { onEvent: (event) => event.kind === 'error' && problems.push((event.error as Error).message) },
  )
  const client = await connect(gateway.server('one')!, { revisions: [revision] })
  return {
    client,
    problems,
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    async [Symbol.asyncDispose]() {
      await client.close()
      await gateway.close()
    },
  }
}

describe.each(revisionsOfBoth)('for a client of %s', (revision) => {
  test('a virtual server chooses and renames', async () => {
    await using one = await serverOf(
      {
        upstreams: {
          left: { include: ['tools:search', 'tools:read'], rename: { search: 'look_up' } },
          right: { exclude: ['write', 'prompts:*'], prefix: 'r.' },
        },
      },
      revision,
    )
    expect(await one.names()).toEqual(['look_up', 'left__read', 'r.search', 'r.find'])
    expect((await one.client.callTool('look_up')).text).toBe('left search')
    expect((await one.client.callTool('r.search')).text).toBe('right search')
    for (const name of ['left__search', 'left__only', 'r.write', 'right__search', 'search']) {
      await expect(one.client.callTool(name)).rejects.toMatchObject({
        code: -32602,
        message: `Unknown tool: ${JSON.stringify(name)}`,
      })
    }
    expect((await one.client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['left__greet'])
  })

  test('without prefixes, names that two upstreams have are served by none', async () => {
    await using one = await serverOf({ upstreams: { left: { prefix: '' }, right: { prefix: '' } } }, revision)
    expect(await one.names()).toEqual(['read', 'only', 'write', 'find'])
    expect((await one.client.callTool('write')).text).toBe('right write')
    await expect(one.client.callTool('search')).rejects.toMatchObject({ message: 'Unknown tool: "search"' })
    await expect(one.client.getPrompt('greet')).rejects.toMatchObject({ message: 'Unknown prompt: "greet"' })
    expect(one.problems).toContain(
      '"search" is the name of several items, and none of them is served: left__search, right__search',
    )
  })

  test('another name that is taken is served by none, and by one if the other is left out', async () => {
    const renamed = { left: { prefix: '', rename: { search: 'find' } }, right: { prefix: '' } }
    await using one = await serverOf({ upstreams: renamed }, revision)
    expect(await one.names()).toEqual(['read', 'only', 'search', 'write'])
    await expect(one.client.callTool('find')).rejects.toMatchObject({ message: 'Unknown tool: "find"' })
    await using two = await serverOf({ upstreams: { ...renamed, right: { prefix: '', exclude: ['find'] } } }, revision)
    expect((await two.client.callTool('find')).text).toBe('left search')
  })

  test('URIs stay as they are, and one that two upstreams have is an error that says so', async () => {
    await using one = await serverOf({}, revision)
    expect(await one.client.readResource('right://own')).toMatchObject({ contents: [{ text: 'right' }] })
    await expect(one.client.readResource('shared://one')).rejects.toMatchObject({
      message: 'Ambiguous resource: "shared://one" is offered by left and right',
    })
    await using two = await serverOf({ upstreams: { left: null, right: { exclude: ['shared:*'] } } }, revision)
    expect(await two.client.readResource('shared://one')).toMatchObject({ contents: [{ text: 'left' }] })
  })

  test('a large catalogue is found instead of listed', async () => {
    await using one = await serverOf({ search: true }, revision)
    expect(await one.names()).toEqual(['find_tools', 'call_tool'])
    const found = await one.client.callTool('find_tools', { query: 'write something', limit: 3 })
    expect(JSON.parse(found.text)).toMatchObject([{ name: 'right__write' }])
    const called = await one.client.callTool('call_tool', { name: 'right__write', arguments: {} })
    expect(called.text).toBe('right write')
    await expect(one.client.callTool('call_tool', { name: 'write' })).rejects.toMatchObject({ code: -32602 })
  })
})

test('arguments of a tool that was found reach it, and every upstream is searched', async () => {
  const many = Array.from({ length: 300 }, (_, index) => tool({ name: `task_${index}`, run: () => String(index) }))
  const weather = tool({
    name: 'forecast',
    description: 'Tells the weather of a city',
    input: z.object({ city: z.string() }),
    run: ({ city }) => `sun in ${city}`,
  })
  await using gateway = createGateway({
    upstreams: {
      noise: { target: createServer({ name: 'noise', version: '1.0.0', tools: many }) },
      sky: { target: createServer({ name: 'sky', version: '1.0.0', tools: [weather] }) },
    },
    servers: { all: { search: true } },
  })
  await using client = await connect(gateway.server()!)
  const [best] = JSON.parse((await client.callTool('find_tools', { query: 'weather in cities' })).text)
  expect(best).toMatchObject({ name: 'sky__forecast', inputSchema: { required: ['city'] } })
  const { text } = await client.callTool('call_tool', { name: best.name, arguments: { city: 'Oslo' } })
  expect(text).toBe('sun in Oslo')
})

const cases: [GatewayConfig, string][] = [
  [{ upstreams: { a__b: { url: 'http://a' } } }, 'upstreams.a__b: expected a name'],
  [{ upstreams: { a_: { url: 'http://a' } } }, 'upstreams.a_: expected a name'],
  [{ upstreams: { a: { url: 'ftp://a' } } }, 'upstreams.a.url: expected a URL'],
  [{ upstreams: { a: {} as never } }, 'upstreams.a: expected one of command'],
  [{ upstreams: { a: { url: 'http://a', include: [''] } } }, 'upstreams.a.include.0: expected a glob'],
  [{ upstreams: { docs: { url: 'http://a' } }, servers: { s: { upstreams: { dogs: null } } } }, 'Did you mean docs?'],
  [{ upstreams: {}, servers: { 'a/b': {} } }, 'servers.a/b: expected a name'],
  [
    { upstreams: { a: { url: 'http://a' } }, servers: { s: { upstreams: { a: { rename: { x: 'no way' } } } } } },
    'servers.s.upstreams.a.rename.x: expected 1 to 128',
  ],
]

test.each(cases)('%j is refused', (config, message) => {
  expect(() => createGateway(config)).toThrow(GatewayConfigError)
  expect(() => createGateway(config)).toThrow(message)
})
