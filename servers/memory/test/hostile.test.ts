import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { call, create, entity, namesOf, open, testFolder } from './helpers.ts'

const tricky = [
  '__proto__',
  'constructor',
  'toString',
  '',
  ' ',
  '\0',
  '\n',
  '"',
  '\u202e',
  '\ud800',
  '😀',
  '../../etc/passwd',
  '{"type":"entity"}',
]

test('names of any kind are names, and come back from the file as they were', async () => {
  const first = await open()
  await call(first.client, 'create_entities', { entities: tricky.map((name) => entity(name, name)) })
  await call(first.client, 'create_relations', {
    relations: tricky.map((name) => ({ from: name, to: '__proto__', relationType: name })),
  })
  const before = await call(first.client, 'read_graph')
  expect(namesOf(before)).toHaveLength(tricky.length)
  await first.close()
  const second = await open({ file: first.file })
  expect(await call(second.client, 'read_graph')).toEqual(before)
  expect(await call(second.client, 'open_nodes', { names: ['__proto__'] })).toMatchObject({
    entities: [{ name: '__proto__' }],
  })
  await call(second.client, 'delete_entities', { entityNames: tricky })
  expect(await call(second.client, 'read_graph')).toEqual({ entities: [], relations: [] })
})

test('relations whose parts have the same letters are different', async () => {
  const { client } = await open()
  const relations = [
    { from: 'ab', to: 'c', relationType: 'd' },
    { from: 'a', to: 'bc', relationType: 'd' },
    { from: 'a', to: 'b', relationType: 'cd' },
  ]
  await call(client, 'create_relations', { relations })
  expect((await call(client, 'read_graph')).relations).toEqual(relations)
})

test('a namespace cannot leave the folder of the memory', async () => {
  const folder = testFolder()
  const { client } = await open({ file: join(folder, 'inner/memory.jsonl') })
  const names = ['../outside', '..', '.', '/tmp/x', 'a/b', 'a\\b', 'A', 'a.b', 'con:', 'x'.repeat(65), '__proto__', '']
  for (const namespace of names) {
    const answer = await client.callTool('create_entities', { entities: [entity('x')], namespace })
    expect([namespace, answer.isError]).toEqual([namespace, true])
  }
  expect(readdirSync(folder)).toEqual(['inner'])
  await call(client, 'create_entities', { entities: [entity('x')], namespace: 'constructor' })
  expect(await call(client, 'list_namespaces')).toMatchObject({
    namespaces: [{ entities: 0 }, { namespace: 'constructor' }],
  })
})

test('there are at most a hundred namespaces, and reading one makes no file', async () => {
  const { client, file } = await open()
  for (let index = 1; index < 100; index++) await call(client, 'read_graph', { namespace: `n${index}` })
  expect(readdirSync(dirname(file))).toEqual([])
  const { isError, text } = await client.callTool('read_graph', { namespace: 'one-more' })
  expect([isError, text]).toEqual([true, expect.stringContaining('list_namespaces')])
})

test('what is too large is refused with the limit, and nothing changes', async () => {
  const { client, file } = await open({ maxSize: 1_500_000 })
  await create(client, 'Ada')
  const long = (count: number) => Array.from({ length: count }, (_, index) => `${index} ${'x'.repeat(99_000)}`)
  const refused: [string, object, string][] = [
    ['create_entities', { entities: [entity('x'.repeat(1_001))] }, 'name'],
    ['create_entities', { entities: [entity('x', 'x'.repeat(100_001))] }, 'observations'],
    ['create_entities', { entities: Array.from({ length: 10_001 }, (_, index) => entity(`${index}`)) }, 'entities'],
    ['create_entities', { entities: [entity('x', ...long(11))] }, '1000000 characters'],
    ['create_entities', { entities: [entity('x', ...long(8)), entity('y', ...long(8))] }, '--max-size'],
    ['import_graph', { jsonl: 'x'.repeat(5_000_001) }, 'jsonl'],
    ['search_nodes', { query: 'x'.repeat(10_001) }, 'query'],
    ['read_neighborhood', { names: ['Ada'], depth: 11 }, 'depth'],
  ]
  for (const [tool, args, says] of refused) {
    const { isError, text } = await client.callTool(tool, { ...args })
    expect([tool, isError, text]).toEqual([tool, true, expect.stringContaining(says)])
  }
  expect(namesOf(await call(client, 'read_graph'))).toEqual(['Ada'])
  expect(existsSync(`${file}.lock`)).toBe(false)
})

test('a query of many words, or of signs of patterns, is just a query', async () => {
  const { client } = await open()
  await create(client, 'Ada', 'a.c', 'abc')
  for (const query of [
    '(',
    '[',
    '.*',
    '\\',
    '^$',
    '\n\n',
    Array.from({ length: 1_500 }, (_, index) => `w${index}`).join(' '),
  ]) {
    await call(client, 'search_nodes', { query })
  }
  expect(namesOf(await call(client, 'search_nodes', { query: 'a.c' }))[0]).toBe('a.c')
})

test('origins that somebody wrote into an import are kept only in their form', async () => {
  const { client } = await open()
  const lines = [{ at: 1 }, { at: 'x', by: {} }, [{ at: 'y' }, null], 'z', { at: 'good', source: 'me' }].map(
    (origins, index) =>
      JSON.stringify({ type: 'entity', name: `n${index}`, entityType: 't', observations: ['a', 'b'], origins }),
  )
  await call(client, 'import_graph', { jsonl: lines.join('\n') })
  const { entities } = await call(client, 'read_graph', { withOrigins: true })
  const times = entities.map(({ origins }) =>
    origins!.map((origin) => (origin === null ? null : origin.at.slice(0, 4))),
  )
  const now = String(new Date().getUTCFullYear())
  expect(times).toEqual([
    [now, now],
    [now, now],
    ['y', null],
    [now, now],
    ['good', 'good'],
  ])
})
