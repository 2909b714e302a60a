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

/** The same as a program, which ends itself when it is told to. */
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

/** A way to a server that can be broken, after which whoever is there knows nothing of what was before. */
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
  await expect.poll(async () => (await reports()).length, { timeout: 10_000 }).toBe(1)
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
    // Where closing the stream says it, nothing was sent that could be shown.
    const told = await rowsOf(bench, 'method:notifications/cancelled from:client')
    expect(told.map(({ parent }) => parent)).toEqual(place === 'http' && revision === '2026-07-28' ? [] : [row])
  })

  test.each(revisions.slice(1))('a call of %s whose connection breaks is lost', async (revision) => {
    await using target = await places[place]!(revision)
    await using bench = await TestBench.open({ servers: [target.spec] })
    const server = await connected(bench)
    const { row } = await begin(bench, server)
    await target.cut(bench, server)
    await expect.poll(() => statusOf(bench, row), { timeout: 20_000 }).toBe('lost')
    const [method] = (await bench.run('timeline.stats', { query: 'method:tools/call name:wait' })).methods
    expect(method).toBeUndefined()
  })
})
