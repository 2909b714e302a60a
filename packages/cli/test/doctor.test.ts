/** `tenon doctor` on servers that are in order and on broken ones, and the trust in certificates of every command. */
import { readFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo, Server as NetServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { guardFetch, type NetworkOptions } from '@tenon/sdk/auth/server'
import { nodeHandler } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { everything, onEverything, parsed, temporaryFolder, tenon } from './tenon.ts'

const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url))

interface Check {
  name: string
  status: string
  detail: string
  hint?: string
}

async function doctor(
  words: readonly string[],
  env = {},
): Promise<{ code: number | null; checks: Map<string, Check> }> {
  const outcome = await tenon(['doctor', '--json', ...words], { env })
  const { result } = parsed(outcome) as { result: { checks: Check[] } }
  return { code: outcome.code, checks: new Map(result.checks.map((check) => [check.name, check])) }
}

const statuses = (checks: ReadonlyMap<string, Check>): { [name: string]: string } =>
  Object.fromEntries([...checks].map(([name, { status }]) => [name, status]))

async function listening(server: NetServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

const afterHandshake = { revision: 'ok', lists: 'ok', schemas: 'ok', cancel: 'ok', payload: 'ok' }

test('a server in order: every check, in its order', async () => {
  const { code, stdout, stderr } = await onEverything(['doctor'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const titles = [...stdout.matchAll(/^(.) (\w[\w ]*?) {2,}/gm)].map(([, sign, title]) => `${sign} ${title}`)
  expect(titles).toEqual(
    [
      ['Address', 'Connection', 'HTTP', 'Handshake', 'Revision'],
      ['Lists', 'Schemas', 'Cancellation', 'Large payload'],
    ]
      .flat()
      .map((title) => `✓ ${title}`),
  )
  expect(stdout).toMatch(/everything 0\.1\.0 speaks 2026-07-28[\s\S]*\n9 in order\n$/)
})

test('a program that prints before it serves', async () => {
  const [, node, program] = everything
  const noisy = ['--', node!, '--import', 'data:text/javascript,console.log("Starting up")', program!]
  const { code, checks } = await doctor(noisy)
  expect(code).toBe(8)
  expect(statuses(checks)).toEqual({ command: 'ok', spawn: 'ok', stdout: 'failed', era: 'ok', ...afterHandshake })
  expect(checks.get('stdout')).toMatchObject({
    detail: 'A line is no message: "Starting up"',
    hint: expect.stringContaining('standard error'),
  })
})

test('a program that ends: the rest is skipped, and JUnit has it all', async () => {
  const cwd = temporaryFolder()
  const line = [
    'doctor',
    '--junit',
    'doctor.xml',
    '--',
    process.execPath,
    '-e',
    'console.error("no key"); process.exit(3)',
  ]
  const { code, stdout } = await tenon(line, { cwd })
  expect(code).toBe(3)
  expect(stdout).toMatch(/✗ Start .*exited with code 3; last stderr: no key/)
  expect(stdout).toMatch(/- Handshake +Skipped, because Start failed\n/)
  expect(stdout).toMatch(/1 in order, 1 failed, 7 skipped\n$/)
  const xml = readFileSync(join(cwd, 'doctor.xml'), 'utf8')
  expect(xml).toContain('tests="9" failures="1" skipped="7"')
  expect(xml).toMatch(/name="Start"[^>]*><failure message="[^"]*exited with code 3/)
})

test('a program that is not there', async () => {
  const { code, checks } = await doctor(['--', 'no-such-program-here'])
  expect(code).toBe(3)
  expect(checks.get('command')).toMatchObject({ status: 'failed', hint: expect.stringContaining('Install it') })
  expect(checks.get('spawn')).toMatchObject({ status: 'skipped' })
})

test('a list that has a name twice: its schemas are not looked at, the rest is', async () => {
  const add = { name: 'add', description: 'Adds.', inputSchema: { type: 'object' } }
  const script = { capabilities: { tools: {} }, answers: { 'tools/list': { result: { tools: [add, add] } } } }
  const { code, checks } = await doctor(['--', process.execPath, fixture('scripted.mjs'), JSON.stringify(script)])
  expect(code).toBe(8)
  expect(statuses(checks)).toMatchObject({
    era: 'ok',
    lists: 'failed',
    schemas: 'skipped',
    cancel: 'ok',
    payload: 'ok',
  })
  expect(checks.get('lists')?.detail).toBe('Listed twice: add')
  expect(checks.get('era')?.detail).toContain('initialize')
})

test('an address where nothing listens, and one that wants credentials', async () => {
  const refused = await doctor(['http://127.0.0.1:9/mcp'])
  expect(refused.code).toBe(3)
  expect(statuses(refused.checks)).toMatchObject({ url: 'ok', tcp: 'failed', http: 'skipped', payload: 'skipped' })
  const locked = createHttpServer((_request, reply) => reply.writeHead(401, { 'www-authenticate': 'Bearer' }).end())
  const url = `http://127.0.0.1:${await listening(locked)}/mcp`
  const withKey = await doctor([url, '-H', 'Authorization: Bearer wrong'])
  expect(withKey.code).toBe(4)
  expect(statuses(withKey.checks)).toMatchObject({
    http: 'ok',
    'well-known': 'warning',
    auth: 'failed',
    era: 'skipped',
  })
})

test('a limit for requests is something to look at, and no failure', async () => {
  const small = createServer({
    name: 'small',
    version: '1.0.0',
    tools: [tool({ name: 'a', description: 'A.', run: () => '' })],
  })
  const handle = nodeHandler(small)
  const server = createHttpServer((request, reply) => {
    if (Number(request.headers['content-length']) > 100_000) return void reply.writeHead(413).end('Too large')
    return void handle(request, reply)
  })
  const { code, checks } = await doctor([`http://127.0.0.1:${await listening(server)}/mcp`])
  expect(code).toBe(0)
  expect(checks.get('payload')).toMatchObject({ status: 'warning', detail: expect.stringContaining('413') })
})

test('more than a target is refused', async () => {
  const { code, stderr } = await onEverything(['doctor', 'tools'])
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Expected nothing after the target'),
  })
})

describe('certificates', () => {
  const certificate = fixture('certificate.pem')

  async function secureUrl(): Promise<string> {
    const echo = createServer({ name: 'safe', version: '1.0.0', tools: [tool({ name: 'echo', run: () => 'hello' })] })
    const server = createHttpsServer(
      { cert: readFileSync(certificate), key: readFileSync(fixture('key.pem')) },
      nodeHandler(echo),
    )
    return `https://127.0.0.1:${await listening(server)}/mcp`
  }

  test('an unknown authority is refused with the ways to trust it; --ca and --insecure are two', async () => {
    const url = await secureUrl()
    const refused = await tenon(['call', url, 'echo'])
    expect(refused).toMatchObject({ code: 3, stdout: '' })
    expect(refused.stderr).toMatch(/hint: .*--ca FILE.*NODE_EXTRA_CA_CERTS=FILE.*--insecure/s)
    expect(await tenon(['call', url, 'echo', '--ca', certificate])).toEqual({ code: 0, stdout: 'hello\n', stderr: '' })
    const insecure = await tenon(['call', url, 'echo', '--insecure', '--quiet'])
    expect(insecure).toMatchObject({ code: 0, stdout: 'hello\n' })
    expect(insecure.stderr).toBe(
      'warning: --insecure: certificates are not checked, so anybody on the way can read and change everything.\n',
    )
  })

  test('the doctor names the certificate, and trusts as the options say', async () => {
    const url = await secureUrl()
    const refused = await doctor([url])
    expect(refused.code).toBe(3)
    expect(refused.checks.get('tls')).toMatchObject({
      status: 'failed',
      detail: expect.stringMatching(/DEPTH_ZERO_SELF_SIGNED_CERT.*Tenon test/),
      hint: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    })
    const trusted = await doctor([url, '--ca', certificate])
    expect(statuses(trusted.checks)).toMatchObject({ tls: 'ok', http: 'ok', era: 'ok', payload: 'ok' })
    const insecure = await doctor([url, '--insecure'])
    expect(statuses(insecure.checks)).toMatchObject({ tls: 'warning', era: 'ok' })
  })

  test('requests of a login trust the same authorities', async () => {
    const url = await secureUrl()
    const ask = (tls: NetworkOptions['tls']) => guardFetch(url, { ...(tls && { tls }), timeoutMs: 60_000 })(url)
    await expect(ask(undefined)).rejects.toThrow('self-signed certificate')
    expect((await ask({ ca: [readFileSync(certificate, 'utf8')] })).status).toBeGreaterThanOrEqual(200)
    expect((await ask({ rejectUnauthorized: false })).status).toBeGreaterThanOrEqual(200)
  })

  test.each([
    ['a file without one', ['https://127.0.0.1:9/mcp', '--ca', fixture('key.pem')], /key\.pem has no certificate/],
    ['no file', ['https://127.0.0.1:9/mcp', '--ca', 'none.pem'], /cannot read none\.pem/],
    ['plain HTTP', ['http://127.0.0.1:9/mcp', '--insecure'], /--insecure is for servers at https: URLs/],
    ['a program', ['--ca', certificate, ...everything], /--ca is for servers at https: URLs/],
  ])('refused before anything is sent: %s', async (_name, words, message) => {
    const { code, stderr } = await tenon(['list', ...words])
    expect(code).toBe(2)
    expect(stderr).toMatch(message)
  })
})
