import { join } from 'node:path'
import type { Client, Tool } from '@tenon/sdk/client'
import { expect, test } from 'vitest'
import { entity, original, ours, start, testFolder } from './helpers.ts'

/** Parameters that we have and the original lacks, by tool. */
const moreParameters: { [tool: string]: string[] } = {
  create_entities: ['namespace', 'source'],
  create_relations: ['namespace'],
  add_observations: ['namespace', 'source'],
  delete_entities: ['namespace'],
  delete_observations: ['namespace'],
  delete_relations: ['namespace'],
  read_graph: ['cursor', 'limit', 'namespace', 'withOrigins'],
  search_nodes: ['cursor', 'limit', 'namespace', 'withOrigins'],
  open_nodes: ['namespace', 'withOrigins'],
}

const moreTools = [
  ...['export_graph', 'import_graph', 'list_namespaces', 'merge_entities'],
  ...['read_history', 'read_neighborhood', 'undo_change'],
]

async function both(): Promise<{ theirs: Client; mine: Client }> {
  const folder = testFolder()
  const theirs = await start(original(join(folder, 'original.jsonl')))
  const mine = await start(ours(join(folder, 'ours.jsonl')))
  return { theirs, mine }
}

/** The part of a schema that decides which arguments are accepted. */
function shapeOf(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(shapeOf)
  if (typeof schema !== 'object' || schema === null) return schema
  const { type, properties, items, required } = schema as { [name: string]: unknown }
  const shapes = Object.entries((properties as object | undefined) ?? {}).map(([name, value]) => [name, shapeOf(value)])
  return {
    type,
    ...(items !== undefined && { items: shapeOf(items) }),
    ...(properties !== undefined && { properties: Object.fromEntries(shapes) }),
    ...(Array.isArray(required) && required.length > 0 && { required: [...required].sort() }),
  }
}

test('has every tool of the original, with its parameters and output', async () => {
  const { theirs, mine } = await both()
  const { tools } = await theirs.listTools()
  const known = new Map((await mine.listTools()).tools.map((tool) => [tool.name, tool]))
  for (const tool of tools) {
    const like = known.get(tool.name)!
    const shape = shapeOf(like.inputSchema) as { properties: { [name: string]: unknown } }
    for (const name of moreParameters[tool.name]!) delete shape.properties[name]
    expect([tool.name, shape]).toEqual([tool.name, { properties: {}, ...(shapeOf(tool.inputSchema) as object) }])
    for (const name of Object.keys(tool.outputSchema!.properties!)) {
      expect(Object.keys((like.outputSchema as Tool['outputSchema'])!.properties!)).toContain(name)
    }
    known.delete(tool.name)
  }
  expect([...known.keys()].sort()).toEqual(moreTools)
  expect((await mine.listResources()).resources[0]).toMatchObject({
    uri: (await theirs.listResources()).resources[0]!.uri,
  })
})

const relation = { from: 'Ada', to: 'Bob', relationType: 'knows' }

/** Calls with the same answer in text and structured content. */
const script: [string, object][] = [
  [
    'create_entities',
    { entities: [entity('Ada', 'drinks tea'), entity('Bob', 'drinks coffee'), entity('__proto__', 'x')] },
  ],
  ['create_entities', { entities: [entity('Ada', 'other'), entity('Eve')] }],
  ['create_relations', { relations: [relation, { from: 'Eve', to: 'nobody', relationType: 'seeks' }] }],
  ['create_relations', { relations: [relation] }],
  ['add_observations', { observations: [{ entityName: 'Eve', contents: ['drinks tea', 'listens'] }] }],
  ['add_observations', { observations: [{ entityName: 'Eve', contents: ['listens', 'writes'] }] }],
  ['read_graph', {}],
  ['open_nodes', { names: ['Ada', 'nobody'] }],
  ['open_nodes', { names: ['__proto__'] }],
  ['delete_observations', { deletions: [{ entityName: 'Eve', observations: ['listens'] }] }],
  ['delete_relations', { relations: [relation] }],
  ['delete_entities', { entityNames: ['Bob'] }],
  ['read_graph', {}],
]

test('answers a script of calls as the original does', async () => {
  const { theirs, mine } = await both()
  for (const [tool, args] of script) {
    const expected = await theirs.callTool(tool, { ...args })
    const { text, structured } = await mine.callTool(tool, { ...args })
    const { deleted: _more, ...same } = structured as { deleted?: number }
    expect([tool, text, same]).toEqual([tool, expected.text, expected.structured])
  }
})

test('differs where the README says so', async () => {
  const { theirs, mine } = await both()
  const entities = [entity('Tea', 'hot'), entity('Ada', 'drinks tea', 'drinks tea'), entity('Ada', 'twice')]
  const names = async (client: Client, tool: string, args: object): Promise<string[]> => {
    const { structured } = await client.callTool(tool, { ...args })
    return (structured as { entities: { name: string }[] }).entities.map(({ name }) => name)
  }
  // A name, or an observation, that one call has twice.
  expect(await names(theirs, 'create_entities', { entities })).toEqual(['Tea', 'Ada', 'Ada'])
  expect(await names(mine, 'create_entities', { entities })).toEqual(['Tea', 'Ada'])
  // Searching for words in any order.
  expect(await names(theirs, 'search_nodes', { query: 'tea drinks' })).toEqual([])
  expect(await names(mine, 'search_nodes', { query: 'tea drinks' })).toEqual(['Ada'])
  expect(await names(mine, 'search_nodes', { query: 'tea' })).toEqual(['Tea', 'Ada'])
  // The error for a missing entity says more.
  const missing = { observations: [{ entityName: 'Zoe', contents: ['x'] }] }
  const expected = await theirs.callTool('add_observations', missing)
  const { isError, text } = await mine.callTool('add_observations', missing)
  expect([expected.isError, isError]).toEqual([true, true])
  expect(text.startsWith(expected.text)).toBe(true)
})
