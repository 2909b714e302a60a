import { expect, test } from 'vitest'
import { testClient } from '../../testing/test-client.ts'
import { createServer } from '../server.ts'
import { prompt } from './prompt.ts'
import { resource } from './resource.ts'
import { tool } from './tool.ts'

const many = <T>(count: number, make: (number: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))

const serverOf = (options: object = {}): ReturnType<typeof createServer> =>
  createServer({
    name: 'long',
    version: '1.0.0',
    tools: many(1_001, (number) => tool({ name: `tool-${number}`, run: () => '' })),
    resources: many(101, (number) => resource({ uri: `note:///${number}`, name: `${number}`, read: () => '' })),
    prompts: many(101, (number) => prompt({ name: `prompt-${number}`, run: () => '' })),
    ...options,
  })

const sizesOf = async (options?: object): Promise<number[]> => {
  await using client = await testClient(serverOf(options))
  const { tools } = await client.listTools()
  const { resources } = await client.listResources()
  const { prompts } = await client.listPrompts()
  return [tools.length, resources.length, prompts.length]
}

test('a page has 1,000 tools, which many clients never ask for more of, and 100 of the others', async () => {
  expect(await sizesOf()).toEqual([1_000, 100, 100])
})

test('one number is for all lists, and each list may have its own', async () => {
  expect(await sizesOf({ pageSize: 7 })).toEqual([7, 7, 7])
  expect(await sizesOf({ pageSize: { resources: 20 } })).toEqual([1_000, 20, 100])
  expect(await sizesOf({ pageSize: { tools: 3, prompts: 5 } })).toEqual([3, 100, 5])
})

test.each([[0], [1.5], [{ tools: 0 }], [{ tool: 5 }], ['20']])('a page size of %j is refused', (pageSize) => {
  expect(() => serverOf({ pageSize })).toThrow(expect.objectContaining({ code: 'invalid_definition' }))
})
