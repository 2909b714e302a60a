import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import { endless, later, open, ours, python, read, start, testFolder, write } from './helpers.ts'

const fill = (rows: number): string =>
  `WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT ${rows}) INSERT INTO t SELECT x FROM c`

test('a query without end tells that it runs, is ended, and the next one runs', async () => {
  const { client } = await open({ timeout: 1_300, parallel: 1 })
  const seen: number[] = []
  const { isError, text } = await client.callTool(
    'read_query',
    { query: endless },
    { onProgress: ({ progress }) => seen.push(progress) },
  )
  expect([isError, text]).toEqual([true, expect.stringContaining('longer than 1.3 s')])
  expect(seen.length).toBeGreaterThan(0)
  expect(await read(client, 'SELECT 1')).toEqual([[1]])
})

test('a long query blocks nobody', async () => {
  const { client } = await open({ timeout: 60_000 })
  const controller = new AbortController()
  const long = client.callTool('read_query', { query: endless }, { signal: controller.signal })
  expect(await read(client, 'SELECT 1')).toEqual([[1]])
  await write(client, 'CREATE TABLE t (v)')
  controller.abort()
  await expect(long).rejects.toThrow()
})

test('a cancelled query ends at once, and its place is free', async () => {
  const { client } = await open({ timeout: 60_000, parallel: 1 })
  const controller = new AbortController()
  const long = client.callTool('read_query', { query: endless }, { signal: controller.signal })
  const waiting = read(client, 'SELECT 1')
  controller.abort()
  await expect(long).rejects.toThrow()
  expect(await waiting).toEqual([[1]])
})

test.each(['delete', 'wal'])('a write that takes too long changes nothing, with journal_mode %s', async (mode) => {
  const { client, file } = await open()
  await write(client, `PRAGMA journal_mode = ${mode}`)
  await write(client, 'CREATE TABLE t (v)')
  await write(client, fill(10))
  const { client: hasty } = await open({ dbPath: file, timeout: 600 })
  await expect(write(hasty, fill(1_000_000_000))).rejects.toThrow('incomplete change is taken back')
  expect(await read(client, 'SELECT count(*) FROM t')).toEqual([[10]])
  expect(await read(client, 'PRAGMA integrity_check')).toEqual([['ok']])
})

test('the transaction of a killed server is taken back by the next one', requires('proc'), async () => {
  const folder = testFolder()
  const file = `${folder}/test.db`
  const server = spawn(process.execPath, ours(file).args as string[], { stdio: ['pipe', 'ignore', 'ignore'] })
  later(() => server.kill('SIGKILL'))
  const first = await start(ours(file))
  await write(first, 'CREATE TABLE t (v)')
  await write(first, fill(10))
  await first.close()
  const messages = [
    {
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
    },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name: 'write_query', arguments: { query: fill(1_000_000_000) } } },
  ]
  for (const message of messages) server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  // The journal grows when pages are written before their transaction is complete.
  await expect.poll(() => readdirSync(folder)).toContain('test.db-journal')
  await expect.poll(() => readFileSync(file).length).toBeGreaterThan(100_000)
  const engines = enginesOf(server.pid!)
  expect(engines.length).toBeGreaterThan(0)
  server.kill('SIGKILL')
  await once(server, 'exit')
  await expect.poll(() => engines.filter(isAlive)).toEqual([])
  expect(readdirSync(folder)).toContain('test.db-journal')
  const second = await start(ours(file))
  expect(await read(second, 'SELECT count(*) FROM t')).toEqual([[10]])
})

/** Processes whose parent is the given one. */
function enginesOf(parent: number): number[] {
  const numbers = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return numbers.map(Number).filter((pid) => statOf(pid)?.[1] === String(parent))
}

const isAlive = (pid: number): boolean => !['Z', undefined].includes(statOf(pid)?.[0])

function statOf(pid: number): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  } catch {
    return undefined
  }
}

test('a query that keeps everything it computes is ended', async () => {
  const { client } = await open({ maxMemory: 250_000_000 })
  const hungry =
    'WITH RECURSIVE c(x) AS (SELECT randomblob(1000000) UNION SELECT randomblob(1000000) FROM c) SELECT count(*) FROM c'
  await expect(read(client, hungry)).rejects.toThrow('more than 250000000 bytes of memory')
  expect(await read(client, 'SELECT 1')).toEqual([[1]])
})

test('large values are refused by the engine', async () => {
  const { client } = await open({ maxValue: 1_000_000 })
  for (const query of [
    'SELECT zeroblob(2000000)',
    'SELECT hex(randomblob(900000))',
    "SELECT replace(hex(zeroblob(400000)), '0', '0000')",
  ]) {
    await expect(read(client, query), query).rejects.toThrow('too big')
  }
  expect(await read(client, "SELECT length(printf('%.*c', 900000000, 'x'))")).toEqual([[null]])
})

test('deep and long statements are refused by the engine', async () => {
  const { client } = await open()
  await expect(read(client, `SELECT ${'('.repeat(5_000)}1${')'.repeat(5_000)}`)).rejects.toThrow(
    /overflow|[Rr]ecursion|depth/,
  )
  await expect(read(client, `SELECT ${'1+'.repeat(5_000)}1`)).rejects.toThrow('depth')
  await expect(read(client, `SELECT 1${' UNION SELECT 1'.repeat(600)}`)).rejects.toThrow('too many terms')
  await expect(read(client, `SELECT '${'x'.repeat(1_000_000)}'`)).rejects.toThrow()
  await expect(read(client, `SELECT ${'[1;'.repeat(1_000)}`)).rejects.toThrow()
})

test('a page that ends early leaves no lock behind', async () => {
  const { client } = await open({ maxRows: 1 })
  await write(client, 'CREATE TABLE t (v)')
  await write(client, fill(10_000))
  expect(await read(client, 'SELECT * FROM t')).toEqual([[1]])
  expect(await write(client, 'DELETE FROM t')).toMatchObject({ affected_rows: 10_000 })
})

describe('beside another program', requires('python-servers'), () => {
  const hold = `
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute('BEGIN IMMEDIATE')
connection.execute('INSERT INTO t VALUES (99)')
print('held', flush=True)
sys.stdin.readline()
connection.execute('COMMIT')
connection.close()
print('done', flush=True)
`

  test.each(['delete', 'wal'])('its lock is respected, and ours by it, with journal_mode %s', async (mode) => {
    const { client, file } = await open()
    await write(client, `PRAGMA journal_mode = ${mode}`)
    await write(client, 'CREATE TABLE t (v)')
    const holder = spawn(python, ['-c', hold, file], { stdio: ['pipe', 'pipe', 'inherit'] })
    later(() => holder.kill('SIGKILL'))
    await once(holder.stdout, 'data')
    // A writer in between is kept out, and a reader sees only complete transactions.
    const written = write(client, 'INSERT INTO t VALUES (1)')
    expect(await read(client, 'SELECT * FROM t')).toEqual([])
    holder.stdin.end('\n')
    await once(holder, 'exit')
    expect(await written).toMatchObject({ affected_rows: 1 })
    expect(await read(client, 'SELECT v FROM t ORDER BY v')).toEqual([[1], [99]])
  })
})
