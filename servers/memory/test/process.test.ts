import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { revisions } from '@tenon/sdk/client'
import { expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import { bin, call, create, namesOf, ours, start, testFolder } from './helpers.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

const run = (command: string, args: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    const child = execFile(command, args, { cwd: root }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr })
    })
    child.stdin?.end()
  })

test.each(revisions)('the process speaks %s', async (revision) => {
  const client = await start(ours(join(testFolder(), 'memory.jsonl')), revision)
  expect(client.server.revision).toBe(revision)
  await create(client, 'Ada')
  expect((await client.callTool('search_nodes', { query: 'ada' })).text).toContain('about Ada')
})

test('npx finds the command from the root of the repository', async () => {
  const { code, stdout } = await run('npx', ['--no-install', 'tenon-memory', '--help'])
  expect(code).toBe(0)
  expect(stdout).toContain('MEMORY_FILE_PATH')
})

test('a file that cannot be used is one line and exit code 2', async () => {
  const folder = testFolder()
  const { code, stderr } = await run(process.execPath, [bin, folder])
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/^tenon-memory: the memory file cannot be used: [^\n]+\nTry [^\n]+\n$/),
  ])
})

test(
  'a folder that may not be written is an error of the call, and reading goes on',
  requires('not-root'),
  async () => {
    const folder = join(testFolder(), 'closed')
    mkdirSync(folder, { mode: 0o500 })
    const client = await start(ours(join(folder, 'memory.jsonl')))
    const { isError, text } = await client.callTool('create_entities', { entities: [] })
    expect([isError, text]).toEqual([true, expect.stringContaining('may not write')])
    expect(await call(client, 'read_graph')).toEqual({ entities: [], relations: [] })
  },
)

test('--confirm asks before something is deleted, and --read-only offers no such tool', async () => {
  const file = join(testFolder(), 'memory.jsonl')
  const client = await start(ours(file, '--confirm'))
  await create(client, 'Ada')
  expect(await client.callTool('delete_entities', { entityNames: ['Ada'] })).toMatchObject({
    isError: true,
    text: expect.stringContaining('Nothing was changed'),
  })
  const reader = await start(ours(file, '--read-only'))
  expect(namesOf(await call(reader, 'read_graph'))).toEqual(['Ada'])
  await expect(create(reader, 'Bob')).rejects.toThrow('create_entities')
})

test('--sync later acknowledges before the disk has it, and the next process knows it', async () => {
  const file = join(testFolder(), 'memory.jsonl')
  const first = await start(ours(file, '--sync', 'later'))
  await create(first, 'Ada')
  const second = await start(ours(file))
  expect(namesOf(await call(second, 'read_graph'))).toEqual(['Ada'])
})

test('the file of the config is used', async () => {
  const folder = testFolder()
  const config = join(folder, 'config.json')
  writeFileSync(config, '{ "file": "notes.jsonl" } // beside this file')
  const client = await start({ command: process.execPath, args: [bin, '--config', config] })
  await create(client, 'Ada')
  const other = await start(ours(join(folder, 'notes.jsonl')))
  expect(namesOf(await call(other, 'read_graph'))).toEqual(['Ada'])
})
