import { afterEach, describe, expect, test } from 'vitest'
import type { HttpOptions } from '../options.ts'
import { MemoryBus } from '../stores/memory-bus.ts'
import { MemorySessionStore } from '../stores/memory-session-store.ts'
import { adapters } from '../tests/adapters.suite.ts'
import {
  EventReader,
  initializeRequest,
  post,
  type Served,
  SessionClient,
  statelessRequest,
  type ToolScript,
  testServer,
} from '../tests/http.suite.ts'

/** The revisions that have sessions over Streamable HTTP. */
const withSessions = ['2025-03-26', '2025-06-18', '2025-11-25'] as const
const list = { jsonrpc: '2.0', id: 5, method: 'tools/list' }

describe.each(adapters)('sessions over %s', (_name, serve) => {
  let served: Served
  let script: ToolScript
  let server: ReturnType<typeof testServer>['server']

  const start = async (options: HttpOptions = {}): Promise<void> => {
    const test = testServer()
    script = test.script
    server = test.server
    served = await serve(server, options)
  }
  afterEach(() => served.close())

  // [http.session.assign] [http.session.id-visible-ascii] [http.session.id-strong]
  test.each(withSessions)(
    '%s: initialize opens a session with an id of visible characters that cannot be guessed',
    async (revision) => {
      await start()
      const first = await SessionClient.open(served, revision)
      const second = await SessionClient.open(served, revision)
      expect(first.id).toMatch(/^[\x21-\x7e]{32,}$/)
      expect(second.id).not.toBe(first.id)
    },
  )

  // [http.endpoint.single-post-and-get] [http.post.request-reply-type]
  test.each(['2025-03-26', '2025-06-18', '2025-11-25'])('%s: a call is answered with JSON', async (revision) => {
    await start()
    const client = await SessionClient.open(served, revision)
    const response = await client.call('echo', { text: 'hi' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.json()).toMatchObject({ id: 1, result: { content: [{ text: 'echo hi' }] } })
  })

  test('a failed initialize opens no session', async () => {
    await start()
    const response = await served.fetch('/mcp', post({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }))
    expect(response.headers.get('mcp-session-id')).toBeNull()
    expect(await response.json()).toMatchObject({ id: 1, error: { code: -32602 } })
  })

  // [http.session.missing-id-400]
  test('no session id: 400; an unknown one: 404', async () => {
    await start()
    expect((await served.fetch('/mcp', post(list))).status).toBe(400)
    const unknown = await served.fetch('/mcp', post(list, { 'mcp-session-id': 'unknown' }))
    expect(unknown.status).toBe(404)
    expect(await unknown.json()).toMatchObject({ id: 5, error: { code: -32600 } })
  })

  // [http.session.terminated-404]
  test.each(withSessions)('%s: a session that was deleted is gone', async (revision) => {
    await start()
    const client = await SessionClient.open(served, revision)
    expect((await client.delete()).ok).toBe(true)
    expect((await client.post(list)).status).toBe(404)
    expect((await client.get()).status).toBe(404)
    expect((await client.delete()).status).toBe(404)
  })

  // [http.session.terminate] [http.sse.terminate-on-session-expiry]
  test.each(withSessions)(
    '%s: deleting a session cancels what is in work, ends its streams, and leaves nobody waiting',
    async (revision) => {
      await start()
      const client = await SessionClient.open(served, revision)
      const stream = new EventReader(await client.get())
      const call = client.call('wait')
      await script.started.seen
      await client.delete()
      expect(await script.aborted.seen).toMatchObject({ code: 'closed' })
      expect((await call).status).toBe(404)
      await stream.rest()
      script.release.give()
    },
  )

  // [http.version.legacy-invalid-400] [http.version.legacy-absent-default]
  test.each([
    ['of the session', '2025-11-25', 200],
    ['of another revision that is spoken here', '2025-06-18', 200],
    ['unknown', '1999-01-01', 400],
    ['doubled', '2025-11-25, 2025-11-25', 400],
    ['missing', undefined, 200],
  ])('a version header that is %s', async (_what, version, status) => {
    await start()
    for (const revision of withSessions) {
      const client = await SessionClient.open(served, revision)
      expect((await client.post(list, { 'mcp-protocol-version': version })).status).toBe(status)
    }
  })

  // [http.post.accepted-202-legacy]
  test.each(withSessions)('%s: notifications and responses: 202 without a body', async (revision) => {
    await start()
    const client = await SessionClient.open(served, revision)
    for (const message of [
      { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } },
      { jsonrpc: '2.0', id: 99, result: {} },
    ]) {
      const response = await client.post(message)
      expect(response.status).toBe(202)
      expect(await response.text()).toBe('')
    }
  })

  // [http.post.not-accepted-error-status] [http.post.not-accepted-body]
  test.each(withSessions)('%s: what is no message: 400', async (revision) => {
    await start()
    const client = await SessionClient.open(served, revision)
    for (const nonsense of [{}, 'text', 7, null, { jsonrpc: '2.0', id: null, method: 'x' }]) {
      const response = await client.post(JSON.stringify(nonsense))
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: { code: -32600 } })
    }
  })

  test('batches belong to 2025-03-26 alone', async () => {
    await start()
    const old = await SessionClient.open(served, '2025-03-26')
    const response = await old.post([list, { ...list, id: 6 }, { jsonrpc: '2.0', method: 'notifications/x' }])
    expect(await response.json()).toMatchObject([{ id: 5 }, { id: 6 }])
    expect((await old.post([{ jsonrpc: '2.0', method: 'notifications/x' }])).status).toBe(202)
    const newer = await SessionClient.open(served, '2025-06-18')
    expect((await newer.post([list])).status).toBe(400)
  })

  test('errors of the protocol keep status 200', async () => {
    await start()
    const client = await SessionClient.open(served)
    const response = await client.post({ jsonrpc: '2.0', id: 1, method: 'unknown/method' })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ id: 1, error: { code: -32601 } })
  })

  // [http.sse.server-messages-before-response] [http.sse.messages-relate-legacy] [http.sse.eventual-response]
  // [http.sse.end-after-response]
  test('the handler asks on the stream of its request, and the answer comes by another', async () => {
    await start()
    const client = await SessionClient.open(served, '2025-06-18', {}, { elicitation: {} })
    const events = new EventReader(await client.call('ask'))
    const question = await events.message()
    expect(question.method).toBe('elicitation/create')
    const answer = { action: 'accept', content: { name: 'Ada' } }
    expect((await client.post({ jsonrpc: '2.0', id: question.id, result: answer })).status).toBe(202)
    expect(await events.message()).toMatchObject({ id: 1, result: { content: [{ text: 'hello Ada' }] } })
    expect(await events.next()).toBeUndefined()
  })

  test('a client that takes only JSON is asked on its listening stream', async () => {
    await start()
    const client = await SessionClient.open(served, '2025-06-18', {}, { elicitation: {} })
    const events = new EventReader(await client.get())
    const call = client.call('ask', {}, {}, { accept: 'application/json' })
    const question = await events.message()
    await client.post({ jsonrpc: '2.0', id: question.id, result: { action: 'decline' } })
    expect(await (await call).json()).toMatchObject({ result: { content: [{ text: 'nobody' }] } })
    await events.cancel()
  })

  // [http.get.stream-or-405] [http.get.server-messages] [http.get.unrelated-messages]
  test.each(withSessions)('%s: news go to the listening stream, and wait for it if need be', async (revision) => {
    await start()
    const client = await SessionClient.open(served, revision)
    server.tools.remove('echo')
    const events = new EventReader(await client.get())
    expect(await events.message()).toMatchObject({ method: 'notifications/tools/list_changed' })
    server.tools.remove('whoami')
    expect(await events.message()).toMatchObject({ method: 'notifications/tools/list_changed' })
    await events.cancel()
  })

  // [http.multi.no-broadcast] [http.get.close-any-time]
  test.each(withSessions)('%s: a second listening stream takes the place of the first', async (revision) => {
    await start()
    const client = await SessionClient.open(served, revision)
    const first = new EventReader(await client.get())
    const second = new EventReader(await client.get())
    await first.rest()
    server.tools.remove('echo')
    expect(await second.message()).toMatchObject({ method: 'notifications/tools/list_changed' })
    await second.cancel()
  })

  test('a cancelled request gets no answer, and its connection ends', async () => {
    await start()
    const client = await SessionClient.open(served)
    const call = client.call('wait')
    await script.started.seen
    await client.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    expect(await new EventReader(await call).rest()).toEqual([])
    script.release.give()
  })

  // [http.sse.disconnect-not-cancel] [http.sse.priming-event] [http.sse.make-resumable] [http.resume.event-ids]
  // [http.resume.replay]
  test('a lost connection cancels nothing, and the rest can be fetched', async () => {
    await start()
    const client = await SessionClient.open(served)
    const events = new EventReader(await client.call('progress_then_wait', {}, { progressToken: 1 }))
    expect(await events.next()).toEqual({ retry: '1000' })
    const progress = await events.next()
    await events.cancel()
    script.release.give()
    const resumed = new EventReader(await client.get({ 'last-event-id': progress!.id }))
    const rest = await resumed.rest()
    expect(rest.map(({ data }) => JSON.parse(data!))).toMatchObject([
      { method: 'notifications/progress', params: { progress: 2 } },
      { id: 1, result: { content: [{ text: 'waited' }] } },
    ])
    // The same again, from the same event.
    const again = await new EventReader(await client.get({ 'last-event-id': progress!.id })).rest()
    expect(again).toHaveLength(2)
    expect(new Set([progress, ...rest].map((event) => event!.id)).size).toBe(3)
  })

  // [http.sse.priming-event]
  test('a stream that opens in silence begins with an event that only has an id, and its client can come back', async () => {
    await start({ keepAliveMs: 20 })
    const client = await SessionClient.open(served)
    const events = new EventReader(await client.call('wait'))
    const priming = await events.next()
    expect(priming).toMatchObject({ id: expect.any(String), data: '', retry: '1000' })
    await events.cancel()
    script.release.give()
    const rest = new EventReader(await client.get({ 'last-event-id': priming!.id }))
    expect(await rest.message()).toMatchObject({ id: 1, result: { content: [{ text: 'waited' }] } })
  })

  test('no event is empty on a stream that opens with a message, which has an id: some clients report an error', async () => {
    for (const responseMode of ['auto', 'sse'] as const) {
      await start({ responseMode })
      const client = await SessionClient.open(served)
      // In mode `sse` the call that waits opens its stream in silence.
      const name = responseMode === 'auto' ? 'progress' : 'echo'
      const events = await new EventReader(await client.call(name, {}, { progressToken: 1 })).rest()
      expect(events.filter(({ data }) => data === '')).toEqual([])
      expect(events.filter(({ data }) => data).every(({ id }) => id !== undefined)).toBe(true)
      if (responseMode === 'auto') await served.close()
    }
  })

  test('a stream can be carried on while its request is in work', async () => {
    await start()
    const client = await SessionClient.open(served)
    const events = new EventReader(await client.call('progress_then_wait', {}, { progressToken: 1 }))
    await events.next()
    const progress = await events.next()
    await events.cancel()
    const resumed = new EventReader(await client.get({ 'last-event-id': progress!.id }))
    script.release.give()
    expect(await resumed.message()).toMatchObject({ params: { progress: 2 } })
    expect(await resumed.message()).toMatchObject({ id: 1 })
    expect(await resumed.next()).toBeUndefined()
  })

  // [http.resume.no-cross-stream-replay]
  test.each(withSessions)('%s: only the stream of the event is replayed', async (revision) => {
    await start()
    const client = await SessionClient.open(served, revision)
    const one = new EventReader(await client.call('progress', {}, { progressToken: 1 }, {}, 1))
    const first = (await one.rest()).find(({ id }) => id !== undefined)
    await new EventReader(await client.call('progress', {}, { progressToken: 2 }, {}, 2)).rest()
    const replayed = await new EventReader(await client.get({ 'last-event-id': first!.id })).rest()
    expect(replayed.map(({ data }) => JSON.parse(data!)).filter(({ id }) => id !== undefined)).toMatchObject([
      { id: 1 },
    ])
  })

  test('an event of another session, and nonsense: 400', async () => {
    await start()
    const client = await SessionClient.open(served)
    const other = await SessionClient.open(served)
    const events = await new EventReader(await other.call('progress', {}, { progressToken: 1 })).rest()
    for (const id of [events[1]!.id, 'nonsense', 'a.1', '__proto__.1', `${events[1]!.id}9`]) {
      expect((await client.get({ 'last-event-id': id })).status).toBe(400)
    }
  })

  test('without an event log there are no ids, and nothing is replayed', async () => {
    await start({ eventLog: false })
    const client = await SessionClient.open(served)
    const events = await new EventReader(await client.call('progress', {}, { progressToken: 1 })).rest()
    expect(events).toHaveLength(3)
    expect(events.every(({ id }) => id === undefined)).toBe(true)
    expect((await client.get({ 'last-event-id': 'a.1' })).status).toBe(400)
  })

  test('older revisions get no event without a message', async () => {
    await start()
    const client = await SessionClient.open(served, '2025-06-18')
    const events = await new EventReader(await client.call('progress', {}, { progressToken: 1 })).rest()
    expect(events).toHaveLength(3)
    expect(events.every(({ data }) => data !== '')).toBe(true)
  })

  // [http.sse.close-connection-keep-stream] [http.sse.retry-before-close]
  test('a silent request ends its connection, and is answered when the client comes back', async () => {
    await start({ pollAfterMs: 40, retryMs: 10 })
    const client = await SessionClient.open(served)
    const events = await new EventReader(await client.call('wait')).rest()
    expect(events[0]).toMatchObject({ data: '', retry: '10', id: expect.any(String) })
    expect(events.at(-1)).toEqual({ retry: '10' })
    script.release.give()
    const resumed = new EventReader(await client.get({ 'last-event-id': events[0]!.id }))
    expect(await resumed.message()).toMatchObject({ id: 1, result: { content: [{ text: 'waited' }] } })
    expect(await resumed.next()).toBeUndefined()
  })

  // [http.multi.no-broadcast] [http.multi.parallel-streams]
  test.each(withSessions)('%s: several streams at once, each with its own messages', async (revision) => {
    await start()
    const client = await SessionClient.open(served, revision)
    const streams = await Promise.all([1, 2, 3].map((id) => client.call('progress', {}, { progressToken: id }, {}, id)))
    const all = await Promise.all(streams.map((response) => new EventReader(response).rest()))
    for (const [index, events] of all.entries()) {
      const messages = events.filter(({ data }) => data).map(({ data }) => JSON.parse(data!))
      expect(messages.map(({ id, params }) => id ?? params.progressToken)).toEqual([index + 1, index + 1, index + 1])
    }
  })

  // [http.get.no-responses] [http.resume.event-id-unique] [http.resume.event-id-encodes-stream]
  test.each(withSessions)(
    '%s: answers go to the stream of their request, not to the listening one, and no two events share an id',
    async (revision) => {
      await start()
      const client = await SessionClient.open(served, revision)
      const listening = new EventReader(await client.get())
      const calls = await Promise.all([1, 2].map((id) => client.call('progress', {}, { progressToken: id }, {}, id)))
      const events = (await Promise.all(calls.map((response) => new EventReader(response).rest()))).flat()
      server.tools.remove('echo')
      const primed = revision === '2025-11-25' ? [await listening.next()] : []
      for (const priming of primed) expect(priming).toMatchObject({ data: '', retry: '1000' })
      const news = await listening.next()
      expect(JSON.parse(news!.data!)).toMatchObject({ method: 'notifications/tools/list_changed' })
      const ids = [...events.filter(({ data }) => data), ...primed, news].map((event) => event!.id)
      expect(ids).toHaveLength(primed.length > 0 ? 8 : 7)
      expect(new Set(ids).size).toBe(ids.length)
      await listening.cancel()
    },
  )

  // [http.sse.no-early-close]
  test('a client that does not know polling keeps its connection until the answer', async () => {
    await start({ pollAfterMs: 10, keepAliveMs: 40 })
    const client = await SessionClient.open(served, '2025-06-18')
    const events = new EventReader(await client.call('wait'))
    const answer = events.message()
    await expect.poll(() => events.comments.length).toBeGreaterThan(1)
    script.release.give()
    expect(await answer).toMatchObject({ id: 1, result: { content: [{ text: 'waited' }] } })
    expect(await events.next()).toBeUndefined()
  })

  // [http.compat.implement-old-revision]
  test('both eras at one address, at the same time', async () => {
    await start()
    const client = await SessionClient.open(served)
    const [old, recent] = await Promise.all([client.post(list), served.fetch('/mcp', statelessRequest('tools/list'))])
    expect(await old.json()).toMatchObject({ id: 5, result: { tools: expect.any(Array) } })
    expect(await recent.json()).toMatchObject({ id: 1, result: { resultType: 'complete' } })
  })

  test('a session is carried on by another process that has the same store', async () => {
    const store = new MemorySessionStore()
    await start({ sessions: { store } })
    const client = await SessionClient.open(served, '2025-06-18')
    const first = served
    await start({ sessions: { store } })
    const headers = { 'mcp-session-id': client.id }
    const [one, two] = await Promise.all([
      served.fetch('/mcp', post(list, headers)),
      served.fetch('/mcp', post({ ...list, id: 6 }, headers)),
    ])
    expect(await one.json()).toMatchObject({ id: 5, result: {} })
    expect(await two.json()).toMatchObject({ id: 6, result: {} })
    await first.close()
  })

  test('a session that ended in one process has ended in all', async () => {
    const sessions = { store: new MemorySessionStore(), bus: new MemoryBus() }
    await start({ sessions })
    const client = await SessionClient.open(served, '2025-06-18')
    const first = served
    await start({ sessions })
    const headers = { 'mcp-session-id': client.id }
    expect((await served.fetch('/mcp', post(list, headers))).status).toBe(200)
    await client.delete()
    expect((await served.fetch('/mcp', post(list, headers))).status).toBe(404)
    await first.close()
  })

  test('at the maximum the session that was idle longest makes room', async () => {
    await start({ sessions: { max: 2 } })
    const first = await SessionClient.open(served)
    const second = await SessionClient.open(served)
    expect((await first.post(list)).status).toBe(200)
    const third = await SessionClient.open(served)
    expect((await second.post(list)).status).toBe(404)
    expect((await first.post(list)).status).toBe(200)
    expect((await third.post(list)).status).toBe(200)
  })

  test('initialize again inside a session is an error, and the session goes on', async () => {
    await start()
    const client = await SessionClient.open(served)
    expect(await (await client.post(initializeRequest())).json()).toMatchObject({ error: { code: -32600 } })
    expect((await client.post(list)).status).toBe(200)
  })
})
