/** Another configuration, and upstreams that fail, while clients call. */
import { connect } from '@tenon/sdk/client'
import { serveHttp } from '@tenon/sdk/node'
import { createServer, type Server, tool } from '@tenon/sdk/server'
import { expect, test } from 'vitest'
import { createGateway, type GatewayEvent, OpenDoorError, serveGateway } from '../src/index.ts'

interface Slow {
  readonly server: Server
  readonly started: Promise<void>
  finish(): void
}

function slowServer(name: string): Slow {
  let begin = (): void => {}
  let finish = (): void => {}
  const started = new Promise<void>((resolve) => {
    begin = resolve
  })
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const wait = tool({
    name: 'wait',
    async run() {
      begin()
      await finished
      return `${name} waited`
    },
  })
  const server = createServer({
    name,
    version: '1.0.0',
    tools: [wait, tool({ name: 'whoami', run: () => name })],
  })
  return { server, started, finish }
}

test.each(['2025-11-25', '2026-07-28'] as const)(
  'a call of a client of %s ends at the upstream where it began, and later ones use the new',
  async (revision) => {
    const before = slowServer('before')
    const after = slowServer('after')
    const events: GatewayEvent[] = []
    await using gateway = createGateway(
      { upstreams: { a: { target: before.server } }, servers: { gone: {} } },
      { onEvent: (event) => events.push(event) },
    )
    await using http = await serveGateway(gateway)
    await using client = await connect(http.url, { revisions: [revision] })
    await client.listTools()
    let changed = 0
    client.onChange('tools', () => changed++)
    const call = client.callTool('a__wait')
    await before.started
    const changes = gateway.apply({ upstreams: { a: { target: after.server }, b: { target: after.server } } })
    expect(changes).toEqual([
      { kind: 'changed', path: ['upstreams', 'a'] },
      { kind: 'added', path: ['upstreams', 'b'] },
      { kind: 'removed', path: ['servers', 'gone'] },
    ])
    expect((await client.callTool('a__whoami')).text).toBe('after')
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      'a__wait',
      'a__whoami',
      'b__wait',
      'b__whoami',
    ])
    before.finish()
    expect((await call).text).toBe('before waited')
    await expect.poll(() => changed).toBeGreaterThan(0)
    expect((await fetch(http.url.replace('/mcp', '/servers/gone/mcp'), { method: 'POST' })).status).toBe(404)

    expect(() => gateway.apply({ upstreams: { 'not good': { target: after.server } } })).toThrow('upstreams.not good')
    expect((await client.callTool('b__whoami')).text).toBe('after')
    // Rules that change do not end anything.
    gateway.apply({ ...gateway.config, servers: { all: { upstreams: { a: { exclude: ['wait'] } } } } })
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['a__whoami'])
    expect(events.filter(({ kind }) => kind === 'changed')).toHaveLength(2)
  },
)

test('an upstream that fails again and again gets no more requests for a while', async () => {
  const states: string[] = []
  let opened = 0
  const b = createServer({ name: 'b', version: '1.0.0', tools: [tool({ name: 'x', run: () => 'b' })] })
  await using gateway = createGateway(
    {
      upstreams: {
        a: {
          target: () => {
            opened++
            throw new Error('nobody is there')
          },
          breaker: { failures: 2, restMs: 3_600_000 },
          failure: 'closed',
        },
        b: { target: b },
      },
    },
    { onEvent: (event) => event.kind === 'upstream' && states.push(`${event.status.name} ${event.status.state}`) },
  )
  await using http = await serveGateway(gateway)
  await using client = await connect(http.url, { revisions: ['2026-07-28'] })
  for (let count = 0; count < 3; count++) await client.callTool('a__x').catch(() => {})
  await expect(client.callTool('a__x')).rejects.toMatchObject({ data: { reason: 'unavailable' } })
  expect(opened).toBe(2)
  expect(states).toContain('a down')
  // It must not be missing, so there is no list.
  await expect(client.listTools()).rejects.toMatchObject({
    message: 'The list of tools is not complete: a cannot be used',
  })
  expect((await fetch(http.url.replace('/mcp', '/readyz'))).status).toBe(503)
  expect((await client.callTool('b__x')).text).toBe('b')
  expect(gateway.status()).toMatchObject([
    { name: 'a', state: 'down', problem: 'nobody is there' },
    { name: 'b', state: 'up' },
  ])
})

test('an upstream that hangs holds lists up once, and is then down', async () => {
  const b = createServer({ name: 'b', version: '1.0.0', tools: [tool({ name: 'x', run: () => 'b' })] })
  await using gateway = createGateway({
    upstreams: {
      a: { target: () => new Promise<never>(() => {}), timeoutMs: 100, breaker: { failures: 1, restMs: 3_600_000 } },
      b: { target: b },
    },
  })
  await using client = await connect(gateway.server()!, { revisions: ['2026-07-28'] })
  await expect.poll(() => gateway.status()).toMatchObject([{ name: 'a', state: 'down' }, {}])
  const listed = await client.request('tools/list')
  expect(listed).toMatchObject({
    tools: [{ name: 'b__x' }],
    _meta: { 'tenon/missing': [{ upstream: 'a', reason: 'unavailable' }] },
  })
})

test('a check finds an upstream that came back', async () => {
  const server = createServer({ name: 'a', version: '1.0.0', tools: [tool({ name: 'x', run: () => 'a' })] })
  const first = await serveHttp(server)
  const { port, url } = first
  await using gateway = createGateway({
    upstreams: { a: { url, breaker: { failures: 1, restMs: 3_600_000 } } },
  })
  await using client = await connect(gateway.server()!)
  expect(await gateway.check()).toMatchObject([{ name: 'a', state: 'up' }])
  await first.close()
  expect(await gateway.check()).toMatchObject([{ state: 'down', problem: expect.any(String) }])
  await expect(client.callTool('a__x')).rejects.toMatchObject({ data: { reason: 'unavailable' } })
  await using _again = await serveHttp(server, { port })
  await gateway.check()
  await expect.poll(async () => (await client.callTool('a__x').catch(() => undefined))?.text).toBe('a')
})

test('other machines reach no gateway that asks nobody, at its start and after a change', async () => {
  const config = { upstreams: { a: { target: createServer({ name: 'a', version: '1.0.0' }) } } }
  const parts = { auth: () => ({ principal: 'ada' }) }
  await using open = createGateway(config)
  for (const host of ['0.0.0.0', '::', '127.0.0.1.example.com', '127.example.com']) {
    await expect(serveGateway(open, { host })).rejects.toThrow(OpenDoorError)
  }
  await using gateway = createGateway(config, parts)
  const http = await serveGateway(gateway, { host: '0.0.0.0' })
  expect(() => gateway.apply(config, {})).toThrow('0.0.0.0: other machines could use the gateway')
  expect(gateway.parts).toBe(parts)
  await http.close()
  expect(gateway.apply(config, {})).toEqual([])
})
