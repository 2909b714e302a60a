/** A recording as a mock server, for clients that behave differently from the recorded one. */
import { connect, type TrafficEvent } from '@tenon/sdk/client'
import { createServer, type ServerTool, tool } from '@tenon/sdk/server'
import { openWire } from '@tenon/sdk/testing'
import { expect, test } from 'vitest'
import { memorySink, type RecorderOptions, readSession, recorder, replayServer, type Session } from '../src/replay.ts'

const number = { type: 'number' }
let counted = 0
const tools: ServerTool[] = [
  tool({
    name: 'add',
    input: { type: 'object', properties: { a: number, b: number } },
    run: (given) => {
      const { a, b } = given as { a: number; b: number }
      return String(a + b)
    },
  }),
  tool({ name: 'count', run: () => String(++counted) }),
  tool({
    name: 'login',
    input: { type: 'object', properties: { user: { type: 'string' }, password: { type: 'string' } } },
    run: (given) => `Welcome ${(given as { user: string }).user}`,
  }),
  tool({
    name: 'ask',
    run: async (_, ctx) => {
      const answer = await ctx.elicit('Your name?', {
        type: 'object',
        properties: { name: { type: 'string' } },
        required: ['name'],
      })
      return answer.action === 'accept' ? `Hello ${(answer.content as { name: string }).name}` : answer.action
    },
  }),
  tool({
    name: 'slow',
    run: async (_, ctx) => {
      ctx.progress(1, 2)
      await new Promise((resolve) => setTimeout(resolve, 150))
      return 'done'
    },
  }),
]
const server = createServer({ name: 'mocked', version: '1.0.0', tools })
const elicit = (name: string) => () => ({ action: 'accept' as const, content: { name } })

async function record(
  revision: '2025-11-25' | '2026-07-28',
  work: (client: Awaited<ReturnType<typeof connect>>) => Promise<unknown>,
  options: RecorderOptions = {},
): Promise<Session> {
  const sink = memorySink()
  const recording = recorder(sink, options)
  const client = await connect(server, {
    revisions: [revision],
    onMessage: recording.onMessage,
    elicit: elicit('Ada'),
  })
  await work(client)
  await client.close()
  await recording.close()
  return readSession(sink.text)
}

test('a request that was not recorded is refused with the nearest that was', async () => {
  const session = await record('2026-07-28', async (client) => {
    await client.callTool('add', { a: 1, b: 2 })
    await client.callTool('count')
  })
  const replay = replayServer(session)
  await using client = await connect(replay)
  await expect(client.callTool('add', { a: 1, b: 3 })).rejects.toMatchObject({
    code: -32602,
    message:
      'Not in the recording: tools/call {"name":"add","arguments":{"a":1,"b":3}}; recorded is tools/call {"name":"add","arguments":{"a":1,"b":2}}, tools/call {"name":"count"}',
  })
  await expect(client.request('tool/call', {})).rejects.toMatchObject({
    code: -32601,
    message: 'Not in the recording: tool/call; recorded is tools/call',
  })
  expect(replay.report.unknownRequests).toMatchObject([{ method: 'tools/call' }, { method: 'tool/call' }])
})

test('the same request gets one answer after the other, and then the last; a new client begins anew', async () => {
  counted = 0
  const session = await record('2025-11-25', async (client) => {
    await client.callTool('count')
    await client.callTool('count', {})
  })
  const replay = replayServer(session)
  for (const _ of [1, 2]) {
    await using client = await connect(replay, { revisions: ['2025-11-25'] })
    const texts = []
    for (let i = 0; i < 4; i++) texts.push((await client.callTool('count')).text)
    expect(texts).toEqual(['1', '2', '2', '2'])
  }
})

test.each([
  ['2025-11-25', 'result.content.name'],
  ['2026-07-28', 'inputResponses["1"].content.name'],
] as const)('another answer to a question of %s is noted, and the recorded way is taken', async (revision, path) => {
  const session = await record(revision, (client) => client.callTool('ask'))
  for (const [name, noted] of [
    ['Ada', []],
    ['Bob', [{ differences: [{ path, before: 'Ada', after: 'Bob' }] }]],
  ] as const) {
    const replay = replayServer(session)
    await using client = await connect(replay, { revisions: [revision], elicit: elicit(name) })
    expect((await client.callTool('ask')).text).toBe('Hello Ada')
    expect(replay.report.otherAnswers).toMatchObject(noted)
    expect(replay.report.otherAnswers).toHaveLength(noted.length)
  }
})

test('where the server asks by requests made again, a call that is made twice keeps its rounds apart', async () => {
  const session = await record('2026-07-28', async (client) => {
    await client.callTool('ask')
    await client.callTool('ask')
  })
  const replay = replayServer(session, { revisions: ['2026-07-28', '2025-11-25'] })
  for (const revision of ['2026-07-28', '2025-11-25'] as const) {
    await using client = await connect(replay, { revisions: [revision], elicit: elicit('Ada') })
    expect((await client.callTool('ask')).text).toBe('Hello Ada')
    expect((await client.callTool('ask')).text).toBe('Hello Ada')
  }
  expect(replay.report).toMatchObject({ unknownRequests: [], otherAnswers: [] })
})

test('a session without its secrets is still served to a client that has them', async () => {
  const login = { user: 'ada', password: 'correct horse battery' }
  const session = await record('2025-11-25', (client) => client.callTool('login', login))
  expect(JSON.stringify(session)).not.toContain('horse')
  const replay = replayServer(session)
  await using client = await connect(replay, { revisions: ['2025-11-25'] })
  expect((await client.callTool('login', login)).text).toBe('Welcome ada')
  expect((await client.callTool('login', { ...login, password: 'other' })).text).toBe('Welcome ada')
  await expect(client.callTool('login', { ...login, user: 'bob' })).rejects.toThrow('Not in the recording')
})

test('answers take as long as they took only if that is wanted', async () => {
  const session = await record('2025-11-25', (client) => client.callTool('slow', {}, { onProgress: () => {} }))
  const took = async (recorded: Session, timing: 'none' | 'recorded' | number): Promise<number> => {
    await using client = await connect(replayServer(recorded, { timing }), { revisions: ['2025-11-25'] })
    const started = performance.now()
    const progress: unknown[] = []
    await client.callTool('slow', {}, { onProgress: (news) => progress.push(news) })
    expect(progress).toEqual([{ progress: 1, total: 2 }])
    return performance.now() - started
  }
  expect(await took(session, 'recorded')).toBeGreaterThan(100)
  // Each step an hour after the one before: a replay that waits would not end in the time of this test.
  const hours = { ...session, events: session.events.map((event, hour) => ({ ...event, at: hour * 3_600_000 })) }
  await took(hours, 'none')
  await took(hours, 1_000_000)
  expect(() => replayServer(session, { timing: 0 })).toThrow('timing: expected')
})

test('a cancelled request is not answered, and one that was never answered says so', async () => {
  const session = await record('2025-11-25', (client) => client.callTool('slow'))
  const cut = {
    ...session,
    events: session.events.filter(
      (event) => !(event.kind === 'message' && event.from === 'server' && JSON.stringify(event).includes('done')),
    ),
  }
  await using client = await connect(replayServer(cut), { revisions: ['2025-11-25'] })
  await expect(client.callTool('slow')).rejects.toThrow('The recording ends before tools/call was answered')

  const events: TrafficEvent[] = []
  await using patient = await connect(replayServer(session, { timing: 'recorded' }), {
    revisions: ['2025-11-25'],
    onMessage: (event) => events.push(event),
  })
  const stop = new AbortController()
  const calling = patient.callTool('slow', {}, { signal: stop.signal })
  stop.abort()
  await expect(calling).rejects.toMatchObject({ code: 'cancelled' })
  await patient.ping()
  expect(JSON.stringify(events.filter(({ from }) => from === 'server'))).not.toContain('done')
})

test('a session in which nothing was agreed on cannot be served', async () => {
  const session = await readSession('{"tenonSession":1,"at":0}\n')
  expect(() => replayServer(session)).toThrow('no client and server agreed on a revision')
})

test('a probe that was refused when it was recorded is refused again, so that the revision stays the same', async () => {
  const sink = memorySink()
  const recording = recorder(sink)
  const old = createServer({ name: 'old', version: '1', tools, revisions: ['2025-06-18'] })
  const first = await connect(old, { onMessage: recording.onMessage })
  await first.callTool('add', { a: 2, b: 2 })
  await first.close()
  await recording.close()
  await using client = await connect(replayServer(await readSession(sink.text)))
  expect(client.server.revision).toBe('2025-06-18')
  expect((await client.callTool('add', { a: 2, b: 2 })).text).toBe('4')
})

test('nonsense from a client does no harm', async () => {
  const session = await record('2025-11-25', (client) => client.callTool('count'))
  await using wire = openWire(replayServer(session))
  for (const value of [null, 5, 'text', [], [null], { id: {} }, { jsonrpc: '2.0', method: 'x' }, { id: 1 }])
    wire.send(value)
  wire.send({ jsonrpc: '2.0', id: 2, method: 'ping' })
  expect(await wire.next()).toEqual({ jsonrpc: '2.0', id: 2, result: {} })
  wire.send({ jsonrpc: '2.0', id: 3, method: '__proto__', params: { ['__proto__']: 1 } })
  expect(await wire.next()).toMatchObject({ id: 3, error: { code: -32601 } })
})

test.each([['2026-07-28'], ['2025-11-25']] as const)(
  'a client of %s is introduced to a server that the recorded one knew already',
  async (revision) => {
    const session = await record('2026-07-28', (client) => client.callTool('add', { a: 1, b: 2 }))
    const known = session.events.filter((event) => event.kind !== 'message' || event.at > session.events[1]!.at)
    expect(known.length).toBe(session.events.length - 2)
    await using client = await connect(replayServer({ ...session, events: known }), { revisions: [revision] })
    expect(client.server).toMatchObject({ info: { name: 'mocked' }, revision, capabilities: { tools: {} } })
    expect((await client.callTool('add', { a: 1, b: 2 })).text).toBe('3')
  },
)
