import { connect } from '@tenon/sdk/client'
import { createServer, resource, tool } from '@tenon/sdk/server'
import { expect, test } from 'vitest'
import { createHost, type HostEvent, policy, type Question } from '../src/index.ts'
import { scripted } from './scripted.ts'

const everything = policy({ otherwise: 'allow' })

test('tools of several processes are listed under one kind of name, and called by it', async () => {
  using weather = scripted({ tools: [{ name: 'forecast' }, { name: 'alerts' }] })
  using notes = scripted({ tools: [{ name: 'search' }] })
  await using host = await createHost({
    servers: { weather: weather.config, notes: notes.config },
    consent: everything,
  })
  await host.ready()
  expect(host.tools.map(({ name, server }) => [name, server])).toEqual([
    ['notes__search', 'notes'],
    ['weather__alerts', 'weather'],
    ['weather__forecast', 'weather'],
  ])
  expect((await host.callTool('weather__forecast', { city: 'Bergen' })).text).toBe('{"city":"Bergen"}')
  await expect(host.callTool('weather__nothing')).rejects.toMatchObject({ code: 'not_found' })
})

test('a definition in this process is a server too', async () => {
  const server = createServer({ name: 's', version: '1.0.0', tools: [tool({ name: 'hello', run: () => 'hello' })] })
  await using client = await connect(server)
  await using host = await createHost({ servers: { here: server }, consent: everything })
  await host.ready()
  expect((await host.callTool('here__hello')).text).toBe((await client.callTool('hello')).text)
})

test('a call waits for the start of its own server, and of no other', async () => {
  using slow = scripted({ silent: ['tools/list'] })
  using quick = scripted({ tools: [{ name: 'go' }] })
  await using host = await createHost({
    servers: { slow: slow.config, quick: quick.config, broken: { command: '/nonexistent/program' } },
    consent: everything,
  })
  expect((await host.callTool('quick__go', { a: 1 })).text).toBe('{"a":1}')
  expect(host.servers.get('slow')!.state).toBe('starting')
  expect(host.tools.map(({ name }) => name)).toEqual(['quick__go'])
  await expect(host.callTool('broken__go')).rejects.toMatchObject({ code: 'unavailable' })
})

test('a lazy server starts with the first call', async () => {
  using lazy = scripted({ tools: [{ name: 'go' }] })
  await using host = await createHost({ servers: { lazy: { ...lazy.config, start: 'lazy' } }, consent: everything })
  expect(host.servers.get('lazy')!.state).toBe('idle')
  await host.callTool('lazy__go')
  expect(host.servers.get('lazy')!.state).toBe('ready')
})

test('a server that ends is started again, and its state and standard error are visible', async () => {
  using server = scripted({ tools: [{ name: 'pid' }, { name: 'crash' }], crashes: ['crash'] })
  const events: HostEvent[] = []
  await using host = await createHost({
    servers: { s: { ...server.config, restart: { backoffMs: 1 } } },
    consent: everything,
  })
  host.onEvent((event) => events.push(event))
  const { text: first } = await host.callTool('s__pid')
  await expect(host.callTool('s__crash')).rejects.toMatchObject({ code: 'closed' })
  const { text: second } = await host.callTool('s__pid')
  expect(second).not.toBe(first)
  const states = events.flatMap((event) => (event.type === 'state' ? [event.state] : []))
  expect(states).toEqual(['ready', 'waiting', 'starting', 'ready'])
  expect(host.servers.get('s')!.stderr).toBe(`started ${first}\nstarted ${second}\n`)
})

test('a server that never starts is given up, and a call tries again', async () => {
  using server = scripted({ dies: true, tools: [{ name: 'go' }] })
  await using host = await createHost({
    servers: { s: { ...server.config, restart: { maxAttempts: 3, backoffMs: 1 } } },
    consent: everything,
  })
  const states: string[] = []
  host.onEvent((event) => event.type === 'state' && states.push(event.state))
  await expect.poll(() => host.servers.get('s')!.state).toBe('failed')
  expect(states).toEqual(['waiting', 'starting', 'waiting', 'starting', 'failed'])
  server.write({ tools: [{ name: 'go' }] })
  await expect
    .poll(() =>
      host.callTool('s__go').then(
        () => 'called',
        () => 'failed',
      ),
    )
    .toBe('called')
})

test('servers are added and removed while the host runs', async () => {
  using server = scripted({ tools: [{ name: 'pid' }] })
  await using host = await createHost({ consent: everything })
  host.addServer('later', server.config)
  const pid = Number((await host.callTool('later__pid')).text)
  expect(() => host.addServer('later', server.config)).toThrow(/There is a server "later" already/)
  await host.removeServer('later')
  expect(() => process.kill(pid, 0)).toThrow()
  expect(host.tools).toEqual([])
  await expect(host.callTool('later__pid')).rejects.toMatchObject({ code: 'not_found' })
})

test('the catalogue follows changes of a list, and filters hold for lists and calls', async () => {
  using server = scripted({ tools: [{ name: 'changed' }] })
  await using host = await createHost({
    servers: { s: { ...server.config, tools: { deny: ['drop_*'] } } },
    consent: everything,
  })
  await host.ready()
  server.write({ tools: [{ name: 'changed' }, { name: 'fresh' }, { name: 'drop_all' }] })
  await host.callTool('s__changed')
  await expect.poll(() => host.tools.map(({ name }) => name)).toEqual(['s__changed', 's__fresh'])
  await expect(host.callTool('s__drop_all')).rejects.toMatchObject({ code: 'not_found' })
})

test('a tool that is listed twice is dropped and reported', async () => {
  using server = scripted({ tools: [{ name: 'twice' }, { name: 'twice', description: 'other' }, { name: 'once' }] })
  await using host = await createHost({ servers: { s: server.config }, consent: everything })
  await host.ready()
  expect(host.tools.map(({ name }) => name)).toEqual(['s__once'])
  expect(host.problems).toMatchObject([{ code: 'collision', message: expect.stringContaining('s__twice') }])
})

test('without rules everything is asked for, and without `ask` refused with the reason', async () => {
  using server = scripted({ tools: [{ name: 'go', annotations: { readOnlyHint: true } }] })
  await using host = await createHost({ servers: { s: server.config, t: { ...server.config, trusted: true } } })
  await expect(host.callTool('s__go')).rejects.toMatchObject({
    code: 'denied',
    message: expect.stringContaining('`ask`'),
  })
  expect((await host.callTool('t__go', { a: 1 })).text).toBe('{"a":1}')
})

test('a question shows server, tool and arguments, and the answer may have others', async () => {
  using server = scripted({ tools: [{ name: 'go' }] })
  const questions: Question[] = []
  await using host = await createHost({
    servers: { s: server.config },
    ask: (question) => {
      questions.push(question)
      return { answer: 'once', args: { path: '/tmp' } }
    },
  })
  expect((await host.callTool('s__go', { path: '/' }, { callId: 'c1' })).text).toBe('{"path":"/tmp"}')
  expect(questions).toMatchObject([
    {
      kind: 'consent',
      server: 's',
      name: 'go',
      args: { path: '/' },
      call: { name: 's__go', callId: 'c1' },
      rule: 'no rule',
    },
  ])
})

test('an answer for the session is not asked for again, one question at a time', async () => {
  using server = scripted({ tools: [{ name: 'go' }, { name: 'other' }] })
  const asked: string[] = []
  await using host = await createHost({
    servers: { s: server.config },
    ask: (question) => {
      asked.push(question.kind === 'consent' ? question.name : question.kind)
      return 'session'
    },
  })
  await Promise.all([host.callTool('s__go'), host.callTool('s__go'), host.callTool('s__other')])
  await host.callTool('s__go')
  expect(asked.sort()).toEqual(['go', 'other'])
})

test('a resource is read from the server that is named, and from no other', async () => {
  const files = createServer({
    name: 'files',
    version: '1.0.0',
    resources: [resource({ uri: 'file:///secret', name: 'secret', read: () => 'the secret' })],
  })
  using other = scripted({ resources: [{ uri: 'file:///secret', name: 'mine' }] }, 'other')
  await using host = await createHost({ servers: { files, other: other.config } })
  await host.ready()
  const read = async (server: string) => (await host.readResource(server, 'file:///secret')).contents[0]
  expect(await read('other')).toMatchObject({ text: 'other has file:///secret' })
  expect(await read('files')).toMatchObject({ text: 'the secret' })
  await expect(host.readResource('other', 'file:///else')).rejects.toMatchObject({ code: 'denied' })
})

test.each([
  [{ timeoutMs: Number.NaN }, 'servers.s.timeoutMs: expected a number from 0, got NaN'],
  [{ maxTotalMs: -1 }, 'servers.s.maxTotalMs: expected a number from 0, got -1'],
  [{ startTimeoutMs: '5' as unknown as number }, 'servers.s.startTimeoutMs: expected a number from 0, got "5"'],
  [{ restart: { maxAttempts: Number.NaN } }, 'servers.s.restart.maxAttempts: expected a number from 0, got NaN'],
  [{ sampling: { maxTotalTokens: -5 } }, 'servers.s.sampling.maxTotalTokens: expected a number from 0, got -5'],
])('the limit %o is refused before anything is started', async (limit, message) => {
  const server = createServer({ name: 's', version: '1.0.0' })
  await expect(createHost({ servers: { s: { server, ...limit } } })).rejects.toMatchObject({
    code: 'invalid_argument',
    message,
  })
  await using host = await createHost()
  expect(() => host.addServer('s', { server, ...limit })).toThrow(message)
  await expect(host.ready({ timeoutMs: Number.NaN })).rejects.toThrow(
    'ready.timeoutMs: expected a number from 0, got NaN',
  )
})

test('a time that no timer can hold is a long time, and not none', async () => {
  const server = createServer({ name: 's', version: '1.0.0' })
  await using host = await createHost({ servers: { s: { server, startTimeoutMs: 1e308 } } })
  await host.ready({ timeoutMs: Number.POSITIVE_INFINITY })
  expect(host.servers.get('s')).toMatchObject({ state: 'ready' })
})
