import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Client } from '@tenon/sdk/client'
import { expect, test } from 'vitest'
import { call, create, entity, namesIn, namesOf, original, ours, start, testFolder } from './helpers.ts'

const writers = 4
const writes = 250

const writeAll = (clients: Client[]): Promise<unknown> =>
  Promise.all(
    clients.flatMap((client, writer) =>
      Array.from({ length: writes }, (_, index) => create(client, `writer ${writer}, entity ${index}`)),
    ),
  )

test('four processes with 250 parallel writes each: none is lost, and all of them know all', async () => {
  const file = join(testFolder(), 'memory.jsonl')
  const clients = await Promise.all(Array.from({ length: writers }, () => start(ours(file))))
  await writeAll(clients)
  for (const client of clients) {
    expect(await call(client, 'list_namespaces')).toMatchObject({ namespaces: [{ entities: 1_000, changes: 1_000 }] })
  }
  await Promise.all(clients.map((client) => client.close()))
  expect(new Set(namesIn(file)).size).toBe(1_000)
  expect(readdirSync(dirname(file)).sort()).toEqual(['memory.jsonl', 'memory.jsonl.history', 'memory.jsonl.log'])
})

test('the original loses writes that it acknowledged, with one process', async () => {
  const file = join(testFolder(), 'memory.jsonl')
  const client = await start(original(file))
  await Promise.all(Array.from({ length: 40 }, (_, index) => create(client, `entity ${index}`)))
  expect(namesOf(await call(client, 'read_graph')).length).toBeLessThan(40)
})

test('processes that add to one entity at once add each observation once', async () => {
  const file = join(testFolder(), 'memory.jsonl')
  const clients = await Promise.all([start(ours(file)), start(ours(file))])
  await create(clients[0]!, 'Ada')
  const contents = Array.from({ length: 50 }, (_, index) => `fact ${index}`)
  const results = await Promise.all(
    clients.flatMap((client) =>
      contents.map((text) =>
        call<{ results: { addedObservations: string[] }[] }>(client, 'add_observations', {
          observations: [{ entityName: 'Ada', contents: [text] }],
        }),
      ),
    ),
  )
  const added = results.flatMap(({ results }) => results[0]!.addedObservations)
  expect(added.sort()).toEqual([...contents].sort())
  const { entities } = await call(clients[1]!, 'read_graph')
  expect(entities[0]!.observations.toSorted()).toEqual([...contents, 'about Ada'].sort())
})

test('a process that closes, and so moves the log into the file, disturbs no other', async () => {
  const file = join(testFolder(), 'memory.jsonl')
  const stays = await start(ours(file))
  for (let round = 0; round < 5; round++) {
    const passing = await start(ours(file))
    const closing = create(passing, `passing ${round}`).then(() => passing.close())
    const written = Array.from({ length: 20 }, (_, index) => create(stays, `stays ${round} ${index}`))
    await Promise.all([closing, ...written])
  }
  expect((await call(stays, 'read_graph')).entities).toHaveLength(105)
  await stays.close()
  expect(namesIn(file)).toHaveLength(105)
  const after = await start(ours(file))
  expect((await call(after, 'read_graph')).entities).toContainEqual(entity('stays 4 19', 'about stays 4 19'))
})
