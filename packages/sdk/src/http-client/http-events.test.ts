import { expect, test } from 'vitest'
import { connect } from '../client/connect.ts'
import type { HttpEvent } from './http-events.ts'
import { showRequestHeaders, showUrl } from './http-events.ts'
import type { HttpClientOptions } from './http-options.ts'
import {
  callResult,
  legacy,
  modern,
  resultOf,
  ScriptedHttp,
  sendEvent,
  sendJson,
  startEvents,
} from './scripted-http.suite.ts'
import { forgetServers } from './verdicts.ts'

const engines: [string, HttpClientOptions][] = [
  ['node', {}],
  ['fetch', { fetch: (input, init) => globalThis.fetch(input, init) }],
]

const steps = (events: readonly HttpEvent[]): string[] =>
  events.map(({ id, phase, method, status = '' }) => `${id - events[0]!.id} ${method} ${phase} ${status}`.trim())

test.each(engines)('a request is told from its sending to its end, over %s', async (_, http) => {
  forgetServers()
  await using server = await ScriptedHttp.start(
    modern((seen, reply) => {
      startEvents(reply, { 'Set-Cookie': ['a=1', 'b=2'], 'X-Region': 'north' })
      sendEvent(reply, resultOf(seen, callResult))
      reply.end()
    }),
  )
  const events: HttpEvent[] = []
  const headers = { Authorization: 'Bearer hush', 'X-Own': 'hush', Cookie: 'a=hush', traceparent: '00-0-0-00' }
  await using client = await connect(`${server.url}?api_key=hush&page=2`, {
    ...http,
    headers,
    onHttp: (event) => events.push(event),
  })
  await client.callTool('a')
  await expect
    .poll(() => steps(events))
    .toEqual([
      '0 POST request',
      '0 POST reply 200',
      '0 POST end 200',
      '1 POST request',
      '1 POST reply 200',
      '1 POST event 200',
      '1 POST end 200',
    ])
  const [request, reply, event, end] = events.slice(3) as [HttpEvent, HttpEvent, HttpEvent, HttpEvent]
  expect(event).toMatchObject({ headers: {}, event: { characters: expect.any(Number) } })
  expect(request).toMatchObject({
    url: `${server.url}?api_key=…&page=2`,
    headers: {
      Authorization: 'Bearer …',
      'X-Own': '…',
      Cookie: '…',
      traceparent: '00-0-0-00',
      'Content-Type': 'application/json',
      'Mcp-Method': 'tools/call',
      'Mcp-Name': 'a',
    },
  })
  expect(request.bytes).toBeGreaterThan(100)
  expect(reply.headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-region': 'north', 'set-cookie': '…' })
  expect(end.bytes).toBeGreaterThan(50)
  expect(end.at).toBeGreaterThanOrEqual(reply.at)
  expect(reply.at).toBeGreaterThanOrEqual(request.at)
  expect(JSON.stringify(events)).not.toContain('hush')
  // The server received everything unchanged.
  expect(server.seen[0]!.headers).toMatchObject({ authorization: 'Bearer hush', 'x-own': 'hush' })
})

test.each(engines)(
  'redirects, refusals, streams that this side ends and failures are told, over %s',
  async (_, http) => {
    forgetServers()
    const answers = legacy((seen, reply) => {
      if (seen.body.params?.name === 'cut') return reply.destroy()
      sendJson(reply, { why: 'not you' }, 403)
    })
    await using server = await ScriptedHttp.start((seen, reply) => {
      if (seen.verb === 'GET') return startEvents(reply)
      if (seen.path !== '/mcp') return answers(seen, reply)
      reply.writeHead(307, { Location: '/moved' }).end()
    })
    const events: HttpEvent[] = []
    let opened = (): void => {}
    const open = new Promise<void>((resolve) => {
      opened = resolve
    })
    const client = await connect(server.url, {
      ...http,
      revisions: ['2025-11-25'],
      onHttp: (event) => events.push(event),
      onStream: ({ kind }) => kind === 'open' && opened(),
    })
    await open
    await expect(client.callTool('refused')).rejects.toMatchObject({ status: 403 })
    await expect(client.callTool('cut')).rejects.toMatchObject({ code: 'closed' })
    await client.close()
    const of = (match: (event: HttpEvent) => boolean): string[] => {
      const ids = new Set(events.filter(match).map(({ id }) => id))
      return events.filter(({ id }) => ids.has(id)).map(({ phase, status = '' }) => `${phase} ${status}`.trim())
    }
    expect(of(({ status }) => status === 307).slice(0, 3)).toEqual(['request', 'reply 307', 'end 307'])
    expect(of(({ status }) => status === 403)).toEqual(['request', 'reply 403', 'end 403'])
    expect(of(({ phase }) => phase === 'failed')).toEqual(['request', 'failed'])
    expect(events.find(({ phase }) => phase === 'failed')!.error).toMatchObject({
      code: 'closed',
      cause: expect.any(Error),
    })
    const stream = events.filter(({ method, status }) => method === 'GET' && status === 200)
    expect(stream.at(-1)).toMatchObject({ phase: 'end', aborted: true })
    expect(of(({ method }) => method === 'DELETE').slice(-3)).toEqual(['request', 'reply 204', 'end 204'])
  },
)

test.each(engines)(
  'ids, pauses, names and comments of a stream are told, wherever it is cut, over %s',
  async (_, http) => {
    forgetServers()
    await using server = await ScriptedHttp.start(
      modern(async (seen, reply) => {
        startEvents(reply)
        const data = JSON.stringify(resultOf(seen, callResult))
        const text = `: ke\u00e9p\n\nid: 1\nretry: 2500\n\nevent: other\ndata: x\n\nid: 2\ndata: ${data}\n\n`
        for (const byte of Buffer.from(text)) {
          reply.write(Buffer.of(byte))
          if (byte === 10) await new Promise((resolve) => setImmediate(resolve))
        }
        reply.end()
      }),
    )
    const events: HttpEvent[] = []
    await using client = await connect(server.url, { ...http, onHttp: (event) => events.push(event) })
    expect((await client.callTool('a')).text).toBe('ok')
    await expect
      .poll(() => events.flatMap(({ event }) => event ?? []))
      .toEqual([
        { comment: 'keép' },
        { id: '1', retry: 2500, characters: 0 },
        { name: 'other', characters: 1 },
        { id: '2', characters: expect.any(Number) },
      ])
  },
)

test.each(engines)('a listener that throws does not stop a request, over %s', async (_, http) => {
  forgetServers()
  await using server = await ScriptedHttp.start(modern((seen, reply) => sendJson(reply, resultOf(seen, callResult))))
  const warnings: string[] = []
  await using client = await connect(server.url, {
    ...http,
    validate: 'off',
    onWarning: (message) => warnings.push(message),
    onHttp: () => {
      throw new Error('no room')
    },
  })
  expect((await client.callTool('a')).text).toBe('ok')
  expect(warnings[0]).toBe('onHttp failed: Error: no room')
})

test('of credentials at most the scheme is shown', () => {
  expect(
    showRequestHeaders({
      'proxy-authorization': 'Basic aGVsbG8=',
      Authorization: 'no-scheme',
      'X-Authorization': 'Digest a="b",\n c',
      DPoP: 'eyJ.proof',
    }),
  ).toEqual({ 'proxy-authorization': 'Basic …', Authorization: '…', 'X-Authorization': 'Digest …', DPoP: '…' })
})

test('of an address secrets in the query are left out', () => {
  expect(showUrl(new URL('https://a.example/mcp'))).toBe('https://a.example/mcp')
  expect(showUrl(new URL('https://a.example/mcp?Token=x&token=y&sig=z&page=2&design=1'))).toBe(
    'https://a.example/mcp?Token=…&token=…&sig=…&page=2&design=1',
  )
})
