/** The names of the specification are accepted where Tenon has shorter ones. */
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createServer, ToolResult, tool } from '../../server.ts'
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
  for (const name of ['long', 'short']) {
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
