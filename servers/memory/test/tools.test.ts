import { revisions } from '@tenon/sdk/client'
import { expect, test } from 'vitest'
import { call, create, entity, type GraphContent, namesOf, open } from './helpers.ts'

test.each(revisions)('in %s entities, relations and observations come and go', async (revision) => {
  const { client } = await open({}, revision)
  await client.callTool('create_entities', { entities: [entity('Ada', 'writes programs'), entity('Babbage')] })
  await client.callTool('create_relations', {
    relations: [{ from: 'Ada', to: 'Babbage', relationType: 'works with' }],
  })
  await client.callTool('add_observations', {
    observations: [{ entityName: 'Ada', contents: ['writes programs', 'likes music'] }],
  })
  const read = async (): Promise<GraphContent> => JSON.parse((await client.callTool('read_graph')).text)
  expect(await read()).toEqual({
    entities: [entity('Ada', 'writes programs', 'likes music'), entity('Babbage')],
    relations: [{ from: 'Ada', to: 'Babbage', relationType: 'works with' }],
  })
  await client.callTool('delete_observations', {
    deletions: [{ entityName: 'Ada', observations: ['writes programs'] }],
  })
  await client.callTool('delete_entities', { entityNames: ['Babbage'] })
  expect(await read()).toEqual({ entities: [entity('Ada', 'likes music')], relations: [] })
})

test('the answer of an addition has only the new', async () => {
  const { client } = await open()
  await create(client, 'Ada')
  expect(
    await call(client, 'create_entities', { entities: [entity('Ada', 'x'), entity('Bob'), entity('Bob', 'y')] }),
  ).toEqual({
    entities: [entity('Bob')],
  })
  const relation = { from: 'Ada', to: 'Bob', relationType: 'knows' }
  expect(await call(client, 'create_relations', { relations: [relation, relation] })).toEqual({ relations: [relation] })
  expect(await call(client, 'create_relations', { relations: [relation] })).toEqual({ relations: [] })
  const observations = [{ entityName: 'Ada', contents: ['about Ada', 'new', 'new'] }]
  expect(await call(client, 'add_observations', { observations })).toEqual({
    results: [{ entityName: 'Ada', addedObservations: ['new'] }],
  })
})

test('observations for a missing entity are an error that says what to do, and none is added', async () => {
  const { client } = await open()
  await create(client, 'Ada')
  const observations = ['Ada', 'Bob'].map((entityName) => ({ entityName, contents: ['new'] }))
  const { isError, text } = await client.callTool('add_observations', { observations })
  expect(isError).toBe(true)
  expect(text).toContain('Entity with name Bob not found')
  expect(text).toContain('create_entities')
  expect((await call(client, 'read_graph')).entities).toEqual([entity('Ada', 'about Ada')])
})

test('a deletion says how many were there, and names the others', async () => {
  const { client } = await open()
  await create(client, 'Ada', 'Bob')
  expect(await call(client, 'delete_entities', { entityNames: ['Ada', 'Eve'] })).toEqual({
    success: true,
    message: 'Entities deleted successfully. Not found: Eve',
    deleted: 1,
  })
  expect(
    await call(client, 'delete_relations', { relations: [{ from: 'a', to: 'b', relationType: 'c' }] }),
  ).toMatchObject({ deleted: 0 })
})

test('time, client and source of observations are kept, and move with a merge', async () => {
  const { client } = await open()
  const before = new Date().toISOString()
  await call(client, 'create_entities', { entities: [entity('Ada', 'one')], source: 'a letter' })
  await call(client, 'create_entities', { entities: [entity('Lady Lovelace', 'two', 'one')] })
  await call(client, 'create_relations', {
    relations: [
      { from: 'Lady Lovelace', to: 'London', relationType: 'lives in' },
      { from: 'Lady Lovelace', to: 'Ada', relationType: 'is' },
    ],
  })
  expect(await call(client, 'merge_entities', { into: 'Ada', from: ['Lady Lovelace'] })).toEqual({
    entity: entity('Ada', 'one', 'two'),
    movedObservations: 1,
    movedRelations: 1,
  })
  const { entities, relations } = await call(client, 'open_nodes', { names: ['Ada'], withOrigins: true })
  expect(entities[0]!.origins).toEqual([
    { at: expect.any(String), by: 'tenon 0.1.0', source: 'a letter' },
    { at: expect.any(String), by: 'tenon 0.1.0' },
  ])
  expect(entities[0]!.origins![0]!.at >= before).toBe(true)
  expect(relations).toEqual([{ from: 'Ada', to: 'London', relationType: 'lives in' }])
  expect(namesOf(await call(client, 'read_graph'))).toEqual(['Ada'])
  const alone = await client.callTool('merge_entities', { into: 'Ada', from: ['Ada'] })
  expect(alone).toMatchObject({ isError: true, text: expect.stringContaining('other entities') })
})

test('a neighborhood has the nearest first, follows directions and types, and says when it was cut', async () => {
  const { client } = await open()
  await create(client, 'a', 'b', 'c', 'd', 'e')
  const relate = (from: string, to: string, relationType = 'next') => ({ from, to, relationType })
  await call(client, 'create_relations', {
    relations: [relate('a', 'b'), relate('b', 'c'), relate('c', 'a'), relate('c', 'd'), relate('a', 'e', 'other')],
  })
  const distances = async (args: object): Promise<[string, number][]> => {
    const { entities } = await call<{ entities: { name: string; distance: number }[] }>(
      client,
      'read_neighborhood',
      args,
    )
    return entities.map(({ name, distance }) => [name, distance])
  }
  expect(await distances({ names: ['a'] })).toEqual([
    ['a', 0],
    ['b', 1],
    ['c', 1],
    ['e', 1],
  ])
  expect(await distances({ names: ['a'], depth: 3, direction: 'out', relationTypes: ['next'] })).toEqual([
    ...[
      ['a', 0],
      ['b', 1],
      ['c', 2],
      ['d', 3],
    ],
  ])
  expect(await distances({ names: ['d'], direction: 'in' })).toEqual([
    ['d', 0],
    ['c', 1],
  ])
  expect(await call(client, 'read_neighborhood', { names: ['a'], limit: 2 })).toMatchObject({ isCut: true })
  expect(await call(client, 'read_neighborhood', { names: ['nobody'] })).toEqual({
    entities: [],
    relations: [],
    isCut: false,
  })
})

test('namespaces have memories of their own', async () => {
  const { client } = await open()
  await create(client, 'Ada')
  await call(client, 'create_entities', { entities: [entity('Bob')], namespace: 'work' })
  expect(namesOf(await call(client, 'read_graph'))).toEqual(['Ada'])
  expect(namesOf(await call(client, 'read_graph', { namespace: 'work' }))).toEqual(['Bob'])
  expect(await call(client, 'list_namespaces')).toMatchObject({
    namespaces: [
      { namespace: 'default', entities: 1, relations: 0, changes: 1, unreadable: [] },
      { namespace: 'work', entities: 1 },
    ],
  })
})

test('an export can be imported, twice without doubles, with its origins', async () => {
  const { client } = await open()
  await call(client, 'create_entities', { entities: [entity('Ada', 'one', 'two')], source: 'a letter' })
  await call(client, 'create_relations', { relations: [{ from: 'Ada', to: 'Bob', relationType: 'knows' }] })
  const { jsonl } = await call<{ jsonl: string }>(client, 'export_graph')
  const imported = { jsonl: `${jsonl}{"type":"entity"\n{"type":"entity","name":1}`, namespace: 'copy' }
  expect(await call(client, 'import_graph', imported)).toEqual({
    createdEntities: 1,
    addedObservations: 2,
    createdRelations: 1,
    unreadableLines: 2,
    problems: ['line 3: expected JSON', 'line 4: expected name to be a text'],
  })
  expect(await call(client, 'import_graph', imported)).toMatchObject({ createdEntities: 0, addedObservations: 0 })
  const read = (args: object) => call(client, 'read_graph', { withOrigins: true, ...args })
  expect(await read({ namespace: 'copy' })).toEqual(await read({}))
})

test('everything long comes in pages', async () => {
  const { client } = await open({ maxResult: 2_000 })
  const names = Array.from({ length: 50 }, (_, index) => `entity ${index}`)
  await create(client, ...names)
  const relations = names.map((from) => ({ from, to: 'entity 0', relationType: 'follows' }))
  await call(client, 'create_relations', { relations })
  const pages = async (tool: string, args: object): Promise<GraphContent[]> => {
    const all = [await call(client, tool, args)]
    while (all.at(-1)!.nextCursor !== undefined)
      all.push(await call(client, tool, { ...args, cursor: all.at(-1)!.nextCursor }))
    return all
  }
  const read = await pages('read_graph', {})
  expect(read.length).toBeGreaterThan(3)
  expect(read.flatMap(namesOf)).toEqual(names)
  expect(read.flatMap((page) => page.relations)).toEqual(relations)
  expect(Math.max(...read.map((page) => JSON.stringify(page).length))).toBeLessThan(2_500)
  expect((await pages('search_nodes', { query: 'entity', limit: 20 })).flatMap(namesOf).sort()).toEqual(
    [...names].sort(),
  )
  expect((await pages('read_history', { limit: 1 })).length).toBe(2)
  expect((await pages('export_graph', {})).length).toBeGreaterThan(3)
  const opened = await call<{ notShown: string[] }>(client, 'open_nodes', { names })
  expect(opened.notShown.length).toBeGreaterThan(10)
})

test('a cursor of another list, or of a deleted entity, is refused with what to do', async () => {
  const { client } = await open()
  await create(client, 'a', 'b', 'c')
  const { nextCursor: cursor } = await call(client, 'read_graph', { limit: 1 })
  for (const wrong of ['x', cursor]) {
    const { isError, text } = await client.callTool('search_nodes', { query: 'a', cursor: wrong })
    expect({ isError, text }).toEqual({ isError: true, text: expect.stringContaining('Begin again without a cursor') })
  }
  await call(client, 'delete_entities', { entityNames: ['a'] })
  expect(await client.callTool('read_graph', { cursor })).toMatchObject({ isError: true })
})

test('with readOnly nothing can be changed, and no file is made', async () => {
  const { client } = await open({ readOnly: true })
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name).sort()).toEqual([
    ...[
      'export_graph',
      'list_namespaces',
      'open_nodes',
      'read_graph',
      'read_history',
      'read_neighborhood',
      'search_nodes',
    ],
  ])
  expect(await call(client, 'read_graph')).toEqual({ entities: [], relations: [] })
})

test('annotations say which tools read, delete, and can be repeated', async () => {
  const { client } = await open()
  const { tools } = await client.listTools()
  const which = (hint: string) =>
    tools.filter(({ annotations }) => annotations?.[hint as 'readOnlyHint']).map(({ name }) => name)
  expect(which('destructiveHint').sort()).toEqual([
    ...['delete_entities', 'delete_observations', 'delete_relations', 'merge_entities', 'undo_change'],
  ])
  expect(tools.filter(({ annotations }) => !annotations?.idempotentHint).map(({ name }) => name)).toEqual([
    'undo_change',
  ])
  expect(which('openWorldHint')).toEqual([])
  for (const { title, outputSchema } of tools) expect({ title, outputSchema }).not.toContain(undefined)
})

test('prompts have what is known about a topic', async () => {
  const { client } = await open()
  await create(client, 'Ada Lovelace')
  const { messages } = await client.getPrompt('recall', { topic: 'ada' })
  expect(JSON.stringify(messages)).toContain('about Ada Lovelace')
  expect(JSON.stringify(await client.getPrompt('recall', { topic: 'xyz' }))).toContain('nothing about xyz')
  expect(JSON.stringify(await client.getPrompt('remember'))).toContain('create_entities')
  const { values } = await client.complete({ type: 'ref/prompt', name: 'recall' }, { name: 'topic', value: 'ad' })
  expect(values).toEqual(['Ada Lovelace'])
})
