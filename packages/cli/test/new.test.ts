import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bare, dialogue } from './dialogue.ts'
import { cleanEnv, type Outcome, onTerminal, temporaryFolder, tenon, tenonProcess } from './tenon.ts'

const exec = promisify(execFile)
const root = fileURLToPath(new URL('../../../', import.meta.url))

// A machine on which the packages were installed as they would be published. Everything else is where it is already, so
// no network is needed.
const machine = mkdtempSync(join(tmpdir(), 'tenon-new-'))
const installed = join(machine, 'node_modules')
const env = { ...cleanEnv(machine), npm_config_update_notifier: 'false', npm_config_cache: join(machine, '.npm') }
afterAll(() => rmSync(machine, { recursive: true, force: true }))

beforeAll(async () => {
  mkdirSync(join(installed, '@tenon'), { recursive: true })
  const ours = new Set(['tenon', '@tenon'])
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (!ours.has(name)) symlinkSync(join(root, 'node_modules', name), join(installed, name))
  }
  for (const name of ['bridge', 'host', 'inspector', 'replay']) {
    symlinkSync(join(root, 'packages', name), join(installed, '@tenon', name))
  }
  await Promise.all([unpack('sdk', '@tenon/sdk'), unpack('cli', 'tenon')])
})

async function unpack(folder: string, name: string): Promise<void> {
  const place = join(installed, name)
  mkdirSync(place, { recursive: true })
  const { stdout } = await exec('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', place], {
    cwd: join(root, 'packages', folder),
    env,
  })
  await exec('tar', ['-xzf', stdout.trim(), '--strip-components=1'], { cwd: place })
}

const inProject = async (folder: string, line: string, ...args: string[]): Promise<Outcome> => {
  try {
    return { ...(await exec(line, args, { cwd: join(machine, folder), env })), code: 0 }
  } catch (error) {
    return error as Outcome & Error
  }
}

const packed = (...args: string[]): Promise<Outcome> =>
  inProject('.', process.execPath, join(installed, 'tenon/bin/tenon.js'), ...args)

/** Runs the scripts that everybody runs, without waiting for npm each time. */
async function passes(folder: string): Promise<void> {
  const { scripts } = JSON.parse(readFileSync(join(machine, folder, 'package.json'), 'utf8'))
  const line = [scripts.check, scripts.test, scripts.build].join(' && ')
  const PATH = `${join(installed, '.bin')}:${process.env.PATH}`
  expect(await inProject(folder, 'env', `PATH=${PATH}`, 'sh', '-c', line)).toMatchObject({ code: 0 })
}

test.each([
  ['stdio', '{\n  "words": 3,\n  "sentences": 1,\n  "minutes": 1\n}\n', ['call', 'count_words', 'text=Less is more.']],
  ['minimal', '{\n  "sum": 42\n}\n', ['call', 'add', 'a=19', 'b=23']],
])('a new %s server passes its checks and tests, is built, and answers', async (template, answer, call) => {
  const folder = `${template}-server`
  const made = await packed('new', 'server', folder, '--template', template, '--no-install', '--author', 'Ada')
  expect(made.stdout).not.toContain('clone')
  expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining(`${folder} is ready in ${folder}`) })
  if (template === 'stdio') {
    expect(await inProject(folder, 'npm', 'run', '--silent', 'prepublishOnly')).toMatchObject({ code: 0 })
  } else await passes(folder)
  expect(await packed(...call, '--', process.execPath, join(machine, folder, 'dist/main.js'))).toMatchObject({
    code: 0,
    stdout: answer,
  })
})

test('a new HTTP server passes its tests, and answers whoever has the token', async () => {
  expect(await packed('new', 'server', '@me/remote', '--template', 'http', '--no-install')).toMatchObject({ code: 0 })
  await passes('remote')
  const child = execFile(process.execPath, [join(machine, 'remote/dist/main.js')], {
    env: { ...env, PORT: '0', TOKEN: 'secret' },
  })
  try {
    const said = await new Promise<string>((resolve) => child.stderr!.setEncoding('utf8').once('data', resolve))
    const url = /http:\S+/.exec(said)![0]
    const call = ['call', url, 'count_words', 'text=Less is more.']
    expect(await packed(...call)).toMatchObject({ code: 4 })
    expect(await packed(...call, '--header', 'Authorization: Bearer secret')).toMatchObject({ code: 0 })
  } finally {
    child.kill()
  }
})

test('a new client passes its tests, is built, and uses a server', async () => {
  expect(await packed('new', 'client', 'viewer', '--no-install')).toMatchObject({ code: 0 })
  await passes('viewer')
  const everything = join(root, 'servers/everything/bin/everything.js')
  const used = await inProject('viewer', process.execPath, 'dist/main.js', process.execPath, everything)
  expect(used).toMatchObject({ code: 0, stdout: expect.stringContaining('  tool add: Adds two numbers\n') })
})

test('what is written, and what to do next', async () => {
  const cwd = temporaryFolder()
  const made = await tenon(['new', 'server', '@me/notes', '--yes', '--no-install', '--author', 'Ada'], { cwd })
  expect({ ...made, stdout: made.stdout.replaceAll(root.slice(0, -1), 'CLONE') }).toMatchInlineSnapshot(`
    {
      "code": 0,
      "stderr": "",
      "stdout": "@me/notes is ready in notes

      cd notes
      npm install
      npm run dev                                                           # restarts when a file changes, shows traffic
      npm test
      npm run build
      npx tenon call count_words text="Less is more." -- node dist/main.js  # a first call

    The dependencies are those of the clone in CLONE.
    Replace them with versions in package.json before you publish the project.
    ",
    }
  `)
  expect(readdirSync(join(cwd, 'notes'), { recursive: true }).toSorted()).toMatchInlineSnapshot(`
    [
      ".gitignore",
      "LICENSE",
      "README.md",
      "package.json",
      "src",
      "src/count-words.ts",
      "src/main.ts",
      "src/rewrite.ts",
      "src/server.ts",
      "src/style-guide.ts",
      "test",
      "test/server.test.ts",
      "tsconfig.build.json",
      "tsconfig.json",
    ]
  `)
  const text = (path: string): string => readFileSync(join(cwd, 'notes', path), 'utf8')
  expect(JSON.parse(text('package.json'))).toMatchObject({
    name: '@me/notes',
    bin: { notes: 'dist/main.js' },
    license: 'MIT',
  })
  expect(text('LICENSE')).toMatch(/^Copyright \(c\) \d{4} Ada$/m)
  expect(text('README.md')).toContain('"args": ["-y", "@me/notes"]')
  expect(text('src/server.ts')).toContain("name: 'notes'")
})

test('nothing is overwritten, and nothing is written that could not be published', async () => {
  const cwd = temporaryFolder()
  mkdirSync(join(cwd, 'full'))
  writeFileSync(join(cwd, 'full', 'package.json'), '{}')
  expect(await tenon(['new', 'server', 'full', '--no-install'], { cwd })).toMatchInlineSnapshot(`
    {
      "code": 2,
      "stderr": "error: full is not empty: package.json
    hint: Choose another folder, or empty this one.
    ",
      "stdout": "",
    }
  `)
  expect(await tenon(['new', 'server', 'My Notes', '--no-install'], { cwd })).toMatchInlineSnapshot(`
    {
      "code": 2,
      "stderr": "error: "My Notes" cannot be the name of a package: it may have lower-case letters, digits and - . _ ~, and begins with a letter, a digit, - or ~
    hint: Give another one with --name, such as my-notes.
    ",
      "stdout": "",
    }
  `)
  expect(await tenon(['new', 'server', 'fs', '--no-install'], { cwd })).toMatchObject({ code: 2 })
  expect(await tenon(['new', 'sever', 'notes'], { cwd })).toMatchInlineSnapshot(`
    {
      "code": 2,
      "stderr": "error: Expected server or client, got "sever"
    hint: Did you mean server?
    ",
      "stdout": "",
    }
  `)
  expect(await tenon(['new', 'server'], { cwd })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Expected a folder'),
  })
  expect(await tenon(['new', 'client', 'x', '--template', 'http'], { cwd })).toMatchObject({ code: 2 })
  expect(readdirSync(cwd)).toEqual(['full'])
})

test('a package manager that fails leaves the project, and says how to go on', async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'pnpm'), '#!/bin/sh\necho "pretending to $1" >&2\nexit 3\n', { mode: 0o755 })
  const PATH = `${cwd}:${process.env.PATH}`
  const made = await tenonProcess(['new', 'server', 'notes', '--package-manager', 'pnpm'], { cwd, env: { PATH } })
  expect(made).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^pretending to install\nerror: The project is there, but `pnpm install` ended with 3\n/,
    ),
  })
  expect(readdirSync(join(cwd, 'notes'))).toContain('package.json')
})

test('on a terminal one is asked for what is missing', async () => {
  const cwd = temporaryFolder()
  const { shown, code } = await onTerminal(['new', '--no-install'], { cwd }, (terminal) =>
    dialogue(terminal, [
      ['Kind (server)', 'server\r'],
      ['Folder (my-server)', 'asked\r'],
      ['Template (stdio)', 'minmal\r'],
      ['Did you mean minimal?', ''],
      ['Template (stdio)', 'minimal\r'],
    ]),
  )
  expect(code).toBe(0)
  expect(bare(shown)).toContain('asked is ready in asked')
  expect(readdirSync(join(cwd, 'asked', 'src'))).toEqual(['main.ts', 'server.ts'])
})

test('templates name the versions that are tested here', () => {
  const read = (path: string): { [group: string]: { [name: string]: string } } =>
    JSON.parse(readFileSync(join(root, path), 'utf8'))
  const { dependencies, devDependencies } = read('packages/cli/templates/common/package.json')
  const known = { ...read('package.json').devDependencies, ...read('packages/cli/package.json').dependencies }
  const { version } = read('packages/cli/package.json')
  for (const [name, range] of Object.entries({ ...dependencies, ...devDependencies })) {
    const tested = name === 'tenon' ? version : known[name]
    expect(`${name} ${range}`).toBe(`${name} ^${String(tested).replace(/^\^/, '')}`)
  }
})
