import { describe, expect, test } from 'vitest'
import { McpError, RpcError, ToolError } from '../errors.ts'
import { revisions } from '../model/revision.ts'
import type { ToolContext } from '../server/context.ts'
import { tool } from '../server/features/tool.ts'
import { createServer } from '../server/server.ts'
import { memoryPair } from '../transport/memory.ts'
import { matchers } from './matchers.ts'
import { openWire } from './open-wire.ts'
import { testClient } from './test-client.ts'
import { parseTranscript } from './transcript.ts'

const greet = tool({ name: 'greet', run: () => 'hello' })
const fail = tool({
  name: 'fail',
  run: () => {
    throw new ToolError('No table is free')
  },
})
const server = createServer({ name: 'tables', version: '1.0.0', tools: [greet, fail] })

describe('testClient', () => {
  test('speaks the revision it is told, and writes down what was said', async () => {
    await using client = await testClient(server, { revision: '2025-06-18' })
    await client.callTool('greet')
    expect(client.server.revision).toBe('2025-06-18')
    expect(client.transcript.calls('tools/call')).toMatchObject([{ params: { name: 'greet' } }])
    const text = client.transcript.toString()
    expect(parseTranscript(`# how it went\n\n${text}`).entries).toEqual(client.transcript.entries)
    expect(() => parseTranscript('{}')).toThrow('line 1: expected "> ", "< " or "# ", got {}')
  })

  test('declares what it is told, and says no', async () => {
    const asks = tool({
      name: 'asks',
      run: async (_, ctx) => {
        const { action } = await ctx.elicit('Who?', { type: 'object', properties: {} })
        const sampled = await ctx.sample({ messages: [], maxTokens: 1 }).catch((error: RpcError) => error.code)
        return `${action}, ${sampled}, ${(await ctx.roots()).length} roots`
      },
    })
    const capabilities = { elicitation: {}, sampling: {}, roots: {} }
    const asking = createServer({ name: 'asking', version: '1.0.0', tools: [asks] })
    await using client = await testClient(asking, { revision: '2025-11-25', capabilities })
    expect((await client.callTool('asks')).text).toBe('decline, -1, 0 roots')
  })
})

describe('openWire', () => {
  test('sends anything and keeps what was not asked for', async () => {
    await using wire = openWire(server)
    wire.send({ jsonrpc: '2.0', id: 1, method: 'initialize' })
    expect(await wire.next()).toMatchObject({ id: 1, error: { code: expect.any(Number) } })
    expect(wire.waiting).toEqual([])
    expect(wire.transcript.entries).toHaveLength(2)
  })

  test('fails who waits when the connection ends, and who waits later', async () => {
    const [near, far] = memoryPair()
    far.open({ receive: () => {}, refuse: () => {}, closed: () => {} })
    await using wire = openWire(near)
    const waiting = wire.next()
    await far.close()
    await expect(waiting).rejects.toMatchObject({ code: 'closed' })
    await expect(wire.next()).rejects.toMatchObject({ code: 'closed' })
    await wire.closed
  })
})

describe('matchers', () => {
  const result = (text: string, isError?: boolean) => ({ content: [{ type: 'text', text }], isError })

  test('hold a result against its text', () => {
    expect(matchers.toHaveText(result('a\nb'), 'a\nb').pass).toBe(true)
    expect(matchers.toHaveText(result('abc'), /b/).pass).toBe(true)
    const { pass, message } = matchers.toHaveText(result('a'), 'b')
    expect(pass).toBe(false)
    expect(message()).toBe('expected a tool result with the text "b", got "a"')
    expect(matchers.toHaveText(Promise.resolve(), 'b').message()).toMatch(/got a promise, which has to be awaited/)
    expect(matchers.toHaveText(undefined, 'b').message()).toMatch(/got undefined$/)
  })

  test('know a failed tool from a refused call', async () => {
    await using client = await testClient(server)
    expect(matchers.toBeToolError(await client.callTool('fail'), 'No table').pass).toBe(true)
    expect(matchers.toBeToolError(await client.callTool('fail'), 'No chair').pass).toBe(false)
    expect(matchers.toBeToolError(await client.callTool('greet')).pass).toBe(false)
    const refused = await client.callTool('missing' as 'greet').catch((error: unknown) => error)
    expect(matchers.toBeRpcError(refused, -32602, /missing/).pass).toBe(true)
    expect(matchers.toBeRpcError(refused, -32601).message()).toMatch(
      /^expected an RpcError with the code -32601, got Rpc/,
    )
    expect(matchers.toBeMcpError(new McpError('closed', 'gone'), 'closed', 'gone').pass).toBe(true)
    expect(matchers.toBeMcpError(new RpcError(1, 'gone'), 'closed').pass).toBe(false)
  })
})

describe('a client in the name of another', () => {
  const server = createServer({
    name: 'shop',
    version: '1',
    context: ({ auth }) => ({ user: auth?.principal ?? 'nobody' }),
    tools: [
      tool({
        name: 'whoami',
        run: (_input, ctx: ToolContext<{ user: string }>) => `${ctx.context.user} ${ctx.auth?.team}`,
      }),
      tool({ name: 'refund', visible: ({ auth }) => auth?.principal === 'boss', run: () => 'refunded' }),
      tool({ name: 'order', scopes: ['write'], run: () => 'ordered' }),
    ],
  })

  test.each(revisions)('has its principal, its scopes and its claims (%s)', async (revision) => {
    await using boss = await testClient(server, { revision, as: { principal: 'boss', scopes: ['write'], team: 'red' } })
    expect((await boss.listTools()).tools.map(({ name }) => name)).toEqual(['whoami', 'refund', 'order'])
    expect(await boss.callTool('whoami')).toMatchObject({ text: 'boss red' })
    await using guest = await testClient(server, { revision, as: { principal: 'guest' } })
    expect((await guest.listTools()).tools.map(({ name }) => name)).toEqual(['whoami'])
    await expect(guest.callTool('order')).rejects.toMatchObject({ code: 403, data: { scopes: ['write'] } })
    await expect(guest.callTool('refund')).rejects.toMatchObject({ code: -32602 })
  })

  test('is refused without a principal, and with scopes that are none', async () => {
    await expect(testClient(server, { as: { scopes: [] } as never })).rejects.toThrow(
      'testClient as.principal: expected a text, got',
    )
    await expect(testClient(server, { as: { principal: 'a', scopes: 'write' as never } })).rejects.toThrow(
      'testClient as.scopes: expected an array',
    )
  })
})
