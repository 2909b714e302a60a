import type { Client } from '@tenon/sdk/client'
import { expect, test } from 'vitest'
import { call, create, entity, open, ours, start } from './helpers.ts'

const both = ['2025-11-25', '2026-07-28'] as const

async function updates(client: Client, uri: string): Promise<() => Promise<string>> {
  const heard: string[] = []
  const waiting: ((uri: string) => void)[] = []
  await client.watch(uri, (update) => {
    const next = waiting.shift()
    if (next === undefined) heard.push(update.uri)
    else next(update.uri)
  })
  return () => new Promise((resolve) => (heard.length > 0 ? resolve(heard.shift()!) : waiting.push(resolve)))
}

test.each(both)('in %s the graph is a resource, and its watchers hear of changes by any process', async (revision) => {
  const { client, file } = await open({}, revision)
  const next = await updates(client, 'memory://knowledge-graph')
  await create(client, 'Ada')
  expect(await next()).toBe('memory://knowledge-graph')
  const other = await start(ours(file))
  await create(other, 'Bob')
  expect(await next()).toBe('memory://knowledge-graph')
  const { contents } = await client.readResource('memory://knowledge-graph')
  expect(contents).toMatchObject([{ mimeType: 'application/json' }])
  expect(JSON.parse((contents[0] as { text: string }).text)).toEqual({
    entities: [entity('Ada', 'about Ada'), entity('Bob', 'about Bob')],
    relations: [],
  })
})

test('namespaces and entities are resources, too, whatever their names', async () => {
  const { client } = await open()
  const name = 'a/b ?#%"(é)*'
  await call(client, 'create_entities', { entities: [entity(name, 'one')], namespace: 'work' })
  const uri = `memory://entity/${encodeURIComponent(name).replace(/[()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)}?namespace=work`
  const next = await updates(client, uri)
  await call(client, 'add_observations', { observations: [{ entityName: name, contents: ['two'] }], namespace: 'work' })
  expect(await next()).toBe(uri)
  const { contents } = await client.readResource(uri)
  expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ name, observations: ['one', 'two'] })
  const graph = await client.readResource('memory://knowledge-graph?namespace=work')
  expect(JSON.stringify(graph)).toContain('two')
  for (const missing of ['memory://entity/nobody', 'memory://knowledge-graph?namespace=..%2Fx']) {
    await expect(client.readResource(missing)).rejects.toMatchObject({ code: -32002 })
  }
})

test('names and namespaces complete', async () => {
  const { client } = await open()
  await create(client, 'Ada', 'Adele', 'Bob')
  await call(client, 'create_entities', { entities: [entity('Adam')], namespace: 'work' })
  const ref = { type: 'ref/resource', uri: 'memory://entity/{name}{?namespace}' } as const
  expect((await client.complete(ref, { name: 'name', value: 'AD' })).values).toEqual(['Ada', 'Adele'])
  expect((await client.complete(ref, { name: 'namespace', value: 'w' })).values).toEqual(['work'])
})
