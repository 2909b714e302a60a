/** Statements that should not get further than the engine, and how far they get with the original. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, connect } from '@tenon/sdk/client'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import { call, open, original, read, shared, testFolder, write } from './helpers.ts'

const server = shared()
let client: Client
let folder: string
beforeAll(async () => {
  client = server.client
  await write(client, 'CREATE TABLE t (v)')
  await write(client, 'CREATE INDEX j ON t (v)')
  await write(client, 'INSERT INTO t VALUES (1), (2)')
})
beforeEach(() => {
  folder = testFolder()
})

/** Everything that may not change. */
const state = (): unknown => readFileSync(server.file)

describe('read_query refuses', () => {
  const tricks: [name: string, sql: (folder: string) => string][] = [
    ['a delete after WITH', () => 'WITH x AS (SELECT 1) DELETE FROM t'],
    ['an update after WITH', () => 'WITH x AS (SELECT 1) UPDATE t SET v = 0 RETURNING *'],
    ['an insert with RETURNING', () => 'INSERT INTO t VALUES (3) RETURNING *'],
    ['a statement after a select', () => 'SELECT 1; DELETE FROM t'],
    ['a statement after a comment', () => '/* SELECT */ DELETE FROM t'],
    ['a statement behind a NUL', () => 'SELECT 1\0; DELETE FROM t'],
    ['a new table', () => 'CREATE TABLE u (v)'],
    ['a temporary table', () => 'CREATE TEMP TABLE u (v)'],
    ['a dropped table', () => 'DROP TABLE t'],
    ['another file', (at) => `ATTACH '${at}/other.db' AS other`],
    ['another file by an expression', (at) => `ATTACH '${at}' || '/other.db' AS other`],
    ['another file by a URI', (at) => `ATTACH 'file:${at}/other.db?mode=rwc' AS other`],
    ['a nameless database', () => "ATTACH '' AS other"],
    ['a copy of the database', (at) => `VACUUM INTO '${at}/copy.db'`],
    ['a vacuum', () => 'VACUUM'],
    ['a changed version', () => 'PRAGMA user_version = 9'],
    ['an open schema', () => 'PRAGMA writable_schema = ON'],
    ['the end of read-only', () => 'PRAGMA query_only = OFF'],
    ['another journal', () => 'PRAGMA journal_mode = OFF'],
    ['a checkpoint', () => 'PRAGMA wal_checkpoint(TRUNCATE)'],
    ['a folder for temporary files', () => "PRAGMA temp_store_directory = '/tmp'"],
    ['an explained pragma, which acts when it is compiled', () => 'EXPLAIN PRAGMA query_only = OFF'],
    ['an extension', () => "SELECT load_extension('x')"],
    ['a tokenizer from an address', () => "SELECT fts3_tokenizer('x', x'0000000000000000')"],
    ['a file that is read', () => "SELECT readfile('/etc/passwd')"],
    ['a file that is written', (at) => `SELECT writefile('${at}/pwned', 'x')`],
    ['an editor', () => "SELECT edit('x', 'touch /tmp/pwned')"],
    ['a transaction', () => 'BEGIN EXCLUSIVE'],
    ['a savepoint', () => 'SAVEPOINT a'],
    ['a new index', () => 'CREATE INDEX i ON t (v)'],
    ['statistics', () => 'ANALYZE'],
    ['a rebuilt index', () => 'REINDEX'],
  ]

  test.each(tricks)('%s', async (_name, sql) => {
    const before = state()
    const { isError, text } = await client.callTool('read_query', { query: sql(folder) })
    expect(isError, text).toBe(true)
    expect(state()).toEqual(before)
    expect(['other.db', 'copy.db', 'pwned'].filter((name) => existsSync(join(folder, name)))).toEqual([])
    expect(await read(client, 'PRAGMA query_only')).toEqual([[1]])
    expect(await read(client, 'SELECT name FROM pragma_database_list')).toEqual([['main']])
  })
})

describe('write_query refuses', () => {
  const tricks: [name: string, sql: (folder: string) => string][] = [
    ['a second statement', () => 'DELETE FROM t WHERE 0; DROP TABLE t'],
    ['another file', (at) => `ATTACH '${at}/other.db' AS other`],
    ['a nameless database', () => "ATTACH '' AS other"],
    ['a copy of the database', (at) => `VACUUM INTO '${at}/copy.db'`],
    ['an open schema', () => 'PRAGMA writable_schema = ON'],
    ['a written schema', () => "UPDATE sqlite_schema SET sql = ''"],
    ['no journal', () => 'PRAGMA journal_mode = OFF'],
    ['no sync', () => 'PRAGMA synchronous = OFF'],
    ['an exclusive lock that stays', () => 'PRAGMA locking_mode = EXCLUSIVE'],
    ['a transaction that stays', () => 'BEGIN EXCLUSIVE'],
    ['a temporary trigger that stays', () => 'CREATE TEMP TRIGGER r AFTER INSERT ON t BEGIN DELETE FROM t; END'],
    ['a temporary table that stays', () => 'CREATE TEMP TABLE t (v)'],
    ['an extension', () => "INSERT INTO t VALUES (load_extension('x'))"],
    ['a module of the engine', () => 'CREATE VIRTUAL TABLE d USING fts3tokenize'],
  ]

  test.each(tricks)('%s', async (_name, sql) => {
    const before = state()
    const { isError, text } = await client.callTool('write_query', { query: sql(folder) })
    expect(isError, text).toBe(true)
    expect(state()).toEqual(before)
    expect(['other.db', 'copy.db'].filter((name) => existsSync(join(folder, name)))).toEqual([])
    expect(await write(client, 'UPDATE t SET v = v + 1')).toMatchObject({ affected_rows: 2 })
  })
})

describe('tools with a query inside', () => {
  const change = { query: 'DELETE FROM t RETURNING v', parameters: [] }

  test('only read', async () => {
    const { client: own } = await open({ dbPath: server.file, folder: [folder] })
    for (const [tool, args] of [
      ['export_query', { ...change, format: 'csv' }],
      ['show_chart', change],
      ['export_to_file', { ...change, file: 'x.csv' }],
    ] as const) {
      await expect(call(own, tool, args), tool).rejects.toThrow('only reads')
    }
    expect(existsSync(join(folder, 'x.csv'))).toBe(false)
    expect(await read(client, 'SELECT count(*) FROM t')).toEqual([[2]])
  })

  test('explain_query runs nothing', async () => {
    await call(client, 'explain_query', { query: 'DELETE FROM t' })
    for (const query of ["ATTACH 'x' AS y", 'PRAGMA query_only = OFF', ';DELETE FROM t', 'SELECT 1; DELETE FROM t']) {
      await expect(call(client, 'explain_query', { query }), query).rejects.toThrow()
    }
    expect(await read(client, 'SELECT count(*) FROM t')).toEqual([[2]])
  })

  test('names of tables are never part of a statement', async () => {
    const name = 't"); DROP TABLE t; --'
    await expect(call(client, 'describe_table', { table_name: name })).rejects.toThrow('There is no table')
    await call(client, 'import_data', { table: name, text: 'a"); DROP TABLE t; --\n1', create: true })
    expect(await read(client, 'SELECT count(*) FROM t')).toEqual([[2]])
    await expect(call(client, 'import_data', { table: 'sqlite_schema', text: 'type,name\ntable,x' })).rejects.toThrow()
  })
})

describe('files stay in their folders', () => {
  const exported = (own: Client, file: string): Promise<unknown> =>
    call(own, 'export_to_file', { query: 'SELECT 1 AS a', file, format: 'csv' })
  const imported = (own: Client, file: string): Promise<unknown> =>
    call(own, 'import_data', { table: 'u', file, format: 'csv', create: true })

  test('whatever the path', async () => {
    const outside = testFolder()
    writeFileSync(join(outside, 'secret.csv'), 'a\n1\n')
    symlinkSync(outside, join(folder, 'link'))
    symlinkSync(join(outside, 'secret.csv'), join(folder, 'secret.csv'))
    symlinkSync(join(outside, 'new.csv'), join(folder, 'dangling.csv'))
    const { client: own } = await open({ folder: [folder] })
    for (const file of [
      join(outside, 'secret.csv'),
      'link/secret.csv',
      'secret.csv',
      `../${outside.split('/').pop()}/secret.csv`,
    ]) {
      await expect(imported(own, file), file).rejects.toThrow('file:')
    }
    for (const file of [join(outside, 'x.csv'), 'link/x.csv', 'dangling.csv', '../x.csv', 'secret.csv']) {
      await expect(exported(own, file), file).rejects.toThrow('file:')
    }
    expect(existsSync(join(outside, 'x.csv')) || existsSync(join(outside, 'new.csv'))).toBe(false)
    expect(readFileSync(join(outside, 'secret.csv'), 'utf8')).toBe('a\n1\n')
    await expect(imported(own, '/dev/zero')).rejects.toThrow('file:')
  })

  test('whatever a folder on the way becomes meanwhile', requires('posix'), async () => {
    const outside = testFolder()
    mkdirSync(join(folder, 'inner'))
    for (const place of [outside, join(folder, 'inner')]) writeFileSync(join(place, 'data.csv'), `a\n${place}\n`)
    const { client: own } = await open({ folder: [folder] })
    let isSwapping = true
    const swap = async (): Promise<void> => {
      while (isSwapping) {
        renameSync(join(folder, 'inner'), join(folder, 'aside'))
        symlinkSync(outside, join(folder, 'inner'))
        await new Promise((resolve) => setImmediate(resolve))
        rmSync(join(folder, 'inner'))
        renameSync(join(folder, 'aside'), join(folder, 'inner'))
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    const swapping = swap()
    for (let turn = 0; turn < 25; turn++) {
      await imported(own, 'inner/data.csv').catch(() => {})
      await exported(own, `inner/new-${turn}.csv`).catch(() => {})
    }
    isSwapping = false
    await swapping
    const values = await read(own, 'SELECT DISTINCT a FROM u').catch(() => [])
    expect(values.flat()).not.toContain(outside)
    expect(
      existsSync(outside) &&
        Array.from({ length: 25 }, (_, turn) => join(outside, `new-${turn}.csv`)).filter(existsSync),
    ).toEqual([])
  })

  test('no folder, no files', async () => {
    await expect(imported(client, 'x.csv')).rejects.toThrow('--folder')
  })
})

test('a file that is no database, and a broken one, are errors of the call', async () => {
  const file = join(folder, 'x.db')
  writeFileSync(file, 'this is not a database, '.repeat(1_000))
  const { client: own } = await open({ dbPath: file })
  await expect(read(own, 'SELECT * FROM sqlite_schema')).rejects.toThrow('not a database')
  const bytes = readFileSync(server.file)
  bytes.fill(0xff, 100, 4_000)
  writeFileSync(join(folder, 'y.db'), bytes)
  const { client: broken } = await open({ dbPath: join(folder, 'y.db') })
  await expect(read(broken, 'SELECT * FROM t')).rejects.toThrow('Database error')
})

describe('the original lets them through', requires('python-servers'), () => {
  let theirs: Client
  let place: string
  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), 'tenon-sqlite-'))
    theirs = await connect(original(join(place, 'original.db')))
    await theirs.callTool('create_table', { query: 'CREATE TABLE t (v)' })
  })
  afterAll(async () => {
    await theirs?.close()
    rmSync(place, { recursive: true, force: true })
  })
  const run = (tool: string, query: string): Promise<{ text: string }> =>
    theirs.callTool(tool, tool === 'describe_table' ? { table_name: query } : { query })

  test('another file, by write_query', async () => {
    await run('write_query', `VACUUM INTO '${join(folder, 'copy.db')}'`)
    expect(existsSync(join(folder, 'copy.db'))).toBe(true)
  })

  test('the end of a statement and a comment, by describe_table', async () => {
    const { text } = await run('describe_table', 't); --')
    expect(text).toContain("'name': 'v'")
  })

  test('a value of any size', async () => {
    const { text } = await run('read_query', 'SELECT length(zeroblob(500000000)) AS n')
    expect(text).toContain('500000000')
  })

  test('reading is judged by the first word: WITH is refused', async () => {
    const { text } = await run('read_query', 'WITH x AS (SELECT 1 AS a) SELECT a FROM x')
    expect(text).toContain('Only SELECT')
    expect(await read(client, 'WITH x AS (SELECT 1 AS a) SELECT a FROM x')).toEqual([[1]])
  })
})
