import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type DatabaseUnderTest, openDatabase, query } from './database-under-test.ts'
import { hostileSuite } from './hostile.suite.ts'
import { querySuite } from './query.suite.ts'
import { tables } from './tables.ts'
import { writeSuite } from './write.suite.ts'

const place = mkdtempSync(join(tmpdir(), 'tenon-postgres-'))
const folder = join(place, 'data')
let database: DatabaseUnderTest
beforeAll(async () => {
  database = await openDatabase({ database: folder })
  await database.change(...tables)
}, 120_000)
afterAll(async () => {
  await database?.close()
  rmSync(place, { recursive: true, force: true })
})

afterEach(() => database.reset())

querySuite(() => database)
writeSuite(() => database)
hostileSuite(() => database)

test('cancelling ends the statement', async () => {
  const stop = new AbortController()
  const call = database.client.callTool('query', { sql: 'SELECT pg_sleep(600)' }, { signal: stop.signal })
  call.catch(() => {})
  stop.abort()
  await expect(call).rejects.toThrow()
  expect(await query(database.client, 'SELECT 1')).toEqual([[1]])
})

test('files and programs of this machine are out of reach, also in write mode', async () => {
  database.set({ write: 'allow', timeout: 3_000 })
  const host = join(place, 'host-file')
  writeFileSync(host, 'private')
  const call = (sql: string): Promise<{ isError: boolean; text: string }> =>
    database.client.callTool('execute', { sql })
  expect(await call(`SELECT pg_read_file('${host}')`)).toMatchObject({ isError: true })
  await call(`COPY (SELECT 1) TO '${join(place, 'copied')}'`)
  await call(`COPY (SELECT 1) TO PROGRAM 'touch ${join(place, 'touched')}'`)
  expect(readdirSync(place).sort()).toEqual(['data', 'data.lock', 'host-file'])
  database.set({ timeout: 60_000 })
  await expect.poll(() => query(database.client, 'SELECT 1')).toEqual([[1]])
})

test('a second process is kept out of the folder', async () => {
  await expect(openDatabase({ database: folder })).rejects.toThrow(`process ${process.pid} on`)
})
