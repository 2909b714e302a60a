/** `tenon connect` and `tenon expose`, as processes between real clients and real servers. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { agree, serveIssuer } from '@tenon/issuer'
import { bearer } from '@tenon/sdk/auth/server'
import { connect, type JsonObject } from '@tenon/sdk/client'
import { serveHttp } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { ownPort } from '../../../scripts/own-port.ts'
import { begin, bin, cleanEnv, everything, start, temporaryFolder, tenon } from './tenon.ts'

const oldServer = fileURLToPath(new URL('../../bridge/test/fixtures/old-server.mjs', import.meta.url))
const old = ['--', process.execPath, oldServer]

const greet = tool({
  name: 'greet',
  input: z.object({}),
  async run(_, ctx) {
    const answer = await ctx.elicit('Who are you?', z.object({ name: z.string() }))
    return answer.action === 'accept' ? `Hello ${answer.content.name}` : 'Hello stranger'
  },
})
const whoami = tool({ name: 'whoami', run: (_input, { auth }) => `${auth?.principal}` })
const newServer = createServer({
  name: 'new',
  version: '1.0.0',
  revisions: ['2026-07-28'],
  tools: [greet, whoami],
})

/** A host of 2024-11-05: it writes and reads lines. */
class Lines {
  readonly child: ChildProcess
  stderr = ''
  readonly #waiting = new Map<unknown, (message: JsonObject) => void>()
  #count = 0

  constructor(child: ChildProcess) {
    this.child = child
    createInterface({ input: child.stdout! }).on('line', (line) => this.#read(JSON.parse(line)))
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text
    })
    child.stdin!.on('error', () => {})
  }

  send(message: JsonObject): void {
    this.child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }

  request(method: string, params: JsonObject = {}): Promise<JsonObject> {
    const id = ++this.#count
    const answered = new Promise<JsonObject>((resolve) => this.#waiting.set(id, resolve))
    this.send({ id, method, params })
    return answered
  }

  async open(capabilities: JsonObject = {}): Promise<JsonObject> {
    const clientInfo = { name: 'lines', version: '1' }
    const opened = await this.request('initialize', { protocolVersion: '2024-11-05', capabilities, clientInfo })
    this.send({ method: 'notifications/initialized' })
    return opened
  }

  async text(name: string): Promise<unknown> {
    const { result, error } = await this.request('tools/call', { name })
    return (result as { content: { text: string }[] } | undefined)?.content[0]?.text ?? error
  }

  #read({ id, method, ...message }: JsonObject): void {
    if (method === undefined) this.#waiting.get(id)?.(message)
    else if (id !== undefined) this.send({ id, result: { action: 'accept', content: { name: 'Ada' } } })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('connect: a host of 2024-11-05 works with a server of 2026-07-28, and is asked', async () => {
  const http = await serveHttp(newServer, { port: 0 })
  onTestFinished(() => http.close())
  const host = new Lines(start(['connect', http.url]))
  expect(await host.open({ elicitation: {} })).toMatchObject({
    result: { protocolVersion: '2024-11-05', serverInfo: { name: 'new' } },
  })
  expect(await host.text('greet')).toBe('Hello Ada')
  host.child.stdin!.end()
  const [code] = (await once(host.child, 'close')) as [number]
  expect(code).toBe(0)
  expect(host.stderr).toBe('Connected to new (2026-07-28)\n')
})

test('connect: a client of 2026-07-28 works with a server of 2024-11-05, which is asked nothing twice', async () => {
  const client = await connect(
    { command: process.execPath, args: [bin, 'connect', ...old], stderr: 'ignore' },
    {
      revisions: ['2026-07-28'],
      roots: [{ uri: 'file:///srv' }],
      sample: () => ({ role: 'assistant', model: 'm', content: { type: 'text', text: 'files' } }),
    },
  )
  onTestFinished(() => client.close())
  expect((await client.callTool('think')).text).toBe('files in file:///srv')
  expect((await client.callTool('runs')).text).toBe('1')
  const pid = Number((await client.callTool('pid')).text)
  await client.close()
  expect(isAlive(pid)).toBe(false)
})

test('connect: logs in where the server asks for it, and keeps the token', async () => {
  const as = await serveIssuer({ users: [{ subject: 'ada' }] })
  const http = await serveHttp(newServer, { auth: bearer({ issuer: as.url }) })
  onTestFinished(async () => {
    await http.close()
    await as.close()
  })
  const home = temporaryFolder()
  // Nobody shall see a browser: the user is this test.
  mkdirSync(join(home, 'bin'))
  for (const name of ['xdg-open', 'open']) {
    writeFileSync(join(home, 'bin', name), '#!/bin/sh\n')
    chmodSync(join(home, 'bin', name), 0o755)
  }
  const env = { ...cleanEnv(home), PATH: `${join(home, 'bin')}:${process.env.PATH}` }
  const first = new Lines(start(['connect', http.url], { env, cwd: home }))
  const opening = first.open()
  await expect.poll(() => first.stderr).toMatch(/Log in at .*\s+\S+\n/)
  const page = /Log in at \S+\s+(\S+)/.exec(first.stderr)![1]!
  await fetch(await agree(new URL(page), { user: 'ada' }))
  expect(await opening).toHaveProperty('result')
  expect(await first.text('whoami')).toMatch(/ada$/)
  first.child.stdin!.end()
  await once(first.child, 'close')
  const second = new Lines(start(['connect', http.url], { env, cwd: home }))
  await second.open()
  expect(await second.text('whoami')).toMatch(/ada$/)
  expect(second.stderr).not.toContain('Log in')
})

test('connect: a server that cannot be reached is told to the host and to the user', async () => {
  const host = new Lines(start(['connect', 'http://127.0.0.1:9/mcp']))
  expect(await host.open()).toMatchObject({ error: { code: -32603, data: { reason: expect.any(String) } } })
  await expect.poll(() => host.stderr).toContain('error:')
  host.child.stdin!.end()
  await once(host.child, 'close')
})

test('connect: ends when the server behind it does', async () => {
  const host = new Lines(start(['connect', ...old]))
  await host.open()
  expect(await host.text('crash')).toMatchObject({ code: -32603, data: { reason: 'closed' } })
  const [code] = (await once(host.child, 'close')) as [number]
  expect(code).toBe(3)
  expect(host.stderr).toContain('error:')
})

test('connect: a server over HTTP+SSE may be away for a while', async () => {
  const oldest = createServer({
    name: 'oldest',
    version: '1.0.0',
    revisions: ['2024-11-05'],
    tools: [tool({ name: 'hi', run: () => 'hi' })],
  })
  const first = await serveHttp(oldest, { port: await ownPort() })
  const host = new Lines(start(['connect', new URL('/sse', first.url).href]))
  await host.open()
  expect(await host.text('hi')).toBe('hi')
  await first.close()
  const away = host.text('hi')
  const second = await serveHttp(oldest, { port: first.port })
  onTestFinished(() => second.close())
  // The call that found nobody may have failed; the program goes on.
  await away
  await expect.poll(() => host.text('hi')).toBe('hi')
  expect(host.stderr).toContain('The server is back\n')
  expect(host.child.exitCode).toBe(null)
  host.child.stdin!.end()
  const [code] = (await once(host.child, 'close')) as [number]
  expect(code).toBe(0)
})

test('connect: --restart starts the program again instead, in the same session', async () => {
  const host = new Lines(start(['connect', '--restart', ...old]))
  await host.open()
  const pid = await host.text('pid')
  expect(await host.text('crash')).toMatchObject({ code: -32603, data: { reason: 'closed' } })
  expect(await host.text('pid')).toMatch(/^\d+$/)
  expect(await host.text('pid')).not.toBe(pid)
  expect(host.stderr).toContain('The server was started again\n')
  host.child.stdin!.end()
  const [code] = (await once(host.child, 'close')) as [number]
  expect(code).toBe(0)
})

test.each(['connect', 'expose'])('%s: --restart is for programs', async (command) => {
  const refused = await tenon([command, '--restart', 'https://example.com/mcp'])
  expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--restart is for programs') })
})

async function exposed(args: string[]): Promise<{ child: ChildProcess; url: string }> {
  const child = start(['expose', ...args])
  const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string]
  return { child, url: /http:\S+/.exec(line)![0] }
}

test.each(['2024-11-05', '2025-06-18', '2026-07-28'] as const)(
  'expose: a program for clients of %s',
  async (revision) => {
    const { stdout, interrupt, ended } = begin(['expose', ...everything])
    const url = await vi.waitFor(() => /http:\S+(?=\n)/.exec(stdout())![0], { timeout: 100_000 })
    const client = await connect(url, { revisions: [revision] })
    expect((await client.callTool('add', { a: 1, b: 2 })).text).toContain('3')
    await client.close()
    interrupt()
    expect(await ended).toBe(0)
  },
)

test.each(['SIGTERM', 'SIGKILL', 'SIGHUP'] as const)(
  'expose: leaves no process behind when it ends by %s',
  async (signal) => {
    const { child, url } = await exposed(old)
    const clients = await Promise.all(
      (['2025-11-25', '2026-07-28'] as const).map((revision) => connect(url, { revisions: [revision] })),
    )
    const pids = await Promise.all(clients.map(async (client) => Number((await client.callTool('pid')).text)))
    expect(pids.filter(isAlive)).toHaveLength(2)
    child.kill(signal)
    await once(child, 'exit')
    await expect.poll(() => pids.filter(isAlive)).toEqual([])
    await Promise.all(clients.map((client) => client.close()))
  },
)

test.each([
  [[], [404, 200, 200]],
  [['--restart'], [200]],
])('expose %j: the next request after the end of a program gets %j', async (options, expected) => {
  const { child, url } = await exposed([...options, ...old])
  let statuses: number[] = []
  const client = await connect(url, {
    revisions: ['2025-11-25'],
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      if (init?.method === 'POST' && response.status !== 202) statuses.push(response.status)
      return response
    },
  })
  const pid = (await client.callTool('pid')).text
  await expect(client.callTool('crash')).rejects.toMatchObject({ data: { reason: 'closed' } })
  statuses = []
  expect((await client.callTool('pid')).text).not.toBe(pid)
  expect(statuses).toEqual(expected)
  await client.close()
  child.kill('SIGINT')
  await once(child, 'close')
})

test('expose: a token lets in who knows it', async () => {
  const { child, url } = await exposed(['--token', 'open-sesame', ...old])
  await expect(connect(url)).rejects.toMatchObject({ code: 'unauthorized' })
  const client = await connect(url, { headers: { Authorization: 'Bearer open-sesame' } })
  const pid = Number((await client.callTool('pid')).text)
  // Clients without sessions find the same process again.
  expect(Number((await client.callTool('pid')).text)).toBe(pid)
  await client.close()
  child.kill('SIGINT')
  await once(child, 'close')
})

test('expose: other machines need a token, and a port that is taken is told', async () => {
  const open = await tenon(['expose', '--host', '0.0.0.0', ...old])
  expect(open).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--token') })
  const http = await serveHttp(newServer, { port: 0 })
  onTestFinished(() => http.close())
  const taken = await tenon(['expose', '--port', String(http.port), ...old])
  expect(taken).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('Cannot listen') })
})
