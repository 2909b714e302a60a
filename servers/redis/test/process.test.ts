import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { revisions } from '@tenon/sdk/server'
import { transform } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import { atEnd, bin, call, open, ours, redisForTests, start } from './helpers.ts'

const page = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const root = fileURLToPath(new URL('../../../', import.meta.url))
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, block]) => block!)

const node = (...args: string[]): Promise<{ stdout: string; stderr: string }> =>
  promisify(execFile)(process.execPath, args, { cwd: root })

test('a mistake of the operator is one line and exit code 2', async () => {
  const mistakes = [
    [['http://u:hunter2@host'], 'the address of Redis'],
    [['--database', 'x', 'redis://host'], '--database'],
    [['--password-file', '/nowhere/file'], '--password-file'],
    [['--tls-ca', '/nowhere/file', 'rediss://host'], '--tls-ca'],
    [['--max-value', 'much'], '--max-value'],
  ] as const
  const run = async ([args, place]: (typeof mistakes)[number]): Promise<void> => {
    const { code, stderr } = await node(bin, ...args).catch((error) => error)
    expect([code, stderr.split('\n')[0]]).toEqual([2, expect.stringContaining(place)])
    expect(stderr).not.toContain('hunter2')
  }
  await Promise.all(mistakes.map(run))
})

test('the page names every tool and every setting', async () => {
  const client = await start(ours('unix:///nowhere.sock'))
  for (const { name } of (await client.listTools()).tools) expect(page).toContain(`\`${name}\``)
  const { stdout } = await node(bin, '--help')
  const [own] = stdout.split('Settings of every server')
  for (const [flag] of own!.matchAll(/--[a-z-]+/g)) expect(page).toContain(flag)
  for (const block of blocks('json')) JSON.parse(block)
})

describe('the program', requires('redis'), () => {
  const held = redisForTests({ tcp: true })

  test('serves in every revision, and over stdio with the address of a flag or a variable', async () => {
    const { url } = held.redis
    for (const revision of revisions) {
      const client = await open({ redis: url }, { revisions: [revision] })
      await call(client, 'set', { key: 'a', value: revision })
      expect((await client.callTool('get', { key: 'a' })).text).toBe(revision)
    }
    const targets = [ours(url), { ...ours('--read-only'), env: { REDIS_URL: url } }]
    const clients = await Promise.all(targets.map((target) => start(target)))
    for (const client of clients) expect(await call(client, 'key_info', { key: 'a' })).toMatchObject({ exists: true })
  })

  test('a changed config file changes prefixes and address of a running server', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tenon-redis-'))
    atEnd(() => rmSync(folder, { recursive: true, force: true }))
    const config = join(folder, 'config.json')
    const write = (settings: object): void =>
      writeFileSync(config, JSON.stringify({ redis: held.redis.url, ...settings }))
    write({ prefix: ['a:'] })
    const client = await start({ ...ours('--config', config), stderr: 'ignore' })
    await call(client, 'set', { key: 'a:1', value: '0' })
    write({ prefix: ['b:'], database: 1 })
    await expect
      .poll(async () => (await client.callTool('get', { key: 'a:1' })).text, { timeout: 100_000 })
      .toContain('may only use keys that begin with "b:"')
    await call(client, 'set', { key: 'b:1', value: '1' })
    expect([await held.raw.get('a:1'), await held.raw.get('b:1')]).toEqual(['0', null])
  })

  test('the program of the page runs', async () => {
    const [program] = blocks('ts')
    const here = program!.replace('redis://localhost:6379', `redis://127.0.0.1:${held.redis.port}`)
    const { code } = await transform(here, { loader: 'ts', target: 'es2022' })
    await node('--input-type=module', '-e', code)
    expect(await held.raw.get('app:greeting')).toBe('hello')
  })
})
