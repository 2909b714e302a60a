/** Clients in the process of a server know its tools by type; the lines that must not compile are marked. */
import { type Client, connect } from '@tenon/sdk/client'
import { createServer, type Server, type ServerTool, type ToolContext, tool } from '@tenon/sdk/server'
import { type TestClient, testClient } from '@tenon/sdk/testing'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'

const add = tool({
  name: 'add',
  input: z.object({ a: z.number(), b: z.number().default(1) }),
  output: z.object({ sum: z.number() }),
  run: ({ a, b }) => ({ sum: a + b }),
})
const say = tool({
  name: 'say',
  input: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
  run: ({ word }) => word,
})
const now = tool({ name: 'now', run: () => 'now' })
const server = createServer({ name: 'known', version: '1.0.0', tools: [add, say, now] })

describe.each([
  ['connect', () => connect(server)],
  ['testClient', () => testClient(server)],
] as const)('the client of %s', (_name, open) => {
  test('knows names, arguments and structured results', async () => {
    await using client = await open()
    const { structured } = await client.callTool('add', { a: 1 })
    expectTypeOf(structured).toEqualTypeOf<{ sum: number } | undefined>()
    expect(structured).toEqual({ sum: 2 })
    const said = await client.callTool('say', { word: 'hi' })
    expectTypeOf(said.structured).toEqualTypeOf<unknown>()
    expect(said.text).toBe('hi')
    expect((await client.callTool('now')).text).toBe('now')
  })

  test('refuses everything else before it runs', async () => {
    await using client = await open()
    // @ts-expect-error There is no tool of this name.
    await expect(client.callTool('nope')).rejects.toThrow('Unknown tool')
    // @ts-expect-error An argument of the wrong type.
    expect(await client.callTool('add', { a: '1' })).toMatchObject({ isError: true })
    // @ts-expect-error An argument of another tool.
    expect(await client.callTool('say', { a: 1 })).toMatchObject({ isError: true })
  })

  test('is a client like any other', async () => {
    await using client: Client = await open()
    await expect(client.callTool('nope', { anything: 1 })).rejects.toThrow('Unknown tool')
    const { structured } = await client.callTool<{ sum: number }>('add', { a: 1 })
    expectTypeOf(structured).toEqualTypeOf<{ sum: number } | undefined>()
  })
})

describe('any name can be called', () => {
  const any = async (target: Parameters<typeof testClient>[0]): Promise<void> => {
    await using client = await testClient(target)
    await client.callTool('whatever', { anything: 1 }).catch(() => {})
  }

  test('of a server whose tools come later, or are not known', async () => {
    const none = createServer({ name: 'none', version: '1.0.0' })
    const later = createServer({ name: 'later', version: '1.0.0', tools: [] })
    const list: ServerTool[] = [now]
    const listed = createServer({ name: 'listed', version: '1.0.0', tools: list })
    const mixed = createServer({ name: 'mixed', version: '1.0.0', tools: [add, list[0]!] })
    const annotated: Server = server
    for (const one of [none, later, listed, mixed, annotated]) await any(one)
    await using first = await testClient(later)
    await using second = await testClient(mixed)
    await using third: TestClient = await testClient(server)
    for (const client of [first, second, third]) await client.callTool('whatever', { anything: 1 }).catch(() => {})
  })

  test('and a context is still needed where a tool wants one', () => {
    const who = tool({ name: 'who', run: (_input, ctx: ToolContext<{ user: string }>) => ctx.context.user })
    const options = { name: 'users', version: '1.0.0', tools: [who, now] }
    // @ts-expect-error No context is made.
    createServer(options)
    const users = createServer({ ...options, tools: [who, now], context: () => ({ user: 'ada' }) })
    expectTypeOf(users).toExtend<Server<{ user: string }>>()
  })
})
