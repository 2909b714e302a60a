import { serveHttp } from '@tenon/sdk/node'
import { createEverythingServer } from '@tenon/server-everything'
import { describe, expect, test } from 'vitest'
import type { Call, Operation, Question, ServerSpec, ServerView } from '../src/protocol.ts'
import { everything, TestBench } from './workbench-in-test.suite.ts'

/** Waits until a server is as wanted, be it already or from now on. */
const serverThat = (bench: TestBench, fits: (server: ServerView) => boolean): Promise<ServerView> =>
  bench.until((event) => {
    const servers = event.type === 'snapshot' ? event.snapshot.servers : event.type === 'server' ? [event.server] : []
    return servers.find(fits)
  })

const connected = (bench: TestBench): Promise<ServerView> => serverThat(bench, ({ status }) => status === 'connected')

const questionIn = (bench: TestBench): Promise<Question> =>
  bench.until((event) => {
    if (event.type === 'question') return event.question
    return event.type === 'snapshot' ? event.snapshot.questions[0] : undefined
  })

const callThat = (bench: TestBench, id: string, fits: (call: Call) => boolean): Promise<Call> =>
  bench.until((event) => {
    const calls = event.type === 'snapshot' ? event.snapshot.calls : event.type === 'call' ? [event.call] : []
    return calls.find((call) => call.id === id && fits(call))
  })

/** Starts a call; the end is to be awaited. */
async function start(
  bench: TestBench,
  server: string,
  operation: Operation,
): Promise<{ id: string; done: Promise<Call> }> {
  const { call: id } = await bench.run('call.start', { server, operation })
  return { id, done: callThat(bench, id, ({ outcome }) => outcome !== undefined) }
}

const tool = (name: string, args: { [name: string]: unknown } = {}): Operation => ({
  method: 'tools/call',
  name,
  arguments: args,
})

const pinned = (revision: '2025-06-18' | '2026-07-28'): ServerSpec => ({ ...everything, revision })

describe.each(['2025-06-18', '2026-07-28'] as const)('a server of %s over stdio', (revision) => {
  test('tells who it is and what it offers', async () => {
    await using bench = await TestBench.open({ servers: [pinned(revision)] })
    const server = await connected(bench)
    expect(server).toMatchObject({ revision, info: { name: 'everything' }, connectMs: expect.any(Number) })
    const tools = await bench.until((event) => {
      const catalog = event.type === 'catalog' ? event.catalog : undefined
      const known = event.type === 'snapshot' ? event.snapshot.catalogs[server.id]?.tools : catalog
      return known?.kind === 'tools' && !known.loading ? known.items : undefined
    })
    expect(tools.map(({ name }) => name)).toContain('clock_now')
    expect(await bench.run('server.ping', { server: server.id })).toEqual({ pingMs: expect.any(Number) })
  })

  test('is called: results, errors of tools and errors of the protocol are told apart', async () => {
    await using bench = await TestBench.open({ servers: [pinned(revision)] })
    const { id } = await connected(bench)
    const outcomeOf = async (operation: Operation): Promise<unknown> =>
      (await (await start(bench, id, operation)).done).outcome
    expect(await outcomeOf(tool('add', { a: 19, b: 23 }))).toMatchObject({
      kind: 'result',
      result: { structuredContent: { sum: 42 } },
    })
    expect(await outcomeOf(tool('divide', { dividend: 1, divisor: 0 }))).toMatchObject({
      kind: 'result',
      result: { isError: true },
    })
    expect(await outcomeOf(tool('nonexistent'))).toMatchObject({ kind: 'problem', problem: { kind: 'protocol' } })
    expect(await outcomeOf({ method: 'resources/read', uri: 'guide:///welcome' })).toMatchObject({ kind: 'result' })
    expect(await outcomeOf({ method: 'prompts/get', name: 'introduce', arguments: { name: 'Ada' } })).toHaveProperty(
      'kind',
    )
  })

  test('reports progress, and is cancelled', async () => {
    await using bench = await TestBench.open({ servers: [pinned(revision)] })
    const { id: server } = await connected(bench)
    const { id, done } = await start(bench, server, tool('count_down', { from: 100, intervalMs: 50 }))
    await callThat(bench, id, ({ progress }) => (progress?.progress ?? 0) >= 2)
    await bench.run('call.cancel', { call: id })
    expect((await done).outcome).toMatchObject({ kind: 'problem', problem: { kind: 'cancelled' } })
  })

  test('asks the person, and goes on with the answer', async () => {
    await using bench = await TestBench.open({ servers: [pinned(revision)] })
    const { id: server } = await connected(bench)
    const { done } = await start(bench, server, tool('plan_trip', { destination: 'Kyoto' }))
    const question = await questionIn(bench)
    expect(question).toMatchObject({ kind: 'form', server, message: 'Tell me about your trip to Kyoto' })
    const content = { traveller: 'Ada', email: 'ada@example.com', start: '2026-08-01' }
    await bench.run('question.answer', { question: question.id, answer: { action: 'accept', content } })
    expect((await done).outcome).toMatchObject({
      result: { structuredContent: { from: '2026-08-01', to: '2026-08-04' } },
    })
    await expect(
      bench.run('question.answer', { question: question.id, answer: { action: 'decline' } }),
    ).rejects.toThrow('Nobody waits')
  })

  test('asks the model, whose part the person plays or refuses', async () => {
    await using bench = await TestBench.open({ servers: [pinned(revision)] })
    const { id: server } = await connected(bench)
    const { done } = await start(bench, server, tool('summarize', { text: 'A long story about a joint' }))
    const question = await questionIn(bench)
    const message = { role: 'assistant' as const, model: 'me', content: { type: 'text' as const, text: 'A joint.' } }
    await bench.run('question.answer', { question: question.id, answer: { action: 'accept', message } })
    expect(JSON.stringify((await done).outcome)).toContain('A joint.')

    const again = await start(bench, server, tool('summarize', { text: 'Another story' }))
    await bench.run('question.answer', { question: (await questionIn(bench)).id, answer: { action: 'decline' } })
    // In a session the server gets an error, and its tool fails; without one, the call ends here.
    expect((await again.done).outcome).toMatchObject(
      revision === '2026-07-28'
        ? { kind: 'problem', problem: { kind: 'cancelled', message: 'You declined what the server asked' } }
        : { kind: 'result', result: { isError: true } },
    )
  })

  test('a question goes away with the call that led to it', async () => {
    await using bench = await TestBench.open({ servers: [pinned(revision)] })
    const { id: server } = await connected(bench)
    const { id, done } = await start(bench, server, tool('plan_trip', { destination: 'Kyoto' }))
    await questionIn(bench)
    const closed = bench.until((event) => (event.type === 'question-closed' ? event.because : undefined))
    await bench.run('call.cancel', { call: id })
    await done
    expect(await closed).toBe('withdrawn')
  })

  test('tells of a resource that changes while it is watched', async () => {
    await using bench = await TestBench.open({ servers: [pinned(revision)] })
    const { id: server } = await connected(bench)
    await bench.run('resource.watch', { server, uri: 'board:///today' })
    const updated = bench.until((event) => (event.type === 'resource-updated' ? event.uri : undefined))
    const { done } = await start(bench, server, tool('write_on_board', { text: 'Lunch at one' }))
    expect((await done).outcome).toMatchObject({ kind: 'result' })
    expect(await updated).toBe('board:///today')
  })
})

test('values are suggested for templates and prompts', async () => {
  await using bench = await TestBench.open({ servers: [everything] })
  const { id: server } = await connected(bench)
  const ref = { type: 'ref/resource' as const, uri: 'swatch:///{color}{?size}' }
  const { values } = await bench.run('complete', { server, ref, argument: { name: 'color', value: 'te' } })
  expect(values).toContain('teal')
})

test('many servers at once, over stdio and HTTP, and every message of all of them in one timeline', async () => {
  await using http = await serveHttp(createEverythingServer(), { port: 0 })
  const url: ServerSpec = {
    kind: 'url',
    name: 'over http',
    url: http.url,
    revision: '2025-11-25',
    headers: { 'X-Key': 'k' },
  }
  await using bench = await TestBench.open({ servers: [everything, url] })
  const web = await serverThat(bench, ({ status, spec }) => status === 'connected' && spec.kind === 'url')
  expect(web).toMatchObject({ revision: '2025-11-25' })
  await serverThat(bench, ({ status, spec }) => status === 'connected' && spec.kind === 'command')
  const count = async (query: string): Promise<number> =>
    (await bench.run('timeline.query', { query, offset: 0, count: 1 })).total
  await expect.poll(() => count('server:everything method:tools/list status:ok')).toBeGreaterThan(0)
  await expect.poll(() => count('server:"over http" method:initialize status:ok')).toBe(2)
  const { rows } = await bench.run('timeline.query', { query: 'kind:http', offset: 0, count: 1 })
  const entry = await bench.run('timeline.get', { id: rows[0]!.id })
  expect(entry.payload).toMatchObject({ request: { method: 'POST' }, reply: { status: 200 } })
  expect(JSON.stringify(entry.payload)).not.toContain('"k"')
  const { text } = await bench.run('timeline.export', { query: 'method:initialize status:ok' })
  expect(
    text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { kind: string }).kind),
  ).toEqual(['request', 'result'])
  const { methods } = await bench.run('timeline.stats', { query: 'method:initialize' })
  expect(methods).toMatchObject([{ method: 'initialize', count: 1, errors: 0 }])
})

test('a process that ends is told of with its last words, and can be connected again', async () => {
  const dying: ServerSpec = {
    kind: 'command',
    name: 'dying',
    command: process.execPath,
    args: ['-e', 'console.error("\\u001b[31mout of luck"); process.exit(3)'],
  }
  await using bench = await TestBench.open({ servers: [dying] })
  const server = await serverThat(bench, ({ status }) => status === 'failed')
  expect(server.problem?.message).toContain('exited with code 3')
  const { lines } = await bench.run('server.stderr', { server: server.id })
  expect(lines.map(({ text }) => text)).toContain('\u001b[31mout of luck')
  const { steps } = await bench.run('server.diagnose', { server: server.id })
  expect(steps.map(({ name, status }) => [name, status])).toEqual([
    ['command', 'ok'],
    ['spawn', 'failed'],
    ['version', 'skipped'],
  ])
  await bench.run('server.update', { server: server.id, spec: everything })
  // This one was not allowed.
  expect((await bench.run('server.connect', { server: server.id })).challenge).toBeDefined()
})

test('a line on standard output that is no message is in the timeline', async () => {
  const talking: ServerSpec = {
    kind: 'command',
    name: 'talking',
    command: process.execPath,
    args: ['-e', 'console.log("Server is running!"); setTimeout(() => process.exit(1), 200)'],
  }
  await using bench = await TestBench.open({ servers: [talking] })
  await serverThat(bench, ({ status }) => status === 'failed')
  const { total } = await bench.run('timeline.query', { query: 'kind:refused', offset: 0, count: 1 })
  expect(total).toBeGreaterThan(0)
})

test('a page that was away for a moment goes on where it left off', async () => {
  await using bench = await TestBench.open()
  let last = ''
  for await (const { id } of bench.events()) {
    last = id
    break
  }
  await bench.run('server.add', { spec: { kind: 'url', name: 'later', url: 'http://127.0.0.1:9/' } })
  for await (const event of bench.events(last)) {
    expect(event).toMatchObject({ type: 'server', server: { spec: { name: 'later' } } })
    break
  }
})

test('what cannot be a server is refused with words', async () => {
  await using bench = await TestBench.open()
  const add = (spec: unknown): Promise<unknown> => bench.run('server.add', { spec: spec as ServerSpec })
  await expect(add({ kind: 'url', name: 'x', url: 'file:///etc/passwd' })).rejects.toThrow('expected an http')
  await expect(add({ kind: 'url', name: 'x', url: 'javascript:alert(1)' })).rejects.toThrow('expected an http')
  await expect(add({ kind: 'command', name: 'x', command: 'a', args: 'b' })).rejects.toThrow('args: expected an array')
  await expect(add({ kind: 'command', name: '', command: 'a' })).rejects.toThrow('Give the server a name')
  await expect(add(null)).rejects.toThrow('spec: expected an object, got null')
})

/** A variable of an environment, as config files have them. */
const variable = (name: string): string => `$\{${name}}`

test('pasted settings are read whatever they are; secrets of entries stay in the backend, and nothing starts unasked', async () => {
  await using bench = await TestBench.open()
  const text = JSON.stringify({
    mcpServers: {
      files: { command: 'npx', args: ['-y', 'server-files'], env: { API_KEY: 'secret value' } },
      web: { url: 'https://example.com/mcp', headers: { Authorization: 'Bearer secret value' } },
      needy: { command: 'x', env: { TOKEN: variable('TENON_TEST_UNSET') } },
    },
  })
  const found = await bench.run('config.parse', { text })
  expect(found.servers.map(({ spec }) => [spec.name, spec.kind])).toEqual([
    ['files', 'command'],
    ['web', 'url'],
    ['needy', 'command'],
  ])
  expect(JSON.stringify(found)).not.toContain('secret value')
  const { server } = await bench.run('config.add', { key: found.servers[0]!.key })
  expect((await bench.run('server.reveal', { server })).spec).toMatchObject({ env: { API_KEY: 'secret value' } })
  expect(await bench.run('server.connect', { server })).toHaveProperty('challenge')
  const [url] = (await bench.run('config.parse', { text: 'https://example.com/mcp' })).servers
  expect(url?.spec).toMatchObject({ kind: 'url', url: 'https://example.com/mcp' })
  await expect(bench.run('config.add', { key: found.servers[2]!.key })).rejects.toThrow('needy needs')
  await expect(bench.run('config.add', { key: 'made-up' })).rejects.toThrow('too old')
})
