import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type McpError, RpcError } from '../errors.ts'
import { memoryPair } from '../transport/memory.ts'
import type { Channel } from './channel.ts'
import type { IncomingRequest } from './incoming.ts'
import type { JsonObject, Notification, Payload } from './message.ts'
import { Peer } from './peer.ts'
import type { PeerDelegate, PeerOptions } from './peer-options.ts'
import { deadlineCount } from './timer-wheel.ts'

interface Recorded {
  peer: Peer
  abandoned: unknown[]
  errors: Error[]
  notified: Notification[]
  closed: McpError[]
}

function makePeer(channel: Channel, overrides: Partial<PeerDelegate> = {}, options?: PeerOptions): Recorded {
  const recorded = { abandoned: [], errors: [], notified: [], closed: [] } as unknown as Recorded
  const delegate: PeerDelegate = {
    request: ({ params }) => params ?? {},
    notification: (notification) => recorded.notified.push(notification),
    abandoned: (...what) => recorded.abandoned.push(what),
    toWireError: (thrown) => (thrown instanceof RpcError ? thrown.toWire() : { code: -32603, message: 'masked' }),
    protocolError: (error) => recorded.errors.push(error),
    closed: (reason) => recorded.closed.push(reason),
    batches: () => true,
    errorsWithoutId: () => true,
    answersForeign: () => true,
    ...overrides,
  }
  recorded.peer = new Peer(channel, delegate, options)
  recorded.peer.open()
  return recorded
}

/** A peer on one end and the bare channel, with everything that arrives on it, on the other. */
function bare(overrides: Partial<PeerDelegate> = {}, options?: PeerOptions) {
  const [near, far] = memoryPair()
  const received: unknown[] = []
  far.open({ receive: (value) => received.push(value), refuse: () => {}, closed: () => {} })
  const recorded = makePeer(near, overrides, options)
  return { ...recorded, far, received, say: (payload: unknown) => far.send(payload as Payload) }
}

function both(serve: Partial<PeerDelegate> = {}, options?: PeerOptions) {
  const [left, right] = memoryPair()
  return { asking: makePeer(left, {}, options), serving: makePeer(right, serve) }
}

const ask = ({ peer }: Recorded, method: string, params?: JsonObject, wait = {}) =>
  peer.request(peer.reserveId(), method, params, wait)

const settled = () => new Promise<void>((resolve) => setTimeout(resolve))
const request = (id: unknown, method = 'm', params?: object) => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params && { params }),
})

afterEach(() => expect(deadlineCount()).toBe(0))

describe('answers', () => {
  test('go to the request they belong to, whatever their order', async () => {
    const waiting: (() => void)[] = []
    const { asking } = both({
      request: ({ params }) => new Promise((resolve) => waiting.push(() => resolve(params!))),
    })
    const calls = [ask(asking, 'm', { n: 1 }), ask(asking, 'm', { n: 2 }), ask(asking, 'm', { n: 3 })]
    await settled()
    for (const release of waiting.reverse()) release()
    expect(await Promise.all(calls)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
  })

  test('that are errors reject with the code, the message and the data of the other side', async () => {
    const { asking } = both({
      request: () => {
        throw new RpcError(-32602, 'no', { why: 1 })
      },
    })
    await expect(ask(asking, 'm')).rejects.toMatchObject({
      code: -32602,
      message: 'no',
      data: { why: 1 },
      remote: true,
    })
  })

  test('with the id as a string are taken: some servers write "1" for 1', async () => {
    const { say, ...recorded } = bare()
    const call = ask(recorded, 'm')
    say({ jsonrpc: '2.0', id: '1', result: { ok: true } })
    expect(await call).toEqual({ ok: true })
  })

  test('to unknown requests are reported and change nothing', async () => {
    const { say, errors } = bare()
    say({ jsonrpc: '2.0', id: 99, result: {} })
    await settled()
    expect(errors[0]?.message).toContain('unknown request, id 99')
  })

  test('that are no valid response reject their request at once', async () => {
    const { say, ...recorded } = bare()
    const call = ask(recorded, 'm')
    say({ jsonrpc: '2.0', id: 1, result: 'text' })
    await expect(call).rejects.toMatchObject({ code: 'invalid_result' })
  })

  test('that were refused by the channel reject their request and are not answered', async () => {
    const { received, ...recorded } = bare()
    const call = ask(recorded, 'm')
    recorded.peer.refuse({ code: -32600, message: 'too long', id: 1, kind: 'response' })
    await expect(call).rejects.toMatchObject({ code: 'invalid_result', message: 'too long' })
    await settled()
    expect(received).toMatchObject([{ method: 'm' }])
  })

  test('that cannot be written as JSON become an internal error, not silence', async () => {
    const { say, received } = bare({ request: () => ({ big: 1n }) })
    say(request(1))
    await settled()
    expect(received).toEqual([{ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'Internal error' } }])
  })

  test('that are errors with data that JSON cannot carry are still answers', async () => {
    const { say, received } = bare({
      request: () => {
        throw new RpcError(-32602, 'no', { big: 1n })
      },
    })
    say(request(1))
    await settled()
    expect(received).toEqual([{ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'Internal error' } }])
  })
})

describe('requests of the other side', () => {
  test('with an id that is in use are refused', async () => {
    const { say, received } = bare({ request: () => new Promise(() => {}) })
    say(request('a'))
    say(request('a'))
    await settled()
    expect(received).toEqual([
      { jsonrpc: '2.0', id: 'a', error: { code: -32600, message: 'Request id "a" is already in use' } },
    ])
  })

  test('may use the id again once it was answered', async () => {
    const { say, received } = bare()
    say(request(1))
    say(request(1))
    await settled()
    expect(received).toHaveLength(2)
  })

  test('over the limit are refused', async () => {
    const { say, received } = bare({ request: () => new Promise(() => {}) }, { maxIncoming: 2 })
    for (const id of [1, 2, 3]) say(request(id))
    await settled()
    expect(received).toMatchObject([{ id: 3, error: { code: -32603, data: { limit: 2 } } }])
  })

  test('that are urgent are answered even over the limit', async () => {
    const { say, received } = bare(
      { request: ({ method }) => (method === 'slow' ? new Promise(() => {}) : { done: true }) },
      { maxIncoming: 1, urgent: new Set(['alive']) },
    )
    say(request(1, 'slow'))
    say(request(2, 'alive'))
    await settled()
    expect(received).toEqual([{ jsonrpc: '2.0', id: 2, result: { done: true } }])
  })

  test('over the limit are refused, even if those before them were cancelled and still run', async () => {
    let finish!: () => void
    const { say, received, peer } = bare(
      {
        request: ({ method }) =>
          method === 'slow' ? new Promise((resolve) => (finish = () => resolve({}))) : { done: true },
      },
      { maxIncoming: 1 },
    )
    say(request(1, 'slow'))
    await settled()
    peer.cancelIncoming(1, 'why not')
    say(request(2))
    await settled()
    finish()
    await settled()
    say(request(3))
    await settled()
    expect(received).toMatchObject([
      { id: 2, error: { data: { limit: 1 } } },
      { id: 3, result: { done: true } },
    ])
  })

  test('that are cancelled abort their handler and get no answer', async () => {
    let seen: IncomingRequest | undefined
    const { say, received, peer } = bare({
      request: (incoming) => {
        seen = incoming
        return new Promise((resolve) => incoming.signal.addEventListener('abort', () => resolve({})))
      },
    })
    say(request(1))
    await settled()
    peer.cancelIncoming(1, 'enough')
    await settled()
    expect(seen?.signal.reason).toMatchObject({ code: 'cancelled', message: 'enough' })
    expect(received).toEqual([])
  })

  test('see an aborted signal even if they first look after the cancellation', async () => {
    let seen: IncomingRequest | undefined
    const { say, peer } = bare({
      request: (incoming) => {
        seen = incoming
        return new Promise(() => {})
      },
    })
    say(request(1))
    await settled()
    peer.cancelIncoming(1, 'enough')
    expect(seen?.signal.aborted).toBe(true)
  })

  test('are aborted when the connection ends', async () => {
    let seen: IncomingRequest | undefined
    const { say, far } = bare({
      request: (incoming) => {
        seen = incoming
        return new Promise(() => {})
      },
    })
    say(request(1))
    await settled()
    await far.close()
    await settled()
    expect(seen?.signal.reason).toMatchObject({ code: 'closed' })
  })
})

describe('waiting', () => {
  test('ends after the timeout, and the other side can be told [timeout.all-requests] [rpc.codes.local-errors-distinguishable]', async () => {
    const { asking } = both({ request: () => new Promise(() => {}) })
    await expect(ask(asking, 'slow', {}, { timeoutMs: 30 })).rejects.toMatchObject({ code: 'timeout' })
    expect(asking.abandoned).toMatchObject([[1, 'slow', { code: 'timeout' }]])
  })

  test('goes on as long as there is progress', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    let finish!: (result: JsonObject) => void
    const { asking } = both({ request: () => new Promise((resolve) => (finish = resolve)) })
    const seen: JsonObject[] = []
    const call = ask(asking, 'slow', {}, { timeoutMs: 150, onProgress: (params: JsonObject) => seen.push(params) })
    for (let report = 0; report < 5; report++) {
      vi.advanceTimersByTime(100)
      asking.peer.progressed(1, { progress: report })
      // The wheel looks at the clock every 20 ms.
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
    finish({ done: 1 })
    expect(await call).toEqual({ done: 1 })
    expect(seen).toHaveLength(5)
  })

  test('never exceeds the hard maximum, whatever the progress [timeout.maximum]', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { asking } = both({ request: () => new Promise(() => {}) })
    const call = ask(asking, 'slow', {}, { timeoutMs: 100, maxTotalMs: 200 })
    // The clock moves only with a report, so that no load makes a silence of the gap between two.
    const reports = setInterval(() => {
      vi.advanceTimersByTime(20)
      asking.peer.progressed(1, {})
    }, 20)
    onTestFinished(() => clearInterval(reports))
    await expect(call).rejects.toThrow(/maximum total time/)
  })

  test('ends when the signal fires, with its reason as the cause', async () => {
    const { asking } = both({ request: () => new Promise(() => {}) })
    const stop = new AbortController()
    const call = ask(asking, 'slow', {}, { signal: stop.signal })
    stop.abort('because')
    await expect(call).rejects.toMatchObject({ code: 'cancelled', cause: 'because' })
    expect(asking.abandoned).toHaveLength(1)
  })

  test('of many requests on one signal ends together, with one listener', async () => {
    const { asking } = both({ request: () => new Promise(() => {}) })
    const stop = new AbortController()
    const added: string[] = []
    const { addEventListener } = stop.signal
    stop.signal.addEventListener = ((type: string, ...rest: [never]) => {
      added.push(type)
      addEventListener.call(stop.signal, type, ...rest)
    }) as typeof addEventListener
    const calls = Array.from({ length: 20 }, () => ask(asking, 'slow', {}, { signal: stop.signal }))
    stop.abort()
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'cancelled' })
    expect(added).toEqual(['abort'])
  })

  test('does not start when the signal fired before, and nothing is sent', async () => {
    const { received, ...recorded } = bare()
    await expect(ask(recorded, 'm', {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' })
    await settled()
    expect(received).toEqual([])
  })

  test('ends at once when the connection does', async () => {
    const { asking, serving } = both({ request: () => new Promise(() => {}) })
    const call = ask(asking, 'slow')
    await serving.peer.close()
    await expect(call).rejects.toMatchObject({ code: 'closed' })
    await expect(ask(asking, 'later')).rejects.toThrow(/later was not sent/)
    expect(asking.closed).toHaveLength(1)
  })

  test('takes turns when too many requests are in flight', async () => {
    let most = 0
    let now = 0
    const { asking } = both(
      {
        request: async ({ params }) => {
          most = Math.max(most, ++now)
          await settled()
          now--
          return params!
        },
      },
      { maxOutgoing: 3 },
    )
    const all = await Promise.all(Array.from({ length: 20 }, (_, n) => ask(asking, 'm', { n })))
    expect(all).toEqual(Array.from({ length: 20 }, (_, n) => ({ n })))
    expect(most).toBe(3)
  })

  test('a late answer to a request that was given up is ignored [cancel.sender-ignores-late-response]', async () => {
    const { say, ...recorded } = bare()
    await expect(ask(recorded, 'm', {}, { timeoutMs: 20 })).rejects.toMatchObject({ code: 'timeout' })
    say({ jsonrpc: '2.0', id: 1, result: {} })
    await settled()
    expect(recorded.errors).toEqual([])
  })
})

describe('batches', () => {
  test('are answered as a batch, without answers to notifications', async () => {
    const { say, received, notified } = bare()
    say([request(1, 'a', { n: 1 }), { jsonrpc: '2.0', method: 'note' }, request(2, 'b', { n: 2 }), 7])
    await settled()
    expect(received).toMatchObject([
      [{ id: 1, result: { n: 1 } }, { id: 2, result: { n: 2 } }, { error: { code: -32600 } }],
    ])
    expect(notified).toHaveLength(1)
  })

  test('whose answers cannot be delivered are reported', async () => {
    const [near] = memoryPair()
    const { peer, errors } = makePeer({
      open: (receiver) => near.open(receiver),
      send: () => Promise.reject(new Error('gone')),
      close: () => near.close(),
    })
    peer.receive([request(1)])
    await settled()
    expect(errors).toMatchObject([{ message: 'gone' }])
  })

  test('of notifications alone are not answered', async () => {
    const { say, received } = bare()
    say([{ jsonrpc: '2.0', method: 'note' }])
    await settled()
    expect(received).toEqual([])
  })

  test.each([
    ['where the revision has none', [request(1)], { batches: () => false }, 'not part of the protocol', [1]],
    ['that are empty', [], {}, 'an empty batch', [undefined]],
    [
      'over the limit',
      Array.from({ length: 101 }, (_, id) => request(id)),
      {},
      '101 messages, the limit is 100',
      [0, 1],
    ],
  ])('%s are refused, and whoever asked in them is told', async (_name, batch, overrides, why, ids) => {
    const { say, received } = bare(overrides)
    say(batch)
    await settled()
    expect(received).toHaveLength(Math.max(batch.length, 1))
    for (const [index, id] of ids.entries()) {
      expect(received[index]).toMatchObject({ error: { code: -32600, message: expect.stringContaining(why) } })
      expect((received[index] as { id?: number }).id).toBe(id)
    }
  })

  test('that are refused still deliver the answers in them', async () => {
    const { say, ...recorded } = bare({ batches: () => false })
    const call = ask(recorded, 'm')
    say([{ jsonrpc: '2.0', id: 1, result: { ok: 1 } }])
    expect(await call).toEqual({ ok: 1 })
  })

  test('inside a batch are nonsense', async () => {
    const { say, received } = bare()
    say([[request(1)]])
    await settled()
    expect(received).toMatchObject([[{ error: { code: -32600 } }]])
  })
})

describe('nonsense', () => {
  test('is answered with its id if it has one', async () => {
    const { say, received } = bare()
    say({ jsonrpc: '2.0', id: 5, method: 3 })
    await settled()
    expect(received).toMatchObject([{ id: 5, error: { code: -32600 } }])
  })

  test('without an id is answered only where an error may lack one', async () => {
    const { say, received, errors } = bare({ errorsWithoutId: () => false })
    say('what')
    await settled()
    expect(received).toEqual([])
    expect(errors).toHaveLength(1)
  })

  test('that is no JSON-RPC at all is not answered where programs print to the channel', async () => {
    const { say, received, errors } = bare({ answersForeign: () => false })
    say({ level: 30, id: 7, msg: 'a line of a log' })
    say(12)
    say({ jsonrpc: '2.0', id: 8, method: 1 })
    await settled()
    expect(received).toMatchObject([{ id: 8, error: { code: -32600 } }])
    expect(errors).toHaveLength(3)
  })

  test('that the channel refused is answered unless it was a notification [rpc.notification.no-reply]', async () => {
    const { peer, received } = bare()
    peer.refuse({ code: -32600, message: 'too deep', kind: 'request' })
    peer.refuse({ code: -32600, message: 'too deep', kind: 'request', id: 1 })
    peer.refuse({ code: -32700, message: 'not JSON' })
    await settled()
    expect(received).toEqual([
      { jsonrpc: '2.0', id: 1, error: { code: -32600, message: 'too deep' } },
      { jsonrpc: '2.0', error: { code: -32700, message: 'not JSON' } },
    ])
  })

  test('that was meant as a notification is not answered', async () => {
    const { say, received, errors } = bare()
    say({ jsonrpc: '2.0', method: 'note', params: [] })
    await settled()
    expect(received).toEqual([])
    expect(errors).toHaveLength(1)
  })

  test('in a notification handler does not end the conversation', async () => {
    const { say, received, errors } = bare({
      notification: () => {
        throw new Error('broken')
      },
    })
    say({ jsonrpc: '2.0', method: 'note' })
    say(request(1))
    await settled()
    expect(errors).toHaveLength(1)
    expect(received).toHaveLength(1)
  })
})

test('a channel that sends after the end of its input still answers what was asked before', async () => {
  const [near, far] = memoryPair()
  const sent: Payload[] = []
  const halfOpen: Channel = {
    sendsAfterEnd: true,
    open: (receiver) => near.open(receiver),
    send: (payload) => void sent.push(payload),
    close: () => near.close(),
  }
  const peer = makePeer(halfOpen, {
    request: () => new Promise((resolve) => setTimeout(() => resolve({ late: 1 }), 20)),
  })
  far.open({ receive: () => {}, refuse: () => {}, closed: () => {} })
  far.send(request(1) as Payload)
  await far.close()
  await expect.poll(() => peer.closed.length).toBe(1)
  expect(sent).toEqual([{ jsonrpc: '2.0', id: 1, result: { late: 1 } }])
})
