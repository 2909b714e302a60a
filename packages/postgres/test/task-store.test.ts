/** Tasks in a real PostgreSQL. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { connect } from '@tenon/sdk/client'
import { createServer, type Server, type TaskRecord, tool } from '@tenon/sdk/server'
import { taskStoreChecks } from '@tenon/sdk/testing/stores'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import { type Cluster, startCluster } from '../../../servers/postgres/test/cluster.ts'
import { PostgresTaskStore, type PostgresTaskStoreOptions } from '../src/index.ts'

const record = (more: Partial<TaskRecord> = {}): TaskRecord =>
  ({
    id: 'a1',
    owner: 'ada',
    version: 1,
    status: 'working',
    createdAt: Date.now(),
    ttlMs: 60_000,
    ...more,
  }) as TaskRecord

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('tasks in PostgreSQL', requires('postgres'), () => {
  let cluster: Cluster
  let raw: pg.Client
  const ending: (() => unknown)[] = []
  let made = 0
  beforeAll(async () => {
    cluster = await startCluster()
    raw = new pg.Client(cluster.url('app'))
    await raw.connect()
  })
  afterEach(async () => {
    for (const end of ending.splice(0).reverse()) await end()
  })
  afterAll(async () => {
    await raw?.end()
    await cluster?.stop()
  })

  const newTable = (): string => `tasks_${made++}`
  /** A store like that of a process. Its timeout decides nothing, also on a busy machine. */
  const open = (table: string, options: PostgresTaskStoreOptions = {}): PostgresTaskStore => {
    const store = new PostgresTaskStore(cluster.url('app'), { table, timeoutMs: 30_000, ...options })
    ending.push(() => store.close())
    return store
  }

  for (const { name, run } of taskStoreChecks(() => open(newTable()))) test(name, run)

  test('processes that begin at once make one table, and one of them wins every version', async () => {
    const table = newTable()
    const stores = Array.from({ length: 4 }, () => open(table))
    expect(
      (await Promise.all(stores.map((store) => failureOf(store.create(record()))))).filter((error) => !error),
    ).toHaveLength(1)
    const won = await Promise.all(stores.map((store) => store.replace(record({ version: 2 }))))
    expect(won.filter(Boolean)).toHaveLength(1)
    expect(await stores[0]!.ready()).toBe(true)
  })

  test('a task of one server is answered for by another', async () => {
    const table = newTable()
    const serverOf = (): Server =>
      createServer({
        name: 'bakery',
        version: '1',
        tools: [tool({ name: 'bake', task: { pollIntervalMs: 20 }, run: () => 'baked' })],
        tasks: { store: open(table) },
      })
    const [one, two] = [await connect(serverOf()), await connect(serverOf())]
    ending.push(() => Promise.all([one.close(), two.close()]))
    const task = await one.tasks.start('bake')
    expect((await two.tasks.result(task.id!)).text).toBe('baked')
  })

  test('one that is over is unknown, and its row goes; its name can be used again', async () => {
    const [table, past] = [newTable(), { createdAt: Date.now() - 10_000, ttlMs: 1_000 }]
    const store = open(table)
    await store.create(record())
    await store.create(record({ id: 'old', ...past }))
    await store.create(record({ id: 'older', ...past }))
    expect([await store.get('ada', 'old'), await store.count(), (await store.list()).length]).toEqual([undefined, 1, 1])
    expect(await store.replace(record({ id: 'old', version: 2, ...past }))).toBe(false)
    await store.create(record({ id: 'old' }))
    expect((await store.get('ada', 'old'))?.version).toBe(1)
    await open(table).create(record({ id: 'new' }))
    const { rows } = await raw.query(`SELECT count(*) AS rows FROM ${table}`)
    expect(rows).toEqual([{ rows: '3' }])
  })

  test('a record of a newer version of the program is unknown, and not overwritten', async () => {
    const table = newTable()
    const store = open(table)
    await store.create(record())
    await raw.query(`UPDATE ${table} SET format = 2`)
    expect(await store.get('ada', 'a1')).toBeUndefined()
    expect(await store.replace(record({ version: 2 }))).toBe(false)
    expect(await failureOf(store.create(record()))).toMatchObject({ code: 'invalid_argument' })
    expect(await store.list()).toEqual([])
  })

  test('a database that is away, refuses or is silent is told without secrets, and used again after that', async () => {
    const table = newTable()
    const store = open(table)
    const operations: unknown[] = []
    const listener = (event: unknown): unknown => operations.push(event)
    subscribe('tenon:store', listener)
    await store.create(record())
    unsubscribe('tenon:store', listener)
    expect(operations.at(-1)).toMatchObject({ system: 'postgresql', operation: 'INSERT', address: '127.0.0.1' })
    await raw.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app' AND pid <> pg_backend_pid()",
    )
    await expect.poll(() => failureOf(store.count())).toBeUndefined()

    const wrong = new PostgresTaskStore(cluster.url('app').replace('app-secret', 'geheim'), { table })
    ending.push(() => wrong.close())
    const refused = await failureOf(wrong.count())
    expect(refused).toMatchObject({ code: 'unavailable', message: expect.stringContaining('password authentication') })
    expect(String((refused as Error).stack)).not.toContain('geheim')
    const nobody = new PostgresTaskStore('postgres://app:geheim@127.0.0.1:1/shop')
    ending.push(() => nobody.close())
    expect(await failureOf(nobody.count())).toMatchObject({ code: 'unavailable' })
    expect(await nobody.ready()).toBe(false)

    const hasty = open(table, { timeoutMs: 300 })
    await expect.poll(() => failureOf(hasty.count())).toBeUndefined()
    await raw.query(`BEGIN; LOCK TABLE ${table}`)
    expect(await failureOf(hasty.count())).toMatchObject({ code: 'unavailable' })
    await raw.query('ROLLBACK')
    await expect.poll(() => failureOf(hasty.count())).toBeUndefined()
    await hasty.close()
    expect(await failureOf(hasty.count())).toMatchObject({ code: 'closed' })
  })

  test.each([
    ['mysql://app:geheim@localhost', {}, /expected postgres:\/\//],
    ['postgres://app:geheim%@localhost/a', {}, /expected postgres:\/\//],
    ['postgres://', {}, /expected postgres:\/\//],
    ['postgres://localhost/a', { table: 'a; DROP TABLE b' }, /table: expected/],
    ['postgres://localhost/a', { timeoutMs: 0 }, /timeoutMs: expected a whole number above 0/],
  ])('%s with %j is refused', (url, options, message) => {
    const make = (): unknown => new PostgresTaskStore(url, options)
    expect(make).toThrow(message)
    expect(make).not.toThrow(/geheim/)
  })
})
