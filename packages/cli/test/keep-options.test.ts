/** Kept servers that need a login, certificates or variables: given to `tenon up`, and to a later command. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { agree, serveIssuer } from '@tenon/issuer'
import { bearer } from '@tenon/sdk/auth/server'
import { nodeHandler, serveHttp } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import { expect, onTestFinished, test } from 'vitest'
import { begin, type Outcome, temporaryFolder, tenon } from './tenon.ts'

const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url))

/** A home with one server, `mine`; its keeper is gone after the test. */
function home(entry: object): { cwd: string; write(entry: object): void; run(...args: string[]): Promise<Outcome> } {
  const cwd = temporaryFolder()
  const write = (changed: object): void =>
    writeFileSync(join(cwd, '.mcp.json'), JSON.stringify({ mcpServers: { mine: changed } }))
  write(entry)
  onTestFinished(async () => void (await tenon(['down'], { cwd })))
  return { cwd, write, run: (...args) => tenon(args, { cwd }) }
}

const connected = { code: 0, stdout: expect.stringMatching(/^mine {2}connected {2}/), stderr: '' }

test('a login is made first, and the keeper uses it', async () => {
  const issuer = await serveIssuer({ users: [{ subject: 'ada' }] })
  onTestFinished(() => issuer.close())
  const whoami = tool({ name: 'whoami', run: (_input, ctx) => String(ctx.auth?.principal?.split('#').at(-1)) })
  const server = createServer({ name: 'tables', version: '1.0.0', tools: [whoami] })
  const http = await serveHttp(server, { port: 0, auth: bearer({ issuer: issuer.url, scopes: ['read'] }) })
  onTestFinished(() => http.close())
  const { cwd, run } = home({ type: 'http', url: http.url })
  const refused = await run('up', 'mine')
  expect(refused).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining('wants a login') })
  expect(refused.stderr).toContain(`tenon auth login ${http.url}`)
  expect((await run('up')).stderr).toBe('No servers are kept. tenon up <name> keeps one.\n')

  const login = begin(['auth', 'login', 'mine'], { cwd })
  await expect.poll(login.stderr, { timeout: 100_000 }).toMatch(/code_challenge\S*\s/)
  await fetch(await agree(new URL(/https?:\/\/\S*code_challenge\S*/.exec(login.stderr())![0]), { user: 'ada' }))
  expect(await login.ended).toBe(0)
  expect(await run('up', 'mine')).toMatchObject(connected)
  // The command itself has no login any more.
  renameSync(join(cwd, '.config/tenon/tokens.json'), join(cwd, 'tokens.json'))
  expect(await run('call', 'mine.whoami')).toEqual({ code: 0, stdout: 'ada\n', stderr: '' })
  expect(await run('call', 'mine.whoami', '--fresh')).toMatchObject({ code: 4 })
})

test('--ca and --insecure of tenon up are for the kept connection; those of a command want one of its own', async () => {
  const [cert, key] = [fixture('certificate.pem'), fixture('key.pem')]
  const hello = tool({ name: 'hello', run: () => 'from here' })
  const mcp = nodeHandler(createServer({ name: 'safe', version: '1.0.0', tools: [hello] }))
  const server = createHttpsServer({ cert: readFileSync(cert), key: readFileSync(key) }, mcp)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { run } = home({ type: 'http', url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` })
  expect(await run('up', 'mine')).toMatchObject({ code: 3, stderr: expect.stringContaining('--ca FILE') })
  expect(await run('up', 'mine', '--ca', cert)).toMatchObject(connected)
  expect(await run('call', 'mine.hello')).toEqual({ code: 0, stdout: 'from here\n', stderr: '' })
  // With the option the command looks at the certificate itself.
  expect(await run('call', 'mine.hello', '--ca', key)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('key.pem has no certificate'),
  })
  expect((await run('call', 'mine.hello', '--insecure')).stderr).toContain('warning: --insecure')
  // Kept anew without the option, it is not trusted any more.
  expect(await run('up', 'mine')).toMatchObject({ code: 3 })
  expect(await run('up', 'mine', '--insecure', '--quiet')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('warning: --insecure'),
  })
  expect(await run('call', 'mine.hello')).toEqual({ code: 0, stdout: 'from here\n', stderr: '' })
})

test('variables of tenon up reach the kept program, until its entry changes', async () => {
  const program = { command: process.execPath, args: [fixture('remembers.mjs')] }
  const { cwd, write, run } = home(program)
  const greeting = async (...options: string[]): Promise<string> =>
    (await run('call', 'mine.greeting', ...options)).stdout
  writeFileSync(join(cwd, 'settings.env'), 'GREETING=hello from a file\n')
  expect(await run('up', 'mine', '--env-file', 'settings.env')).toMatchObject(connected)
  expect(await greeting()).toBe('hello from a file\n')
  expect(await greeting('-e', 'GREETING=mine')).toBe('mine\n')
  expect(await greeting('--fresh')).toBe('none\n')
  expect(await run('up', 'mine', '-e', 'GREETING=good day')).toMatchObject(connected)
  expect(await greeting()).toBe('good day\n')

  write({ ...program, env: { GREETING: 'of the entry' } })
  expect(await run('call', 'mine.greeting')).toEqual({
    code: 0,
    stdout: 'of the entry\n',
    stderr: 'mine was kept with options, and its entry has changed: `tenon up mine …` keeps it again.\n',
  })
  expect((await run('up')).stderr).toContain('No servers are kept.')
})
