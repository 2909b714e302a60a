/** Every example is run as its README says, in the folder of the repository, and prints what stands there. */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { readPage } from '../scripts/read-page.ts'

const exec = promisify(execFile)
const root = fileURLToPath(new URL('../', import.meta.url))
const read = (path: string): string => readFileSync(root + path, 'utf8')
const names = readdirSync(join(root, 'examples'), { withFileTypes: true })
  // The files of examples/deployment have a test of their own.
  .filter((entry) => entry.isDirectory() && existsSync(join(root, 'examples', entry.name, 'package.json')))
  .map(({ name }) => name)

// Nothing of the user's environment reaches an example.
const home = mkdtempSync(join(tmpdir(), 'tenon-examples-'))
afterAll(() => rmSync(home, { recursive: true }))
const env = { PATH: process.env.PATH, HOME: home, NO_COLOR: '1', npm_config_update_notifier: 'false' }

async function type(line: string): Promise<string> {
  const { stdout, stderr } = await exec('bash', ['-c', line], { cwd: root, env, timeout: 100_000 })
  return stdout + stderr
}

test.each(names)('%s', { timeout: 100_000 }, async (name) => {
  const page = `examples/${name}/README.md`
  expect(read(page)).toContain(`\`\`\`console\n$ node examples/${name}/dist/`)
  await readPage(root + page, { type })
})

test('the commands of the README', { timeout: 120_000 }, () => readPage(`${root}README.md`, { type }))

const linksIn = (page: string): string[] => [...read(page).matchAll(/\]\(([^)#\s]+)/g)].map(([, target]) => target!)

test.each(names)('%s is in the table, and the page that it names leads to it', (name) => {
  expect(linksIn('examples/README.md')).toContain(`${name}/README.md`)
  const targets = linksIn(`examples/${name}/README.md`)
  const pages = targets.filter((target) => target.startsWith('../../')).map((target) => target.slice('../../'.length))
  const back = pages.filter((page) => linksIn(page).some((target) => target.endsWith(`examples/${name}/README.md`)))
  expect(back, `one of ${pages.join(', ')} has a link to examples/${name}/README.md`).not.toEqual([])
})

test('the map of the documentation leads to every page', () => {
  const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md') && name !== 'README.md')
  const linked = new Set(linksIn('docs/README.md'))
  expect(pages.filter((page) => !linked.has(page))).toEqual([])
})
