/** The variables of a program: all of the shell's after `--`, a few for servers of config files. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type Outcome, parsed, temporaryFolder, tenon, tenonProcess } from './tenon.ts'

const fixture = fileURLToPath(new URL('fixtures/environment.mjs', import.meta.url))
const program = ['--', process.execPath, fixture]

/** A folder whose config file has the server, in two ways. */
function folderWithServer(): string {
  const cwd = temporaryFolder()
  const entry = { command: process.execPath, args: [fixture], env: { OWN: 'of the file', BOTH: 'of the file' } }
  const picky = { command: process.execPath, args: [fixture, 'need', 'API_KEY'] }
  writeFileSync(join(cwd, '.mcp.json'), JSON.stringify({ mcpServers: { mine: entry, picky } }))
  return cwd
}

const shell = {
  API_KEY: 'k-1',
  HTTPS_PROXY: 'http://proxy:3128',
  NODE_EXTRA_CA_CERTS: '/no/such/ca.pem',
  npm_config_registry: 'https://npm.example',
  UV_INDEX_URL: 'https://pypi.example',
}

/** The variables that a server sees. */
async function seen(names: readonly string[], words: readonly string[], rest: readonly string[], cwd: string) {
  const found: { [name: string]: string } = {}
  for (const name of names) {
    const outcome = await tenonProcess(['call', ...words, 'get', `name=${name}`, ...rest], { cwd, env: shell })
    expect(outcome).toMatchObject({ code: 0 })
    found[name] = outcome.stdout.trim()
  }
  return found
}

test('a program after -- gets the variables of the shell', { timeout: 100_000 }, async () => {
  expect(await seen(Object.keys(shell), [], program, temporaryFolder())).toEqual(shell)
})

test('a server of a file gets its own, and those of proxies, certificates and registries', {
  timeout: 100_000,
}, async () => {
  const cwd = folderWithServer()
  expect(await seen([...Object.keys(shell), 'OWN'], ['mine'], [], cwd)).toEqual({
    ...shell,
    API_KEY: 'not set',
    OWN: 'of the file',
  })
})

test('-e passes one on by its name or sets it, --env-file sets those of a file', { timeout: 100_000 }, async () => {
  const cwd = folderWithServer()
  writeFileSync(join(cwd, 'some.env'), 'FROM_FILE="a b" # said there\nBOTH=of --env-file\nTOLD=of the file\n')
  const options = ['-e', 'API_KEY', '-e', 'TOLD=here', '--env-file', 'some.env']
  const expected = { API_KEY: 'k-1', TOLD: 'here', BOTH: 'of --env-file', FROM_FILE: 'a b' }
  expect(await seen(Object.keys(expected), ['mine'], options, cwd)).toEqual(expected)
  expect(await seen(['FROM_FILE'], [], ['--env-file', 'some.env', ...program], cwd)).toEqual({ FROM_FILE: 'a b' })
})

test('a program that dies at once has a hint that names variables that it was not given', async () => {
  const cwd = folderWithServer()
  const dies = (options: string[]): Promise<Outcome> =>
    tenonProcess(['info', 'picky', '--json', ...options], { cwd, env: { ...shell, ANOTHER: '1', SHLVL: '2' } })
  expect(parsed(await dies([]))).toMatchObject({
    ok: false,
    error: {
      code: 'closed',
      exitCode: 3,
      message: expect.stringContaining('API_KEY is not set'),
      hint: expect.stringMatching(/Not passed on: API_KEY, ANOTHER, .*\. Pass one on with -e NAME\./),
    },
  })
  expect(await dies(['-e', 'API_KEY'])).toMatchObject({ code: 0 })
})

test('a program after -- that dies at once lacks nothing, and gets no such hint', async () => {
  const line = ['info', '--json', ...program, 'need', 'NOWHERE']
  const outcome = await tenonProcess(line, { env: shell })
  expect(outcome).toMatchObject({ code: 3, stderr: expect.stringContaining('NOWHERE is not set') })
  expect(outcome.stderr).not.toContain('passed on')
})

test.each([
  [['-e', 'NOT_SET_ANYWHERE'], '--env: NOT_SET_ANYWHERE is not set here'],
  [['-e', '=x'], '--env: expected NAME=value or NAME, got "=x"'],
  [['--env-file', 'missing.env'], '--env-file: cannot read missing.env'],
])('%j is refused before the program is started', async (options, message) => {
  // In this process: Node 20 reads --env-file itself, and ends if there is no such file.
  const outcome = await tenon(['info', ...options, '--', 'no-such-program'])
  expect(outcome).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) })
})
