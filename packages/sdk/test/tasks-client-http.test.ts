/** Tasks over real connections: HTTP in both designs, servers that go away and come back. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { ownPort } from '../../../scripts/own-port.ts'
import { connect, forgetServers } from '../src/client.ts'
import { serveHttp } from '../src/node.ts'
import { createServer, memoryTaskStore, tool } from '../src/server.ts'
import { accept, text as form, told } from './replay-handlers.ts'

const folder = mkdtempSync(join(tmpdir(), 'tenon-tasks-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(() => forgetServers())

const ask = tool({
  name: 'ask',
  task: true,
  async run(_, ctx) {
    const first = told(await ctx.elicit('say a', form))
    const [second, third] = await Promise.all([ctx.elicit(`say ${first}b`, form), ctx.elicit('say c', form)])
    return `${told(second)} ${told(third)}`
  },
})

describe.each(['2025-11-25', '2026-07-28'] as const)('over HTTP in %s', (revision) => {
  test.each([
    ['node', {}],
    ['fetch', { fetch: (input: string, init: RequestInit) => globalThis.fetch(input, init) }],
  ])('a task asks, and has its result fetched, over %s', async (_, engine) => {
    const server = createServer({ name: 'x', version: '1', tools: [ask], tasks: { pollIntervalMs: 50 } })
    await using http = await serveHttp(server)
    await using client = await connect(http.url, {
      ...(engine as object),
      revisions: [revision],
      elicit: ({ message }) => accept(message.replace('say ', '')) as never,
    })
    const seen: string[] = []
    const { text } = await client.callTool('ask', {}, { task: { onStatus: ({ status }) => seen.push(status) } })
    expect(text).toBe('ab c')
    expect(seen).toContain('input_required')
    expect(seen.at(-1)).toBe('completed')
  })

  test('aborting stops the handler at the server', async () => {
    let stopped = (): void => {}
    const end = new Promise<void>((resolve) => {
      stopped = resolve
    })
    const wait = tool({
      name: 'wait',
      task: true,
      run: (_, { signal }) =>
        new Promise<string>((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            stopped()
            reject(signal.reason)
          })
        }),
    })
    await using http = await serveHttp(createServer({ name: 'x', version: '1', tools: [wait] }))
    await using client = await connect(http.url, { revisions: [revision] })
    const stop = new AbortController()
    const call = client.callTool('wait', {}, { task: { onStatus: () => stop.abort() }, signal: stop.signal })
    await expect(call).rejects.toMatchObject({ code: 'cancelled' })
    await end
  })

  test('a task is waited for while its server is away', async () => {
    const store = memoryTaskStore()
    let finish = (_: string): void => {}
    const job = tool({
      name: 'job',
      task: true,
      run: () =>
        new Promise<string>((resolve) => {
          finish = resolve
        }),
    })
    const server = createServer({ name: 'x', version: '1', tools: [job], tasks: { store, pollIntervalMs: 50 } })
    const first = await serveHttp(server, { port: await ownPort() })
    await using client = await connect(first.url, { revisions: [revision] })
    const call = client.callTool('job', {}, { task: true })
    await expect.poll(() => store.count(undefined)).toBe(1)
    await first.close()
    finish('survived')
    await expect(client.ping({ timeoutMs: 500 })).rejects.toThrow()
    await using _ = await serveHttp(server, { port: first.port })
    expect((await call).text).toBe('survived')
  })
})

// [xtask.http.mcp-name]
test('requests about a task name it in a header', async () => {
  const server = createServer({ name: 'x', version: '1', tools: [ask], tasks: { pollIntervalMs: 50 } })
  await using http = await serveHttp(server)
  const named = new Map<string, string | null>()
  await using client = await connect(http.url, {
    elicit: ({ message }) => accept(message) as never,
    fetch: (input, init) => {
      const headers = new Headers(init?.headers)
      named.set(headers.get('mcp-method') ?? '', headers.get('mcp-name'))
      return globalThis.fetch(input, init)
    },
  })
  const task = await client.tasks.start('ask')
  await task.result()
  await client.tasks.cancel(task.id!)
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) expect(named.get(method)).toBe(task.id)
})

// A server of 2025-11-25 that dies when it has created a task, and knows it after its restart.
const script = join(folder, 'server.mjs')
writeFileSync(
  script,
  `import { existsSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
const [, , diary] = process.argv
const restarted = existsSync(diary)
const now = new Date().toISOString()
const task = (status) => ({ taskId: 't', status, createdAt: now, lastUpdatedAt: now, ttl: null, pollInterval: 50 })
const answers = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, tasks: { cancel: {}, requests: { tools: { call: {} } } } },
    serverInfo: { name: 'mortal', version: '1' },
  }),
  'tools/list': () => ({
    tools: [{ name: 'job', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } }],
  }),
  'tools/call': () => ({ task: task('working') }),
  'tasks/get': () => {
    if (restarted) return task('completed')
    writeFileSync(diary, '')
    process.exit(1)
  },
  'tasks/result': () => ({ content: [{ type: 'text', text: 'known again' }] }),
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (id === undefined) return
  const result = answers[method]?.()
  const answer = result === undefined ? { error: { code: -32601, message: 'no ' + method } } : { result }
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n')
}).on('close', () => process.exit(0))
`,
)

test('a task is looked after again when its server process was started again', async () => {
  let restarts = 0
  await using client = await connect(
    { command: process.execPath, args: [script, join(folder, 'diary')], restart: { backoffMs: 20 } },
    { revisions: ['2025-11-25'], onRestart: () => (restarts += 1) },
  )
  for await (const _ of client.tools());
  expect((await client.callTool('job')).text).toBe('known again')
  expect(restarts).toBe(1)
})
