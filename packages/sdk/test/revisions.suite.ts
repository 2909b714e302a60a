/** One suite for every transport in every revision: the same server and client, all messages checked. */
import { afterAll, describe, expect, test } from 'vitest'
import { type Client, type ConnectOptions, connect } from '../src/client.ts'
import { type Revision, revisions } from '../src/model/revision.ts'
import { type Channel, type Server, text, tool } from '../src/server.ts'
import { record, Transcript } from '../src/testing.ts'
import '../src/testing/vitest.ts'
import { featureServer } from './fixture.ts'
import { transcriptProblems } from './transcript-problems.ts'

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

const since = (revision: string, first: string): boolean => revision >= first
const thrown = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => expect.fail(`expected an error, got ${JSON.stringify(value)}`),
    (error: unknown) => error,
  )

const answers: ConnectOptions = {
  elicit: {
    form: ({ requestedSchema }) => {
      // 2025-06-18 has no lists: there the user types the choices.
      const colors = requestedSchema.properties.colors?.type === 'array' ? ['green', 'red'] : 'green, red'
      return { action: 'accept', content: { name: 'Ada', mail: 'ada@example.com', colors } }
    },
    url: () => ({ action: 'accept' }),
  },
  sample: {
    handler: ({ tools }) => ({
      role: 'assistant',
      model: 'test',
      stopReason: tools ? 'toolUse' : 'endTurn',
      content: tools ? { type: 'tool_use', id: 't1', name: 'look', input: {} } : { type: 'text', text: 'Hello' },
    }),
    tools: true,
  },
  roots: [{ uri: 'file:///home', name: 'home' }],
}

/** A way to serve: the target for a client, and the end. */
export interface Served {
  open(): Channel | Promise<Channel>
  close(): Promise<void>
}

/** Runs all tests in every revision over one transport. */
export function revisionSuite(transport: string, serve: (server: Server) => Promise<Served>): void {
  describe.each(revisions)(`${transport}, %s`, (revision) =>
    revisionTests(revision, serve, transport.startsWith('HTTP')),
  )
}

type RecordedClient = Client & { readonly transcript: Transcript }

function revisionTests(revision: Revision, serve: (server: Server) => Promise<Served>, isHttp: boolean): void {
  const handshake = revision !== '2026-07-28'
  const transcripts: Transcript[] = []
  const served = new Map<Server, Promise<Served>>()
  /** Features of a server that need a connection opened by a handshake. */
  const testHandshake = (name: string, run: () => Promise<void>): void => {
    if (handshake) test(name, run)
  }

  async function open(options: ConnectOptions = answers, server = featureServer()): Promise<RecordedClient> {
    if (!served.has(server)) served.set(server, serve(server))
    const { open: openChannel } = await served.get(server)!
    const transcript = new Transcript()
    transcripts.push(transcript)
    const recorded = async () => record(await openChannel(), 'client', transcript)
    const client = await connect(recorded, { revisions: [revision], ...options })
    return Object.assign(client, { transcript })
  }

  afterAll(async () => {
    await Promise.all([...served.values()].map(async (one) => (await one).close()))
  })

  afterAll(() => {
    expect(transcripts.length).toBeGreaterThan(10)
    for (const transcript of transcripts) expect(transcriptProblems(revision, transcript)).toEqual([])
  })

  test('both sides know each other', async () => {
    await using client = await open()
    expect(client.server).toMatchObject({
      revision,
      info: { name: 'features', version: '1.2.3' },
      instructions: 'Use it well',
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        logging: {},
      },
    })
    expect(client.server.info?.title).toBe(since(revision, '2025-06-18') ? 'Features' : undefined)
    expect(client.server.info?.websiteUrl).toBe(since(revision, '2025-11-25') ? 'https://example.com' : undefined)
    // 2024-11-05 has completion without a capability for it.
    expect(client.server.capabilities.completions).toEqual({})
    await client.ping()
  })

  test('tools are listed as the revision can say them', async () => {
    await using client = await open()
    const tools = await all(client.tools())
    const echo = tools.find(({ name }) => name === 'echo')!
    expect(tools.map(({ name }) => name)).toContain('__proto__')
    expect(echo.inputSchema).toMatchObject({
      type: 'object',
      properties: { text: { type: 'string' } },
      required: ['text'],
    })
    expect(echo.title).toBe(since(revision, '2025-06-18') ? 'Echo' : undefined)
    expect(echo.annotations?.readOnlyHint).toBe(since(revision, '2025-03-26') ? true : undefined)
    expect(echo.icons?.length).toBe(since(revision, '2025-11-25') ? 1 : undefined)
    const outputs = tools.filter(({ outputSchema }) => outputSchema).map(({ name }) => name)
    expect(outputs).toEqual(since(revision, '2025-06-18') ? ['add', 'list'] : [])
  })

  test('lists come in pages', async () => {
    await using client = await open(answers, featureServer({ pageSize: 2 }))
    const tools = await all(client.tools())
    const first = await client.listTools()
    expect(first.tools).toEqual(tools.slice(0, 2))
    expect((await client.listTools({ cursor: first.nextCursor! })).tools).toEqual(tools.slice(2, 4))
    expect(await thrown(client.listTools({ cursor: 'made up' }))).toBeRpcError(-32602, 'Invalid cursor')
  })

  test('structured output reaches the client, as data or as text', async () => {
    await using client = await open()
    const { structured, text: said } = await client.callTool<{ sum: number }>('add', { a: 1, b: 2 })
    expect(structured).toEqual(since(revision, '2025-06-18') ? { sum: 3 } : undefined)
    expect(JSON.parse(said)).toEqual({ sum: 3 })
    const list = await client.callTool('list')
    const wrapped = since(revision, '2025-06-18') ? { result: [1, 2, 3] } : undefined
    expect(list.structured).toEqual(revision === '2026-07-28' ? [1, 2, 3] : wrapped)
    expect(JSON.parse(list.text)).toEqual([1, 2, 3])
  })

  test('content of every kind arrives, or text that names it', async () => {
    await using client = await open()
    const { content } = await client.callTool('gallery')
    const audio = since(revision, '2025-03-26') ? 'audio' : 'text'
    const link = since(revision, '2025-06-18') ? 'resource_link' : 'text'
    expect(content.map(({ type }) => type)).toEqual(['text', 'text', 'image', audio, link, 'resource', 'resource'])
    if (link === 'text') expect(content[4]).toMatchObject({ text: expect.stringContaining('note:///a') })
  })

  test('names from Object.prototype are just names', async () => {
    await using client = await open()
    expect(await client.callTool('__proto__')).toHaveText('just a tool')
    expect(await client.callTool('constructor')).toHaveText('just a tool too')
    expect(await thrown(client.callTool('toString'))).toBeRpcError(-32602, 'Unknown tool: "toString"')
  })

  test('failures are told as far as they are meant to be', async () => {
    const reported: unknown[] = []
    await using client = await open(answers, featureServer({ onError: (error) => reported.push(error) }))
    expect(await client.callTool('fail', { how: 'tool' })).toBeToolError('as an error')
    expect(await client.callTool('fail', { how: 'result' })).toBeToolError('as a result')
    const crash = await client.callTool('fail', { how: 'crash' })
    expect(crash).toBeToolError(/^Internal error \(id [0-9a-f]{8}\)$/)
    expect(reported).toMatchObject([{ message: 'secret' }])
  })

  test('wrong arguments are a result or an error, as the revision says', async () => {
    await using client = await open()
    const call = client.callTool('add', { a: '1', b: 2 })
    if (since(revision, '2025-11-25')) expect(await call).toBeToolError(/arguments\.a: .*expected number/i)
    else expect(await thrown(call)).toBeRpcError(-32602, /arguments\.a: .*expected number/i)
  })

  test('progress and logs belong to the call that asked', async () => {
    const logs: unknown[] = []
    const progress: unknown[] = []
    await using client = await open({ ...answers, onLog: (message) => logs.push(message) })
    await client.setLoggingLevel('warning')
    await client.callTool('work', {}, { onProgress: (report) => progress.push(report) })
    expect(progress).toMatchObject([1, 2, 3].map((step) => ({ progress: step, total: 3 })))
    expect(progress[0]).toHaveProperty(
      ...((since(revision, '2025-03-26') ? ['message', 'step 1'] : ['progress', 1]) as [string, unknown]),
    )
    expect(logs).toEqual([{ level: 'warning', logger: 'worker', data: { step: 3 } }])
  })

  test('a cancelled call aborts the handler and is not answered', async () => {
    await using client = await open()
    const stop = new AbortController()
    const call = client.callTool('wait', {}, { signal: stop.signal })
    await new Promise((resolve) => setTimeout(resolve))
    stop.abort()
    expect(await thrown(call)).toBeMcpError('cancelled')
    await client.ping()
    const asked = client.transcript.calls('tools/call')[0] as { id: number }
    // Over HTTP without sessions the stream is closed instead.
    const told = isHttp && !handshake ? [] : [{ params: { requestId: asked.id } }]
    expect(client.transcript.calls('notifications/cancelled')).toMatchObject(told)
    expect(client.transcript.sentBy('server').filter((message) => 'id' in message && message.id === asked.id)).toEqual(
      [],
    )
  })

  test('resources are listed, read and missed', async () => {
    await using client = await open()
    const resources = await all(client.resources())
    expect(resources.map(({ uri }) => uri)).toEqual(['note:///motto', 'image:///pixel'])
    expect(resources[0]!.title).toBe(since(revision, '2025-06-18') ? 'The motto' : undefined)
    const templates = await all(client.resourceTemplates())
    expect(templates).toMatchObject([{ uriTemplate: 'note:///{shelf}/{name}' }])
    expect((await client.readResource('note:///motto')).contents).toMatchObject([
      { text: 'Measure twice, cut once.', mimeType: 'text/plain' },
    ])
    expect((await client.readResource('image:///pixel')).contents).toMatchObject([{ blob: 'AQI=' }])
    expect((await client.readResource('note:///kitchen/salt')).contents).toMatchObject([{ text: 'salt of kitchen' }])
    const code = handshake ? -32002 : -32602
    expect(await thrown(client.readResource('note:///cellar/salt'))).toBeRpcError(code)
    expect(await thrown(client.readResource('other:///x'))).toMatchObject({ code, data: { uri: 'other:///x' } })
  })

  test('prompts are listed and filled in', async () => {
    await using client = await open()
    const prompts = await all(client.prompts())
    expect(prompts).toMatchObject([
      {
        name: 'greet',
        arguments: [
          { name: 'name', required: true },
          { name: 'tone', required: false },
        ],
      },
      { name: 'plain' },
    ])
    const { messages, description } = await client.getPrompt('greet', { name: 'Ada' })
    expect(description).toBe('Greets someone')
    expect(messages.map(({ content }) => content.type)).toEqual(['text', 'image', 'resource'])
    expect(await thrown(client.getPrompt('greet', {}))).toBeRpcError(-32602, 'arguments.name')
    expect(await thrown(client.getPrompt('nobody'))).toBeRpcError(-32602, 'Unknown prompt')
  })

  test('arguments and variables are completed', async () => {
    await using client = await open()
    const ref = { type: 'ref/resource', uri: 'note:///{shelf}/{name}' } as const
    expect((await client.complete(ref, { name: 'shelf', value: 'kit' })).values).toEqual(['kitchen', 'kit'])
    const context = { arguments: { shelf: 'kitchen' } }
    const named = await client.complete(ref, { name: 'name', value: 'x' }, { context })
    expect(named.values).toEqual([since(revision, '2025-06-18') ? 'kitchen-x' : 'any-x'])
    expect(
      (await client.complete({ type: 'ref/prompt', name: 'greet' }, { name: 'tone', value: 'ku' })).values,
    ).toEqual(['kurt'])
    expect(await thrown(client.complete(ref, { name: 'nope', value: '' }))).toBeRpcError(-32602)
  })

  const cited = '[sub.listen.only-requested] [sub.end.client-http] [sub.end.client-stdio]'
  test(`who asked for news hears them, once, and others do not ${cited}`, async () => {
    const server = featureServer()
    await using listener = await open(answers, server)
    await using other = await open(answers, server)
    await Promise.all([listener.ping(), other.ping()])
    const news: string[] = []
    listener.onChange('tools', () => news.push('tools'))
    const watch = await listener.watch('note:///motto', ({ uri }) => news.push(uri))
    server.resources.changed('note:///motto')
    await expect.poll(() => news.splice(0)).toEqual(['note:///motto'])
    server.tools.add(tool({ name: 'new', run: () => [text('new')] }))
    server.tools.remove('echo')
    await expect.poll(() => news.splice(0)).toEqual(['tools'])
    expect((await all(listener.tools())).map(({ name }) => name)).not.toContain('echo')
    expect(await listener.callTool('new')).toHaveText('new')
    await watch.close()
    server.resources.changed('note:///motto')
    server.tools.remove('new')
    await expect.poll(() => news.splice(0)).toEqual(['tools'])
    expect(other.transcript.calls('notifications/resources/updated')).toEqual([])
    const refusal = await thrown(listener.watch('other:///x', () => {}))
    if (handshake) expect(refusal).toBeRpcError(-32002)
    else expect(refusal).toBeMcpError('unsupported')
  })

  test('the server asks where the revision lets it', async () => {
    await using client = await open()
    const ask = await client.callTool('ask')
    if (since(revision, '2025-06-18')) {
      expect(JSON.parse(ask.text)).toEqual({
        name: 'Ada',
        mail: 'ada@example.com',
        age: 30,
        news: false,
        size: 'm',
        colors: ['green', 'red'],
      })
    } else expect(ask).toBeToolError('elicitation')
    const visit = await client.callTool('visit')
    if (since(revision, '2025-11-25')) expect(visit).toHaveText('accept')
    else expect(visit).toBeToolError('elicitation')
    expect(await client.callTool('think')).toHaveText('{"type":"text","text":"Hello"}')
    const withTools = await client.callTool('think', { tools: true })
    if (since(revision, '2025-11-25')) expect(withTools).toHaveText(/tool_use/)
    else expect(withTools).toBeToolError('sampling.tools')
    expect(await client.callTool('where')).toHaveText('file:///home')
    // Without a connection of its own, a request of the server travels inside an answer.
    const asked = client.transcript.sentBy('server').filter((message) => 'method' in message && 'id' in message)
    expect(asked.length > 0).toBe(handshake)
  })

  test('nothing is asked of a client that did not offer it', async () => {
    await using client = await open({})
    for (const name of ['ask', 'visit', 'think', 'where']) {
      const call = client.callTool(name)
      if (handshake) expect(await call).toBeToolError(/did not declare the capability/)
      else
        expect(await thrown(call)).toMatchObject({ code: -32021, data: { requiredCapabilities: expect.any(Object) } })
    }
    expect(client.transcript.sentBy('server').filter((message) => 'method' in message)).toEqual([])
  })

  testHandshake('roots that change are announced', async () => {
    await using client = await open()
    await client.setRoots([{ uri: 'file:///work' }])
    expect(await client.callTool('where')).toHaveText('file:///work')
    expect(client.transcript.calls('notifications/roots/list_changed')).toHaveLength(1)
  })
}
