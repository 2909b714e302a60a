import type { Tool } from '@tenon/sdk/client'
import { expect, test } from 'vitest'
import { judgeSchemas } from './schemas.ts'

const tool = (name: string, more: object = {}): Tool =>
  ({ name, description: 'Does it.', inputSchema: { type: 'object' }, ...more }) as Tool

test.each([
  ['nothing', [], undefined],
  ['good ones', [tool('add')], { status: 'ok' }],
  [
    'arguments that are no object',
    [tool('add', { inputSchema: { type: 'string' } })],
    { status: 'failed', detail: 'add: inputSchema: expected type "object", got "string"' },
  ],
  [
    'a schema that cannot be used',
    [tool('add', { outputSchema: { type: 'object', properties: { a: { type: 'nothing' } } } })],
    { status: 'failed', detail: expect.stringMatching(/^add: outputSchema: .*nothing/) },
  ],
  ['no description', [tool('add', { description: ' ' })], { status: 'warning', detail: 'add has no description' }],
  ['a name with a space', [tool('add numbers')], { status: 'warning' }],
  [
    'many faults',
    ['a', 'b', 'c', 'd', 'e'].map((name) => tool(name, { inputSchema: {} })),
    { status: 'failed', detail: expect.stringMatching(/^a: .*; b: .*; c: .*; and 2 more$/) },
  ],
])('schemas: %s', (_name, tools, expected) => {
  const found = judgeSchemas(tools as Tool[])
  if (expected === undefined) expect(found).toBeUndefined()
  else expect(found).toMatchObject(expected)
})
