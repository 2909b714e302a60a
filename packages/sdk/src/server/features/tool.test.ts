/** The names of the specification are accepted where Tenon has shorter ones. */
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createServer, type ServerTool, ToolResult, tool } from '../../server.ts'
import { testClient } from '../../testing.ts'

const run = (): string => 'done'

describe('annotations', () => {
  test('have the names of the specification, or shorter ones, or both', () => {
    const long = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
    const short = { readOnly: true, destructive: false, idempotent: true, openWorld: false }
    for (const annotations of [long, short, { ...long, ...short }]) {
      expect(tool({ name: 'a', annotations: { title: 'A', ...annotations }, run }).listed.annotations).toEqual({
        title: 'A',
        ...long,
      })
    }
  })

  test('that contradict themselves are refused', () => {
    const define = () => tool({ name: 'a', annotations: { readOnly: true, readOnlyHint: false }, run })
    expect(define).toThrow('tool "a" annotations: expected one value, but readOnly is true, and readOnlyHint is false')
  })
})

test('a ToolResult takes structuredContent and _meta as well as structured and meta', async () => {
  const output = { type: 'object', properties: { sum: { type: 'number' } } } as const
  const spelled = { structuredContent: { sum: 3 }, _meta: { 'com.example/a': 1 } }
  const long = tool({ name: 'long', output, run: () => new ToolResult(spelled) })
  const short = tool({
    name: 'short',
    output,
    run: () => new ToolResult({ structured: spelled.structuredContent, meta: spelled._meta }),
  })
  await using client = await testClient(createServer({ name: 'a', version: '1', tools: [long, short] }))
  for (const name of ['long', 'short'] as const) {
    const { content, structured, structuredContent, meta, _meta } = await client.callTool(name)
    expect(content).toEqual([{ type: 'text', text: '{"sum":3}' }])
    expect([structured, structuredContent]).toEqual([{ sum: 3 }, { sum: 3 }])
    expect([meta, _meta]).toMatchObject([spelled._meta, spelled._meta])
  }
})

describe('$schema', () => {
  const dialect = 'https://json-schema.org/draft/2020-12/schema'

  test.each([
    ['Zod', z.object({ a: z.number() })],
    ['Valibot', toStandardJsonSchema(v.object({ a: v.number() }))],
    ['ArkType', type({ a: 'number' })],
  ])('of %s is not listed: clients whose validator does not know it refuse the tool', (_library, schema) => {
    const { listed } = tool({ name: 'a', input: schema, output: schema, run: () => ({ a: 1 }) as never })
    expect(listed).toMatchObject({ inputSchema: { type: 'object' }, outputSchema: { type: 'object' } })
    expect(JSON.stringify(listed)).not.toContain('$schema')
  })

  test.each([dialect, 'http://json-schema.org/draft-07/schema#'])(
    '%s of a JSON Schema goes out as it was written',
    ($schema) => {
      const input = { $schema, type: 'object', properties: { $schema: { const: dialect } } } as const
      expect(tool({ name: 'a', input, run }).listed.inputSchema).toEqual(input)
    },
  )
})

describe('a result as a plain object', () => {
  const blocks = [{ type: 'text' as const, text: '21 degrees' }]
  const output = z.object({ degrees: z.number() })
  const call = async (defined: ServerTool): Promise<unknown> => {
    const errors: unknown[] = []
    const server = createServer({ name: 'a', version: '1', tools: [defined], onError: (error) => errors.push(error) })
    await using client = await testClient(server)
    const { content, structuredContent, isError, _meta } = await client.callTool(defined.name)
    if (errors.length > 0) throw errors[0]
    return { content, structuredContent, isError, _meta }
  }

  test('has the members of the specification', async () => {
    const _meta = { 'example.com/a': 1 }
    const plain = tool({
      name: 'a',
      run: () => ({ content: blocks, structuredContent: { a: 1 }, isError: false, _meta }),
    })
    expect(await call(plain)).toMatchObject({ content: blocks, structuredContent: { a: 1 }, isError: false, _meta })
    const failed = tool({ name: 'a', run: async () => ({ content: [{ type: 'text', text: 'no' }], isError: true }) })
    expect(await call(failed)).toMatchObject({ content: [{ type: 'text', text: 'no' }], isError: true })
  })

  test('is checked against the output schema', async () => {
    const right = tool({ name: 'a', output, run: () => ({ content: blocks, structuredContent: { degrees: 21 } }) })
    expect(await call(right)).toMatchObject({ content: blocks, structuredContent: { degrees: 21 } })
    // @ts-expect-error: other data
    const wrong = tool({ name: 'a', output, run: () => ({ content: blocks, structuredContent: { degrees: 'warm' } }) })
    await expect(call(wrong)).rejects.toThrow('result.degrees')
    const failed = tool({ name: 'a', output, run: () => ({ content: blocks, isError: true }) })
    expect(await call(failed)).toMatchObject({ content: blocks, structuredContent: undefined, isError: true })
  })

  test('is data where the output schema has such data', async () => {
    const letter = z.object({ content: z.array(z.string()) })
    expect(await call(tool({ name: 'a', output: letter, run: () => ({ content: ['Dear'] }) }))).toMatchObject({
      structuredContent: { content: ['Dear'] },
    })
    const free = z.record(z.string(), z.unknown())
    expect(await call(tool({ name: 'a', output: free, run: () => ({ content: [] }) }))).toMatchObject({
      structuredContent: { content: [] },
    })
  })

  test('may be that of another server', async () => {
    const weather = tool({ name: 'weather', output, run: () => ({ degrees: 21 }) })
    await using client = await testClient(createServer({ name: 'b', version: '1', tools: [weather] }))
    const passed = tool({ name: 'a', run: () => client.callTool('weather') })
    expect(await call(passed)).toMatchObject({ structuredContent: { degrees: 21 } })
  })

  test('with other members is refused', async () => {
    const run = () => ({ content: blocks, color: 'red' })
    await expect(call(tool({ name: 'a', run }))).rejects.toThrow('a tool without an output schema returns')
    await expect(call(tool({ name: 'a', run: () => ({ content: [{}] }) as never }))).rejects.toThrow('content block')
  })
})
