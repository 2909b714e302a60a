/** One handler, run in every way there is, by servers in processes of their own: the results are equal. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, type ConnectOptions, connect } from '../src/client.ts'
import type { Revision } from '../src/model/revision.ts'
import '../src/testing/vitest.ts'
import { cases, obliging } from './replay-handlers.ts'

const processes: ChildProcess[] = []
const targets: string[] = []
/** For every proxied request: the process that got it, and whether it carried answers. */
const log: { target: number; again: boolean }[] = []
let folder: string
let script: string
let proxy: Server

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'handlers-'))
  script = join(folder, 'process.mjs')
  await build({
    entryPoints: [fileURLToPath(new URL('handlers-process.ts', import.meta.url))],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  })
  for (let count = 0; count < 3; count++) targets.push(await startHttp())
  proxy = createServer(forward).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
}, 120_000)

afterAll(async () => {
  proxy?.closeAllConnections()
  proxy?.close()
  for (const child of processes) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

async function startHttp(): Promise<string> {
  const child = spawn(process.execPath, [script, 'http', join(folder, 'tasks')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  processes.push(child)
  const [line] = (await once(child.stdout!, 'data')) as [Buffer]
  return line.toString().trim()
}

/** Sends every request to the next process, from any connection. */
async function forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const body = Buffer.concat(await incoming.toArray())
  const target = log.length % targets.length
  log.push({ target, again: body.includes('"inputResponses"') })
  const url = new URL(targets[target]!)
  const headers = { ...incoming.headers, host: url.host }
  const asked = request(url, { method: incoming.method, headers }, (reply) => {
    outgoing.writeHead(reply.statusCode!, reply.headers)
    reply.pipe(outgoing)
  })
  outgoing.on('close', () => asked.destroy())
  asked.on('error', () => outgoing.destroy())
  asked.end(body)
}

const answers: ConnectOptions = {
  elicit: (params) => obliging({ method: 'elicitation/create', params: params as never }) as never,
  sample: {
    handler: (params) => obliging({ method: 'sampling/createMessage', params: params as never }) as never,
    tools: true,
  },
  roots: () => obliging({ method: 'roots/list', params: {} }).roots as never,
}

const overStdio = (revision: Revision): Promise<Client> =>
  connect(
    { command: process.execPath, args: [script, 'stdio', join(folder, 'stdio-tasks')] },
    { ...answers, revisions: [revision] },
  )

const overHttp = (revision: Revision): Promise<Client> => {
  const { port } = proxy.address() as AddressInfo
  return connect(`http://127.0.0.1:${port}/`, { ...answers, revisions: [revision] })
}

interface Execution {
  name: string
  open: () => Promise<Client>
  /** True if the calls are to become tasks. */
  task?: boolean
  /** The error of a handler if the revision lacks a feature that it uses. */
  lacks?: { [tool: string]: RegExp }
}

const executions: Execution[] = [
  {
    name: 'live, 2025-06-18, stdio',
    open: () => overStdio('2025-06-18'),
    lacks: { url: /did not declare the capability elicitation.url/ },
  },
  { name: 'live, 2025-11-25, stdio', open: () => overStdio('2025-11-25') },
  { name: 'replay, stdio', open: () => overStdio('2026-07-28') },
  { name: 'replay, HTTP, every round in another process', open: () => overHttp('2026-07-28') },
  { name: 'task of 2025-11-25, stdio', open: () => overStdio('2025-11-25'), task: true },
  { name: 'task of 2026-07-28, stdio', open: () => overStdio('2026-07-28'), task: true },
  {
    name: 'task of 2026-07-28, HTTP, every message to another process',
    open: () => overHttp('2026-07-28'),
    task: true,
  },
]

describe.each(executions)('$name', ({ open, lacks, task = false }) => {
  let client: Client

  beforeAll(async () => {
    client = await open()
  }, 120_000)
  afterAll(() => client?.close())

  test.each(cases.map((one) => [one.tool.name, one] as const))('%s', async (name, { says }) => {
    const statuses: string[] = []
    const wish = { onStatus: ({ status }: { status: string }) => statuses.push(status) }
    expect(await client.callTool(name, {}, { task: task && wish })).toHaveText(lacks?.[name] ?? says)
    expect(statuses.length > 0).toBe(task)
  })
})

test('two rounds in turn were never for the same process', () => {
  const rounds = log.filter(({ again }) => again)
  expect(rounds.length).toBeGreaterThan(2 * cases.length)
  for (const [index, { target, again }] of log.entries()) if (again) expect(target).not.toBe(log[index - 1]!.target)
})
