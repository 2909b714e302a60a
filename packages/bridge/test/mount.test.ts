/** Bridges that are mounted into a server: several servers as one, in every pair of revisions, in memory. */
import {
  type Channel,
  type Client,
  connect,
  isRpcError,
  type LogMessage,
  type Revision,
  revisions,
} from '@tenon/sdk/client'
import { serveHttp } from '@tenon/sdk/node'
import {
  type Caller,
  createServer,
  type Middleware,
  prompt,
  resource,
  resourceTemplate,
  type Server,
  tool,
} from '@tenon/sdk/server'
import { memoryPair, record, Transcript } from '@tenon/sdk/testing'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { transcriptProblems } from '../../sdk/test/transcript-problems.ts'
import { type Bridge, bridge } from '../src/bridge.ts'
import { type Upstream, upstreamServer } from './upstream.suite.ts'

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

const answers: { [message: string]: { [name: string]: string | number | boolean } } = {
  'When?': { time: '20:00' },
  'How many?': { people: 4 },
  'Go on?': { yes: true },
}

/** A second server, with URIs of its own and names that the first one has too. */
function skyServer(...spoken: Revision[]): Server {
  const server: Server = createServer({
    name: 'sky',
    version: '1.0.0',
    ...(spoken.length > 0 && { revisions: spoken }),
    tools: [
      tool({ name: 'echo', run: () => 'sky' }),
      tool({
        name: 'turn',
        run: () => {
          server.resources.changed('sky://now')
          return 'turned'
        },
      }),
    ],
    resources: [
      resource({ uri: 'sky://now', name: 'now', read: () => 'blue' }),
      resourceTemplate({
        uriTemplate: 'sky://on/{day}',
        name: 'on',
        complete: { day: (value) => ['monday', 'sunday'].filter((day) => day.startsWith(value)) },
        read: ({ variables: { day } }) => `grey on ${day}`,
      }),
    ],
    prompts: [prompt({ name: 'look', run: () => 'Look up' })],
  })
  return server
}

const opening =
  (server: Pick<Server, 'connect'>, transcript = new Transcript()) =>
  (): Channel => {
    const [here, there] = memoryPair()
    server.connect(there, { transport: 'memory' })
    return record(here, 'client', transcript)
  }

function bridgeTo(server: Pick<Server, 'connect'>): Bridge {
  const made = bridge({ target: opening(server) }, { name: 'sky-bridge' })
  endings.push(() => made.close())
  return made
}

interface World extends AsyncDisposable {
  client: Client
  upstream: Upstream
  desk: Server
  logs: LogMessage[]
  asked: string[]
}

async function world(far: Revision, near: Revision): Promise<World> {
  const upstream = upstreamServer(far)
  const desk = createServer({
    name: 'desk',
    version: '3.0.0',
    instructions: 'At your service',
    tools: [tool({ name: 'own', run: () => 'mine' })],
  })
  desk.mount(bridgeTo(upstream.server).server, { prefix: 'a_' })
  desk.mount(bridgeTo(skyServer(far)).server, { prefix: 'b_' })
  const said = new Transcript()
  const logs: LogMessage[] = []
  const asked: string[] = []
  const client = await connect(opening(desk, said), {
    revisions: [near],
    onLog: (message) => logs.push(message),
    roots: [{ uri: 'file:///home/ada' }],
    elicit: (request) => {
      asked.push(request.message)
      return request.mode === 'url'
        ? { action: 'accept' }
        : { action: 'accept', content: answers[request.message] ?? {} }
    },
    sample: () => ({ role: 'assistant', model: 'm1', content: { type: 'text', text: 'tenon' } }),
  })
  const end = async (): Promise<void> => {
    await client.close()
    const isTask = (payload: object): boolean => JSON.stringify(payload).includes('"resultType":"task"')
    const entries = said.entries.filter(({ payload }) => !isTask(payload))
    expect(transcriptProblems(near, Object.assign(new Transcript(), { entries }))).toEqual([])
  }
  return { client, upstream, desk, logs, asked, [Symbol.asyncDispose]: end }
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

const names = async (items: AsyncIterable<{ name: string }>): Promise<string[]> =>
  (await all(items)).map(({ name }) => name)

const elicits = (revision: Revision): boolean => revision >= '2025-06-18'
/** A test of a feature that only some revisions have; the others get no test. */
const where = (has: boolean): ((name: string, run: () => Promise<void>) => void) => (has ? test : () => {})
const pairs = revisions.flatMap((far) => revisions.map((near): [Revision, Revision] => [far, near]))

describe.each(pairs)('servers of %s behind one server, for a client of %s', (far, near) => {
  const both = elicits(far) && elicits(near)

  test('the server introduces itself, with the capabilities of all', async () => {
    await using w = await world(far, near)
    expect(w.client.server).toMatchObject({
      info: { name: 'desk', version: '3.0.0' },
      instructions: 'At your service',
      capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, prompts: {}, logging: {} },
    })
  })

  test('lists, calls, reads, prompts and completes', async () => {
    await using w = await world(far, near)
    const tools = await names(w.client.tools())
    expect(tools.slice(0, 2)).toEqual(['own', 'a_echo'])
    expect(tools.slice(-2)).toEqual(['b_echo', 'b_turn'])
    expect((await w.client.callTool('own')).text).toBe('mine')
    expect((await w.client.callTool('a_echo', { text: 'hi' })).text).toContain('hi')
    expect((await w.client.callTool('b_echo')).text).toBe('sky')
    expect((await all(w.client.resources())).map(({ uri }) => uri)).toEqual(['note://one', 'sky://now'])
    expect((await all(w.client.resourceTemplates())).map(({ uriTemplate }) => uriTemplate)).toEqual([
      'note://{name}',
      'sky://on/{day}',
    ])
    expect(await w.client.readResource('note://two')).toMatchObject({ contents: [{ text: 'note two' }] })
    expect(await w.client.readResource('sky://now')).toMatchObject({ contents: [{ text: 'blue' }] })
    expect(await w.client.readResource('sky://on/sunday')).toMatchObject({ contents: [{ text: 'grey on sunday' }] })
    expect(await names(w.client.prompts())).toEqual(['a_greet', 'b_look'])
    expect(await w.client.getPrompt('a_greet', { who: 'Ada' })).toMatchObject({
      messages: [{ content: { text: 'Say hello to Ada' } }],
    })
    const person = await w.client.complete({ type: 'ref/prompt', name: 'a_greet' }, { name: 'who', value: 'Al' })
    expect(person.values).toEqual(['Alan'])
    const day = await w.client.complete({ type: 'ref/resource', uri: 'sky://on/{day}' }, { name: 'day', value: 'm' })
    expect(day.values).toEqual(['monday'])
  })

  test('names that lead nowhere are refused, and errors of a server pass', async () => {
    await using w = await world(far, near)
    const code = async (call: Promise<unknown>): Promise<unknown> =>
      call.then(
        () => 'no error',
        (error) => (isRpcError(error) ? error.code : error),
      )
    expect(await code(w.client.callTool('echo', { text: 'hi' }))).toBe(-32602)
    expect(await code(w.client.callTool('a_nothing'))).toBe(-32602)
    expect(await code(w.client.getPrompt('c_look'))).toBe(-32602)
    expect([-32002, -32602]).toContain(await code(w.client.readResource('nowhere://x')))
    expect(await w.client.callTool('a_fail')).toMatchObject({ isError: true, text: 'It does not work' })
    expect(await code(w.client.request('unknown/method'))).toBe(-32601)
  })

  where(both)('a server asks one question after the other, and does its work once', async () => {
    await using w = await world(far, near)
    expect((await w.client.callTool('a_book', { restaurant: 'Kaia' })).text).toBe('Kaia at 20:00 for 4')
    expect(w.asked).toEqual(['When?', 'How many?'])
    expect(w.upstream.runs.get('booked')).toBe(1)
  })

  test('a server asks for a message of the model, and for roots', async () => {
    await using w = await world(far, near)
    expect((await w.client.callTool('a_write')).text).toBe('m1 wrote tenon')
    expect((await w.client.callTool('a_where')).text).toBe('file:///home/ada')
  })

  test('reports progress and logs', async () => {
    await using w = await world(far, near)
    await w.client.setLoggingLevel('info')
    const progress: unknown[] = []
    const { text } = await w.client.callTool('a_steps', {}, { onProgress: (report) => progress.push(report) })
    expect(text).toBe('stepped')
    expect(progress).toMatchObject([{ progress: 1 }, { progress: 2 }])
    await expect.poll(() => w.logs).toEqual([{ level: 'warning', logger: 'steps', data: { note: 'careful' } }])
  })

  test('cancels', async () => {
    await using w = await world(far, near)
    const stop = new AbortController()
    const call = w.client.callTool('a_wait', {}, { signal: stop.signal })
    await expect.poll(() => w.upstream.seen).toEqual(['wait'])
    stop.abort('enough')
    await expect(call).rejects.toMatchObject({ code: 'cancelled' })
    await expect.poll(() => w.upstream.seen).toEqual(['wait', 'cancelled'])
  })

  test('passes notifications of changes on, those of the server itself too', async () => {
    await using w = await world(far, near)
    const heard = new Set<string>()
    w.client.onChange('tools', () => heard.add('tools'))
    w.client.onChange('prompts', () => heard.add('prompts'))
    await using _first = await w.client.watch('note://one', ({ uri }) => heard.add(uri))
    await using _second = await w.client.watch('sky://now', ({ uri }) => heard.add(uri))
    await w.client.ping()
    heard.clear()
    await expect
      .poll(async () => {
        await w.client.callTool('a_grow')
        await w.client.callTool('b_turn')
        return [...heard].sort()
      })
      .toEqual(['note://one', 'sky://now', 'tools'])
    w.desk.prompts.add(prompt({ name: 'late', run: () => 'late' }))
    await expect.poll(() => heard.has('prompts')).toBe(true)
  })

  where(far >= '2025-11-25')('runs what runs only as a task', async () => {
    await using w = await world(far, near)
    expect((await w.client.callTool('a_slow', {}, { task: true })).text).toBe('took its time')
    expect(w.upstream.runs.get('slow')).toBe(1)
  })

  where(far >= '2025-11-25' && both)('passes the questions of a task', async () => {
    await using w = await world(far, near)
    expect((await w.client.callTool('a_slow', { ask: true }, { task: true })).text).toBe('said accept')
    expect(w.asked).toEqual(['Go on?'])
  })
})

async function clientOf(server: Pick<Server, 'connect'>, revision: Revision): Promise<Client> {
  const client = await connect(opening(server), { revisions: [revision] })
  endings.push(() => client.close())
  return client
}

describe.each(['2025-11-25', '2026-07-28'] as const)('a mounted bridge, for a client of %s', (near) => {
  const options = { name: 'desk', version: '1.0.0' }

  test('goes through the middleware of every server on the way, with the names of each', async () => {
    const seen: string[] = []
    const layer =
      (at: string): Middleware =>
      ({ method, params }, next) => {
        seen.push(`${at} ${method} ${'name' in params ? params.name : ''}`.trim())
        return next()
      }
    const middle = createServer({ name: 'middle', version: '1.0.0', middleware: [layer('middle')] })
    middle.mount(bridgeTo(skyServer()).server, { prefix: 'sky_' })
    const desk = createServer({ ...options, middleware: [layer('desk')] })
    desk.mount(middle, { prefix: 'm_' })
    const client = await clientOf(desk, near)
    expect(await names(client.tools())).toEqual(['m_sky_echo', 'm_sky_turn'])
    expect((await client.callTool('m_sky_echo')).text).toBe('sky')
    expect(seen).toEqual([
      'desk tools/list',
      'middle tools/list',
      'desk tools/call m_sky_echo',
      'middle tools/call sky_echo',
    ])
  })

  test('tools of the server itself come first, and a name that leads elsewhere is reported once', async () => {
    const problems: string[] = []
    const desk = createServer({
      ...options,
      tools: [tool({ name: 'b_echo', run: () => 'desk' })],
      onError: (error) => problems.push((error as Error).message),
    })
    desk.mount(bridgeTo(skyServer()).server, { prefix: 'b_' })
    const client = await clientOf(desk, near)
    expect(await names(client.tools())).toEqual(['b_echo', 'b_turn'])
    expect((await client.callTool('b_echo')).text).toBe('desk')
    expect(problems).toEqual([
      'mount of sky-bridge (prefix "b_"): tools "b_echo": the name leads to another server; mount with another prefix',
    ])
  })

  test('refuses a URI that two servers have, if it is mounted so, and tells the instructions of both', async () => {
    const desk = createServer({ ...options, instructions: 'Welcome', onError: () => {} })
    const told = (name: string): Server =>
      createServer({
        name,
        version: '1.0.0',
        instructions: `This is ${name}`,
        resources: [
          resource({ uri: 'sky://now', name: 'now', read: () => name }),
          resource({ uri: `${name}://own`, name: 'own', read: () => name }),
          resourceTemplate({ uriTemplate: 'day://{day}', name: 'day', read: () => name }),
        ],
      })
    for (const name of ['east', 'west']) {
      const made = bridge({ target: opening(told(name)) }, { name })
      endings.push(() => made.close())
      desk.mount(made.server, { prefix: `${name}_`, ambiguous: 'refuse', instructions: true })
    }
    const client = await clientOf(desk, near)
    expect(client.server.instructions).toBe('Welcome\n\n# east\n\nThis is east\n\n# west\n\nThis is west')
    expect(await client.readResource('west://own')).toMatchObject({ contents: [{ text: 'west' }] })
    for (const uri of ['sky://now', 'day://monday']) {
      await expect(client.readResource(uri)).rejects.toMatchObject({
        message: `Ambiguous resource: ${JSON.stringify(uri)} is offered by east and west`,
        data: { uri, servers: ['east', 'west'] },
      })
    }
  })

  test('of two prefixes the longer one counts, and nothing is listed that cannot be called', async () => {
    const other = createServer({
      name: 'other',
      version: '1.0.0',
      tools: [tool({ name: 'x_echo', run: () => 'never' }), tool({ name: 'plain', run: () => 'other' })],
    })
    const desk = createServer({ ...options, onError: () => {} })
    desk.mount(bridgeTo(other).server)
    desk.mount(bridgeTo(skyServer()).server, { prefix: 'x_' })
    const client = await clientOf(desk, near)
    expect(await names(client.tools())).toEqual(['plain', 'x_echo', 'x_turn'])
    expect((await client.callTool('x_echo')).text).toBe('sky')
    expect((await client.callTool('plain')).text).toBe('other')
  })

  test('an unmounted one is gone, and so is its session', async () => {
    const connections: Caller[] = []
    const desk = createServer({ ...options, tools: [] })
    const far = bridge((caller) => {
      connections.push(caller)
      return { target: opening(skyServer()) }
    })
    endings.push(() => far.close())
    const unmount = desk.mount(far.server, { prefix: 'b_' })
    const client = await clientOf(desk, near)
    expect(await names(client.tools())).toEqual(['b_echo', 'b_turn'])
    unmount()
    await expect.poll(() => names(client.tools())).toEqual([])
    expect(connections.length).toBeGreaterThan(0)
  })

  test('one that is mounted while a client is there is found by it', async () => {
    const desk = createServer({ ...options, tools: [], resources: [] })
    const client = await clientOf(desk, near)
    expect(await names(client.tools())).toEqual([])
    desk.mount(bridgeTo(skyServer()).server, { prefix: 'b_' })
    await expect.poll(() => names(client.tools())).toEqual(['b_echo', 'b_turn'])
    expect((await client.callTool('b_echo')).text).toBe('sky')
  })

  test('one that is down is missing in lists and reported, and the others work', async () => {
    const problems: unknown[] = []
    const desk = createServer({
      ...options,
      tools: [tool({ name: 'own', run: () => 'mine' })],
      onError: (error, { during }) => problems.push([during, error]),
    })
    let isUp = false
    const flaky = bridge(
      () => {
        if (!isUp) throw new Error('out of order')
        return { target: opening(skyServer()) }
      },
      { name: 'flaky' },
    )
    endings.push(() => flaky.close())
    desk.mount(bridgeTo(upstreamServer('2025-11-25').server).server, { prefix: 'a_' })
    desk.mount(flaky.server, { prefix: 'b_' })
    const client = await clientOf(desk, near)
    const tools = await names(client.tools())
    expect(tools).toContain('own')
    expect(tools).toContain('a_echo')
    expect(tools.filter((name) => name.startsWith('b_'))).toEqual([])
    expect(problems[0]).toMatchObject(['mount of flaky', { message: 'out of order' }])
    expect((await client.callTool('a_echo', { text: 'hi' })).text).toContain('hi')
    expect(await client.readResource('note://one')).toMatchObject({ contents: [{ text: 'first' }] })
    await expect(client.callTool('b_echo')).rejects.toSatisfy(isRpcError)
    isUp = true
    expect((await client.callTool('b_echo')).text).toBe('sky')
    expect(await client.readResource('sky://now')).toMatchObject({ contents: [{ text: 'blue' }] })
  })

  test('one whose program is missing is printed if nobody listens', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    endings.push(() => printed.mockRestore())
    const desk = createServer(options)
    const missing = bridge({ target: { command: '/no/such/program' } }, { name: 'missing' })
    endings.push(() => missing.close())
    desk.mount(missing.server, { prefix: 'm_' })
    const client = await clientOf(desk, near)
    expect(await names(client.tools())).toEqual([])
    expect(String(printed.mock.calls[0])).toMatch(/mount of missing failed [\s\S]*\/no\/such\/program/)
  })

  test('one that hangs does not hold up the others', async () => {
    const problems: string[] = []
    const desk = createServer({
      ...options,
      tools: [tool({ name: 'own', run: () => 'mine' })],
      onError: (error) => problems.push((error as Error).message),
    })
    const stop = new AbortController()
    const never = bridge(
      () => new Promise((_resolve, reject) => stop.signal.addEventListener('abort', () => reject(new Error('over')))),
      { name: 'never' },
    )
    endings.push(() => never.close())
    endings.push(() => stop.abort())
    desk.mount(never.server, { prefix: 'n_', timeoutMs: 5 })
    const client = await clientOf(desk, near)
    expect(await names(client.tools())).toEqual(['own'])
    expect(problems).toContain('never did not answer within 5 ms')
  })
})

test('a server that a mounted bridge lost comes back with the next request, with its subscriptions', async () => {
  const servers: { server: Server; close(): Promise<void> }[] = []
  const far = bridge(() => {
    const server = skyServer('2025-11-25')
    const [here, there] = memoryPair()
    const connection = server.connect(there)
    servers.push({ server, close: () => connection.close() })
    return { target: () => here }
  })
  endings.push(() => far.close())
  const desk = createServer({ name: 'desk', version: '1.0.0', tools: [] })
  desk.mount(far.server, { prefix: 'b_' })
  const client = await clientOf(desk, '2025-11-25')
  const heard: string[] = []
  await client.watch('sky://now', ({ uri }) => heard.push(uri))
  const changed = new Promise<void>((resolve) => client.onChange('tools', resolve))
  await servers[0]!.close()
  await changed
  expect((await client.callTool('b_echo')).text).toBe('sky')
  expect(servers).toHaveLength(2)
  servers[1]!.server.resources.changed('sky://now')
  await expect.poll(() => heard).toContain('sky://now')
})

test('a subscription of a client without a session is opened again when its server was lost', async () => {
  const servers: { server: Server; close(): Promise<void> }[] = []
  const far = bridge(() => {
    const server = skyServer()
    const [here, there] = memoryPair()
    const connection = server.connect(there)
    servers.push({ server, close: () => connection.close() })
    return { target: () => here }
  })
  endings.push(() => far.close())
  const desk = createServer({ name: 'desk', version: '1.0.0', tools: [] })
  desk.mount(far.server, { prefix: 'b_' })
  const client = await clientOf(desk, '2026-07-28')
  const heard: string[] = []
  await client.watch('sky://now', ({ uri }) => heard.push(uri))
  await servers[0]!.close()
  await expect.poll(() => servers.length, { timeout: 100_000 }).toBeGreaterThan(1)
  await expect
    .poll(
      () => {
        servers.at(-1)!.server.resources.changed('sky://now')
        return heard
      },
      { timeout: 100_000 },
    )
    .toContain('sky://now')
})

test.each(['2025-03-26', '2025-11-25', '2026-07-28'] as const)('over HTTP, for a client of %s', async (near) => {
  const upstream = upstreamServer('2025-11-25')
  const desk = createServer({ name: 'desk', version: '1.0.0' })
  desk.mount(bridgeTo(upstream.server).server, { prefix: 'a_' })
  desk.mount(bridgeTo(skyServer()).server, { prefix: 'b_' })
  const http = await serveHttp(desk, { port: 0 })
  endings.push(() => http.close())
  const client = await connect(String(http.url), { revisions: [near], roots: [{ uri: 'file:///home/ada' }] })
  endings.push(() => client.close())
  expect(await names(client.tools())).toEqual(expect.arrayContaining(['a_echo', 'b_echo']))
  expect((await client.callTool('a_where')).text).toBe('file:///home/ada')
  expect(await client.readResource('sky://now')).toMatchObject({ contents: [{ text: 'blue' }] })
  const heard: string[] = []
  await client.watch('note://one', ({ uri }) => heard.push(uri))
  await expect
    .poll(async () => {
      await client.callTool('a_grow')
      return heard
    })
    .toContain('note://one')
})

test('a client that gets no session over HTTP is served all the same', async () => {
  const desk = createServer({ name: 'desk', version: '1.0.0' })
  desk.mount(bridgeTo(skyServer()).server, { prefix: 'b_' })
  const http = await serveHttp(desk, { port: 0, sessions: false })
  endings.push(() => http.close())
  const client = await connect(String(http.url), { revisions: ['2025-06-18'] })
  endings.push(() => client.close())
  expect(await names(client.tools())).toEqual(['b_echo', 'b_turn'])
  expect((await client.callTool('b_echo')).text).toBe('sky')
})

describe('mounting refuses', () => {
  const desk = (): Server => createServer({ name: 'desk', version: '1.0.0' })

  test('a prefix that leads to another bridge', () => {
    const server = desk()
    server.mount(bridgeTo(skyServer()).server, { prefix: 'b_' })
    expect(() => server.mount(bridgeTo(skyServer()).server, { prefix: 'b_' })).toThrow(
      'mount of sky-bridge: the prefix "b_" leads to sky-bridge already; expected another',
    )
  })

  test('anything into a bridge, which answers by itself', () => {
    expect(() => bridgeTo(skyServer()).server.mount(desk())).toThrow(
      'mount of desk: sky-bridge has a backend, which answers in place of everything else; mount both into a server without one',
    )
  })
})

test('tasks of two servers keep apart, and are listed together', async () => {
  const slow = (name: string): Server =>
    createServer({
      name,
      version: '1.0.0',
      revisions: ['2025-11-25'],
      tools: [tool({ name: 'slow', input: z.object({}), task: true, run: () => `slow ${name}` })],
    })
  const desk = createServer({
    name: 'desk',
    version: '1.0.0',
    tools: [tool({ name: 'slow', task: true, run: () => 'slow desk' })],
  })
  desk.mount(bridgeTo(slow('one')).server, { prefix: 'a_' })
  desk.mount(bridgeTo(slow('two')).server, { prefix: 'b_' })
  const client = await clientOf(desk, '2025-11-25')
  const start = async (name: string): Promise<string> => {
    return (await client.request('tools/call', { name, arguments: {}, task: {} })).taskId as string
  }
  const ids = [await start('slow'), await start('a_slow'), await start('b_slow')]
  const results = ids.map((taskId) => client.request('tasks/result', { taskId }))
  expect((await Promise.all(results)).map(({ content }) => (content as { text: string }[])[0]!.text)).toEqual([
    'slow desk',
    'slow one',
    'slow two',
  ])
  const { tasks } = (await client.request('tasks/list')) as { tasks: { taskId: string; status: string }[] }
  expect(new Set(tasks.map(({ taskId }) => taskId))).toEqual(new Set(ids))
  await expect(client.request('tasks/get', { taskId: ids[1]!.replace('a_', 'b_') })).rejects.toSatisfy(isRpcError)
})
