/** Two gateways of one file, as behind a balancer, with a Redis between them. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, connect } from '@tenon/sdk/client'
import { type HttpServer, serveHttp } from '@tenon/sdk/node'
import { createServer, resource, tool } from '@tenon/sdk/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import { startRedis, type TestRedis } from '../../../scripts/test-redis.ts'
import { newApiKey } from '../src/identity.ts'
import { createGateway, readGatewayConfig, serveGateway } from '../src/index.ts'
import { openPolicy, parsePolicy } from '../src/policy.ts'
import { openSharedState } from '../src/sharing/shared-state.ts'

const [ada, bob] = [newApiKey(), newApiKey()]
const uri = 'test://changing'

const upstream = createServer({
  name: 'notes',
  version: '1.0.0',
  tools: [
    tool({ name: 'read', run: () => 'a note' }),
    tool({ name: 'pay', run: () => 'paid' }),
    tool({
      name: 'greet',
      async run(_, ctx) {
        const { action, content } = await ctx.elicit('Your name?', {
          type: 'object',
          properties: { name: { type: 'string' } },
        })
        return `${action} ${(content as { name?: string } | undefined)?.name}`
      },
    }),
  ],
  resources: [resource({ uri, name: 'changing', read: () => 'text' })],
})

test('a file with an address that cannot be one of Redis is refused, without its password', () => {
  const read = (redis: string) => () => readGatewayConfig(`upstreams: {}\nredis: ${redis}`, '.')
  expect(read('http://ada:geheim@redis')).toThrow(/^\S*2:\d+.*redis.*expected redis:\/\//)
  expect(read('http://ada:geheim@redis')).not.toThrow(/geheim/)
  expect(read('{ url: "redis://a", stateKeys: [short] }')).toThrow(/redis/)
  expect(read('{ url: "redis://a", prefix: here }')).not.toThrow()
})

describe('two gateways', requires('redis'), () => {
  let redis: TestRedis
  let folder: string
  let notes: HttpServer
  const ending: (() => unknown)[] = []
  /** The gateways, each with its address. */
  let one: HttpServer
  let two: HttpServer
  /** The id of the last session that was opened. */
  let session: string

  /** Addresses that differ are opened twice, as in two processes. */
  const start = async (redisUrl: string): Promise<HttpServer> => {
    const text = `
upstreams:
  notes: { url: ${notes.url} }
servers:
  strict: {}
identity:
  keys:
    - { name: ada, hash: ${ada.hash} }
    - { name: bob, hash: ${bob.hash} }
policy:
  default: allow
  rules: [{ name: four eyes, effect: approve, match: { name: pay } }]
  approvals: { by: queue, wait: 10m }
  limits: [{ name: reads, match: { name: read }, every: 1d, requests: 3 }]
redis: "\${env:REDIS_URL}"
`
    const loaded = readGatewayConfig(text, folder, { env: { REDIS_URL: redisUrl } })
    const gateway = createGateway(loaded.config, { ...(await loaded.parts()), folder })
    const http = await serveGateway(gateway)
    ending.push(async () => {
      await http.close()
      await gateway.close()
    })
    return http
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tenon-gateway-shared-'))
    redis = await startRedis()
    notes = await serveHttp(upstream)
    one = await start(redis.url)
    two = await start(`${redis.url}?db=0`)
  })
  afterAll(async () => {
    for (const end of ending.reverse()) await end()
    await notes?.close()
    await redis?.stop()
    await rm(folder, { recursive: true })
  })

  /** A client whose requests go to one gateway and the other in turns. */
  const balanced = async (key: string, options: Parameters<typeof connect>[1] = {}): Promise<Client> => {
    const urls = [one.url, two.url]
    let turn = 0
    const fetchInTurns: typeof fetch = async (_, init) => {
      const response = await fetch(urls[turn++ % 2]!, init)
      session = response.headers.get('mcp-session-id') ?? session
      return response
    }
    const client = await connect(one.url, {
      headers: { authorization: `Bearer ${key}` },
      fetch: fetchInTurns,
      ...options,
    })
    ending.push(() => client.close())
    return client
  }

  test('a quota is shared, whichever gateway gets the request, and is of one caller', async () => {
    const client = await balanced(ada.key)
    const outcomes: boolean[] = []
    for (let call = 0; call < 5; call++) {
      outcomes.push(
        await client.callTool('notes__read').then(
          () => true,
          () => false,
        ),
      )
    }
    expect(outcomes).toEqual([true, true, true, false, false])
    expect((await (await balanced(bob.key)).callTool('notes__read')).text).toBe('a note')
  })

  test('a request that waits at one gateway goes on when somebody approves it at another, once', async () => {
    const client = await connect(one.url, { headers: { authorization: `Bearer ${ada.key}` } })
    ending.push(() => client.close())
    const paid = client.callTool('notes__pay')
    await using shared = await openSharedState({ url: redis.url })
    await using elsewhere = await openPolicy({ policy: parsePolicy({}), shared })
    await expect.poll(async () => (await elsewhere.approvals.list()).length).toBe(1)
    const [waiting] = await elsewhere.approvals.list()
    expect(waiting).toMatchObject({ caller: { id: 'key:ada' }, item: { name: 'pay' }, rule: 'four eyes' })
    const [first, second] = await Promise.allSettled([
      elsewhere.approvals.decide(waiting!.id, 'approve', 'carol'),
      elsewhere.approvals.decide(waiting!.id, 'deny', 'dave'),
    ])
    expect([first.status, second.status].sort()).toEqual(['fulfilled', 'rejected'])
    const outcome = await paid.then(
      ({ text }) => text,
      ({ message }: Error) => message,
    )
    expect(outcome).toBe(first.status === 'fulfilled' ? 'paid' : 'A person did not approve this request')
  })

  test('a session goes on at the other gateway with its questions and news, and not at another virtual server', async () => {
    const news: string[] = []
    const client = await balanced(bob.key, {
      revisions: ['2025-11-25'],
      elicit: { form: () => ({ action: 'accept', content: { name: 'Bob' } }) },
    })
    for (let call = 0; call < 4; call++) expect((await client.callTool('notes__greet')).text).toBe('accept Bob')
    await client.watch(uri, ({ uri: changed }) => news.push(changed))
    upstream.resources.changed(uri)
    await expect.poll(() => news).toEqual([uri])
    const post = (at: string): Promise<Response> =>
      fetch(at, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${bob.key}`,
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          'mcp-session-id': session,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'ping' }),
      })
    expect((await post(two.url)).status).toBe(200)
    expect((await post(two.url.replace('/mcp', '/servers/strict/mcp'))).status).toBe(404)
  })

  test('a question of a request without sessions is answered at the other gateway', async () => {
    const client = await balanced(bob.key, {
      revisions: ['2026-07-28'],
      elicit: { form: () => ({ action: 'accept', content: { name: 'Bob' } }) },
    })
    for (let call = 0; call < 3; call++) expect((await client.callTool('notes__greet')).text).toBe('accept Bob')
  })

  test('without Redis no gateway is ready', async () => {
    const ready = async (): Promise<number> => (await fetch(two.url.replace('/mcp', '/readyz'))).status
    expect(await ready()).toBe(200)
    await redis.kill()
    await expect.poll(ready).toBe(503)
    await redis.restart()
    await expect.poll(ready, { timeout: 10_000 }).toBe(200)
  })
})
