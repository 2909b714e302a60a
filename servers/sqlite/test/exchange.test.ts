import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Client } from '@tenon/sdk/client'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { call, open, read, shared, testFolder, write } from './helpers.ts'

const folder = mkdtempSync(join(tmpdir(), 'tenon-sqlite-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const server = shared({ folder: [folder], maxFile: 2_000_000 })
let client: Client
beforeEach(async () => {
  client = server.client
  await server.empty()
})

const put = (args: object): Promise<{ rows: number; columns: string[]; created: boolean }> =>
  call(client, 'import_data', args)

test('CSV becomes a table with fitting types', async () => {
  const text = '\uFEFFid,name,price,zip\r\n1,"Smith, ""Al""",1.5,00123\r\n2,"two\nlines",2,99\r\n3,,-3e2,\r\n'
  expect(await put({ table: 'people', text, create: true })).toEqual({
    rows: 3,
    columns: ['id', 'name', 'price', 'zip'],
    created: true,
  })
  expect(await read(client, 'SELECT * FROM people')).toEqual([
    [1, 'Smith, "Al"', 1.5, '00123'],
    [2, 'two\nlines', 2, '99'],
    [3, null, -300, null],
  ])
  expect(await read(client, "SELECT type FROM pragma_table_info('people')")).toEqual([
    ['INTEGER'],
    ['TEXT'],
    ['REAL'],
    ['TEXT'],
  ])
})

test.each(['csv', 'json', 'jsonl'])('an export as %s can be imported again', async (format) => {
  await write(client, "CREATE TABLE a AS SELECT 1 AS id, 'x, \"y\"' AS v UNION SELECT 2, NULL UNION SELECT 3, 'ä\n'")
  const { text } = await call<{ text: string }>(client, 'export_query', { query: 'SELECT * FROM a', format })
  await put({ table: 'b', text, format, create: true })
  expect(await read(client, 'SELECT * FROM b')).toEqual(await read(client, 'SELECT * FROM a'))
})

test('an import is complete or does not happen', async () => {
  await write(client, 'CREATE TABLE t (id INTEGER PRIMARY KEY, v)')
  await expect(put({ table: 't', text: 'id,v\n1,a\n2,b\n1,c\n' })).rejects.toThrow('UNIQUE')
  expect(await read(client, 'SELECT count(*) FROM t')).toEqual([[0]])
  await expect(put({ table: 'u', text: 'id\n1\n"2', create: true })).rejects.toThrow('no end')
  expect(await read(client, "SELECT name FROM sqlite_schema WHERE name = 'u'")).toEqual([])
  expect(await put({ table: 't', text: 'v,id\nx,7\n' })).toMatchObject({ rows: 1, created: false })
})

test.each([
  [{ table: 'absent', text: 'a\n1\n' }, 'create: true'],
  [{ table: 't', text: 'a,b\n1,2\n' }, 'no column b; it has a'],
  [{ table: 't', text: 'a\n1,2\n' }, 'record 2 has 2 fields'],
  [{ table: 't', text: 'a,a\n1,2\n' }, 'twice'],
  [{ table: 't', text: 'a,\n1,2\n' }, 'no name'],
  [{ table: 't', text: '' }, 'header'],
  [{ table: 't', text: '[1]', format: 'json' }, 'not an object'],
  [{ table: 't', text: '{}', format: 'json' }, 'array of objects'],
  [{ table: 't', text: '{"a":1}\n{', format: 'jsonl' }, 'line 2'],
  [{ table: 't' }, 'one of text and file'],
  [{ table: 't', text: 'a\n1', file: 'x.csv' }, 'one of text and file'],
  [{ table: 't', file: 'x.dat' }, 'format'],
  [{ table: 't', file: 'absent.csv' }, 'is not there'],
])('%o says what is wrong', async (args, message) => {
  await write(client, 'CREATE TABLE t (a)')
  await expect(put(args)).rejects.toThrow(message)
})

test('objects may lack members, and nested values stay JSON', async () => {
  await put({
    table: 't',
    text: '[{"a":1,"b":{"c":[2]}},{"b":true},{"a":"x","__proto__":3}]',
    format: 'json',
    create: true,
  })
  expect(await read(client, "SELECT a, b, b ->> '$.c[0]' FROM t WHERE rowid = 1")).toEqual([[1, '{"c":[2]}', 2]])
  expect(await read(client, 'SELECT a, b, "__proto__" FROM t WHERE rowid > 1')).toEqual([
    [null, 1, null],
    ['x', null, 3],
  ])
})

test('all rows of a query go to a new file, and come back', async () => {
  const numbers =
    'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 25000) SELECT x, hex(x) AS h FROM c'
  const seen: number[] = []
  const { structured } = await client.callTool(
    'export_to_file',
    { query: numbers, file: 'numbers.csv' },
    { onProgress: ({ progress }) => seen.push(progress) },
  )
  const file = join(folder, 'numbers.csv')
  expect(structured).toMatchObject({ rows: 25_000, bytes: readFileSync(file).length })
  expect(seen).toEqual([10_000, 20_000])
  expect(await put({ table: 'n', file: 'numbers.csv', create: true })).toMatchObject({ rows: 25_000 })
  expect(await read(client, 'SELECT count(*), sum(x) FROM n')).toEqual([[25_000, 312_512_500]])
  await expect(call(client, 'export_to_file', { query: 'SELECT 1', file: 'numbers.csv' })).rejects.toThrow(
    'never overwritten',
  )
})

test('files have a limit, and an incomplete file is removed', async () => {
  const much =
    'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 3000) SELECT hex(zeroblob(1000)) FROM c'
  await expect(call(client, 'export_to_file', { query: much, file: 'much.json' })).rejects.toThrow('--max-file')
  expect(existsSync(join(folder, 'much.json'))).toBe(false)
  writeFileSync(join(folder, 'long.csv'), `a\n${'x'.repeat(2_000_000)}\n`)
  await expect(put({ table: 't', file: 'long.csv', create: true })).rejects.toThrow('--max-file')
  writeFileSync(join(folder, 'latin.csv'), Buffer.from('a\n\xe4\n', 'latin1'))
  await expect(put({ table: 't', file: 'latin.csv', create: true })).rejects.toThrow('UTF-8')
})

test('an export has pages, and refuses values that do not fit', async () => {
  const numbers = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 5) SELECT x FROM c'
  const args = { query: numbers, format: 'csv', limit: 3 }
  expect(await call(client, 'export_query', args)).toEqual({ text: 'x\r\n1\r\n2\r\n3\r\n', rows: 3, next_offset: 3 })
  expect(await call(client, 'export_query', { ...args, offset: 3 })).toEqual({ text: 'x\r\n4\r\n5\r\n', rows: 2 })
  await expect(call(client, 'export_query', { query: 'SELECT zeroblob(100000) AS z', format: 'csv' })).rejects.toThrow(
    'z in row 1',
  )
})

test('without --folder the roots of the client are allowed', async () => {
  const root = testFolder()
  const { client: own } = await open({}, { roots: [{ uri: pathToFileURL(root).href }] })
  await call(own, 'export_to_file', { query: 'SELECT 1 AS a', file: 'a.jsonl' })
  expect(readFileSync(join(root, 'a.jsonl'), 'utf8')).toBe('{"a":1}\n')
  expect(readdirSync(root)).toEqual(['a.jsonl'])
})
