import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { serveIssuer } from '@tenon/issuer'
import { connect } from '@tenon/sdk/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'

const program = fileURLToPath(new URL('echo-program.mjs', import.meta.url))

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-kit-'))
})
const running: ChildProcess[] = []
afterEach(async () => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

function start(args: string[], env: { [name: string]: string } = {}): ChildProcess {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  running.push(child)
  return child
}

interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

function ended(child: ChildProcess): Promise<Ended> {
  let stdout = ''
  let stderr = ''
  child.stdout!.on('data', (chunk) => (stdout += chunk))
  child.stderr!.on('data', (chunk) => (stderr += chunk))
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })))
}

const run = (...args: string[]): Promise<Ended> => {
  const child = start(args)
  child.stdin!.end()
  return ended(child)
}

const target = (...args: string[]) => ({ command: process.execPath, args: [program, ...args], cwd: folder })

/** Waits for a line on standard error that matches. */
function said(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  let all = ''
  return new Promise((resolve, reject) => {
    child.stderr!.on('data', (chunk) => {
      all += chunk
      const match = pattern.exec(all)
      if (match) resolve(match)
    })
    child.on('close', () => reject(new Error(`ended without ${pattern}: ${all}`)))
  })
}

test('help fits into 80 columns and names every setting', async () => {
  const { code, stdout } = await run('--help')
  expect(code).toBe(0)
  const tooLong = stdout.split('\n').filter((line) => line.length > 80)
  // The path of the program cannot be broken.
  expect(tooLong.filter((line) => !line.includes(program))).toEqual([])
  for (const flag of [
    '--limit SIZE',
    '(default 1kB)',
    '(default 2s)',
    '--voice low|high',
    '--read-only',
    '--config FILE',
    '(or ECHO_PASSWORD)',
  ]) {
    expect(stdout).toContain(flag)
  }
  expect(stdout).toMatch(/^Usage: tenon-echo \[options\] FOLDER\.\.\.\n/)
})

test('the version is one line', async () => {
  expect(await run('--version')).toMatchObject({ code: 0, stdout: '1.2.3\n' })
})

const mistakes: { [name: string]: { args: string[]; says: string } } = {
  'an unknown flag': { args: ['--colour'], says: `Unknown option '--colour'` },
  'a wrong number': { args: ['--times', '9'], says: '--times: expected number to be <=3, got 9' },
  'a wrong size': { args: ['--limit', 'much'], says: '--limit: expected a whole number, or a text like' },
  'a wrong choice': { args: ['--voice', 'loud'], says: '--voice: expected one of "low"|"high", got "loud"' },
  'a folder that is not there': { args: ['missing'], says: 'no such folder' },
  'a missing config file': { args: ['--config', 'none.json'], says: 'cannot read the config file' },
  'an address that is none': { args: ['--http', 'here'], says: '--http: expected [HOST:]PORT, got "here"' },
  'an open address without tokens': { args: ['--http', '0.0.0.0:0'], says: 'add --token-file or --issuer' },
  'an address that only looks like loopback': {
    args: ['--http', '127.999.1.1:0'],
    says: 'add --token-file or --issuer',
  },
  'two kinds of tokens': { args: ['--http', '0', '--token-file', 'a', '--issuer', 'https://b'], says: 'got both' },
}

for (const [name, { args, says }] of Object.entries(mistakes)) {
  test(`${name} is one line and exit code 2`, async () => {
    const { code, stdout, stderr } = await run(...args)
    expect(stderr).toContain(says)
    expect(stderr.replace('closed\n', '')).toMatch(/^tenon-echo: [^\n]+\nTry tenon-echo --help\.\n$/)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })
}

test('a port in use is one line and exit code 2', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => taken.once('listening', resolve))
  const { port } = taken.address() as { port: number }
  const { code, stderr } = await run('--http', String(port))
  taken.close()
  expect(stderr).toContain(`port ${port} is in use`)
  expect(code).toBe(2)
})

test('the command line comes before the environment, and that before the config file', async () => {
  const config = { password: 'from the file', limit: '2kB', voice: 'high', folders: ['near'], wait: 300 }
  await writeFile(join(folder, 'echo.json'), `// settings\n${JSON.stringify(config).replace('}', ',}')}`)
  await using client = await connect({
    ...target('--config', 'echo.json', '--voice', 'low'),
    env: { ECHO_PASSWORD: 'from outside' },
  })
  const { structured } = await client.callTool('echo')
  expect(structured).toMatchObject({
    password: 'from outside',
    voice: 'low',
    limit: 2_000,
    wait: 300,
    folders: [expect.stringMatching(/tenon-kit-.*\/near$/)],
  })
})

test('a config file with an unknown or wrong setting is refused by name', async () => {
  await writeFile(join(folder, 'echo.json'), '{ "readonly": true }')
  expect((await run('--config', 'echo.json')).stderr).toContain('unknown setting "readonly"')
  await writeFile(join(folder, 'echo.json'), '{ "limit": [] }')
  expect((await run('--config', 'echo.json')).stderr).toContain('echo.json: limit: expected')
  await writeFile(join(folder, 'echo.json'), '{\n "limit": }')
  expect((await run('--config', 'echo.json')).stderr).toContain('line 2: not JSON')
})

test('a secret is not repeated in a message', async () => {
  await writeFile(join(folder, 'echo.json'), '{ "password": ["hunter2hunter2"] }')
  const { stderr } = await run('--config', 'echo.json')
  expect(stderr).toContain('password: expected string')
  expect(stderr).not.toContain('hunter2')
})

test('with --read-only only tools that change nothing exist', async () => {
  await using client = await connect(target('--read-only'))
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo'])
  await expect(client.callTool('note')).rejects.toThrow(/Unknown tool/)
})

test('a changed config file is applied, and a wrong one is not', async () => {
  const file = join(folder, 'echo.json')
  const replace = async (text: string): Promise<void> => {
    await writeFile(`${file}.new`, text)
    await rename(`${file}.new`, file)
  }
  await replace('{ "readOnly": true, "times": 1 }')
  const lines: string[] = []
  await using client = await connect({ ...target('--config', file), stderr: (text) => void lines.push(text) })
  await replace('{ "readOnly": true, "times": "often" }')
  await expect.poll(() => lines.join('')).toContain('the settings stay as they were')
  expect((await client.callTool('echo')).structured).toMatchObject({ times: 1 })
  await replace('{ "times": 2 }')
  await expect.poll(async () => (await client.listTools()).tools.length).toBe(3)
  expect((await client.callTool('echo')).structured).toMatchObject({ times: 2 })
})

for (const revision of ['2024-11-05', '2025-11-25', '2026-07-28'] as const) {
  test(`with --confirm the user decides about a destructive tool (${revision})`, async () => {
    const questions: string[] = []
    let action: 'accept' | 'decline' = 'accept'
    const elicit = ({ message }: { message: string }) => {
      questions.push(message)
      return action === 'accept' ? ({ action, content: {} } as const) : ({ action } as const)
    }
    await using client = await connect(target('--confirm'), { revisions: [revision], elicit })
    expect((await client.callTool('note')).text).toBe('noted')
    if (revision === '2024-11-05') {
      expect(await client.callTool('forget', { all: true })).toMatchObject({
        isError: true,
        text: expect.stringContaining('no way to ask'),
      })
      return
    }
    expect((await client.callTool('forget', { all: true })).text).toBe('forgotten')
    action = 'decline'
    expect(await client.callTool('forget', { all: true })).toMatchObject({
      isError: true,
      text: expect.stringContaining('Nothing was changed'),
    })
    expect(questions).toEqual(Array(2).fill('Allow Forget everything?\n\nall: true'))
  })
}

test('the question shows every declared argument, however long another is, and no hidden characters', async () => {
  const questions: string[] = []
  const elicit = ({ message }: { message: string }) => {
    questions.push(message)
    return { action: 'decline' } as const
  }
  await using client = await connect(target('--confirm'), { elicit })
  await client.callTool('forget', { note: `${'x'.repeat(5_000)}\u202e`, all: true })
  expect(questions[0]).toMatch(/^Allow Forget everything\?\n\nall: true\nnote: "x{299}… \(4703 more characters\)$/)
})

test('a config file that is a pipe is refused', requires('posix'), async () => {
  execFileSync('mkfifo', [join(folder, 'pipe')])
  expect((await run('--config', 'pipe')).stderr).toContain('expected a file')
})

test('an answer without the question that was asked, for the arguments that were shown, is none', async () => {
  const { stdin, stdout } = start(['--confirm'])
  const lines = createInterface({ input: stdout! })[Symbol.asyncIterator]()
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  }
  const call = async (more: object): Promise<{ inputRequests: object; requestState: string; error?: object }> => {
    const params = { name: 'forget', arguments: { all: true }, ...more, _meta }
    stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`)
    const { result, error } = JSON.parse((await lines.next()).value)
    return { ...result, error }
  }
  const accept = { action: 'accept', content: {} }
  const { inputRequests, requestState } = await call({ inputResponses: { confirm: accept, '1': accept } })
  const inputResponses = Object.fromEntries(Object.keys(inputRequests).map((key) => [key, accept]))
  expect(await call({ inputResponses })).toMatchObject({ resultType: 'input_required' })
  const others = await call({ inputResponses, requestState, arguments: { all: false } })
  expect(others.error).toMatchObject({ code: -32602 })
  expect(await call({ inputResponses, requestState })).toMatchObject({ content: [{ text: 'forgotten' }] })
})

test('a client that cannot ask its user cannot run a destructive tool with --confirm', async () => {
  await using client = await connect(target('--confirm'))
  expect(await client.callTool('forget', { all: true })).toMatchObject({
    isError: true,
    text: expect.stringContaining('no way to ask'),
  })
})

test('over HTTP a token of the file is needed, and its name is the principal', async () => {
  await writeFile(join(folder, 'tokens'), '# the team\nada 0123456789abcdef0123\n')
  const child = start(['--http', '127.0.0.1:0', '--token-file', 'tokens'])
  const [, url] = await said(child, /listens on (\S+)\. Ctrl/)
  await expect(connect(url!)).rejects.toThrow(/401|token|auth/i)
  await using client = await connect(url!, { headers: { authorization: 'Bearer 0123456789abcdef0123' } })
  expect((await client.callTool('note')).text).toBe('noted')
  const over = ended(child)
  child.kill('SIGTERM')
  expect((await over).stderr).toContain('closed')
})

test.each(['https://app.example', '*'])('--cors %s lets a page call', async (origin) => {
  const child = start(['--http', '0', '--cors', origin])
  const [, url] = await said(child, /listens on (\S+)\. Ctrl/)
  const preflight = (from: string): Promise<Response> =>
    fetch(url!, { method: 'OPTIONS', headers: { origin: from, 'access-control-request-method': 'POST' } })
  expect((await preflight('https://app.example')).headers.get('access-control-allow-origin')).toBe(origin)
  expect((await preflight('https://evil.example')).headers.get('access-control-allow-origin')).toBe(
    origin === '*' ? '*' : null,
  )
})

test('a short token in the file is refused with its line, not its text', async () => {
  await writeFile(join(folder, 'tokens'), 'ada short\n')
  const { code, stderr } = await run('--http', '0', '--token-file', 'tokens')
  expect(stderr).toContain('line 1: expected a token of at least 16 characters')
  expect(stderr).not.toContain('short')
  expect(code).toBe(2)
})

test('over HTTP tokens of an issuer are accepted', async () => {
  await using issuer = await serveIssuer({ users: [{ subject: 'ada' }] })
  const child = start(['--http', '127.0.0.1:0', '--issuer', issuer.url])
  const [, url] = await said(child, /listens on (\S+)\. Ctrl/)
  const refused = await fetch(url!, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })
  expect(refused.status).toBe(401)
  expect(refused.headers.get('www-authenticate')).toContain('resource_metadata')
})

test('the program ends when its client is gone, and releases what it holds', async () => {
  const child = start([])
  const over = ended(child)
  child.stdin!.end()
  expect(await over).toMatchObject({ code: 0, stderr: 'closed\n' })
})

test('SIGTERM ends it over stdio too', async () => {
  const child = start([])
  child.stdin!.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
  await new Promise((resolve) => child.stdout!.once('data', resolve))
  const over = ended(child)
  child.kill('SIGTERM')
  expect((await over).stderr).toBe('closed\n')
})
