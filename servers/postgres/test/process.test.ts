import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect, type ProcessTarget } from '@tenon/sdk/client'
import { transform } from 'esbuild'
import { afterAll, expect, test } from 'vitest'

const bin = fileURLToPath(new URL('../bin/tenon-postgres.js', import.meta.url))
const root = fileURLToPath(new URL('../../../', import.meta.url))
const place = mkdtempSync(join(tmpdir(), 'tenon-postgres-'))
const folder = join(place, 'data')
afterAll(() => rmSync(place, { recursive: true, force: true }))

const ours = (...args: string[]): ProcessTarget => ({ command: process.execPath, args: [bin, ...args] })

const run = (
  command: string,
  args: string[],
  env: object = {},
): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    const options = { cwd: root, env: { ...process.env, ...env } }
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr })
    })
    child.stdin?.end()
  })

const program = (...args: string[]): ReturnType<typeof run> => run(process.execPath, [bin, ...args])

test('an embedded database keeps its data, for one process at a time', { timeout: 120_000 }, async () => {
  {
    await using client = await connect(ours('--write', 'allow', folder), { timeoutMs: 90_000 })
    expect((await client.callTool('execute', { sql: 'CREATE TABLE kept (a int)' })).isError).toBe(false)
    const { code, stderr } = await program(folder)
    const refusal = /^tenon-postgres: process \d+ on .* uses the database in [^\n]+\nTry [^\n]+\n$/
    expect([code, stderr]).toEqual([2, expect.stringMatching(refusal)])
  }
  const config = join(place, 'config.json')
  writeFileSync(config, JSON.stringify({ database: folder, maxRows: 2 }))
  await using client = await connect(ours('--config', config), { timeoutMs: 90_000 })
  expect((await client.callTool('list_tables')).text).toBe('public.kept (table)')
  expect((await client.callTool('query', { sql: 'SELECT generate_series(1, 3)' })).structured).toMatchObject({
    row_count: 2,
  })
})

test('npx finds the command from the root of the repository', async () => {
  const { code, stdout } = await run('npx', ['--no-install', 'tenon-postgres', '--help'])
  expect([code, stdout]).toEqual([0, expect.stringContaining('TENON_POSTGRES_DATABASE')])
})

test('a wrong address is one line and exit code 2, without its password', async () => {
  const silent = createServer((socket) => socket.end()).listen(0, '127.0.0.1')
  await new Promise((resolve) => silent.once('listening', resolve))
  const { port } = silent.address() as { port: number }
  const cases: [string, RegExp][] = [
    ['mysql://root:hunter22@localhost/x', /expected postgres:\/\/USER@HOST\/NAME or a folder, got mysql:/],
    ['postgres://root:hunter22@local host/x', /a URL that cannot be read/],
    ['postgres://root:hunter22%zz@localhost/x', /a URL that cannot be read/],
    ['postgres://root:hunter22@127.0.0.1:1/x', /cannot open the database: .*ECONNREFUSED/],
    [`postgres://root:hunter22@127.0.0.1:${port}/x`, /cannot open the database: .*terminated/],
  ]
  for (const [address, message] of cases) {
    const { code, stderr } = await program(address)
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)])
    expect(stderr).not.toContain('hunter22')
    expect(stderr).toMatch(/^tenon-postgres: [^\n]+\nTry tenon-postgres --help.\n$/)
  }
  silent.close()
})

test('a wrong flag is one line and exit code 2', async () => {
  for (const [args, message] of [
    [['--max-rows', '0'], '--max-rows: '],
    [['--write', 'maybe'], '--write: '],
    [['a', 'b'], 'expected one argument'],
    [[join(bin, 'inside-a-file')], 'cannot use the folder'],
    [[root], 'expected an empty folder or one with a database'],
  ] as const) {
    const { code, stderr } = await program(...args)
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  }
})

test('the page names every tool and setting, and its configs and program are right', { timeout: 120_000 }, async () => {
  const page = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const tools = ['query', 'explain', 'execute', 'list_schemas', 'list_tables', 'describe_table', 'list_roles']
  for (const name of tools) expect(page).toContain(`\`${name}\``)
  const { stdout } = await program('--help')
  const [own] = stdout.split('Settings of every server')
  for (const [flag] of own!.matchAll(/--[a-z-]+/g)) expect(page).toContain(flag)
  for (const [, block] of page.matchAll(/```json\n(.*?)```/gs)) JSON.parse(block!)
  const [, snippet] = /```ts\n(.*?)```/s.exec(page)!
  const { code } = await transform(snippet!.replace('/tmp/shop', folder), { loader: 'ts', target: 'es2022' })
  expect(await run(process.execPath, ['--input-type=module', '-e', code])).toMatchObject({ code: 0, stderr: '' })
})
