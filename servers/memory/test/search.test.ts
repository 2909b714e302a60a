import type { Client } from '@tenon/sdk/client'
import { expect, test } from 'vitest'
import { call, create, entity, type GraphContent, namesOf, open } from './helpers.ts'

const search = (client: Client, query: string): Promise<GraphContent & { total: number; matched: string }> =>
  call(client, 'search_nodes', { query })

const people = [
  { name: 'Ada Lovelace', entityType: 'person', observations: ['wrote the first program', 'drinks tea'] },
  { name: 'Tea', entityType: 'drink', observations: ['a hot drink', 'comes from China'] },
  { name: 'Teapot', entityType: 'object', observations: ['holds tea'] },
  { name: 'Café Müller', entityType: 'place', observations: ['serves coffee; price => 3'] },
  { name: 'Steam engine', entityType: 'machine', observations: ['was improved by Watt'] },
]

test('names come before texts, whole words before parts', async () => {
  const { client } = await open()
  await call(client, 'create_entities', { entities: people })
  expect(namesOf(await search(client, 'tea'))).toEqual(['Tea', 'Teapot', 'Steam engine', 'Ada Lovelace'])
  expect(namesOf(await search(client, 'STEAM'))).toEqual(['Steam engine'])
})

test('several words find entities with all of them, and if there is none, with some', async () => {
  const { client } = await open()
  await call(client, 'create_entities', { entities: people })
  expect(await search(client, 'tea drink china')).toMatchObject({
    matched: 'all',
    total: 1,
    entities: [{ name: 'Tea' }],
  })
  const some = await search(client, 'who invented the program?')
  expect(some).toMatchObject({ matched: 'any' })
  expect(namesOf(some)[0]).toBe('Ada Lovelace')
})

test('accents, other scripts and signs are found', async () => {
  const { client } = await open()
  await call(client, 'create_entities', {
    entities: [...people, entity('東京タワー', '高さは333メートル'), entity('C++', 'a language')],
  })
  expect(namesOf(await search(client, 'cafe muller'))).toEqual(['Café Müller'])
  expect(namesOf(await search(client, 'タワー'))).toEqual(['東京タワー'])
  expect(namesOf(await search(client, '=>'))).toEqual(['Café Müller'])
  expect(namesOf(await search(client, 'c++'))[0]).toBe('C++')
  expect(namesOf(await search(client, ''))).toHaveLength(7)
})

test('everything that contains the query as it is gets found, as by the original', async () => {
  const { client } = await open()
  await call(client, 'create_entities', { entities: people })
  for (const { name, observations } of people) {
    for (const text of [name, ...observations]) {
      for (const [start, end] of [
        [0, 5],
        [2, 9],
        [4, 30],
      ] as const) {
        const part = text.slice(start, end)
        expect([part, namesOf(await search(client, part))]).toEqual([part, expect.arrayContaining([name])])
      }
    }
  }
})

test('a search sees every change at once', async () => {
  const { client } = await open()
  await create(client, 'Ada', 'Bob')
  const observations = [{ entityName: 'Bob', contents: ['plays chess'] }]
  expect(namesOf(await search(client, 'chess'))).toEqual([])
  await call(client, 'add_observations', { observations })
  expect(namesOf(await search(client, 'chess'))).toEqual(['Bob'])
  await call(client, 'delete_observations', { deletions: [{ entityName: 'Bob', observations: ['plays chess'] }] })
  expect(namesOf(await search(client, 'chess'))).toEqual([])
  await call(client, 'undo_change')
  expect(namesOf(await search(client, 'chess'))).toEqual(['Bob'])
  await call(client, 'delete_entities', { entityNames: ['Bob'] })
  expect(namesOf(await search(client, 'chess'))).toEqual([])
})

test('an index that was changed very often finds the same', async () => {
  const { client } = await open()
  const names = Array.from({ length: 6_000 }, (_, index) => `n${index}`)
  for (let round = 0; round < 3; round++) {
    await call(client, 'create_entities', { entities: names.map((name) => entity(name, `round ${round}`)) })
    await call(client, 'delete_entities', { entityNames: names.slice(0, 5_990) })
  }
  expect((await search(client, 'round')).total).toBe(10)
  expect(namesOf(await search(client, 'n5999'))).toEqual(['n5999'])
})
