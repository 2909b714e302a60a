/** A server is asked in the client's own revision first, and messages are translated only where that fails. */
import { fileURLToPath } from 'node:url'
import { connect, type Revision, type TrafficEvent } from '@tenon/sdk/client'
import { serveHttp } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import { expect, onTestFinished, test } from 'vitest'
import { type Bridge, bridge } from '../src/bridge.ts'

const fixture = fileURLToPath(new URL('fixtures/imperative-server.mjs', import.meta.url))
const imperative = (...revisions: Revision[]) => ({ command: process.execPath, args: [fixture, revisions.join()] })

async function near(link: Bridge, revision: Revision) {
  const http = await serveHttp(link.server, { port: 0 })
  const client = await connect(String(http.url), {
    revisions: [revision],
    elicit: () => ({ action: 'accept', content: { name: 'Ada' } }),
  })
  onTestFinished(async () => {
    await client.close()
    await http.close()
    await link.close()
  })
  return client
}

const all: Revision[] = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']
const opened = async (target: object, revision: Revision, revisions?: Revision[]) => {
  const client = await near(bridge({ target: target as never, ...(revisions && { connect: { revisions } }) }), revision)
  return (await client.callTool('openings')).text
}

test.each(all.slice(0, -1))('a server that speaks all revisions is asked in %s by a client of it', async (revision) => {
  expect(await opened(imperative(...all), revision)).toBe(revision)
})

test('a server that asks only in sessions asks a client with a session', async () => {
  const client = await near(bridge({ target: imperative('2025-11-25', '2026-07-28') }), '2025-11-25')
  expect((await client.callTool('elicit')).text).toBe('accept Ada')
  expect((await client.callTool('openings')).text).toBe('2025-11-25')
})

test('a stateless client reaches the same server in its own revision', async () => {
  expect(await opened(imperative('2025-11-25', '2026-07-28'), '2026-07-28')).toBe('server/discover')
})

test('a server with other sessions is taken at its counter-offer', async () => {
  expect(await opened(imperative('2025-11-25', '2026-07-28'), '2025-03-26')).toBe('2025-03-26')
})

test('a server without sessions is asked in its own revision next, in the same process', async () => {
  expect(await opened(imperative('2026-07-28'), '2025-06-18')).toBe('2025-06-18,server/discover')
})

test('a server that ends because of initialize is started once more, and asked in its own revision', async () => {
  const { args, command } = imperative('2026-07-28')
  expect(await opened({ command, args: [...args, 'strict'] }, '2025-06-18')).toBe('server/discover')
})

test('revisions that the bridge may not speak are not offered', async () => {
  expect(await opened(imperative(...all), '2025-03-26', ['2025-06-18', '2026-07-28'])).toBe('2025-06-18')
  expect(await opened(imperative(...all), '2025-03-26', ['2026-07-28'])).toBe('server/discover')
})

test.each(['2025-06-18', '2026-07-28'] as const)('a server over HTTP is asked so too: one of %s', async (far) => {
  const posted: unknown[] = []
  const hi = tool({ name: 'hi', run: () => 'hi' })
  const http = await serveHttp(createServer({ name: 'far', version: '1.0.0', revisions: [far], tools: [hi] }), {
    port: 0,
  })
  onTestFinished(() => http.close())
  const onMessage = ({ payload, from }: TrafficEvent): void => {
    if (from === 'client') posted.push((payload as { method?: string }).method)
  }
  const link = bridge({ target: String(http.url), connect: { onMessage } })
  const client = await near(link, '2025-06-18')
  expect((await client.callTool('hi')).text).toBe('hi')
  expect(posted[0]).toBe('initialize')
})

test.each([400, 404])('a stateless server over HTTP may refuse initialize with a bare status %i', async (status) => {
  const hi = tool({ name: 'hi', run: () => 'hi' })
  const far = createServer({ name: 'far', version: '1.0.0', revisions: ['2026-07-28'], tools: [hi] })
  const http = await serveHttp(far, { port: 0 })
  onTestFinished(() => http.close())
  const refusing: typeof fetch = async (input, init) =>
    init?.method === 'GET' || String(init?.body).includes('"initialize"')
      ? new Response('No', { status })
      : fetch(input, init)
  const client = await near(bridge({ target: String(http.url), connect: { fetch: refusing } }), '2025-06-18')
  expect((await client.callTool('hi')).text).toBe('hi')
})

test('shared: a connection outlives the client that it was opened for, and serves the next one', async () => {
  let count = 0
  const server = createServer({ name: 's', version: '1', tools: [tool({ name: 'hi', run: () => 'hi' })] })
  for (const [shared, expected] of [
    [false, 2],
    [true, 1],
  ] as const) {
    count = 0
    await using link = bridge(
      { target: server },
      { shared, onEvent: ({ kind }) => void (kind === 'opened' && count++) },
    )
    for (const _ of ['first', 'second']) {
      await using client = await connect(link.server)
      expect((await client.callTool('hi')).text).toBe('hi')
    }
    expect(count).toBe(expected)
  }
})
