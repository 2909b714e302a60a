import type { Client } from '@tenon/sdk/client'
import { expect, test } from 'vitest'
import { original, ours, start, thought } from './helpers.ts'

const both = async (): Promise<[theirs: Client, mine: Client]> => [await start(original), await start(ours())]

test('has the tool of the original, with its parameters and output', async () => {
  const [theirs, mine] = await both()
  const [tool] = (await theirs.listTools()).tools
  const { tools } = await mine.listTools()
  expect(tools.map(({ name }) => name)).toEqual([tool!.name, 'read_thoughts', 'show_thoughts', 'forget_thoughts'])
  const [like] = tools
  const { chain: _ours, ...parameters } = like!.inputSchema.properties as { [name: string]: unknown }
  expect(Object.keys(parameters)).toEqual(Object.keys(tool!.inputSchema.properties!))
  expect(like!.inputSchema.required).toEqual(tool!.inputSchema.required)
  const types = (properties: object) => Object.values(properties).map(({ type, anyOf }) => type ?? anyOf)
  expect(types(parameters)).toEqual(types(tool!.inputSchema.properties!))
  expect(Object.keys(like!.outputSchema!.properties!)).toEqual([
    ...Object.keys(tool!.outputSchema!.properties!),
    'chain',
  ])
  // The original says that it changes nothing, and adds to its history.
  expect(tool!.annotations).toMatchObject({ readOnlyHint: true, idempotentHint: true })
  expect(like!.annotations).toMatchObject({ readOnlyHint: false, idempotentHint: false })
})

const script: { [name: string]: unknown }[] = [
  thought('first'),
  thought('more than estimated', 7),
  thought('revised', 2, { isRevision: true, revisesThought: 1 }),
  thought('a branch', 3, { branchFromThought: 1, branchId: 'a' }),
  thought('no branch without its start', 3, { branchId: 'b' }),
  thought('words for values', 1, {
    thoughtNumber: '4',
    totalThoughts: '9',
    nextThoughtNeeded: 'False',
    isRevision: 'TRUE',
  }),
  thought('the last', 5, { nextThoughtNeeded: false, needsMoreThoughts: true }),
  { thought: 'no number' },
  thought('wrong number', 0),
  thought('wrong flag', 1, { nextThoughtNeeded: 'maybe' }),
]

test('answers a script of thoughts as the original does', async () => {
  const [theirs, mine] = await both()
  for (const args of script) {
    const expected = await theirs.callTool('sequentialthinking', args)
    const { isError, structured, text } = await mine.callTool('sequentialthinking', args)
    expect([args, isError]).toEqual([args, expected.isError])
    if (isError) continue
    const { chain, ...same } = structured as { chain: string }
    expect(same).toEqual(expected.structured)
    expect(JSON.parse(text)).toEqual({ ...JSON.parse(expected.text), chain })
  }
})
