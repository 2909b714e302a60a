/** Every request and every batch that comes with a sink ends there exactly once: with its answer, or without one. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { McpError } from '../errors.ts'
import { isAnswer } from '../transport/is-answer.ts'
import { memoryPair } from '../transport/memory.ts'
import type { MessageSink } from './channel.ts'
import type { JsonObject, Payload } from './message.ts'
import { Peer } from './peer.ts'

interface End {
  answer?: Payload
  reason?: McpError | undefined
}

class Ends implements MessageSink {
  readonly all: End[] = []

  send(payload: Payload): void {
    JSON.stringify(payload)
    if (isAnswer(payload)) this.all.push({ answer: payload })
  }

  unanswered(reason?: McpError): void {
    this.all.push({ reason })
  }
}

/** A peer whose handlers wait for the test, except for those of `now`, `fail` and `big`. */
class Conversation {
  readonly errors: Error[] = []
  /** The token of each message. */
  readonly tokens: unknown[] = []
  readonly running: ((result: JsonObject) => void)[] = []
  readonly peer: Peer

  constructor() {
    const [near] = memoryPair()
    this.peer = new Peer(near, {
      request: ({ method, sink }) => {
        this.tokens.push(sink.auth)
        if (method === 'fail') throw new Error('on purpose')
        if (method === 'big') return { big: 1n }
        return method === 'now' ? {} : new Promise((resolve) => this.running.push(resolve))
      },
      notification: ({ params }, { auth }) => {
        this.tokens.push(auth)
        this.peer.cancelIncoming(params?.id as number, 'on purpose')
      },
      abandoned: () => {},
      toWireError: () => ({ code: -32603, message: 'masked' }),
      protocolError: (error) => this.errors.push(error),
      closed: () => {},
      batches: () => true,
      errorsWithoutId: () => false,
      answersForeign: () => true,
    })
    this.peer.open()
  }

  readonly receive = (value: unknown): Ends => {
    const ends = new Ends()
    this.peer.receive(value, ends)
    return ends
  }
}

const request = (id: number, method = 'wait'): object => ({ jsonrpc: '2.0', id, method })
const cancel = (id: number): object => ({ jsonrpc: '2.0', method: 'cancel', params: { id } })
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

describe('a sink is told that there will be no answer', () => {
  test('when the request is cancelled, at once and once', async () => {
    const { peer, running, receive } = new Conversation()
    const ends = receive(request(1))
    peer.cancelIncoming(1, 'no need')
    peer.cancelIncoming(1, 'no need')
    expect(ends.all).toMatchObject([{ reason: { code: 'cancelled', message: 'no need' } }])
    running[0]!({})
    await settled()
    expect(ends.all).toHaveLength(1)
  })

  test('when the connection ends, though a handler has just returned', async () => {
    const { peer, running, receive } = new Conversation()
    const ends = [receive(request(1)), receive(request(2)), receive([request(3), request(4, 'now')])]
    running[0]!({})
    // After the handler, and before its answer is sent.
    await Promise.resolve()
    await peer.close()
    for (const { all } of ends) expect(all).toMatchObject([{ reason: { code: 'closed' } }])
  })

  test('when it comes after the end, and its handler does not run', async () => {
    const { peer, running, receive } = new Conversation()
    await peer.close()
    expect(receive(request(1)).all).toMatchObject([{ reason: { code: 'closed' } }])
    expect(receive([request(1)]).all).toMatchObject([{ reason: { code: 'closed' } }])
    expect(running).toHaveLength(0)
  })

  test('when all of a batch is cancelled, by itself or by others', () => {
    const { receive } = new Conversation()
    const ends = receive([request(1), request(2), cancel(1)])
    expect(ends.all).toEqual([])
    receive([request(3, 'now'), cancel(2)])
    expect(ends.all).toMatchObject([{ reason: { code: 'cancelled' } }])
  })

  test('without a reason if nothing was asked', () => {
    const { receive } = new Conversation()
    for (const batch of [[cancel(1)], [{ jsonrpc: '2.0', id: 9, result: {} }], [7, cancel(1)], [7], []])
      expect(receive(batch).all).toEqual([{ reason: undefined }])
  })

  test('and the others are, if it throws', async () => {
    const { peer, errors, receive } = new Conversation()
    const broken: MessageSink = {
      send: () => {},
      unanswered() {
        throw new Error('broken')
      },
    }
    peer.receive(request(1), broken)
    const ends = receive(request(2))
    await peer.close()
    expect(ends.all).toHaveLength(1)
    expect(errors).toMatchObject([{ message: 'broken' }])
  })
})

describe('a batch', () => {
  test('is answered in its order, without those that were cancelled, and without waiting for their handlers', async () => {
    const { running, receive } = new Conversation()
    const ends = receive([request(1), request(2), request(3, 'fail'), { jsonrpc: '2.0', id: 4 }, 7, cancel(1)])
    running[1]!({ n: 2 })
    await settled()
    expect(ends.all).toMatchObject([
      {
        answer: [
          { id: 2, result: { n: 2 } },
          { id: 3, error: {} },
          { id: 4, error: {} },
        ],
      },
    ])
  })

  test('hands the token that it came with to each of its requests and notifications', () => {
    const auth = { principal: 'ada' }
    const { peer, tokens } = new Conversation()
    peer.receive([request(1), request(2, 'now'), cancel(1)], Object.assign(new Ends(), { auth }))
    expect(tokens).toEqual([auth, auth, auth])
  })

  test('with an answer that cannot be written is answered once, with an error in its place', () => {
    const { errors, receive } = new Conversation()
    const ends = receive([request(1, 'now'), request(2, 'big')])
    expect(ends.all).toMatchObject([
      {
        answer: [
          { id: 1, result: {} },
          { id: 2, error: { code: -32603 } },
        ],
      },
    ])
    expect(errors).toHaveLength(1)
  })
})

const ids = fc.integer({ min: 1, max: 5 })
const message = fc.oneof(
  fc.tuple(ids, fc.constantFrom('wait', 'wait', 'now', 'fail', 'big')).map(([id, method]) => request(id, method)),
  ids.map(cancel),
  fc.constantFrom<unknown>(7, null, [], { jsonrpc: '2.0', id: 1 }, { jsonrpc: '2.0', id: 1, result: {} }),
)
const step = fc.oneof(
  fc.record({
    receive: fc.oneof(
      ids.map((id) => request(id)),
      fc.array(message, { maxLength: 5 }),
    ),
  }),
  fc.record({ cancel: ids }),
  fc.record({ finish: fc.nat() }),
  fc.constant('turn' as const),
  fc.constant('close' as const),
)

test('whatever happens in whatever order, every sink ends once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const { peer, running, receive } = new Conversation()
      const ends: Ends[] = []
      for (const each of steps) {
        if (each === 'turn') await Promise.resolve()
        else if (each === 'close') await peer.close()
        else if ('receive' in each) ends.push(receive(each.receive))
        else if ('cancel' in each) receive(cancel(each.cancel))
        else running.splice(each.finish % (running.length + 1), 1)[0]?.({})
      }
      for (const finish of running.splice(0)) finish({})
      await settled()
      expect(ends.map(({ all }) => all.length)).toEqual(ends.map(() => 1))
      expect(peer.inFlight.incoming).toBe(0)
    }),
    { numRuns: 300 },
  )
})
