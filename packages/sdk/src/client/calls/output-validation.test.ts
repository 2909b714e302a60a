import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../jsonrpc/message.ts'
import { connect } from '../connect.ts'
import type { ConnectOptions, ValidationMode } from '../options.ts'
import { legacyServer, type ScriptedServer } from '../scripted-server.suite.ts'

const sum = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] }
const tool = (outputSchema: JsonObject = sum): JsonObject => ({
  name: 'add',
  inputSchema: { type: 'object' },
  outputSchema,
})

function serve(result: JsonObject, listed: JsonObject = tool()): ScriptedServer {
  const pages = [
    { tools: [{ name: 'other', inputSchema: { type: 'object' } }], nextCursor: 'more' },
    { tools: [listed] },
  ]
  return legacyServer({
    'tools/list': ({ cursor }) => pages[cursor === undefined ? 0 : 1]!,
    'tools/call': { content: [], ...result },
    ping: {},
  })
}

async function callAdd(server: ScriptedServer, validate: ValidationMode, options: ConnectOptions = {}) {
  const warnings: string[] = []
  await using client = await connect(server.open, {
    ...options,
    validate,
    onWarning: (message) => warnings.push(message),
  })
  for await (const _ of client.tools());
  try {
    return { result: await client.callTool('add'), warnings }
  } catch (error) {
    return { error: error as Error, warnings }
  }
}

const misfits: [string, JsonObject, JsonObject, RegExp][] = [
  [
    'content that does not fit',
    { structuredContent: { sum: 'three' } },
    tool(),
    /does not fit: structuredContent\.sum/,
  ],
  ['missing content', {}, tool(), /no structured content/],
  [
    'a schema that cannot be used',
    { structuredContent: {} },
    tool({ $ref: 'https://example.com/x' }),
    /cannot be used/,
  ],
]

// [tools.result.output-schema-validate] [tools.sec.ref-rules]
describe.each(misfits)('%s', (_, result, listed, problem) => {
  test('passes when validation is off', async () => {
    expect(await callAdd(serve(result, listed), 'off')).toMatchObject({ result: { isError: false }, warnings: [] })
  })

  test('is a warning by default', async () => {
    const { result: answered, warnings } = await callAdd(serve(result, listed), 'warn')
    expect(answered).toMatchObject({ isError: false })
    expect(warnings).toEqual([expect.stringMatching(problem)])
  })

  test('fails the call in strict mode', async () => {
    const { error } = await callAdd(serve(result, listed), 'strict')
    expect(error).toMatchObject({ code: 'invalid_result', message: expect.stringMatching(problem) })
  })
})

test('content that fits passes in strict mode', async () => {
  const { result } = await callAdd(serve({ structuredContent: { sum: 3 } }), 'strict')
  expect(result).toMatchObject({ structured: { sum: 3 } })
})

test('a failed tool is never validated', async () => {
  const { result, warnings } = await callAdd(serve({ isError: true, structuredContent: {} }), 'strict')
  expect(result).toMatchObject({ isError: true })
  expect(warnings).toEqual([])
})

test('strict mode lists the tools once to find the schema, for any number of calls', async () => {
  const server = serve({ structuredContent: { sum: 'three' } })
  await using client = await connect(server.open, { validate: 'strict' })
  const calls = [client.callTool('add'), client.callTool('add'), client.callTool('unlisted')]
  const outcomes = await Promise.allSettled(calls)
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
  await client.callTool('unlisted')
  expect(server.all('tools/list')).toHaveLength(2)
})

test('a changed list is asked for again', async () => {
  const server = serve({ structuredContent: { sum: 3 } })
  await using client = await connect(server.open, { validate: 'strict' })
  await client.callTool('add')
  server.notify('notifications/tools/list_changed')
  await client.ping()
  await client.callTool('add')
  expect(server.all('tools/list')).toHaveLength(4)
})

test('a server cannot escape the check by announcing another list before it answers', async () => {
  const server: ScriptedServer = legacyServer({
    'tools/list': () => {
      server.notify('notifications/tools/list_changed')
      return { tools: [tool()] }
    },
    'tools/call': () => {
      server.notify('notifications/tools/list_changed')
      return { content: [], structuredContent: { sum: 'three' } }
    },
  })
  await using client = await connect(server.open, { validate: 'strict' })
  const calls = [client.callTool('add'), client.callTool('add')]
  for (const call of calls) await expect(call).rejects.toThrow('does not fit')
  await expect(client.callTool('add')).rejects.toThrow('does not fit')
})

test('in warn mode a tool that was never listed is not looked up', async () => {
  const server = serve({ structuredContent: {} })
  await using client = await connect(server.open)
  await client.callTool('add')
  expect(server.all('tools/list')).toEqual([])
})

test('a tool named __proto__ is just a tool', async () => {
  const server = serve({ structuredContent: {} }, { ...tool(), name: '__proto__' })
  await using client = await connect(server.open, { validate: 'strict' })
  await expect(client.callTool('__proto__')).rejects.toMatchObject({ code: 'invalid_result' })
  expect((await client.callTool('constructor')).isError).toBe(false)
})
