import { execFile } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { revisions } from '@tenon/sdk/client'
import { expect, test } from 'vitest'
import { bin, call, ours, read, start, testFolder, write } from './helpers.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

const run = (command: string, args: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    const child = execFile(command, args, { cwd: root }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr })
    })
    child.stdin?.end()
  })

test('the process speaks every revision', async () => {
  const file = join(testFolder(), 'test.db')
  const answers = await Promise.all(
    revisions.map(async (revision) => {
      const client = await start(ours(file), { revisions: [revision] })
      expect(client.server.revision).toBe(revision)
      return (await client.callTool('read_query', { query: 'SELECT 6 * 7 AS answer' })).text
    }),
  )
  expect(new Set(answers)).toEqual(new Set(['[{"answer":42}]']))
})

test('npx finds the command from the root of the repository', async () => {
  const { code, stdout } = await run('npx', ['--no-install', 'tenon-sqlite', '--help'])
  expect(code).toBe(0)
  expect(stdout).toContain('--folder FOLDER')
})

test('a file that cannot be used is one line and exit code 2', async () => {
  const folder = testFolder()
  for (const args of [
    [folder],
    ['--read-only', join(folder, 'absent.db')],
    ['--timeout', 'soon', join(folder, 'a.db')],
  ]) {
    const { code, stderr } = await run(process.execPath, [bin, ...args])
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^tenon-sqlite: [^\n]+\nTry [^\n]+\n$/)])
  }
  expect(existsSync(join(folder, 'absent.db'))).toBe(false)
})

test("the original's flag works, and folders on the way are made", async () => {
  const file = join(testFolder(), 'a', 'b', 'test.db')
  const client = await start({ command: process.execPath, args: [bin, '--db-path', file] })
  await call(client, 'create_table', { query: 'CREATE TABLE t (v)' })
  expect(existsSync(file)).toBe(true)
})

test('--read-only offers tools that read, and --confirm asks before a write', async () => {
  const file = join(testFolder(), 'test.db')
  const asking = await start(ours(file, '--confirm'))
  await call(asking, 'create_table', { query: 'CREATE TABLE t (v)' })
  expect(await asking.callTool('write_query', { query: 'DROP TABLE t' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('Nothing was changed'),
  })
  const reader = await start(ours(file, '--read-only'))
  const { tools } = await reader.listTools()
  expect(tools.map(({ name }) => name)).toEqual([
    'read_query',
    'explain_query',
    'list_tables',
    'describe_table',
    'export_query',
    'show_chart',
  ])
  expect(await read(reader, 'SELECT count(*) FROM t')).toEqual([[0]])
  await expect(write(reader, 'DROP TABLE t')).rejects.toThrow('write_query')
})

test('the settings of the config are used, and used again when it changes', async () => {
  const folder = testFolder()
  const config = join(folder, 'config.json')
  writeFileSync(config, '{ "dbPath": "shop.db", "maxRows": 2 } // beside this file')
  const client = await start({ command: process.execPath, args: [bin, '--config', config] })
  const query = 'VALUES (1), (2), (3), (4)'
  expect(await read(client, query)).toHaveLength(2)
  expect(existsSync(join(folder, 'shop.db'))).toBe(true)
  writeFileSync(config, '{ "dbPath": "shop.db", "maxRows": 3 }')
  await expect.poll(() => read(client, query)).toHaveLength(3)
})
