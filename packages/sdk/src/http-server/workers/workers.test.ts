/** Servers in several processes, started as users start them: from a script, against the built package. */
import { type ChildProcess, fork } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { requireBuild } from '../../../../../scripts/requires.ts'
import { connect as connectClient } from '../../client.ts'
import { serveHttp } from '../serve-http.ts'
import {
  callToolRequest,
  EventReader,
  initializeRequest,
  post,
  SessionClient,
  statelessMeta,
  statelessRequest,
  testServer,
} from '../tests/http.suite.ts'

const script = fileURLToPath(new URL('fixtures/served.mjs', import.meta.url))

interface Told {
  url?: string
  failed?: string
  error?: string
  asked?: string
  closed?: boolean
}

let primary: ChildProcess
let exited: Promise<void>
let temporary: string
let url: string
let told: Told[]

const served = { fetch: (path: string, init?: RequestInit) => fetch(new URL(path, url), init), close: async () => {} }

/** The next message of the first process that has this member. */
const next = <Member extends keyof Told>(member: Member): Promise<NonNullable<Told[Member]>> =>
  new Promise((resolve, reject) => {
    const look = (message: Told): void => {
      if (message[member] !== undefined) resolve(message[member] as NonNullable<Told[Member]>)
    }
    for (const message of told) look(message)
    primary.on('message', look)
    primary.once('exit', () => reject(new Error(`the first process ended: ${JSON.stringify(told)}`)))
  })

function launch(options: object): void {
  told = []
  const env = { ...process.env, TMPDIR: temporary }
  primary = fork(script, [JSON.stringify(options)], { env, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  primary.on('message', (message) => told.push(message as Told))
  exited = new Promise((resolve) => primary.once('exit', () => resolve()))
}

async function start(options: object = {}): Promise<void> {
  launch(options)
  url = await next('url')
  await expect.poll(async () => (await workerPids()).size).toBe(2)
}

const textOf = async (response: Response): Promise<string> =>
  ((await response.json()) as { result: { content: [{ text: string }] } }).result.content[0].text

interface Answer {
  result: { content: [{ text: string }]; requestState: string; inputRequests: object }
  error?: { message: string }
}

/** Asks over a connection of its own. */
function askAlone(init: RequestInit): Promise<Answer> {
  const { headers, body } = init as { headers: [string, string][]; body: string }
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', agent: false, headers: Object.fromEntries(headers) } as const
    const request = httpRequest(url, options, async (response) =>
      resolve(JSON.parse((await response.toArray()).join(''))),
    )
    request.on('error', reject)
    request.end(body)
  })
}

const pidOf = async (): Promise<number> => Number((await askAlone(callToolRequest('pid'))).result.content[0].text)

/** Connections go to the workers in turn, so a few of them at once meet all. */
const workerPids = async (): Promise<Set<number>> => new Set(await Promise.all(Array.from({ length: 6 }, pidOf)))

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  // A zombie is not alive; not every system's first process reaps often.
  const state = `/proc/${pid}/stat`
  return !existsSync(state) || !/\) Z /.test(readFileSync(state, 'utf8'))
}

const allGone = async (pids: Iterable<number>): Promise<void> => {
  await exited
  await expect.poll(() => [...pids].filter(isAlive), { timeout: 100_000 }).toEqual([])
  expect(readdirSync(temporary)).toEqual([])
}

beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'tenon-workers-'))
})
afterEach(async () => {
  primary?.kill('SIGKILL')
  await exited
  rmSync(temporary, { recursive: true, force: true })
})

describe('several processes', () => {
  beforeAll(requireBuild)

  test('stateless requests are answered by all workers, and by them alone', async () => {
    await start()
    expect(await workerPids()).not.toContain(primary.pid)
    const [folder] = readdirSync(temporary)
    expect(statSync(join(temporary, folder!)).mode & 0o777).toBe(0o700)
  })

  test('a session lives in one place, whichever worker is asked', async () => {
    await start()
    const client = await SessionClient.open(served, '2025-11-25')
    const calls = await Promise.all(Array.from({ length: 10 }, (_, i) => client.call('pid', {}, {}, {}, i)))
    expect(new Set(await Promise.all(calls.map(textOf)))).toEqual(new Set([String(primary.pid)]))
    expect((await client.delete()).status).toBe(204)
    expect((await client.call('pid')).status).toBe(404)
  })

  test('a tool of a session asks its client over an event stream', async () => {
    await start()
    const client = await SessionClient.open(served, '2025-11-25', {}, { elicitation: {} })
    const events = new EventReader(await client.call('ask'))
    const { id, method } = await events.message()
    expect(method).toBe('elicitation/create')
    const answer = { jsonrpc: '2.0', id, result: { action: 'accept', content: { name: 'Ada' } } }
    expect((await client.post(answer)).status).toBe(202)
    const text = `hello Ada from ${primary.pid}`
    expect(await events.message()).toMatchObject({ id: 1, result: { content: [{ text }] } })
    expect(await events.next()).toBeUndefined()
  })

  test('a question on the stateless protocol is answered by whichever worker gets the next round', async () => {
    await start()
    const pids = new Set<string>()
    for (let attempt = 0; attempt < 12; attempt++) {
      await using client = await connectClient(url, {
        agent: new Agent({ keepAlive: false }),
        elicit: () => ({ action: 'accept', content: { name: 'Ada' } }),
      })
      expect(client.server.revision).toBe('2026-07-28')
      const { text } = await client.callTool('ask')
      expect(text).toMatch(/^hello Ada from \d+$/)
      pids.add(text.split(' ').at(-1)!)
    }
    expect(pids).not.toContain(String(primary.pid))
  })

  describe('the state of a question', () => {
    const _meta = statelessMeta({ elicitation: { form: {} } })
    const params = { name: 'ask', arguments: {}, _meta }
    /** The next round with the same state, as often as one likes. */
    const ask = async (): Promise<(name: string) => Promise<Answer>> => {
      const { requestState, inputRequests } = (await askAlone(statelessRequest('tools/call', params))).result
      return (name) => {
        const answer = { action: 'accept', content: { name } }
        const inputResponses = { [Object.keys(inputRequests)[0]!]: answer }
        return askAlone(statelessRequest('tools/call', { ...params, requestState, inputResponses }))
      }
    }

    test('is good for one round, whichever workers get it', async () => {
      await start()
      const answer = await ask()
      const atOnce = await Promise.all(Array.from({ length: 8 }, () => answer('Ada')))
      expect(atOnce.filter(({ result }) => result !== undefined)).toHaveLength(1)
      const later = await Promise.all(Array.from({ length: 8 }, () => answer('Ada')))
      for (const { error } of later) expect(error!.message).toContain('requestState was used before')
    })

    test('may be used again with any worker if the round failed', async () => {
      await start()
      const answer = await ask()
      for (let count = 0; count < 6; count++) expect((await answer('nobody')).error!.message).toBe('nobody is there')
      expect((await answer('Ada')).result.content[0].text).toContain('hello Ada')
      expect((await answer('Ada')).error!.message).toContain('used before')
    })
  })

  test('what changes in a worker is told to the subscribers in every process', async () => {
    await start()
    const client = await SessionClient.open(served, '2025-11-25')
    const params = { uri: 'news://today' }
    const subscribe = await client.post({ jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params })
    expect(await subscribe.json()).toMatchObject({ result: {} })
    const stream = new EventReader(await client.get())
    expect(Number(await textOf(await fetch(url, callToolRequest('touch'))))).not.toBe(primary.pid)
    expect(await stream.message()).toMatchObject({ method: 'notifications/resources/updated', params })
    await stream.cancel()
  })

  test('what changes in one worker is told to those who listen at another', async () => {
    await start()
    const filter = { toolsListChanged: true, resourceSubscriptions: ['news://today'] }
    const startListening = statelessRequest('subscriptions/listen', { notifications: filter })
    // Connections go to the workers in turn, so these are at both.
    const streams = await Promise.all([1, 2, 3, 4].map(async () => new EventReader(await fetch(url, startListening))))
    for (const stream of streams) {
      expect(await stream.message()).toMatchObject({ params: { notifications: filter } })
    }
    const worker = await textOf(await fetch(url, callToolRequest('touch')))
    for (const stream of streams) {
      expect(await stream.message()).toMatchObject({ method: 'notifications/resources/updated' })
    }
    await fetch(url, callToolRequest('grow'))
    for (const stream of streams) {
      expect(await stream.message()).toMatchObject({ method: 'notifications/tools/list_changed' })
    }
    // The others heard it from elsewhere, whichever worker it was.
    expect(Number(worker)).not.toBe(primary.pid)
    primary.send('close')
    for (const stream of streams) expect(await stream.message()).toMatchObject({ result: { resultType: 'complete' } })
    await next('closed')
  })

  test('HTTP+SSE works, and a client that leaves is noticed in the first process', async () => {
    await start()
    const events = new EventReader(await served.fetch('/sse', { headers: { accept: 'text/event-stream' } }))
    const path = (await events.next())!.data!
    const statuses = await Promise.all([1, 2, 3].map(() => served.fetch(path, post(initializeRequest('2024-11-05')))))
    expect(statuses.map(({ status }) => status)).toEqual([202, 202, 202])
    expect(await events.message()).toMatchObject({ result: { protocolVersion: '2024-11-05' } })
    await events.cancel()
    await expect.poll(async () => (await served.fetch(path, post(initializeRequest()))).status).toBe(404)
  })

  test('a worker that is killed is replaced and reported, and sessions do not notice', async () => {
    await start()
    const before = await workerPids()
    const client = await SessionClient.open(served)
    const [victim] = before
    process.kill(victim!, 'SIGKILL')
    expect(await next('error')).toMatch(/signal SIGKILL/)
    await expect.poll(() => workerPids().catch(() => before), { timeout: 100_000 }).not.toContain(victim)
    await expect.poll(async () => (await workerPids()).size, { timeout: 100_000 }).toBe(2)
    expect(await textOf(await client.call('pid'))).toBe(String(primary.pid))
  })

  test('all workers at once can be killed, and the port stays the same', async () => {
    await start()
    const before = await workerPids()
    for (const pid of before) process.kill(pid, 'SIGKILL')
    const after = () => workerPids().catch(() => before)
    await expect
      .poll(async () => [...(await after())].filter((pid) => before.has(pid)), { timeout: 100_000 })
      .toEqual([])
  })

  test.each(['SIGTERM', 'SIGKILL'] as const)('%s to the first process leaves nothing', async (signal) => {
    await start({ sse: '/sse' })
    const pids = await workerPids()
    const stream = new EventReader(await served.fetch('/sse', { headers: { accept: 'text/event-stream' } }))
    await stream.next()
    primary.kill(signal)
    await allGone(pids)
    await expect(stream.rest()).rejects.toThrow()
  })

  test('close lets requests of both eras finish, ends streams, and leaves nothing', async () => {
    await start({ lingering: true })
    const pids = await workerPids()
    const client = await SessionClient.open(served)
    const stream = new EventReader(await client.get())
    const progress = { progressToken: 1 }
    const streams = [
      await fetch(url, callToolRequest('wait', { ms: 400 }, {}, progress)),
      await client.call('wait', { ms: 400 }, progress),
    ]
    primary.send('close')
    for (const response of streams) {
      const events = (await new EventReader(response).rest()).map(({ data }) => data).join('\n')
      expect(events).toContain('waited')
    }
    await stream.rest()
    await next('closed')
    await allGone(pids)
  })

  test('close waits no longer than its bound, even for a worker that hangs', async () => {
    await start({ closeTimeoutMs: 100 })
    const pids = await workerPids()
    const hanging = fetch(url, callToolRequest('loop')).catch(() => 'cut')
    const waiting = fetch(url, callToolRequest('wait', { ms: 60_000 })).catch(() => 'cut')
    // Only a worker that does not answer any more hangs.
    await expect
      .poll(() => Promise.race([Promise.all(Array.from({ length: 6 }, pidOf)), silence(300)]).catch(() => undefined))
      .toBeUndefined()
    const began = performance.now()
    primary.send('close')
    await next('closed')
    expect(performance.now() - began).toBeLessThan(6_000)
    await allGone(pids)
    await Promise.all([hanging, waiting])
  })

  test('a script that fails in its workers fails in the first process too, and leaves nothing', async () => {
    launch({ failing: true })
    expect(await next('failed')).toMatch(/ended before it listened \(exit code 1\)/)
    await allGone([])
  })

  test('a worker that closes ends alone, and is not replaced', async () => {
    await start()
    const before = await workerPids()
    expect(await textOf(await fetch(url, callToolRequest('leave')))).toBe('bye')
    await expect.poll(() => [...before].filter(isAlive).length, { timeout: 100_000 }).toBe(1)
    const [rest] = [...before].filter(isAlive)
    expect(await workerPids()).toEqual(new Set([rest]))
    expect(told).toEqual([{ url }])
  })

  test('a second server with workers is refused, as its workers could not be told apart', async () => {
    launch({ twice: true })
    expect(await next('failed')).toMatch(/has workers already/)
    await exited
    expect(readdirSync(temporary)).toEqual([])
  })

  test('what is refused in one process is refused in many', async () => {
    await start({ maxBodyBytes: 1_000_000, bodyTimeoutMs: 200 })
    const initialize = initializeRequest()
    const statusOf = async (init: RequestInit): Promise<number> => (await fetch(url, init)).status
    expect(await statusOf(post(initialize, { origin: 'https://evil.example.com' }))).toBe(403)
    expect(await statusOf(statelessRequest('tools/list', {}, { origin: 'https://evil.example.com' }))).toBe(403)
    expect(await statusOf(post(initialize, { 'content-type': 'text/plain' }))).toBe(415)
    expect(await statusOf(post('{'))).toBe(400)
    expect(await statusOf({ method: 'PUT', body: '{}' })).toBe(405)
    expect((await served.fetch('/other')).status).toBe(404)
    expect(await statusOf(post({ ...modernBody }, {}))).toBe(400)
    const lines = ['POST /mcp HTTP/1.1', 'Content-Type: application/json']
    expect(await raw([...lines, 'Host: evil.example.com', 'Content-Length: 2'], '{}')).toMatch(/^HTTP\/1.1 403/)
    expect(await raw([...lines, 'Host: a', 'Host: localhost', 'Content-Length: 2'], '{}')).toMatch(/^HTTP\/1.1 400/)
    expect(await raw([...lines, 'Host: localhost', 'Content-Length: 500'], '{"half')).toMatch(/^HTTP\/1.1 408/)
  })

  test('a body without end is refused, and its sender learns why', async () => {
    await start({ maxBodyBytes: 1_000_000 })
    expect(await postWithoutEnd()).toBe(413)
    expect((await fetch(url, post(initializeRequest()))).status).toBe(200)
  })

  test('a body where none is expected cannot pass for a request of its own', async () => {
    await start({ watched: true })
    const smuggled = 'GET /mcp?smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n'
    const chunk = `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`
    for (const method of ['GET', 'DELETE', 'OPTIONS']) {
      const lines = [`${method} /mcp?${method} HTTP/1.1`, 'Host: localhost']
      expect(await raw([...lines, 'Transfer-Encoding: chunked'], chunk)).toMatch(/^HTTP\/1.1 405/)
      expect(await raw([...lines, `Content-Length: ${smuggled.length}`], smuggled)).toMatch(/^HTTP\/1.1 405/)
    }
    const statuses = Array.from({ length: 10 }, async () => (await fetch(url, post(initializeRequest()))).status)
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([200]))
    const asked = new Set(told.map((message) => message.asked))
    expect(asked).toContain('/mcp?DELETE')
    expect(asked).not.toContain('/mcp?smuggled')
  })
})

test.each([-1, 1.5, Number.NaN])('%s workers are refused', async (workers) => {
  await expect(serveHttp(testServer().server, { workers })).rejects.toMatchObject({ code: 'invalid_argument' })
})

test('a port that is taken is an error before any worker starts', async () => {
  const { server } = testServer()
  await using taken = await serveHttp(server, { workers: 0 })
  await expect(serveHttp(server, { workers: 2, port: taken.port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

const modernBody = JSON.parse(statelessRequest('tools/list').body as string) as object

const silence = (ms: number): Promise<undefined> => new Promise((resolve) => setTimeout(resolve, ms))

/** Sends bytes as they are, and returns the answer until the other side ends. */
function raw(lines: string[], body: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write([...lines, 'Connection: close', '', body].join('\r\n'))
  return new Promise((resolve) => {
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.on('close', () => resolve(received))
    socket.on('error', () => {})
  })
}

function postWithoutEnd(): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' }
    const request = httpRequest(url, { method: 'POST', headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
      request.destroy()
    })
    request.on('error', reject)
    const chunk = Buffer.alloc(64 * 1024, 0x20)
    const more = (): void => {
      while (!request.destroyed) if (!request.write(chunk)) return void request.once('drain', more)
    }
    more()
  })
}
