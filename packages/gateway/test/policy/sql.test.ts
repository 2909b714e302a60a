import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requires } from '../../../../scripts/requires.ts'
import { type Cluster, startCluster } from '../../../../servers/postgres/test/cluster.ts'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { AuditLog, auditTable, pinTable, verifyAudit } from '../../src/policy.ts'
import { pinsSuite } from './pins.suite.ts'

let cluster: Cluster | undefined
let folder: string | undefined
afterAll(async () => {
  await cluster?.stop()
  if (folder !== undefined) await rm(folder, { recursive: true })
})

const startFolder = async (): Promise<string> => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-sql-'))
  return `pglite:${folder}`
}

const startPostgres = async (): Promise<string> => {
  cluster = await startCluster()
  return cluster.url('app')
}

describe.each<[string, object, () => Promise<string>]>([
  ['PGlite', {}, startFolder],
  ['PostgreSQL', requires('postgres'), startPostgres],
])('in %s', (_, options, start) => {
  describe('one database', options, () => {
    let opened: Database
    let address: string
    const database = { query: (text: string, values?: unknown[]) => opened.query(text, values) }
    beforeAll(async () => {
      address = await start()
      opened = await openDatabase(address)
    })
    afterAll(() => opened?.close())

    pinsSuite(async () => {
      for (const table of ['tenon_pins', 'tenon_first_pins']) await database.query(`drop table if exists ${table}`)
      return pinTable(database)
    }, 40)

    test('a vault, pins and a log may be in one database', async () => {
      const second = await openDatabase(address)
      await second.query('create table if not exists shared (n int)')
      await second.close()
      await second.close()
      expect(await database.query('select n from shared')).toMatchObject({ rows: [] })
    })

    test('a table is an audit log for several gateways, and shows changes', async () => {
      const logs = [await AuditLog.open(await auditTable(database)), await AuditLog.open(await auditTable(database))]
      for (let at = 0; at < 7; at++) await Promise.all(logs.map((log) => log.record({ type: 'decision', at })))
      for (const log of logs) await log.close()
      const intact = await verifyAudit({ database })
      expect(intact).toMatchObject({ ok: true, entries: 18, starts: 2 })
      await database.query(`update tenon_audit set line = replace(line, '"at":3', '"at":9')`)
      const changed = await verifyAudit({ database })
      expect(changed.problems.map(({ message }) => message)).toContain('its hash is not that of its content')
      await database.query(`update tenon_audit set line = replace(line, '"at":9', '"at":3')`)
      expect(await verifyAudit({ database })).toEqual(intact)
      await database.query('delete from tenon_audit where seq = 4')
      expect((await verifyAudit({ database })).problems).toHaveLength(2)
    })
  })
})
