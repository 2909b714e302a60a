import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Client, connect } from '@tenon/sdk/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import { missingIn } from '../../kit/test/like-original.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { tables } from './tables.ts'

const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-postgres/package.json')
const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: { [name: string]: string } }
const originalBin = join(dirname(manifest), Object.values(bin)[0]!)
const ourBin = fileURLToPath(new URL('../bin/tenon-postgres.js', import.meta.url))

describe('the original and ours', requires('postgres'), () => {
  let cluster: Cluster
  let theirs: Client
  let mine: Client
  const start = (program: string, ...args: string[]): Promise<Client> =>
    connect({ command: process.execPath, args: [program, ...args], stderr: 'ignore' }, { revisions: ['2024-11-05'] })
  beforeAll(async () => {
    cluster = await startCluster()
    const maker = await start(ourBin, cluster.url('app'), '--write', 'allow')
    for (const sql of tables) {
      const { isError, text } = await maker.callTool('execute', { sql })
      if (isError) throw new Error(text)
    }
    await maker.close()
    theirs = await start(originalBin, cluster.url('app'))
    mine = await start(ourBin, cluster.url('app'))
  }, 120_000)
  afterAll(async () => {
    await theirs?.close()
    await mine?.close()
    await cluster?.stop()
  })

  test('ours has every tool with its parameters; sql is required, since a call without it never worked', async () => {
    const original = await theirs.listTools()
    const ours = await mine.listTools()
    expect(missingIn(ours.tools, original.tools)).toEqual(['query without sql'])
    expect(ours.tools.map(({ name }) => name).sort()).toEqual([
      ...['describe_table', 'explain', 'list_roles', 'list_schemas', 'list_tables', 'query'],
    ])
  })

  /** Queries with the same rows. */
  const script = [
    'SELECT * FROM items ORDER BY id',
    "SELECT 1 AS a, 'x' AS b, true AS c, NULL AS d, 1.5::float8 AS e, 2::int8 AS f, 1.10::numeric AS g",
    `SELECT '{"a": [1, null]}'::jsonb AS doc, ARRAY[1, 2] AS numbers, ARRAY['x'] AS texts`,
    'SELECT count(*) FROM items',
    'SELECT * FROM items WHERE false',
    'SELECT name AS "Näme" FROM items WHERE name LIKE \'%u%\'',
    'VALUES (1), (2)',
    'SHOW transaction_read_only',
    'WITH x AS (SELECT 1 AS n) SELECT * FROM x',
    'SELECT 1;',
  ]

  test.each(script)('both answer %s', async (sql) => {
    const expected = await theirs.callTool('query', { sql })
    const answer = await mine.callTool('query', { sql })
    expect(JSON.parse(answer.text)).toEqual(JSON.parse(expected.text))
  })

  test('both fail where the server fails; ours as a result that the model can read', async () => {
    for (const sql of ['SELECT nosuch', 'SELEC 1', 'INSERT INTO items VALUES (3)']) {
      await expect(theirs.callTool('query', { sql })).rejects.toThrow()
      expect(await mine.callTool('query', { sql })).toMatchObject({ isError: true })
    }
  })

  test('the resources of public have the same URIs, names and columns', async () => {
    const original = (await theirs.listResources()).resources
    const ours = new Map((await mine.listResources()).resources.map((resource) => [resource.uri, resource]))
    expect(original.length).toBe(2)
    for (const { uri, name, mimeType } of original) {
      expect(ours.get(uri)).toMatchObject({ uri, name, mimeType })
      const read = async (client: Client): Promise<object[]> =>
        JSON.parse((await client.readResource(uri)).contents.map((one) => (one as { text: string }).text).join(''))
      const columns = await read(mine)
      // The original mixes in the columns of a table with this name in another schema.
      const expected = (await read(theirs)).filter(
        (column) => (column as { column_name: string }).column_name !== 'old',
      )
      expect(columns.map(pick)).toEqual(expected)
    }
  })

  const pick = (column: object): object => {
    const { column_name, data_type } = column as { column_name: string; data_type: string }
    return { column_name, data_type }
  }

  test('differs in values where the README says so', async () => {
    const both = async (sql: string): Promise<unknown[]> =>
      Promise.all([theirs, mine].map(async (client) => JSON.parse((await client.callTool('query', { sql })).text)[0]))
    const [, day] = await both("SELECT DATE '2024-02-29' AS day")
    expect(day).toEqual({ day: '2024-02-29' })
    expect(await both("SELECT '\\x01'::bytea AS b")).toEqual([{ b: { type: 'Buffer', data: [1] } }, { b: '\\x01' }])
    expect(await both('SELECT 1 AS a, 2 AS a')).toEqual([{ a: 2 }, { a: 1, 'a (2)': 2 }])
    expect(await both("SELECT 'NaN'::float8 AS n")).toEqual([{ n: null }, { n: 'NaN' }])
  })

  describe('tricks that work against the original, and not against ours', () => {
    const count = async (): Promise<number> => {
      const { rows } = await cluster.admin("SELECT count(*)::int AS count FROM pg_class WHERE relname = 'planted'")
      return rows[0].count
    }
    const isThere = async (): Promise<boolean> => {
      const { text } = await mine.callTool('list_tables', { pattern: 'planted' })
      return text.includes('planted')
    }
    const call = (client: Client, sql: string): Promise<unknown> => client.callTool('query', { sql }).catch(() => {})

    test.each([
      'COMMIT; CREATE TABLE planted ()',
      'ROLLBACK; CREATE TABLE planted ()',
      'SET TRANSACTION READ WRITE; CREATE TABLE planted (); COMMIT',
      'COMMIT; DO $$ BEGIN CREATE TABLE planted (); END $$',
    ])('%s', async (sql) => {
      await call(mine, sql)
      expect(await isThere()).toBe(false)
      await call(theirs, sql)
      expect(await isThere()).toBe(true)
      await call(theirs, 'COMMIT; DROP TABLE planted')
      expect(await count()).toBe(0)
    })

    test('a setting that outlasts its call', async () => {
      const sql = 'COMMIT; SET search_path = archive'
      await call(theirs, sql)
      await call(mine, sql)
      const first = 'SELECT * FROM items'
      expect((await theirs.callTool('query', { sql: first })).text).toContain('once')
      expect((await mine.callTool('query', { sql: first })).text).toContain('cup')
    })

    test('a program of the machine, with the login of a superuser', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'tenon-pwned-'))
      chmodSync(folder, 0o777)
      const file = join(folder, 'file')
      const sql = `COPY (SELECT 1) TO PROGRAM 'touch ${file}'`
      const superuser = await start(ourBin, cluster.url('postgres'), '--allow-superuser')
      await call(superuser, sql)
      expect(existsSync(file)).toBe(false)
      await superuser.close()
      const original = await start(originalBin, cluster.url('postgres'))
      await call(original, sql)
      expect(existsSync(file)).toBe(true)
      await original.close()
      rmSync(folder, { recursive: true, force: true })
    })
  })
})
