import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { connect, revisions } from '@tenon/sdk/client'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { type DatabaseUnderTest, openDatabase, query } from './database-under-test.ts'
import { hostileSuite } from './hostile.suite.ts'
import { querySuite } from './query.suite.ts'
import { tables } from './tables.ts'
import { writeSuite } from './write.suite.ts'

const bin = fileURLToPath(new URL('../bin/tenon-postgres.js', import.meta.url))

describe('a PostgreSQL server', requires('postgres'), () => {
  let cluster: Cluster
  let database: DatabaseUnderTest
  beforeAll(async () => {
    cluster = await startCluster()
    database = await openDatabase({ database: cluster.url('app') })
    await database.change(...tables)
  }, 120_000)
  afterAll(async () => {
    await database?.close()
    await cluster?.stop()
  })

  afterEach(() => database.reset())

  querySuite(() => database)
  writeSuite(() => database)
  hostileSuite(() => database)

  /** Statements of our connections that run at the moment. */
  const running = async (part: string): Promise<number> => {
    const { rows } = await cluster.admin(
      `SELECT count(*)::int AS count FROM pg_stat_activity WHERE state = 'active' AND application_name = 'tenon-postgres' AND query LIKE '%${part}%'`,
    )
    return rows[0].count
  }

  test.each(revisions)('the program speaks %s', async (revision) => {
    const target = { command: process.execPath, args: [bin, cluster.url('app')] }
    await using client = await connect(target, { revisions: [revision] })
    expect(client.server).toMatchObject({ revision, info: { name: 'postgres' } })
    expect((await client.callTool('query', { sql: 'SELECT name FROM items' })).text).toContain('cup')
  })

  test('cancelling reaches the server', async () => {
    const stop = new AbortController()
    const call = database.client.callTool(
      'query',
      { sql: 'SELECT pg_sleep(600) AS cancelled' },
      { signal: stop.signal },
    )
    call.catch(() => {})
    await expect.poll(() => running('AS cancelled')).toBe(1)
    stop.abort()
    await expect(call).rejects.toThrow()
    await expect.poll(() => running('AS cancelled')).toBe(0)
    expect(await query(database.client, 'SELECT 1')).toEqual([[1]])
  })

  test('the time is that of the whole call, and the statement cannot change it', async () => {
    const { client } = database
    database.set({ timeout: 1_000 })
    const slow =
      "SELECT pg_sleep(0.05) FROM (SELECT generate_series(1, 1000000)) AS s, current_setting('statement_timeout')"
    expect(await query(client, slow)).toContain('took longer than 1 s')
  })

  test('COPY with the client is refused', async () => {
    database.set({ write: 'allow' })
    const { client } = database
    for (const sql of ['COPY items FROM STDIN', 'COPY items TO STDOUT']) {
      expect(await client.callTool('execute', { sql })).toMatchObject({
        isError: true,
        text: expect.stringMatching(/COPY/),
      })
    }
    expect(await query(client, 'SELECT count(*)::int FROM items')).toEqual([[2]])
  })

  test('the server itself has the time limit', async () => {
    expect(
      await query(
        database.client,
        "SELECT current_setting('statement_timeout'), current_setting('transaction_read_only')",
      ),
    ).toEqual([['30s', 'on']])
  })

  test('calls run as the roles that the operator offers', async () => {
    const limited = await openDatabase({ database: cluster.url('app'), role: ['reader', 'app'] })
    const who = 'SELECT current_user::text'
    expect(await query(limited.client, who)).toEqual([['reader']])
    expect(await query(limited.client, who, { role: 'app' })).toEqual([['app']])
    expect(await query(limited.client, who, { role: 'postgres' })).toContain('There are reader, app.')
    expect(await query(limited.client, 'SELECT * FROM items')).toContain('permission denied for table items')
    expect((await limited.client.callTool('list_roles')).structured).toMatchObject({
      current: 'reader',
      offered: ['reader', 'app'],
      roles: expect.arrayContaining([expect.objectContaining({ name: 'app', member_of: ['reader'] })]),
    })
    await limited.close()
  })

  test('a superuser is refused, or reads as somebody else', async () => {
    const url = cluster.url('postgres')
    await expect(openDatabase({ database: url })).rejects.toThrow('--allow-superuser')
    const superuser = await openDatabase({ database: url, allowSuperuser: true })
    expect(await query(superuser.client, 'SELECT current_user::text')).toEqual([['pg_read_all_data']])
    expect(await query(superuser.client, "SELECT pg_read_file('/etc/passwd')")).toContain('permission denied')
    await superuser.close()
    await cluster.admin("CREATE ROLE files LOGIN PASSWORD 'files-secret' IN ROLE pg_write_server_files")
    await expect(openDatabase({ database: cluster.url('files') })).rejects.toThrow('--allow-superuser')
  })

  test('more calls than connections wait for each other', async () => {
    const sums = Array.from({ length: 20 }, (_, index) =>
      query(database.client, 'SELECT $1::int + 1', { params: [index] }),
    )
    expect((await Promise.all(sums)).flat(2)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  })

  test('a gigabyte and a billion rows stay on the server', async () => {
    const before = process.memoryUsage().rss
    expect(await query(database.client, "SELECT repeat('x', 500000000)")).toContain('A row is larger')
    const { structured } = await database.client.callTool('query', {
      sql: "SELECT generate_series(1, 1000000000), repeat('x', 1000)",
    })
    expect(structured).toMatchObject({ row_count: expect.any(Number), next_offset: expect.any(Number) })
    expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000)
  })

  test('a connection that the server ends is replaced', async () => {
    await cluster.admin(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tenon-postgres'",
    )
    await expect.poll(() => query(database.client, 'SELECT 1').catch(String)).toEqual([[1]])
  })

  test('passwords are in no message', async () => {
    const wrong = cluster.url('app').replace('app-secret', 'wr%40ng-secret')
    const failure = await openDatabase({ database: wrong }).catch((error: Error) => error)
    expect((failure as Error).message).toContain('password authentication failed for user "app"')
    expect(String((failure as Error).stack)).not.toMatch(/wr(@|%40)ng-secret/)
    await database.change(
      `CREATE FUNCTION tell() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE 'it is app-secret'; END $$`,
    )
    expect(await query(database.client, 'SELECT tell()')).toContain('it is ***')
  })

  test('no trick has left a file', () => {
    expect(existsSync('/tmp/tenon-pwned')).toBe(false)
  })
})
