/**
 * A first project from a clone, as a newcomer makes it before the packages are published: with an empty home and without
 * a network, in which npm finds nothing but the files of the clone.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { cleanEnv, type Outcome, tenonProcess } from './tenon.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

function place(): { folder: string; env: NodeJS.ProcessEnv } {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-first-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'home'))
  const offline = { npm_config_offline: 'true', npm_config_registry: 'http://127.0.0.1:9', npm_config_yes: 'false' }
  return { folder, env: { ...cleanEnv(join(folder, 'home')), ...offline, npm_config_update_notifier: 'false' } }
}

async function typed(line: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Outcome> {
  const run = promisify(execFile)('bash', ['-c', `{ ${line}\n} </dev/null`], { cwd, env })
  return await run.then((done) => ({ ...done, code: 0 })).catch((failed: Outcome & Error) => failed)
}

// The other templates have the same dependencies: new.test.ts runs their scripts.
test.each(['server', 'client'])(
  'tenon new %s, npm install and npm test, offline',
  { timeout: 120_000 },
  async (kind) => {
    const { folder, env } = place()
    const made = await tenonProcess(['new', kind, 'notes', '--author', 'Ada'], { cwd: folder, env })
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('notes is ready in notes') })
    expect(made.stdout).toContain(`The dependencies are those of the clone in ${root.slice(0, -1)}.`)
    const notes = join(folder, 'notes')
    const { dependencies } = JSON.parse(readFileSync(join(notes, 'package.json'), 'utf8'))
    expect(dependencies['@tenon/sdk']).toBe(`file:${join(root, 'packages/sdk')}`)
    expect(await typed('npm install && npm test && npm run check && npm run build', notes, env)).toMatchObject({
      code: 0,
    })
    if (kind === 'client') return
    const call = 'npx tenon call count_words text="Less is more." -- node dist/main.js'
    expect(await typed(call, notes, env)).toMatchObject({ code: 0, stderr: '' })
  },
)

test.each(['npx tenon new server ~/notes'])(
  'the line of the README, in a clone: %s',
  { timeout: 120_000 },
  async (line) => {
    const { folder, env } = place()
    // In place of the root of the clone, where the new folder would stay: the same packages.
    const clone = join(folder, 'tenon')
    mkdirSync(clone)
    writeFileSync(join(clone, 'package.json'), '{ "private": true }')
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
    const typedLines = readFileSync(join(root, 'README.md'), 'utf8')
      .split('\n')
      .map((one) => one.replace(/\s+#.*$/, ''))
    expect([line, `$ ${line}`].some((one) => typedLines.includes(one))).toBe(true)
    expect(await typed(line, clone, env)).toMatchObject({ code: 0 })
  },
)

test('a project that is there installs the library and the command from a clone, as the README says', async () => {
  const { folder, env } = place()
  const mine = join(folder, 'mine')
  mkdirSync(mine)
  symlinkSync(root, join(folder, 'home/tenon'))
  writeFileSync(join(mine, 'package.json'), '{ "private": true, "type": "module" }')
  const lines = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/^npm install .*packages.*$/gm)].map(String)
  expect(lines).toHaveLength(2)
  for (const line of lines) expect(await typed(line, mine, env)).toMatchObject({ code: 0 })
  writeFileSync(join(mine, 'main.js'), "import { connect } from '@tenon/sdk/client'\nconsole.log(typeof connect)\n")
  expect(await typed('node main.js', mine, env)).toMatchObject({ code: 0, stdout: 'function\n' })
  const called = await typed('npx tenon call everything add a=19 b=23', mine, env)
  expect(called).toMatchObject({ code: 0, stdout: expect.stringContaining('42') })
})

test.each([
  ['pnpm', 'link'],
  ['yarn', 'link'],
  ['npm', 'file'],
])('%s gets dependencies that it links (%s:)', async (manager, protocol) => {
  const { folder, env } = place()
  await tenonProcess(['new', 'client', 'viewer', '--no-install', '--package-manager', manager], { cwd: folder, env })
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'viewer/package.json'), 'utf8'))
  expect(dependencies['@tenon/sdk']).toBe(`${protocol}:${join(root, 'packages/sdk')}`)
})
