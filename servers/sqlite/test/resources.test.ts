import { execFileSync } from 'node:child_process'
import type { Client } from '@tenon/sdk/client'
import { describe, expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import { call, open, python, write } from './helpers.ts'

test('the schema is a resource, whole and by table', async () => {
  const { client } = await open()
  await write(client, 'CREATE TABLE "a b/c" (id INTEGER PRIMARY KEY, v TEXT)')
  await write(client, 'CREATE VIEW w AS SELECT 1 AS one')
  const { resources } = await client.listResources()
  expect(resources.map(({ uri }) => uri)).toEqual([
    'memo://insights',
    'sqlite://schema',
    'ui://sqlite/chart',
    'sqlite://schema/a%20b%2Fc',
    'sqlite://schema/w',
  ])
  const [all] = (await client.readResource('sqlite://schema')).contents
  expect(all).toMatchObject({ text: expect.stringContaining('CREATE TABLE "a b/c"'), mimeType: 'application/sql' })
  const [one] = (await client.readResource('sqlite://schema/a%20b%2Fc')).contents
  expect(JSON.parse((one as { text: string }).text)).toMatchObject({
    name: 'a b/c',
    columns: [{ name: 'id' }, { name: 'v' }],
  })
  await expect(client.readResource('sqlite://schema/absent')).rejects.toThrow()
  const ref = { type: 'ref/resource', uri: 'sqlite://schema/{table}' } as const
  expect((await client.complete(ref, { name: 'table', value: 'A' })).values).toEqual(['a b/c'])
})

test('insights form a memo, which can be watched', async () => {
  const { client } = await open()
  const memo = async (): Promise<unknown> => (await client.readResource('memo://insights')).contents[0]
  expect(await memo()).toMatchObject({ text: expect.stringContaining('No business insights') })
  const changed: string[] = []
  await using _watch = await client.watch('memo://insights', ({ uri }) => changed.push(uri))
  expect(await call(client, 'append_insight', { insight: 'Tea sells on Mondays' })).toEqual({ insights: 1 })
  await expect.poll(() => changed).toEqual(['memo://insights'])
  expect(await memo()).toMatchObject({ text: expect.stringContaining('- Tea sells on Mondays') })
})

describe('watchers of the schema hear of changes', () => {
  const watched = async (client: Client): Promise<{ uris: Set<string>; lists: () => number }> => {
    const uris = new Set<string>()
    for (const uri of ['sqlite://schema', 'sqlite://schema/t'])
      await client.watch(uri, (update) => uris.add(update.uri))
    let lists = 0
    client.onChange('resources', () => lists++)
    return { uris, lists: () => lists }
  }
  const both = new Set(['sqlite://schema', 'sqlite://schema/t'])

  test.each(['2025-11-25', '2026-07-28'] as const)('by this server, in %s', async (revision) => {
    const { client } = await open({}, { revisions: [revision] })
    await client.listResources()
    const { uris, lists } = await watched(client)
    await write(client, 'CREATE TABLE t (v)')
    await expect.poll(() => uris).toEqual(both)
    await expect.poll(lists).toBe(1)
    uris.clear()
    await write(client, 'ALTER TABLE t ADD COLUMN w')
    await expect.poll(() => uris).toEqual(both)
    expect(lists()).toBe(1)
  })

  test('by another program', requires('python-servers'), async () => {
    const { client, file } = await open()
    const { uris, lists } = await watched(client)
    execFileSync(python, [
      '-c',
      'import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute("CREATE TABLE t (v)")',
      file,
    ])
    await expect.poll(() => uris).toEqual(both)
    await expect.poll(lists).toBe(1)
  })
})

test('prompts: the demo of the original, and one for a table', async () => {
  const { client } = await open()
  await write(client, 'CREATE TABLE orders (id)')
  const { prompts } = await client.listPrompts()
  expect(prompts.map(({ name }) => name)).toEqual(['mcp-demo', 'analyze-table'])
  const demo = await client.getPrompt('mcp-demo', { topic: 'a tea shop' })
  expect(demo.messages).toMatchObject([{ role: 'user', content: { text: expect.stringContaining('a tea shop') } }])
  await expect(client.getPrompt('mcp-demo', {})).rejects.toThrow('topic')
  const ref = { type: 'ref/prompt', name: 'analyze-table' } as const
  expect((await client.complete(ref, { name: 'table', value: 'or' })).values).toEqual(['orders'])
})
