/** Attacks by number, against a server in a process of its own, whose memory is measured after garbage collection. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { requireBuild } from '../../../../scripts/requires.ts'
import { bothTypes, EventReader, initializeRequest, LegacyClient } from './http.suite.ts'

const script = fileURLToPath(new URL('fixtures/attacked.mjs', import.meta.url))
const megabyte = 1024 * 1024

interface Measured {
  heap: number
  sockets: number
}

let attacked: ChildProcess
let url: string

const told = async <Answer>(): Promise<Answer> => ((await once(attacked, 'message')) as [{ answer: Answer }])[0].answer

const ask = (command: 'measure' | 'close'): Promise<Measured> => {
  const answer = told<Measured>()
  attacked.send(command)
  return answer
}

async function start(options: object): Promise<void> {
  attacked = fork(script, [JSON.stringify(options)], { execArgv: ['--expose-gc'] })
  url = await told<string>()
}
afterEach(() => void attacked?.kill())

const served = { fetch: (path: string, init?: RequestInit) => fetch(new URL(path, url), init), close: async () => {} }

describe('floods', () => {
  beforeAll(requireBuild)

  test('10,000 abandoned sessions: memory stays flat, the newest work, and those in use survive', async () => {
    await start({ sessions: { max: 500 } })
    const listening = await LegacyClient.open(served)
    const stream = new EventReader(await listening.get())
    const [first] = await abandonSessions(1_000)
    const before = await ask('measure')
    const flood = await abandonSessions(10_000)
    const after = await ask('measure')
    expect(new Set(flood).size).toBe(10_000)
    // The records of the sessions alone would be more, and so would what they left in the log.
    expect(after.heap - before.heap).toBeLessThan(2 * megabyte)
    expect(await statusOf(first!)).toBe(404)
    expect(await statusOf(flood[0]!)).toBe(404)
    expect(await statusOf(flood.at(-1)!)).toBe(200)
    expect(await statusOf(listening.id)).toBe(200)
    await stream.cancel()
    expect((await ask('close')).heap).toBeLessThan(before.heap)
  })

  test('5,000 idle sessions: each costs little more than a kilobyte', async () => {
    await start({ sessions: { max: 10_000 } })
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    const open = async (count: number): Promise<void> => {
      for (let opened = 0; opened < count; opened += 50) await initializeAll(socket, 50)
    }
    await open(1_000)
    const before = await ask('measure')
    await open(5_000)
    const after = await ask('measure')
    socket.destroy()
    expect((after.heap - before.heap) / 5_000).toBeLessThan(1.5 * 1024)
  })

  test(`${streamCount().toLocaleString('en')} open streams: each costs little, and nothing is left of them`, async () => {
    await start({})
    await closeAll(await openStreams(500))
    await expect.poll(async () => (await ask('measure')).sockets).toBe(0)
    const before = await ask('measure')
    const streams = await openStreams(streamCount())
    const during = await ask('measure')
    expect(during.sockets).toBe(streams.length)
    expect((during.heap - before.heap) / streams.length).toBeLessThan(40 * 1024)
    await closeAll(streams)
    await expect.poll(async () => (await ask('measure')).sockets, { timeout: 5_000 }).toBe(0)
    const after = await ask('measure')
    expect(after.heap - before.heap).toBeLessThan(5 * megabyte)
  })
})

/** 10,000, or what the system lets a process open. */
function streamCount(): number {
  const report = process.report.getReport() as unknown as { userLimits?: { open_files: { soft: number | string } } }
  const limit = Number(report.userLimits?.open_files.soft)
  return Number.isNaN(limit) ? 10_000 : Math.min(10_000, limit - 256)
}

/** Opens sessions, and leaves them; every tenth has something in the log. Returns their ids. */
async function abandonSessions(count: number): Promise<string[]> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  const agent = new Agent({ keepAlive: true })
  const ids: string[] = []
  while (ids.length < count) {
    const some = await initializeAll(socket, 50)
    const talkers = some.filter((_, i) => i % 10 === 0)
    const answers = await Promise.all(talkers.map((id) => send(agent, callProgress, id)))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    ids.push(...some)
  }
  socket.destroy()
  agent.destroy()
  return ids
}

/** Sends many requests at once over one connection, and reads the ids out of the answers. */
async function initializeAll(socket: Socket, count: number): Promise<string[]> {
  const text = JSON.stringify(initializeRequest())
  const headers = ['Host: localhost', 'Content-Type: application/json', `Content-Length: ${text.length}`]
  socket.write(['POST /mcp HTTP/1.1', ...headers, '', text].join('\r\n').repeat(count))
  let received = ''
  for (;;) {
    received += ((await once(socket, 'data')) as [Buffer])[0]
    const ids = [...received.matchAll(/mcp-session-id: (\S+)\r\n/gi)].map((match) => match[1]!)
    if (ids.length === count && received.endsWith('}')) return ids
  }
}

const callProgress = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'progress', arguments: {}, _meta: { progressToken: 1 } },
}

const statusOf = async (id: string): Promise<number> =>
  (await send(undefined, { jsonrpc: '2.0', id: 1, method: 'ping' }, id)).status

function send(
  agent: Agent | undefined,
  body: object,
  id?: string,
): Promise<{ status: number; session: string | undefined }> {
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(body)
    const headers = {
      'content-type': 'application/json',
      'content-length': text.length,
      accept: bothTypes,
      ...(id && { 'mcp-session-id': id }),
    }
    const request = httpRequest(url, { method: 'POST', agent: agent ?? false, headers }, (response) => {
      const session = response.headers['mcp-session-id'] as string | undefined
      response.resume().on('end', () => resolve({ status: response.statusCode!, session }))
    })
    request.on('error', reject)
    request.end(text)
  })
}

const streamRequest = 'GET /sse HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n'

/** Opens streams and waits for the first event of each, some at a time, as the queue of new connections is short. */
async function openStreams(count: number): Promise<Socket[]> {
  const sockets: Socket[] = []
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(250, count - sockets.length) }, () => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      socket.write(streamRequest)
      return socket
    })
    sockets.push(...some)
    const beginnings = await Promise.all(some.map((socket) => once(socket, 'data')))
    expect(beginnings.filter(([beginning]) => !String(beginning).startsWith('HTTP/1.1 200'))).toEqual([])
  }
  return sockets
}

async function closeAll(sockets: Socket[]): Promise<void> {
  const closed = sockets.map((socket) => once(socket, 'close'))
  for (const socket of sockets) socket.destroy()
  await Promise.all(closed)
}
