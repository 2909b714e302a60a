/** Upstreams of every kind behind one address, over real processes and sockets. */
import { mkdtempSync } from 'node:fs'
import { createServer as createHttp } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect, type Revision } from '@tenon/sdk/client'
import { nodeHandler, serveHttp } from '@tenon/sdk/node'
import { createServer, resource, type Server, tool } from '@tenon/sdk/server'
import { serveSocket } from '@tenon/sdk/socket'
import { serveWebSocket } from '@tenon/sdk/websocket'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { json, startService } from '../../openapi/test/service.ts'
import { createGateway, type GatewayEvent, serveGateway } from '../src/index.ts'

const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url))

const endings: (() => unknown)[] = []
afterAll(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

const named = (name: string, ...spoken: Revision[]): Server =>
  createServer({
    name,
    version: '1.0.0',
    ...(spoken.length > 0 && { revisions: spoken }),
    tools: [tool({ name: 'whoami', run: () => name })],
    resources: [resource({ uri: `${name}://one`, name: 'one', read: () => name })],
  })

async function opened<T extends { close(): unknown }>(made: T | Promise<T>): Promise<T> {
  const one = await made
  endings.push(() => one.close())
  return one
}

const kinds = ['program', 'old', 'new', 'sse', 'ws', 'socket', 'unix', 'module', 'api', 'gateway'] as const
const events: GatewayEvent[] = []
let url: string

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-gateway-'))
  const service = await startService((_request, response) => json(response, { id: 1, name: 'api' }))
  const old = await opened(serveHttp(named('old', '2025-06-18')))
  const young = await opened(serveHttp(named('new', '2026-07-28')))
  const sse = await opened(serveHttp(named('sse', '2024-11-05')))
  const ws = await opened(serveWebSocket(named('ws'), { port: 0 }))
  const socket = join(folder, 'lines.sock')
  await opened(serveSocket(named('socket'), { path: socket }))
  const handler = nodeHandler(named('unix'))
  const onSocket = createHttp(handler)
  await new Promise<void>((resolve) => onSocket.listen(join(folder, 'http.sock'), resolve))
  endings.push(() => new Promise((resolve) => onSocket.close(resolve).closeAllConnections()))
  endings.push(() => handler.close())
  const inner = await opened(createGateway({ upstreams: { deep: { target: named('gateway') } } }))
  const innerHttp = await opened(serveGateway(inner))
  const gateway = await opened(
    createGateway(
      {
        upstreams: {
          program: { command: process.execPath, args: [fixture('program.mjs')] },
          old: { url: old.url },
          new: { url: young.url },
          sse: { url: sse.url.replace('/mcp', '/sse') },
          ws: { url: ws.url! },
          socket: { socket },
          unix: { url: `unix://${join(folder, 'http.sock')}#/mcp` },
          module: { module: fixture('tables.mjs') },
          api: {
            openapi: fileURLToPath(new URL('../../openapi/test/pets.yaml', import.meta.url)),
            baseUrl: `${service.url}/v1/`,
            credentials: { key: 'k3y' },
            include: ['tools:get_pets_by_id'],
          },
          gateway: { url: innerHttp.url },
          down: { url: 'http://127.0.0.1:9/mcp' },
        },
        servers: { some: { upstreams: { old: null, api: { rename: { get_pets_by_id: 'pet' } } } } },
      },
      { onEvent: (event) => events.push(event) },
    ),
  )
  url = (await opened(serveGateway(gateway))).url
})

test.each(['2024-11-05', '2025-11-25', '2026-07-28'] as const)('a client of %s uses all of them', async (revision) => {
  const target = revision === '2024-11-05' ? url.replace('/mcp', '/sse') : url
  await using client = await connect(target, { revisions: [revision] })
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name).sort()).toEqual(
    [...kinds.map((kind) => `${kind}__whoami`), 'program__crash']
      .filter((name) => name !== 'api__whoami' && name !== 'gateway__whoami')
      .concat('api__get_pets_by_id', 'gateway__deep__whoami')
      .sort(),
  )
  for (const kind of kinds) {
    if (kind === 'api') expect((await client.callTool('api__get_pets_by_id', { path_id: '1' })).text).toContain('api')
    else if (kind === 'gateway') expect((await client.callTool('gateway__deep__whoami')).text).toBe('gateway')
    else expect((await client.callTool(`${kind}__whoami`)).text).toBe(kind)
  }
  expect(await client.readResource('ws://one')).toMatchObject({ contents: [{ text: 'ws' }] })
  await using some = await connect(url.replace('/mcp', '/servers/some/mcp'), { revisions: ['2025-11-25'] })
  expect((await some.listTools()).tools.map(({ name }) => name)).toEqual(['old__whoami', 'pet'])
  expect((await some.callTool('pet', { path_id: '1' })).text).toContain('api')
})

test('an upstream that is down is missing in lists, with a note, and the others work', async () => {
  await using client = await connect(url, { revisions: ['2026-07-28'] })
  const listed = await client.request('tools/list')
  expect(listed._meta).toMatchObject({ 'tenon/missing': [{ upstream: 'down' }] })
  expect(events).toContainEqual(expect.objectContaining({ kind: 'error', during: 'upstream down' }))
  await expect(client.callTool('down__any')).rejects.toMatchObject({ code: -32603 })
})

test('a program that crashes in a call fails that call, and is there for the next', async () => {
  await using client = await connect(url, { revisions: ['2025-11-25'] })
  await expect(client.callTool('program__crash')).rejects.toMatchObject({ code: -32603 })
  await expect.poll(async () => (await client.callTool('program__whoami').catch(() => undefined))?.text).toBe('program')
  expect((await client.callTool('old__whoami')).text).toBe('old')
})

test('paths without a server are not found, and probes are answered', async () => {
  const at = (path: string): Promise<Response> => fetch(url.replace('/mcp', path))
  expect((await at('/servers/none/mcp')).status).toBe(404)
  expect((await at('/servers/__proto__/mcp')).status).toBe(404)
  expect((await at('/elsewhere')).status).toBe(404)
  expect(await (await at('/healthz')).text()).toBe('ok\n')
  expect((await at('/readyz')).status).toBe(200)
})
