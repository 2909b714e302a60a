import { statSync } from 'node:fs'
import type { Client } from '@tenon/sdk/client'
import { expect, test } from 'vitest'
import { call, create, entity, namesOf, open } from './helpers.ts'

interface Listed {
  changes: { change: number; tool: string; entities: string[]; isUndone: boolean; undoes?: number; by?: string }[]
}

const history = async (client: Client, args: object = {}): Promise<Listed['changes']> =>
  (await call<Listed>(client, 'read_history', args)).changes

test('changes are listed with their author, the newest first, also those of one entity', async () => {
  const { client } = await open()
  await create(client, 'Ada')
  await create(client, 'Bob')
  await create(client, 'Bob')
  await call(client, 'delete_entities', { entityNames: ['Ada'] })
  expect(await history(client)).toMatchObject([
    { change: 3, tool: 'delete_entities', entities: ['Ada'], by: 'tenon 0.1.0' },
    { change: 2, tool: 'create_entities', entities: ['Bob'] },
    { change: 1, tool: 'create_entities', entities: ['Ada'], isUndone: false },
  ])
  expect((await history(client, { entityName: 'Bob' })).map(({ change }) => change)).toEqual([2])
})

test('every kind of change can be undone, the last one first, and done again', async () => {
  const { client } = await open()
  const states: unknown[] = []
  const state = async (): Promise<unknown> => call(client, 'read_graph', { withOrigins: true })
  const edits: [string, object][] = [
    ['create_entities', { entities: [entity('a', 'one', 'two', 'three'), entity('b', 'x')] }],
    ['create_relations', { relations: [{ from: 'a', to: 'b', relationType: 'knows' }] }],
    ['add_observations', { observations: [{ entityName: 'a', contents: ['four'] }], source: 'me' }],
    ['delete_observations', { deletions: [{ entityName: 'a', observations: ['two', 'four'] }] }],
    ['delete_relations', { relations: [{ from: 'a', to: 'b', relationType: 'knows' }] }],
    [
      'import_graph',
      { jsonl: JSON.stringify({ type: 'entity', name: 'a', entityType: 'thing', observations: ['five'] }) },
    ],
    ['merge_entities', { into: 'b', from: ['a'] }],
    ['delete_entities', { entityNames: ['b'] }],
  ]
  for (const [tool, args] of edits) {
    states.push(await state())
    await call(client, tool, args)
  }
  const last = await state()
  const sorted = (graph: unknown): string => JSON.stringify(graph).length + [...JSON.stringify(graph)].sort().join('')
  for (const before of states.toReversed()) {
    await call(client, 'undo_change')
    // Entities that come back stand at the end.
    expect(sorted(await state())).toBe(sorted(before))
  }
  expect(await client.callTool('undo_change')).toMatchObject({
    isError: true,
    text: expect.stringContaining('no change'),
  })
  for (const { change, undoes } of (await history(client)).filter(({ undoes }) => undoes !== undefined)) {
    expect(await call(client, 'undo_change', { change })).toMatchObject({ undone: { undoes } })
  }
  expect(sorted(await state())).toBe(sorted(last))
})

test('an undone deletion of observations brings them back to their places', async () => {
  const { client } = await open()
  await call(client, 'create_entities', { entities: [entity('a', 'one', 'two', 'three', 'four')] })
  await call(client, 'delete_observations', { deletions: [{ entityName: 'a', observations: ['one', 'three'] }] })
  await call(client, 'undo_change')
  expect((await call(client, 'read_graph')).entities).toEqual([entity('a', 'one', 'two', 'three', 'four')])
})

test('a change on which later ones build is not undone before them', async () => {
  const { client } = await open()
  await create(client, 'Ada')
  await create(client, 'Bob')
  await call(client, 'add_observations', { observations: [{ entityName: 'Ada', contents: ['new'] }] })
  const { isError, text } = await client.callTool('undo_change', { change: 1 })
  expect({ isError, text }).toEqual({ isError: true, text: expect.stringContaining('in this order: 3.') })
  await call(client, 'undo_change', { change: 2 })
  await call(client, 'undo_change', { change: 3 })
  await call(client, 'undo_change', { change: 1 })
  expect(namesOf(await call(client, 'read_graph'))).toEqual([])
  expect(await client.callTool('undo_change', { change: 1 })).toMatchObject({ isError: true })
  expect(await client.callTool('undo_change', { change: 99 })).toMatchObject({ isError: true })
})

test('the history outlasts the process, and keeps the newest changes within its size', async () => {
  const first = await open({ historySize: 20_000 })
  for (let index = 0; index < 50; index++) {
    await call(first.client, 'create_entities', { entities: [entity(`n${index}`, 'x'.repeat(500))] })
    if (index % 10 === 9) await (await open({ file: first.file, historySize: 20_000 })).close()
  }
  await first.close()
  const second = await open({ file: first.file, historySize: 20_000 })
  expect(statSync(`${first.file}.history`).size).toBeLessThanOrEqual(20_000)
  const changes = (await history(second.client, { limit: 1_000 })).map(({ change }) => change)
  expect(changes.length).toBeLessThan(40)
  expect(changes).toEqual(Array.from({ length: changes.length }, (_, index) => 50 - index))
  await call(second.client, 'undo_change')
  expect(namesOf(await call(second.client, 'read_graph'))).toHaveLength(49)
})
