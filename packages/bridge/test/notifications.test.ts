/** Notifications of clients without a session reach the server, on the connections of their sender. */
import { fileURLToPath } from 'node:url'
import { connect, type Revision } from '@tenon/sdk/client'
import { type HttpServer, serveHttp } from '@tenon/sdk/node'
import { connectRaw, type RawClient, type RawClientOptions } from '@tenon/sdk/relay'
import { expect, onTestFinished, test } from 'vitest'
import { bridge, type UpstreamSource } from '../src/bridge.ts'

const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url))
const server = (...revisions: Revision[]) => ({
  command: process.execPath,
  args: [fixture('imperative-server.mjs'), revisions.join()],
})

async function exposed(source: UpstreamSource): Promise<HttpServer> {
  const link = bridge(source)
  const http = await serveHttp(link.server, {
    port: 0,
    auth: (request) => ({ principal: request.header('x-user') ?? 'nobody' }),
  })
  onTestFinished(async () => {
    await http.close()
    await link.close()
  })
  return http
}

async function stateless(
  target: Parameters<typeof connectRaw>[0],
  options: RawClientOptions = {},
): Promise<RawClient & { text(name: string): Promise<string> }> {
  const client = await connectRaw(target, { revisions: ['2026-07-28'], ...options })
  onTestFinished(() => client.close())
  const text = async (name: string): Promise<string> => {
    const { content } = await client.request('tools/call', { name })
    return (content as { text: string }[])[0]!.text
  }
  return Object.assign(client, { text })
}

const kinds = ['2025-11-25', '2026-07-28'] as const

test.each(kinds)('over HTTP, to a server of %s', async (far) => {
  const http = await exposed({ target: server(far) })
  const client = await stateless(String(http.url))
  await client.text('pid')
  await client.notify('x/happened', { a: 1 })
  await expect.poll(() => client.text('heard')).toMatch(/x\/happened$/)
})

test.each(kinds)('on stdio, to a server of %s', async (far) => {
  const link = { command: process.execPath, args: [fixture('bridge.mjs'), JSON.stringify(server(far))] }
  const client = await stateless(link)
  await client.notify('x/happened')
  await expect.poll(() => client.text('heard')).toMatch(/x\/happened$/)
})

test('also if they are the first message', async () => {
  const http = await exposed({ target: server('2026-07-28') })
  const posted = await fetch(http.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'x/happened',
    },
    body: JSON.stringify({ jsonrpc: '2.0', method: 'x/happened', params: {} }),
  })
  expect(posted.status).toBe(202)
  const client = await stateless(String(http.url))
  await expect.poll(() => client.text('heard')).toBe('x/happened')
})

test('while a call uses the connection alone, and without another process', async () => {
  const link = bridge({ target: server('2025-11-25') })
  const http = await serveHttp(link.server, { port: 0 })
  onTestFinished(async () => {
    await http.close()
    await link.close()
  })
  const client = await stateless(String(http.url), { capabilities: { roots: {} } })
  await client.text('pid')
  const stop = new AbortController()
  let waiting: Promise<unknown> | undefined
  await new Promise<void>((onProgress) => {
    waiting = client
      .request('tools/call', { name: 'wait' }, { signal: stop.signal, onProgress: () => onProgress() })
      .catch(() => {})
  })
  // The second call gets another process; both belong to the one anonymous client.
  const other = await client.text('pid')
  await client.notify('x/happened')
  await expect.poll(() => client.text('heard')).toMatch(/x\/happened$/)
  expect(await client.text('pid')).toBe(other)
  stop.abort()
  await waiting
  const pids = new Set([await client.text('pid'), other])
  for (const _ of pids) expect(await client.text('heard')).toMatch(/x\/happened$/)
})

test.each(kinds)('a subscription shares the process of the calls, at a server of %s', async (far) => {
  const link = bridge({ target: server(far) })
  const http = await serveHttp(link.server, { port: 0 })
  onTestFinished(async () => {
    await http.close()
    await link.close()
  })
  // Each of these calls needs a connection alone, because its requests and log messages must not reach others.
  const client = await connect(String(http.url), { revisions: ['2026-07-28'], elicit: () => ({ action: 'decline' }) })
  onTestFinished(() => client.close())
  await client.setLoggingLevel('debug')
  const pid = (await client.callTool('pid')).text
  const heard = new Set<string>()
  client.onChange('tools', () => heard.add('tools'))
  await client.watch('note://one', ({ uri }) => heard.add(uri))
  expect((await client.callTool('pid')).text).toBe(pid)
  heard.clear()
  await client.callTool('grow')
  await expect.poll(() => [...heard].sort()).toEqual(['note://one', 'tools'])
})

test('but not on the connections of others', async () => {
  const http = await exposed({ target: server('2025-11-25') })
  const [ada, bob] = await Promise.all(
    ['ada', 'bob'].map((user) => stateless(String(http.url), { headers: { 'x-user': user } })),
  )
  await Promise.all([ada!.text('pid'), bob!.text('pid')])
  await ada!.notify('x/happened')
  await expect.poll(() => ada!.text('heard')).toMatch(/x\/happened$/)
  expect(await bob!.text('heard')).not.toContain('x/happened')
})

test('and those that end at the bridge, or that the revision does not have, do not pass', async () => {
  const http = await exposed({ target: server('2025-11-25') })
  const client = await stateless(String(http.url))
  await client.text('pid')
  const post = (method: string, _meta = {}) =>
    fetch(http.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
      },
      body: JSON.stringify({ jsonrpc: '2.0', method, params: { requestId: 1, progressToken: 1, progress: 1, _meta } }),
    })
  for (const method of ['initialized', 'roots/list_changed', 'cancelled', 'progress'])
    expect((await post(`notifications/${method}`)).status).toBe(202)
  const named = 'io.modelcontextprotocol/protocolVersion'
  for (const version of ['2099-01-01', 5, '2025-11-25'])
    expect((await post('x/wrong', { [named]: version })).status).toBe(202)
  // A server may run them as requests.
  for (const method of ['tools/call', 'initialize', 'server/discover', 'logging/setLevel', ''])
    expect((await post(method)).status).toBeLessThan(500)
  await client.notify('x/last')
  await expect.poll(() => client.text('heard')).toBe('notifications/initialized,x/last')
})
