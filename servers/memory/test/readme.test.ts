import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { transform } from 'esbuild'
import { expect, test } from 'vitest'
import { bin, namesIn, ours, start, testFolder } from './helpers.ts'

const page = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const root = fileURLToPath(new URL('../../../', import.meta.url))
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, block]) => block!)

const node = (...args: string[]): Promise<{ stdout: string }> =>
  promisify(execFile)(process.execPath, args, { cwd: root })

test('the page names every tool and every setting', async () => {
  const client = await start(ours(join(testFolder(), 'memory.jsonl')))
  for (const { name } of (await client.listTools()).tools) expect(page).toContain(`\`${name}\``)
  const { stdout } = await node(bin, '--help')
  const [own] = stdout.split('Settings of every server')
  for (const [flag] of own!.matchAll(/--[a-z-]+/g)) expect(page).toContain(flag)
})

test('the configs are JSON, and the program runs', async () => {
  for (const block of blocks('json')) JSON.parse(block)
  const file = join(testFolder(), 'memory.jsonl')
  const [program] = blocks('ts')
  const { code } = await transform(program!.replace('/tmp/memory.jsonl', file), { loader: 'ts', target: 'es2022' })
  await node('--input-type=module', '-e', code)
  expect(namesIn(file)).toEqual(['Ada'])
})
