/** The original server and ours, side by side. The README lists the differences that this file asserts. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, connect } from '@tenon/sdk/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import { missingIn } from '../../kit/test/like-original.ts'
import { original, ours as program } from './helpers.ts'

describe('the original and ours', requires('python-servers'), () => {
  let theirs: Client
  let ours: Client
  let folder: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tenon-sqlite-'))
    theirs = await connect(original(join(folder, 'theirs.db')))
    ours = await connect(program(join(folder, 'ours.db')))
  }, 120_000)
  afterAll(async () => {
    await theirs?.close()
    await ours?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('ours has every tool and parameter, the prompt and the memo', async () => {
    const [original, own] = await Promise.all([theirs.listTools(), ours.listTools()])
    expect(original.tools).toHaveLength(6)
    expect(missingIn(own.tools, original.tools)).toEqual([])
    const prompts = await Promise.all([theirs.listPrompts(), ours.listPrompts()])
    const [demo, ownDemo] = prompts.map((list) => list.prompts.find(({ name }) => name === 'mcp-demo'))
    expect(ownDemo?.arguments).toEqual(demo?.arguments?.map((argument) => ({ ...argument })))
    const resources = await Promise.all([theirs.listResources(), ours.listResources()])
    const [memo, ownMemo] = resources.map((list) => list.resources.find(({ uri }) => uri === 'memo://insights'))
    expect(ownMemo).toMatchObject({ name: memo?.name, description: memo?.description, mimeType: memo?.mimeType })
  })

  /** The same call to both. Python prints its lists and dictionaries, ours are JSON. */
  const both = async (tool: string, args: { [name: string]: unknown }): Promise<[unknown, unknown]> => {
    const [original, own] = await Promise.all([theirs.callTool(tool, args), ours.callTool(tool, args)])
    return [fromPython(original.text), JSON.parse(own.content[0]!.type === 'text' ? own.content[0]!.text : '')]
  }
  const fromPython = (text: string): unknown =>
    JSON.parse(text.replaceAll("'", '"').replaceAll('None', 'null').replaceAll('True', 'true'))

  test('a script of calls has the same results', async () => {
    const create = { query: 'CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age REAL DEFAULT 1)' }
    for (const client of [theirs, ours]) {
      expect((await client.callTool('create_table', create)).text).toBe('Table created successfully')
      expect((await client.callTool('append_insight', { insight: 'x' })).text).toBe('Insight added to memo')
    }
    for (const [tool, query] of [
      ['write_query', 'INSERT INTO people (name, age) VALUES ("Ada", 36), ("Bob", NULL), ("Cy", 1.5)'],
      ['read_query', 'SELECT * FROM people ORDER BY id'],
      ['read_query', '  select name as n, age * 2 as twice from people where age > 1'],
      ['read_query', 'SELECT * FROM people WHERE 0'],
      ['write_query', 'UPDATE people SET age = age + 1'],
      ['write_query', "DELETE FROM people WHERE name = 'Cy'"],
      ['write_query', 'DELETE FROM people WHERE 0'],
      ['read_query', 'SELECT count(*) AS n, sum(age) AS s FROM people'],
    ] as const) {
      const [original, own] = await both(tool, { query })
      expect(own, query).toEqual(original)
    }
    const [original, own] = await both('describe_table', { table_name: 'people' })
    expect(own).toEqual(original)
  })

  test.each([
    ['read_query', { query: 'DELETE FROM people' }],
    ['read_query', { query: 'SELECT * FROM absent' }],
    ['read_query', { query: 'SELECT 1; SELECT 2' }],
    ['write_query', { query: 'SELECT 1' }],
    ['write_query', { query: 'INSERT INTO people (name) VALUES (NULL)' }],
    ['create_table', { query: 'DROP TABLE people' }],
    ['create_table', { query: 'CREATE TABLE people (id)' }],
  ])('difference: %s %o is an error, which the original tells as a result', async (tool, args) => {
    const original = await theirs.callTool(tool, args)
    expect([original.isError, original.text]).toEqual([false, expect.stringMatching(/^(?:Database error|Error): /)])
    expect(await ours.callTool(tool, args)).toMatchObject({ isError: true })
  })

  test('difference: a table that is not there is an error, and a list in the original', async () => {
    const args = { table_name: 'absent' }
    expect((await theirs.callTool('describe_table', args)).text).toBe('[]')
    expect(await ours.callTool('describe_table', args)).toMatchObject({ isError: true })
  })

  test('difference: read_query takes everything that reads', async () => {
    const args = { query: 'WITH a AS (SELECT 1 AS x) SELECT x FROM a' }
    expect((await theirs.callTool('read_query', args)).text).toContain('Only SELECT')
    expect((await ours.callTool('read_query', args)).text).toBe('[{"x":1}]')
  })

  test('difference: changes of the schema affect no rows, -1 in the original', async () => {
    const [original, own] = await both('write_query', { query: 'CREATE INDEX by_name ON people (name)' })
    expect([original, own]).toEqual([[{ affected_rows: -1 }], [{ affected_rows: 0 }]])
  })

  test('difference: WITH … DELETE tells how many rows, and nothing in the original', async () => {
    const query = 'WITH gone AS (SELECT 1 AS id) DELETE FROM people WHERE id IN (SELECT id FROM gone)'
    const [original, own] = await both('write_query', { query })
    expect([original, own]).toEqual([[], [{ affected_rows: 1 }]])
    const left = await both('read_query', { query: 'SELECT count(*) AS n FROM people' })
    expect(left).toEqual([[{ n: 1 }], [{ n: 1 }]])
  })

  test('difference: tables come with their types, and those of the engine are left out', async () => {
    await both('write_query', { query: 'CREATE TABLE s (id INTEGER PRIMARY KEY AUTOINCREMENT)' })
    const [original, own] = await both('list_tables', {})
    expect(original).toContainEqual({ name: 'sqlite_sequence' })
    expect(own).toEqual([
      { name: 'people', type: 'table' },
      { name: 's', type: 'table' },
    ])
  })

  test('difference: a page of many rows, as arrays, all of them in the original', async () => {
    const query = `SELECT value AS v FROM json_each('[${'1,'.repeat(1_999)}1]')`
    const [original, own] = await both('read_query', { query })
    expect(original).toHaveLength(2_000)
    expect(own).toMatchObject({ columns: ['v'], rows: { length: 1_000 } })
  })
})
