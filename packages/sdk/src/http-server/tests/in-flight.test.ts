/** Slots of requests in flight: each is released, in every revision, however its request ends. */

import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import type { HttpReply } from '../../http/request.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import { deadlineCount } from '../../jsonrpc/timer-wheel.ts'
import { type HttpOptions, httpSettings, type ResponseMode } from '../options.ts'
import { MemoryEventLog } from '../stores/memory-event-log.ts'
import { MemorySessionStore } from '../stores/memory-session-store.ts'
import type { EventLog, SessionRecord, SessionStore } from '../stores/stores.ts'
import { type HeaderMap, initializeRequest, type Signal, signal } from './http.suite.ts'
import {
  type AnyRevision,
  allRevisions,
  type Connected,
  call,
  cancel,
  type Leaving,
  listenRequest,
  nothingOpen,
  Observed,
  ping,
  RevisionClient,
  sessionRevisions,
  turn,
} from './in-flight.suite.ts'

let observed: Observed

const start = async (options?: HttpOptions, server?: object): Promise<void> => {
  observed = await Observed.start(options, server)
}
afterEach(() => observed?.close())

const open = async (revision: AnyRevision): Promise<RevisionClient> => RevisionClient.open(observed, revision)
const inFlight = (): number => observed.endpoint.open.inFlight

describe.each(allRevisions)('in %s a place is held while a request is in flight, and given back', (revision) => {
  test.each(['echo', 'later', 'fail', 'unsendable'])('when it is answered: %s', async (name) => {
    await start()
    const client = await open(revision)
    await client.post(call(1, name))
    await expect.poll(inFlight).toBe(0)
  })

  test.each<Leaving>(['close', 'half-close', 'reset'])(
    'when its client leaves by %s and its handler returns',
    async (how) => {
      await start()
      const client = await open(revision)
      const sent = await client.post(call(1, 'deaf'))
      expect(inFlight()).toBe(1)
      sent.leave(how)
      observed.release()
      await expect.poll(inFlight).toBe(0)
    },
  )

  test('when half of its body came, and no more will', async () => {
    await start()
    const client = await open(revision)
    const sent = await client.post(call(1, 'echo'), {}, true)
    expect(inFlight()).toBe(1)
    sent.leave('close')
    await expect.poll(inFlight).toBe(0)
  })

  test('when the server closes', async () => {
    await start()
    const client = await open(revision)
    const sent = await client.post(call(1, 'wait'))
    expect(inFlight()).toBe(1)
    await observed.endpoint.close()
    await expect.poll(() => observed.endpoint.open).toEqual(nothingOpen)
    if (revision !== '2024-11-05') await sent.until(revision === '2026-07-28' ? /^HTTP\/1.1 503/ : /^HTTP\/1.1 404/)
  })

  test('to others: the server is as it was', async () => {
    await start({ maxInFlight: 1 })
    const client = await open(revision)
    const sent = await client.post(call(1, 'wait'))
    const refused = await client.post(ping(2))
    await refused.until(/^HTTP\/1.1 503.*retry-after: 1/s)
    observed.release()
    await sent.until(/HTTP/)
    await expect.poll(inFlight).toBe(0)
    await isServed(observed, revision)
  })
})

describe.each(['2024-11-05', ...sessionRevisions] as const)('in %s', (revision) => {
  // [cancel.receiver-stops]
  test('a cancelled request gives its place back, though its handler goes on', async () => {
    await start()
    const client = await open(revision)
    await client.post(call(1, 'deaf'))
    expect(inFlight()).toBe(1)
    await client.post(cancel(1))
    await expect.poll(inFlight).toBe(0)
    await client.post(cancel(1))
    expect(observed.running).toBe(1)
  })

  test('the end of its session gives back the places of all its requests', async () => {
    await start()
    const client = await open(revision)
    const sent = await Promise.all([1, 2, 3].map((id) => client.post(call(id, 'deaf'))))
    expect(inFlight()).toBe(3)
    if (client.hasSession) await client.delete()
    else client.stream!.leave('close')
    await expect.poll(() => observed.endpoint.open).toEqual(nothingOpen)
    if (client.hasSession) for (const each of sent) expect((await each.until(/^HTTP.{9}/))[0]).toBe('HTTP/1.1 404 ')
  })
})

describe('a batch of 2025-03-26', () => {
  const post = async (body: unknown, headers?: { [name: string]: string }): Promise<Connected> =>
    (await open('2025-03-26')).post(body, headers)

  test('with a request and its own cancellation ends at once, without an answer', async () => {
    await start()
    const sent = await post([call(1, 'deaf'), cancel(1)])
    await sent.until(/200 OK.*event-stream.*\r\n0\r\n/s)
    await expect.poll(inFlight).toBe(0)
    expect(observed.running).toBe(1)
  })

  test('with a request and its own cancellation ends at once where only JSON is accepted', async () => {
    await start()
    const sent = await post([call(1, 'deaf'), cancel(1), cancel(1)], { accept: 'application/json' })
    await sent.until(/200 OK.*-32600.*cancelled/s)
    await expect.poll(inFlight).toBe(0)
  })

  test('answers the others without waiting for the handler of a cancelled one', async () => {
    await start()
    const sent = await post([call(1, 'deaf'), ping(2), cancel(1)])
    await sent.until(/\[\{"jsonrpc":"2.0","id":2,"result":\{\}\}\]/)
    await expect.poll(inFlight).toBe(0)
  })

  test('that cancels the request of another POST ends that', async () => {
    await start()
    const client = await open('2025-03-26')
    const other = await client.post(call(50, 'deaf'))
    const sent = await client.post([ping(51), cancel(50)])
    await sent.until(/"id":51,"result"/)
    await other.until(/200 OK.*event-stream.*\r\n0\r\n/s)
    await expect.poll(inFlight).toBe(0)
  })
})

describe('a failure on the way gives the place back, and is answered with 500', () => {
  const failing = (): never => {
    throw new Error('on purpose')
  }
  const rejecting = (): Promise<never> => Promise.reject(new Error('on purpose'))

  test.each([
    ['the store throws', { add: failing, get: failing, remove: failing }],
    ['the store rejects', { add: rejecting, get: rejecting, remove: rejecting }],
  ])('a session is opened, and %s', async (_, store) => {
    await start({ sessions: { store } })
    const opening = await observed.send({ method: 'POST' }, JSON.stringify(initializeRequest()))
    await opening.until(/^HTTP\/1.1 500.*Internal error/s)
    await expect.poll(() => observed.endpoint.open).toEqual(nothingOpen)
    expect(observed.errors).toHaveLength(1)
  })

  test.each(['application/json, text/event-stream', 'text/event-stream'])(
    'the event log throws: %s',
    async (accept) => {
      await start({ eventLog: { append: failing, after: failing, forget: () => {} } })
      const client = await open('2025-06-18')
      await client.post(call(1, 'progress'), { accept })
      await client.post(call(2, 'later'), { accept })
      await client.post(ping(3), { accept })
      observed.release()
      await expect.poll(inFlight).toBe(0)
      expect(observed.endpoint.open.streams).toBe(0)
    },
  )

  test('unless the event log rejects: an answer that cannot be kept is sent', async () => {
    await start({ eventLog: { append: rejecting, after: rejecting, forget: () => {} } })
    const client = await open('2025-06-18')
    const sent = await client.post(ping(1), { accept: 'text/event-stream' })
    await sent.until(/200 OK.*"id":1,"result"/s)
    await expect.poll(inFlight).toBe(0)
  })

  test.each([
    ['throws', failing],
    ['rejects', rejecting],
  ])('reading the body %s', async (_, readBody) => {
    await start()
    const status = await new Promise((send) => {
      observed.endpoint.handle(
        {
          method: 'POST',
          target: { path: '/mcp', query: '' },
          raw: undefined,
          header: (name) => ({ 'content-type': 'application/json', host: 'localhost' })[name],
          readBody,
        },
        { send, stream: failing, onGone: () => {} },
      )
    })
    expect(status).toBe(500)
    expect(inFlight()).toBe(0)
  })
})

describe('a reply that cannot be sent gives the place back', () => {
  /** Hands a request in as an adapter does, with a reply of the test. */
  const handle = (body: unknown, session: string | undefined, reply: Partial<HttpReply>, accept: string): void => {
    const headers: HeaderMap = {
      'content-type': 'application/json',
      host: 'localhost',
      accept,
      'mcp-session-id': session,
    }
    observed.endpoint.handle(
      {
        method: 'POST',
        target: { path: '/mcp', query: '' },
        raw: undefined,
        header: (name) => headers[name],
        readBody: async () => ({ text: JSON.stringify(body) }),
      },
      { send: broken, stream: broken, onGone: () => {}, ...reply },
    )
  }
  const broken = (): never => {
    throw new Error('the platform refuses')
  }
  const openSession = (): Promise<string> =>
    new Promise((resolve) => {
      const send: HttpReply['send'] = (_, headers) => resolve(headers['mcp-session-id']!)
      handle(initializeRequest('2025-03-26'), undefined, { send }, 'application/json')
    })

  test.each([
    ['an answer that comes at once', ping(1)],
    ['an answer that takes time', call(1, 'later')],
    ['an answer after progress', call(1, 'progress')],
    ['no answer, in a batch', [call(1, 'deaf'), cancel(1)]],
    ['no answer, as there was no request', [cancel(1)]],
    ['an answer to a notification', cancel(1)],
    ['a refusal', [1]],
  ])('%s', async (_, body) => {
    for (const accept of ['application/json, text/event-stream', 'application/json', 'text/event-stream']) {
      await start()
      handle(body, await openSession(), {}, accept)
      await turn()
      observed.release()
      await expect.poll(inFlight).toBe(0)
      expect(observed.endpoint.open.streams).toBe(0)
      expect(observed.errors).not.toHaveLength(0)
      await observed.close()
    }
  })
})

test.each(sessionRevisions)(
  '%s: an answer that is kept first is sent all the same, as a stream of one event',
  async (revision) => {
    const log = new MemoryEventLog()
    const slow: EventLog = {
      append: (...event) => turn().then(() => log.append(...event)),
      after: (...which) => log.after(...which),
      forget: (session) => log.forget(session),
    }
    await start({ eventLog: slow })
    const sent = await (await open(revision)).post(ping(1), { accept: 'text/event-stream' })
    await sent.until(/200 OK.*event-stream.*content-length.*"id":1,"result":\{\}/s)
    await expect.poll(inFlight).toBe(0)
  },
)

/** A server that stands in for another one, which is asked and never answers. */
function slowBackend(asked: Signal): object {
  const introduce = (): Promise<never> => {
    asked.give()
    return new Promise(() => {})
  }
  const backend = { introduce, answer: () => ({}), notified: () => {}, ready: () => {}, closed: () => {} }
  return { backend, tools: [] }
}

test('a stream that is asked for while its session ends, ends', async () => {
  const stored: Signal<SessionRecord | undefined> = signal()
  const { params: initialize } = initializeRequest('2025-06-18') as { params: JsonObject }
  await start({ sessions: { store: { add: () => {}, get: () => stored.seen, remove: () => true } } })
  const headers = { 'mcp-session-id': 'known', accept: 'text/event-stream' }
  const listening = observed.send({ method: 'GET', headers })
  const ending = observed.send({ method: 'DELETE', headers })
  await Promise.all([listening, ending])
  stored.give({ id: 'known', principal: undefined, initialize })
  await (await ending).until(/^HTTP\/1.1 204/)
  await (await listening).until(/^HTTP\/1.1 (404|200.*\r\n0\r\n)/s)
  await expect.poll(() => observed.endpoint.open).toEqual(nothingOpen)
})

// Nothing but the session knows of these streams, and it may stay open for days.
test('a session keeps no stream of a request that is answered or cancelled', async () => {
  await start()
  const client = await open('2025-11-25')
  const answered = await client.post(call(1, 'progress'))
  const cancelled = await client.post(call(2, 'progress'))
  expect(observed.endpoint.open.sessionStreams).toBe(2)
  await client.post(cancel(2))
  await cancelled.until(/\r\n0\r\n/)
  observed.release()
  await answered.until(/\r\n0\r\n/)
  expect(observed.endpoint.open.sessionStreams).toBe(0)
})

test('a session that is opened by a client that leaves is not kept', async () => {
  const stored: Signal = signal()
  const asked: Signal = signal()
  const store = new MemorySessionStore()
  const slow: SessionStore = {
    async add(record) {
      asked.give()
      await stored.seen
      store.add(record)
    },
    get: (id) => store.get(id),
    remove: (id) => store.remove(id),
  }
  await start({ sessions: { store: slow } })
  const opening = await observed.send({ method: 'POST' }, JSON.stringify(initializeRequest()))
  await asked.seen
  expect(observed.endpoint.open).toMatchObject({ sessions: 1, inFlight: 1 })
  opening.leave('close')
  await expect.poll(() => observed.endpoint.open.sessions).toBe(0)
  stored.give()
  await expect.poll(() => observed.endpoint.open).toEqual(nothingOpen)
})

test('a session that is being opened when the server closes is not kept', async () => {
  const asked: Signal = signal()
  await start({}, slowBackend(asked))
  const opening = await observed.send({ method: 'POST' }, JSON.stringify(initializeRequest()))
  await asked.seen
  await observed.endpoint.close()
  await opening.until(/^HTTP\/1.1 503.*could not be opened/s)
  await expect.poll(() => observed.endpoint.open).toEqual(nothingOpen)
})

describe('a session of another process that is carried on when the server closes is not kept', () => {
  const postToKnown = (): Promise<Connected> =>
    observed.send({ method: 'POST', headers: { 'mcp-session-id': 'known' } }, JSON.stringify(ping(1)))
  const { params: initialize } = initializeRequest('2025-06-18') as { params: JsonObject }
  const record: SessionRecord = { id: 'known', principal: undefined, initialize }

  test('and is known once otherwise', async () => {
    await start({ sessions: { store: { add: () => {}, get: () => record, remove: () => true } } })
    await (await postToKnown()).until(/"id":1,"result"/)
    expect(observed.endpoint.open.sessions).toBe(1)
  })

  test('while its record is looked for', async () => {
    const found: Signal<SessionRecord> = signal()
    await start({ sessions: { store: { add: () => {}, get: () => found.seen, remove: () => true } } })
    const sent = await postToKnown()
    await observed.endpoint.close()
    found.give(record)
    await sent.until(/^HTTP\/1.1 404/)
    await expect.poll(() => observed.endpoint.open).toEqual(nothingOpen)
  })

  test('while it shakes hands', async () => {
    const asked: Signal = signal()
    await start({ sessions: { store: { add: () => {}, get: () => record, remove: () => true } } }, slowBackend(asked))
    const sent = await postToKnown()
    await asked.seen
    expect(observed.endpoint.open).toMatchObject({ inFlight: 1, sessions: 1 })
    await observed.endpoint.close()
    await sent.until(/^HTTP\/1.1 404/)
    await expect.poll(() => observed.endpoint.open).toEqual(nothingOpen)
  })
})

describe('nothing is opened', () => {
  test('by a body that comes after the server has closed', async () => {
    await start()
    const body = JSON.stringify(initializeRequest())
    const opening = await observed.send({ method: 'POST' }, body, true)
    await observed.endpoint.close()
    opening.socket.write(body.slice(body.length / 2))
    await opening.until(/^HTTP\/1.1 503/)
    await expect.poll(() => observed.endpoint.open).toEqual(nothingOpen)
  })

  test.each(allRevisions)('in %s for a caller that is let in after the server has closed', async (revision) => {
    let letIn: Signal = signal()
    letIn.give()
    await start({
      auth: async () => {
        await letIn.seen
        return { principal: 'ada' }
      },
    })
    const client = await open(revision)
    letIn = signal()
    const late = await Promise.all([client.get(), client.post(call(1, 'wait')), client.post(listenRequest(2))])
    await observed.endpoint.close()
    letIn.give()
    for (const each of late) await each.until(/^HTTP\/1.1 503/)
    expect(observed.endpoint.open).toEqual(nothingOpen)
  })
})

describe('one client cannot hold all places', () => {
  test.each(['2024-11-05', ...sessionRevisions] as const)('%s: a session has its share', async (revision) => {
    await start({ sessions: { maxInFlight: 3 } })
    const client = await open(revision)
    for (const id of [1, 2, 3]) await client.post(call(id, 'deaf'))
    const refused = await client.post(call(4, 'deaf'))
    const told = client.stream ?? refused
    await told.until(/"id":4,"error":\{"code":-32603,"message":"Too many requests in flight \(the limit is 3\)"/)
    expect(inFlight()).toBe(3)
    // A sign of life is always answered, and others are served.
    await client.post(ping(5))
    await told.until(client.stream === undefined ? /HTTP/ : /"id":5,"result"/)
    await isServed(observed, revision)
    observed.release()
    await expect.poll(inFlight).toBe(0)
    await client.post(call(6, 'echo'))
  })

  test('a session that cancels has no more handlers running than its share', async () => {
    await start({ sessions: { maxInFlight: 3 } })
    const client = await open('2025-03-26')
    for (const id of [1, 2, 3, 4, 5]) await client.post([call(id, 'deaf'), cancel(id)])
    expect(observed.running).toBe(3)
  })

  test('limits.maxIncoming of the server holds where it is lower', async () => {
    await start({ sessions: { maxInFlight: 500 } }, { limits: { maxIncoming: 1 } })
    const client = await open('2025-06-18')
    await client.post(call(1, 'deaf'))
    await (await client.post(call(2, 'deaf'))).until(/the limit is 1/)
  })

  test.each(allRevisions)('%s: a principal has its share, with or without sessions', async (revision) => {
    await start({ maxInFlightPerPrincipal: 2, auth: (request) => ({ principal: request.header('x-user') ?? 'ada' }) })
    const [client, other] = [await open(revision), await open(revision)]
    await client.post(call(1, 'deaf'))
    await other.post(call(2, 'deaf'))
    const refused = await client.post(call(3, 'deaf'))
    await refused.until(/^HTTP\/1.1 429.*retry-after: 1.*Too many requests of this caller/s)
    await (
      await observed.send({ method: 'POST', headers: { 'x-user': 'bob' } }, JSON.stringify(initializeRequest()))
    ).until(/200 OK/)
    observed.release()
    await expect.poll(inFlight).toBe(0)
    await isServed(observed, revision)
  })

  test('by default it takes 40 sessions, or ten principals, to hold all', () => {
    const { maxInFlight, maxInFlightPerSession, maxInFlightPerPrincipal } = httpSettings({})
    expect(maxInFlight / maxInFlightPerSession).toBeGreaterThan(39)
    expect(maxInFlight / maxInFlightPerPrincipal).toBe(10)
    expect(httpSettings({ maxInFlight: 20 }).maxInFlightPerPrincipal).toBe(100)
  })
})

// The steps of a client

const ids = fc.integer({ min: 1, max: 6 })
const tools = fc.constantFrom('echo', 'later', 'wait', 'wait', 'deaf', 'progress', 'progress', 'fail', 'unsendable')
const message = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(ids, tools).map(([id, name]) => call(id, name)) },
  { weight: 1, arbitrary: ids.map(ping) },
  { weight: 1, arbitrary: ids.map((id) => ({ jsonrpc: '2.0', id, method: 'unknown' })) },
  // Of the same batch, of another POST, of one that is over, of none.
  { weight: 4, arbitrary: ids.map(cancel) },
  { weight: 1, arbitrary: fc.constantFrom(undefined, null, 99, 'x', {}, []).map(cancel) },
  { weight: 1, arbitrary: fc.constant({ jsonrpc: '2.0', method: 'notifications/x' }) },
  { weight: 1, arbitrary: ids.map((id) => ({ jsonrpc: '2.0', id, result: {} })) },
  { weight: 1, arbitrary: fc.constantFrom(null, 1, {}, [], [ping(1)], { jsonrpc: '2.0', id: 1 }) },
)
const leaving = fc.constantFrom<Leaving>('close', 'half-close', 'reset')
const accept = fc.constantFrom('application/json, text/event-stream', 'application/json', 'text/event-stream')
const client = fc.nat({ max: allRevisions.length - 1 })

const post = fc.record({
  do: fc.constant('post' as const),
  client,
  body: fc.oneof({ weight: 3, arbitrary: message }, { weight: 2, arbitrary: fc.array(message, { maxLength: 5 }) }),
  accept,
  cut: fc.boolean(),
  leaving: fc.option(leaving, { freq: 3, nil: undefined }),
})
const step = fc.oneof(
  { weight: 10, arbitrary: post },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('get' as const), client }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('subscribe' as const), id: ids }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('open' as const), client, leaving }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('leave' as const), which: fc.nat(), leaving }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), client }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('release' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('shut down' as const), graceMs: fc.constantFrom(0, 60_000) }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

// Stores that are in trouble, while a test makes them

type Trouble = 'none' | 'slow' | 'rejects' | 'throws'

class Troubled implements SessionStore, EventLog {
  readonly #sessions = new MemorySessionStore()
  readonly #events = new MemoryEventLog()
  trouble: Trouble = 'none'

  add(record: Parameters<SessionStore['add']>[0]): ReturnType<SessionStore['add']> {
    return this.#do(() => this.#sessions.add(record))
  }

  get(id: string): ReturnType<SessionStore['get']> {
    return this.#do(() => this.#sessions.get(id))
  }

  remove(id: string): ReturnType<SessionStore['remove']> {
    return this.#do(() => this.#sessions.remove(id))
  }

  append(...event: Parameters<EventLog['append']>): ReturnType<EventLog['append']> {
    return this.#do(() => this.#events.append(...event))
  }

  after(...which: Parameters<EventLog['after']>): ReturnType<EventLog['after']> {
    return this.#do(() => this.#events.after(...which))
  }

  forget(session: string): ReturnType<EventLog['forget']> {
    return this.#do(() => this.#events.forget(session))
  }

  #do<T>(work: () => T): MaybePromise<T> {
    if (this.trouble === 'throws') throw new Error('in trouble')
    if (this.trouble === 'rejects') return Promise.reject(new Error('in trouble'))
    return this.trouble === 'slow' ? turn().then(work) : work()
  }
}

interface Play {
  readonly observed: Observed
  readonly clients: readonly RevisionClient[]
  readonly connected: Connected[]
  readonly closing: Promise<void>[]
}

async function take(step: Step, { observed, clients, connected, closing }: Play): Promise<void> {
  switch (step.do) {
    case 'post': {
      const sent = await clients[step.client]!.post(
        step.body,
        { accept: step.accept },
        step.cut && step.leaving !== undefined,
      )
      connected.push(sent)
      if (step.leaving !== undefined) sent.leave(step.leaving)
      return
    }
    case 'get':
      connected.push(await clients[step.client]!.get())
      return
    case 'subscribe':
      connected.push(await clients.at(-1)!.post(listenRequest(step.id)))
      return
    case 'open': {
      const params = {
        protocolVersion: allRevisions[step.client],
        capabilities: {},
        clientInfo: { name: 't', version: '1' },
      }
      const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })
      ;(await observed.send({ method: 'POST' }, body)).leave(step.leaving)
      return
    }
    case 'leave':
      if (connected.length > 0) connected[step.which % connected.length]!.leave(step.leaving)
      return
    case 'delete':
      await clients[step.client]!.delete()
      return
    case 'release':
      observed.release()
      return
    case 'shut down':
      closing.push(observed.endpoint.close(step.graceMs))
  }
}

async function isServed(observed: Observed, revision: AnyRevision): Promise<void> {
  const fresh = await RevisionClient.open(observed, revision)
  const answer = await fresh.post(call(1, 'echo'))
  await answer.until(revision === '2024-11-05' ? /^HTTP\/1.1 202/ : /"text":"echo"/)
}

async function play(steps: Step[], responseMode: ResponseMode, trouble: Trouble, logs: boolean): Promise<void> {
  const stores = new Troubled()
  // Late enough to happen never: the watch for silence has to be ended by another event.
  const pollAfterMs = 600_000
  const options: HttpOptions = { responseMode, sessions: { store: stores }, eventLog: logs && stores, pollAfterMs }
  await start(options)
  try {
    const clients: RevisionClient[] = []
    for (const revision of allRevisions) clients.push(await RevisionClient.open(observed, revision))
    const played: Play = { observed, clients, connected: [], closing: [] }
    stores.trouble = trouble
    for (const each of steps) await take(each, played)
    await observed.settle()
    stores.trouble = 'none'
    await Promise.all(played.closing)
    const { sessions, sessionStreams, ...others } = observed.endpoint.open
    expect({ ...nothingOpen, ...others }).toEqual(nothingOpen)
    expect(deadlineCount()).toBe(0)
    // Idle sessions stay, and each may keep its standalone stream.
    expect(sessionStreams).toBeLessThanOrEqual(sessions)
    if (played.closing.length === 0) {
      for (const revision of allRevisions) await isServed(observed, revision)
      await observed.settle()
    }
    await observed.endpoint.close()
    expect(observed.endpoint.open).toEqual(nothingOpen)
  } finally {
    await observed.close()
  }
}

test('whatever clients of all revisions do, no place stays taken, and others are served', async () => {
  const steps = fc.array(step, { maxLength: 14 })
  const modes = fc.constantFrom<ResponseMode>('auto', 'json', 'sse')
  const troubles = fc.constantFrom<Trouble>('none', 'slow', 'rejects', 'throws')
  await fc.assert(fc.asyncProperty(steps, modes, troubles, fc.boolean(), play), { numRuns: 30 })
}, 120_000)
