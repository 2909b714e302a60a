import { connect as connectSocket, createServer as createTcpServer, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type Revision, revisions } from '@tenon/sdk/client'
import { serveHttp } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import { serveWebSocket } from '@tenon/sdk/websocket'
import { describe, expect, test } from 'vitest'
import type { Operation, ServerSpec, TimelineRow } from '../src/protocol.ts'
import { TestBench } from './workbench-in-test.suite.ts'

const endless = createServer({
  name: 'endless',
  version: '1.0.0',
  tools: [
    tool({
      name: 'wait',
      run: (_, ctx) => {
        ctx.progress(1, 2)
        return new Promise<string>((resolve) => ctx.signal.addEventListener('abort', () => resolve('ended')))
      },
    }),
  ],
})

/** The same as a program, which can end itself. */
const program = `
  import { createServer, tool } from '@tenon/sdk/server'
  import { serveStdio } from '@tenon/sdk/stdio'
  const wait = tool({ name: 'wait', run: (_, ctx) => { ctx.progress(1, 2); return new Promise(() => {}) } })
  const end = tool({ name: 'end', run: () => process.exit(1) })
  await serveStdio(createServer({ name: 'endless', version: '1.0.0', tools: [wait, end] }))`

interface Place extends AsyncDisposable {
  spec: ServerSpec
  /** Breaks every connection, without a word. */
  cut(bench: TestBench, server: string): Promise<unknown>
}

const places: { [name: string]: (revision: Revision) => Promise<Place> } = {
  async http(revision) {
    const http = await serveHttp(endless, { port: 0 })
    const wire = await cuttable(http.url)
    const spec: ServerSpec = { kind: 'url', name: 'endless', url: wire.url, revision }
    return {
      spec,
      cut: wire.cut,
      [Symbol.asyncDispose]: () => Promise.all([wire.close(), http.close()]).then(() => {}),
    }
  },
  async websocket(revision) {
    const socket = await serveWebSocket(endless, { port: 0 })
    const wire = await cuttable(socket.url!)
    const spec: ServerSpec = { kind: 'url', name: 'endless', url: wire.url, revision }
    return {
      spec,
      cut: wire.cut,
      [Symbol.asyncDispose]: () => Promise.all([wire.close(), socket.close()]).then(() => {}),
    }
  },
  async stdio(revision) {
    const args = ['--input-type=module', '--eval', program]
    const cwd = fileURLToPath(new URL('.', import.meta.url))
    const spec: ServerSpec = { kind: 'command', name: 'endless', command: process.execPath, args, cwd, revision }
    const cut: Place['cut'] = (bench, server) => bench.run('call.start', { server, operation: call('end') })
    return { spec, cut, [Symbol.asyncDispose]: async () => {} }
  },
}

/** A connection that can be broken, after which the server knows nothing of the earlier session. */
async function cuttable(target: string): Promise<{ url: string; cut: Place['cut']; close(): Promise<void> }> {
  const sockets = new Set<Socket>()
  const { hostname, port } = new URL(target)
  let isCut = false
  const relay = createTcpServer((near) => {
    if (isCut)
      return near.on('error', () => {}).end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
    const far = connectSocket(Number(port), hostname)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {}).on('close', () => other.destroy())
      one.pipe(other)
    }
  })
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve))
  const url = new URL(target)
  url.port = String((relay.address() as { port: number }).port)
  const cut = async (): Promise<void> => {
    isCut = true
    for (const socket of sockets) socket.destroy()
  }
  const close = async (): Promise<void> => {
    await cut()
    relay.close()
  }
  return { url: url.href, cut, close }
}

const call = (name: string): Operation => ({ method: 'tools/call', name, arguments: {} })

const rowsOf = async (bench: TestBench, query: string): Promise<TimelineRow[]> =>
  (await bench.run('timeline.query', { query, offset: 0, count: 100 })).rows

/** Calls the tool, and returns once the server works on it. */
async function begin(bench: TestBench, server: string): Promise<{ call: string; row: number }> {
  const started = await bench.run('call.start', { server, operation: call('wait') })
  const reports = (): Promise<TimelineRow[]> => rowsOf(bench, 'method:notifications/progress')
  await expect.poll(async () => (await reports()).length, { timeout: 100_000 }).toBe(1)
  const [request] = await rowsOf(bench, 'kind:request name:wait')
  expect((await reports())[0]).toMatchObject({ parent: request!.id })
  return { ...started, row: request!.id }
}

const statusOf = async (bench: TestBench, id: number): Promise<string | undefined> =>
  (await bench.run('timeline.get', { id })).status

const connected = (bench: TestBench): Promise<string> =>
  bench.until((event) => {
    const servers = event.type === 'snapshot' ? event.snapshot.servers : event.type === 'server' ? [event.server] : []
    return servers.find(({ status }) => status === 'connected')?.id
  })

describe.each(Object.keys(places))('over %s', (place) => {
  test.each(revisions.slice(1))('a call of %s that is cancelled is told as that', async (revision) => {
    await using target = await places[place]!(revision)
    await using bench = await TestBench.open({ servers: [target.spec] })
    const server = await connected(bench)
    const { call: started, row } = await begin(bench, server)
    await bench.run('call.cancel', { call: started })
    await expect.poll(() => statusOf(bench, row)).toBe('cancelled')
    // If closing the stream is the cancellation, there is no message to show.
    const told = await rowsOf(bench, 'method:notifications/cancelled from:client')
    expect(told.map(({ parent }) => parent)).toEqual(place === 'http' && revision === '2026-07-28' ? [] : [row])
  })

  test.each(revisions.slice(1))('a call of %s whose connection breaks is lost', async (revision) => {
    await using target = await places[place]!(revision)
    await using bench = await TestBench.open({ servers: [target.spec] })
    const server = await connected(bench)
    const { row } = await begin(bench, server)
    await target.cut(bench, server)
    await expect.poll(() => statusOf(bench, row), { timeout: 100_000 }).toBe('lost')
    const [method] = (await bench.run('timeline.stats', { query: 'method:tools/call name:wait' })).methods
    expect(method).toBeUndefined()
  })
})

/** A process that answers a tool call by the name of the tool. */
const liar = `
  const say = (message) => process.stdout.write(JSON.stringify(message) + '\\n')
  const answers = {
    number: (id) => say({ jsonrpc: '2.0', id, result: 5 }),
    bare: (id) => say({ jsonrpc: '2.0', id }),
    both: (id) => say({ jsonrpc: '2.0', id, result: {}, error: { code: 1, message: 'no' } }),
    odd_error: (id) => say({ jsonrpc: '2.0', id, error: 'no' }),
    deep: (id) => process.stdout.write('{"jsonrpc":"2.0","id":' + id + ',"result":' + '['.repeat(2e4) + ']'.repeat(2e4) + '}\\n'),
    long: (id) => process.stdout.write('{"jsonrpc":"2.0","id":' + id + ',"result":{"x":"' + 'x'.repeat(40e6) + '"}}\\n'),
    not_a_tool_result: (id) => say({ jsonrpc: '2.0', id, result: { content: 'no list' } }),
    twice: (id) => [1, 2].forEach(() => say({ jsonrpc: '2.0', id, result: { content: [] } })),
    other_ids: (id) => {
      for (const other of [id + 1000, String(id) + 'x', null, [id]]) say({ jsonrpc: '2.0', id: other, result: { content: [] } })
      say({ jsonrpc: '2.0', id: String(id), result: { content: [] } })
    },
    dies: () => process.exit(1),
  }
  const serverInfo = { name: 'liar', version: '1' }
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    if (method === 'initialize')
      say({ jsonrpc: '2.0', id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } })
    else if (method === 'tools/list')
      say({ jsonrpc: '2.0', id, result: { tools: Object.keys(answers).map((name) => ({ name, inputSchema: { type: 'object' } })) } })
    else if (method === 'tools/call') answers[params.name](id)
  }).on('close', () => process.exit())`

test.each([
  ['number', 'refused', 'result: expected an object'],
  ['bare', 'refused', 'result: expected an object'],
  ['both', 'refused', 'expected either a result or an error, got both'],
  ['odd_error', 'refused', 'error: expected an integer code and a message'],
  ['deep', 'refused', 'nests deeper'],
  ['long', 'refused', 'exceeds the limit'],
  ['not_a_tool_result', 'refused', 'content'],
  ['twice', 'ok', undefined],
  ['other_ids', 'ok', undefined],
  ['dies', 'lost', undefined],
])(
  'a call that a process answers with %s is %s in the timeline, when the call has ended',
  async (name, status, reason) => {
    const spec: ServerSpec = {
      kind: 'command',
      name: 'liar',
      command: process.execPath,
      args: ['-e', liar],
      revision: '2025-06-18',
    }
    await using bench = await TestBench.open({ servers: [spec] })
    const server = await connected(bench)
    const started = await bench.run('call.start', { server, operation: call(name) })
    await bench.until((event) => {
      const calls = event.type === 'snapshot' ? event.snapshot.calls : event.type === 'call' ? [event.call] : []
      return calls.find(({ id, outcome }) => id === started.call && outcome !== undefined)
    })
    const ended = async (): Promise<TimelineRow | undefined> =>
      (await rowsOf(bench, 'kind:request method:tools/call')).find((row) => row.status !== 'pending')
    await expect
      .poll(ended)
      .toMatchObject({ status, ...(reason !== undefined && { reason: expect.stringContaining(reason) }) })
  },
)

test('a connection that is given up while it is made leaves nothing pending', async () => {
  const mute: ServerSpec = {
    kind: 'command',
    name: 'mute',
    command: process.execPath,
    args: ['-e', 'process.stdin.resume()'],
  }
  await using bench = await TestBench.open({ servers: [mute] })
  const asked = async (): Promise<TimelineRow[]> => rowsOf(bench, 'kind:request')
  await expect.poll(async () => (await asked()).length).toBeGreaterThan(0)
  const server = (await asked())[0]!.server
  await bench.run('server.disconnect', { server })
  await expect.poll(async () => (await rowsOf(bench, 'status:pending')).length).toBe(0)
})
