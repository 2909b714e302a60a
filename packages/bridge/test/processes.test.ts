/** Real processes and sockets on both sides; needs a build. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Client as OfficialClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { connect, type JsonObject, type Revision, revisions } from '@tenon/sdk/client'
import { type HttpServer, serveHttp } from '@tenon/sdk/node'
import { createServer, type Server, tool } from '@tenon/sdk/server'
import { memoryPair } from '@tenon/sdk/testing'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type BridgeEvent, type BridgeOptions, bridge } from '../src/bridge.ts'
import { upstreamServer } from './upstream.suite.ts'

const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url))
const everything = fileURLToPath(new URL('../../../servers/everything/bin/everything.js', import.meta.url))
const oldServer = { command: process.execPath, args: [fixture('old-server.mjs')] }

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function farOverHttp(revision: Revision) {
  const upstream = upstreamServer(revision)
  const http = await serveHttp(upstream.server, { port: 0 })
  endings.push(() => http.close())
  return { upstream, runs: upstream.runs, url: String(http.url) }
}

/** A client without a library: it writes and reads lines. */
class LineClient {
  readonly child: ChildProcess
  readonly said: JsonObject[] = []
  readonly #waiting = new Map<unknown, (message: JsonObject) => void>()
  #count = 0
  answer: (method: string, params: JsonObject) => JsonObject = () => ({})

  constructor(target: unknown) {
    this.child = spawn(process.execPath, [fixture('bridge.mjs'), JSON.stringify(target)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    createInterface({ input: this.child.stdout! }).on('line', (line) => this.#read(JSON.parse(line)))
  }

  send(message: JsonObject): void {
    this.child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }

  async request(method: string, params: JsonObject = {}): Promise<JsonObject> {
    const id = ++this.#count
    const answered = new Promise<JsonObject>((resolve) => this.#waiting.set(id, resolve))
    this.send({ id, method, params })
    return answered
  }

  async end(): Promise<void> {
    this.child.stdin!.end()
    if (this.child.exitCode === null) await once(this.child, 'exit')
  }

  #read(message: JsonObject): void {
    this.said.push(message)
    const { id, method, params } = message
    if (method === undefined) this.#waiting.get(id)?.(message)
    else if (id !== undefined) this.send({ id, result: this.answer(method as string, params as JsonObject) })
  }
}

describe('a client of 2024-11-05 on stdio, at a server that speaks only 2026-07-28', () => {
  async function lineClient(capabilities: JsonObject) {
    const far = await farOverHttp('2026-07-28')
    const client = new LineClient(far.url)
    endings.push(() => client.end())
    const opened = await client.request('initialize', {
      protocolVersion: '2024-11-05',
      capabilities,
      clientInfo: { name: 'lines', version: '1' },
    })
    client.send({ method: 'notifications/initialized' })
    return { far, client, opened }
  }

  test('lists, calls, and is asked for roots and messages', async () => {
    const { client, opened } = await lineClient({ roots: {}, sampling: {} })
    expect(opened).toMatchObject({
      result: { protocolVersion: '2024-11-05', serverInfo: { name: 'upstream' }, instructions: 'Ask nicely' },
    })
    const { result } = await client.request('tools/list')
    expect((result as { tools: JsonObject[] }).tools[0]).toEqual({
      name: 'echo',
      description: 'Says it again',
      inputSchema: expect.anything(),
    })
    client.answer = (method) =>
      method === 'roots/list'
        ? { roots: [{ uri: 'file:///srv' }] }
        : { role: 'assistant', model: 'm', content: { type: 'text', text: 'word' } }
    expect(await client.request('tools/call', { name: 'where' })).toMatchObject({
      result: { content: [{ text: 'file:///srv' }] },
    })
    expect(await client.request('tools/call', { name: 'write' })).toMatchObject({
      result: { content: [{ text: 'm wrote word' }] },
    })
    expect(JSON.stringify(client.said)).not.toContain('resultType')
  })

  test('is asked to fill in a form if it says that it can, and the server works once', async () => {
    const { far, client } = await lineClient({ elicitation: {} })
    const messages: unknown[] = []
    client.answer = (_method, params) => {
      messages.push(params.message)
      return { action: 'accept', content: params.message === 'When?' ? { time: 'noon' } : { people: 2 } }
    }
    expect(await client.request('tools/call', { name: 'book', arguments: { restaurant: 'Kaia' } })).toMatchObject({
      result: { content: [{ text: 'Kaia at noon for 2' }] },
    })
    expect(messages).toEqual(['When?', 'How many?'])
    expect(far.runs.get('booked')).toBe(1)
  })

  test('hears what is missing if it cannot be asked', async () => {
    const { client } = await lineClient({})
    const answer = await client.request('tools/call', { name: 'book', arguments: { restaurant: 'Kaia' } })
    expect(answer).toMatchObject({ error: { code: -32021, data: { requiredCapabilities: { elicitation: {} } } } })
  })

  test('may send everything at once, and hears of changes', async () => {
    const far = await farOverHttp('2026-07-28')
    const client = new LineClient(far.url)
    endings.push(() => client.end())
    const opening = client.request('initialize', {
      protocolVersion: '2024-11-05',
      capabilities: {},
      clientInfo: { name: 'lines', version: '1' },
    })
    client.send({ method: 'notifications/initialized' })
    const calls = [client.request('resources/subscribe', { uri: 'note://one' }), client.request('tools/list')]
    expect(await opening).toHaveProperty('result')
    for (const call of calls) expect(await call).toHaveProperty('result')
    await expect
      .poll(async () => {
        await client.request('tools/call', { name: 'grow' })
        return client.said.map(({ method }) => method)
      })
      .toEqual(expect.arrayContaining(['notifications/tools/list_changed', 'notifications/resources/updated']))
  })

  test('leaves nothing behind when it goes', async () => {
    const client = new LineClient(oldServer)
    await client.request('initialize', {
      protocolVersion: '2024-11-05',
      capabilities: {},
      clientInfo: { name: 'lines', version: '1' },
    })
    const { result } = await client.request('tools/call', { name: 'pid' })
    const pid = Number((result as { content: { text: string }[] }).content[0]!.text)
    expect(isAlive(pid)).toBe(true)
    await client.end()
    expect(isAlive(pid)).toBe(false)
  })
})

async function overHttp(target: Parameters<typeof bridge>[0], options: BridgeOptions = {}) {
  const events: BridgeEvent[] = []
  const link = bridge(target, { onEvent: (event) => events.push(event), ...options })
  const http: HttpServer = await serveHttp(link.server, { port: 0 })
  endings.push(
    () => link.close(),
    () => http.close(),
  )
  return { link, events, url: String(http.url), http }
}

describe('a server of 2024-11-05 on stdio, over HTTP', () => {
  const callbacks = {
    roots: [{ uri: 'file:///home' }],
    sample: () => ({ role: 'assistant' as const, model: 'm', content: { type: 'text' as const, text: 'socks' } }),
  }

  test.each(['2025-11-25', '2026-07-28'] as const)('asks a client of %s while it works, once', async (revision) => {
    const { url, link } = await overHttp({ target: oldServer })
    const client = await connect(url, { revisions: [revision], ...callbacks })
    expect((await client.callTool('think')).text).toBe('socks in file:///home')
    expect((await client.callTool('runs')).text).toBe('1')
    const pid = Number((await client.callTool('pid')).text)
    expect(isAlive(pid)).toBe(true)
    await client.close()
    await link.close()
    expect(isAlive(pid)).toBe(false)
  })

  test.each(['2025-03-26', '2026-07-28'] as const)('passes on what only the two know, to %s', async (revision) => {
    const { url } = await overHttp({ target: oldServer })
    await using client = await connect(url, { revisions: [revision] })
    expect(client.server.capabilities).toMatchObject({ 'x-own': { kept: true } })
    expect(await client.request('x/own', { a: [1] })).toMatchObject({ own: { a: [1] } })
    await expect(client.request('tools/call', { name: 'nope' })).rejects.toMatchObject({
      code: -32602,
      message: 'No tool nope',
      data: { name: 'nope' },
    })
  })

  test('every session has a process of its own, which ends with it', async () => {
    const { url } = await overHttp({ target: oldServer })
    const clients = await Promise.all([1, 2].map(() => connect(url, { revisions: ['2025-11-25'] })))
    const pids = await Promise.all(clients.map(async (client) => Number((await client.callTool('pid')).text)))
    expect(new Set(pids).size).toBe(2)
    for (const client of clients) await client.close()
    await expect.poll(() => pids.filter(isAlive)).toEqual([])
  })

  test('clients without sessions share a process, which ends when nobody needs it', async () => {
    const { url } = await overHttp({ target: oldServer }, { idleMs: 50 })
    const clients = await Promise.all([1, 2].map(() => connect(url, { revisions: ['2026-07-28'] })))
    const pids = await Promise.all(clients.map(async (client) => Number((await client.callTool('pid')).text)))
    expect(new Set(pids).size).toBe(1)
    await expect.poll(() => pids.filter(isAlive)).toEqual([])
    expect(Number((await clients[0]!.callTool('pid')).text)).not.toBe(pids[0])
    for (const client of clients) await client.close()
  })

  test('there are no more processes than allowed', async () => {
    const { url } = await overHttp({ target: oldServer }, { maxConnections: 1 })
    await using first = await connect(url, { revisions: ['2025-11-25'] })
    await expect(connect(url, { revisions: ['2025-11-25'] })).rejects.toThrow('the limit is 1')
    await first.close()
    await expect
      .poll(() => connect(url, { revisions: ['2025-11-25'] }).then((client) => client.close().then(() => 'served')))
      .toBe('served')
  })

  test.each(['2025-11-25', '2026-07-28'] as const)(
    'a server that dies is told of, and the next call of a client of %s finds another',
    async (revision) => {
      const { url, events } = await overHttp({ target: oldServer })
      await using client = await connect(url, { revisions: [revision] })
      const first = (await client.callTool('pid')).text
      await expect(client.callTool('crash')).rejects.toMatchObject({ code: -32603, data: { reason: 'closed' } })
      await expect.poll(() => events.map(({ kind }) => kind)).toEqual(['opened', 'lost'])
      expect((await client.callTool('pid')).text).not.toBe(first)
    },
  )

  test('a session ends with its server: 404 for requests and streams, and one place more for others', async () => {
    const { url, events } = await overHttp({ target: oldServer }, { maxConnections: 1 })
    const headers: { [name: string]: string } = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const post = (method: string, params: object): Promise<Response> =>
      fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) })
    const clientInfo = { name: 'posts', version: '1' }
    const opened = await post('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
    headers['mcp-session-id'] = opened.headers.get('mcp-session-id')!
    await opened.text()
    const stream = await fetch(url, { headers })
    const failed = await post('tools/call', { name: 'crash' })
    expect(failed.status).toBe(200)
    expect(await failed.text()).toContain('"reason":"closed"')
    await stream.text()
    expect((await post('tools/call', { name: 'pid' })).status).toBe(404)
    expect((await fetch(url, { headers })).status).toBe(404)
    expect(events.map(({ kind }) => kind)).toEqual(['opened', 'lost'])
    await using _next = await connect(url, { revisions: ['2025-11-25'] })
  })

  test('a client on a channel sees its connection end with the server', async () => {
    const link = bridge({ target: oldServer })
    endings.push(() => link.close())
    await using client = await connect(link.server, { revisions: ['2025-11-25'] })
    const calls = ['think', 'crash'].map((name) => client.callTool(name).catch((error: unknown) => error))
    for (const call of calls) expect(await call).toMatchObject({ data: { reason: 'closed' } })
    await expect(client.closed).resolves.toMatchObject({ code: 'closed' })
  })

  test('a session ends if its server cannot be started again', async () => {
    let command = process.execPath
    const { url, link } = await overHttp(() => ({ target: { ...oldServer, command } }))
    await using client = await connect(url, { revisions: ['2025-11-25'] })
    command = 'no-such-command-here'
    await expect(link.restart()).rejects.toThrow()
    command = process.execPath
    expect((await client.callTool('runs')).text).toBe('0')
  })

  test('a server that is started again serves the same session, which hears that lists may have changed', async () => {
    const { url, link, events } = await overHttp({ target: { ...oldServer, restart: { backoffMs: 10 } } })
    await using client = await connect(url, { revisions: ['2025-11-25'] })
    let changes = 0
    client.onChange('tools', () => changes++)
    const first = Number((await client.callTool('pid')).text)
    await expect(client.callTool('crash')).rejects.toMatchObject({ data: { reason: 'closed' } })
    const second = Number((await client.callTool('pid')).text)
    await expect.poll(() => changes).toBe(1)
    await link.restart()
    const third = Number((await client.callTool('pid')).text)
    await expect.poll(() => changes).toBe(2)
    expect(new Set([first, second, third]).size).toBe(3)
    expect(isAlive(second)).toBe(false)
    expect(events.map(({ kind }) => kind)).toEqual(['opened', 'restarted', 'opened', 'restarted'])
  })

  test('what cannot be started is told to clients, and why to whoever runs the bridge', async () => {
    const { url, events } = await overHttp({ target: { command: 'no-such-command-here' } })
    for (const revision of ['2025-11-25', '2026-07-28'] as const)
      await expect(connect(url, { revisions: [revision] })).rejects.toThrow('it could not be started')
    expect(events.map((event) => String((event as { error?: Error }).error?.message)).join()).toContain(
      'no-such-command-here',
    )
  })
})

describe('a program that never answers', () => {
  test.each(['2025-11-25', '2026-07-28'] as const)(
    'is gone when the bridge is closed, whatever a client of %s waits for',
    async (revision) => {
      const pids: number[] = []
      const mute = {
        command: process.execPath,
        args: [fixture('mute.mjs')],
        stderr: (text: string) => void pids.push(Number(text)),
      }
      const link = bridge({ target: mute })
      const [here, there] = memoryPair()
      link.connect(there)
      const connecting = connect(here, { revisions: [revision], probeTimeoutMs: 60_000 }).catch(() => 'failed')
      await expect.poll(() => pids.filter(isAlive)).toHaveLength(1)
      await link.close()
      expect(pids.filter(isAlive)).toEqual([])
      await here.close()
      expect(await connecting).toBe('failed')
    },
  )
})

describe('the official client on stdio', () => {
  test.each(['2026-07-28', '2025-06-18'] as const)(
    'does everything with a server over HTTP in %s',
    async (revision) => {
      const { upstream, url } = await farOverHttp(revision)
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [fixture('bridge.mjs'), JSON.stringify(url)],
      })
      const client = new OfficialClient(
        { name: 'official', version: '1.0.0' },
        { capabilities: { elicitation: {}, sampling: {}, roots: { listChanged: true } } },
      )
      const heard: string[] = []
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({
        action: 'accept' as const,
        content: params.message === 'When?' ? { time: 'six' } : { people: 3 },
      }))
      client.setRequestHandler(CreateMessageRequestSchema, () => ({
        role: 'assistant' as const,
        model: 'm2',
        content: { type: 'text' as const, text: 'ok' },
      }))
      client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///tmp' }] }))
      client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void heard.push(params.level))
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void heard.push(params.uri))
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => void heard.push('tools'))
      await client.connect(transport)
      endings.push(() => client.close())
      expect(client.getServerVersion()).toMatchObject({ name: 'upstream' })
      expect(client.getInstructions()).toBe('Ask nicely')
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toContain('book')
      const call = async (name: string, args = {}, onprogress?: (progress: unknown) => void): Promise<string> => {
        const options = onprogress && { onprogress }
        const { content } = await client.callTool({ name, arguments: args }, undefined, options)
        return (content as { text: string }[])[0]!.text
      }
      expect(await call('echo', { text: 'hi' })).toContain('hi')
      expect(await call('book', { restaurant: 'Kaia' })).toBe('Kaia at six for 3')
      expect(await call('write')).toBe('m2 wrote ok')
      expect(await call('where')).toBe('file:///tmp')
      await client.setLoggingLevel('debug')
      const progress: unknown[] = []
      // The official client forgets progress that arrives in one piece with the answer.
      upstream.beforeAnswer = () =>
        vi.waitFor(() => expect(progress).toHaveLength(2), { timeout: 100_000, interval: 5 })
      expect(await call('steps', {}, (report) => progress.push(report))).toBe('stepped')
      expect(progress).toMatchObject([{ progress: 1 }, { progress: 2 }])
      await client.subscribeResource({ uri: 'note://one' })
      await call('grow')
      await expect.poll(() => heard).toEqual(expect.arrayContaining(['warning', 'note://one', 'tools']))
      expect(await client.getPrompt({ name: 'greet', arguments: { who: 'Ada' } })).toHaveProperty('messages')
      expect(await client.readResource({ uri: 'note://x' })).toMatchObject({ contents: [{ text: 'note x' }] })
      await expect(client.callTool({ name: 'nothing' })).rejects.toMatchObject({ code: -32602 })
    },
  )
})

describe('the everything server as a process', () => {
  test.each(['2024-11-05', '2025-06-18', '2025-11-25', '2026-07-28'] as const)(
    'for a client of %s over HTTP',
    async (revision) => {
      const { url, link } = await overHttp({ target: { command: process.execPath, args: [everything] } })
      const client = await connect(url, {
        revisions: [revision],
        roots: [{ uri: 'file:///work' }],
        sample: () => ({ role: 'assistant', model: 'm', content: { type: 'text', text: 'short' } }),
        elicit: () => ({
          action: 'accept',
          content: { traveller: 'Ada', email: 'ada@example.com', start: '2026-12-01', nights: 2 },
        }),
      })
      const names: string[] = []
      for await (const { name } of client.tools()) names.push(name)
      expect(names.length).toBeGreaterThan(15)
      expect((await client.callTool('add', { a: 2, b: 3 })).text).toContain('5')
      expect((await client.callTool('list_roots')).text).toContain('file:///work')
      expect((await client.callTool('summarize', { text: 'A long text about nothing at all' })).text).toContain('short')
      if (revision >= '2025-06-18') {
        expect((await client.callTool('plan_trip', { destination: 'Oslo' })).text).toContain('2026-12-03')
      }
      await client.close()
      await link.close()
    },
  )
})

describe.each(revisions)('two programs behind one server, for a client of %s', (revision) => {
  test('are used as one, and end with their bridges', async () => {
    const desk: Server = createServer({
      name: 'desk',
      version: '1.0.0',
      tools: [tool({ name: 'own', run: () => 'mine' })],
    })
    const programs = {
      old_: bridge({ target: oldServer }),
      all_: bridge({ target: { command: process.execPath, args: [everything] } }),
    }
    for (const [prefix, { server }] of Object.entries(programs)) desk.mount(server, { prefix, timeoutMs: 30_000 })
    endings.push(() => Promise.all(Object.values(programs).map((each) => each.close())))
    const client = await connect(desk, {
      revisions: [revision],
      roots: [{ uri: 'file:///here' }],
      sample: () => ({ role: 'assistant', model: 'm', content: { type: 'text', text: 'nothing' } }),
    })
    const names: string[] = []
    for await (const { name } of client.tools()) names.push(name)
    expect(names).toEqual(expect.arrayContaining(['own', 'old_pid', 'old_think', 'all_echo', 'all_convert_units']))
    expect((await client.callTool('own')).text).toBe('mine')
    expect((await client.callTool('all_echo', { message: 'hi' })).text).toContain('hi')
    expect((await client.callTool('old_think')).text).toBe('nothing in file:///here')
    // Nothing is known of the server but that it has resources.
    const resources: string[] = []
    for await (const { uri } of client.resources()) resources.push(uri)
    expect(resources.length).toBeGreaterThan(0)
    expect((await client.readResource(resources[0]!)).contents[0]).toMatchObject({ uri: resources[0] })
    const pid = Number((await client.callTool('old_pid')).text)
    expect(isAlive(pid)).toBe(true)
    // One of them crashes: its call fails, and everything else goes on.
    await expect(client.callTool('old_crash')).rejects.toMatchObject({ data: { reason: 'closed' } })
    expect((await client.callTool('all_echo', { message: 'still' })).text).toContain('still')
    const newPid = (): Promise<number> =>
      client.callTool('old_pid').then(
        ({ text }) => Number(text),
        () => pid,
      )
    await expect.poll(newPid).not.toBe(pid)
    await client.close()
  })
})
