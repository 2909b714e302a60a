import { describe, expect, test } from 'vitest'
import type { MaybePromise } from '../internal/maybe-promise.ts'
import type { Channel, Receiver, Refusal } from './channel.ts'
import type { JsonObject, Notification, Request } from './message.ts'

/** The two ends of a connection under test. */
export interface Pair {
  a: Channel
  b: Channel
  /** Frees the resources of the pair besides its channels. */
  close?(): MaybePromise<void>
}

export type Arrival = { value: unknown } | { refusal: Refusal } | { closed: Error | undefined }

/** A receiver that records its calls. */
export class Recorder implements Receiver {
  readonly arrivals: Arrival[] = []
  #waiting: { count: number; resolve: () => void }[] = []

  receive(value: unknown): void {
    this.#add({ value })
  }

  refuse(refusal: Refusal): void {
    this.#add({ refusal })
  }

  closed(reason?: Error): void {
    this.#add({ closed: reason })
  }

  /** Resolves once `count` calls have arrived. */
  async atLeast(count: number): Promise<Arrival[]> {
    if (this.arrivals.length < count) await new Promise<void>((resolve) => this.#waiting.push({ count, resolve }))
    return this.arrivals
  }

  async untilClosed(): Promise<Arrival[]> {
    while (!this.closings) await this.atLeast(this.arrivals.length + 1)
    return this.arrivals
  }

  get values(): unknown[] {
    return this.arrivals.flatMap((arrival) => ('value' in arrival ? [arrival.value] : []))
  }

  get closings(): number {
    return this.arrivals.filter((arrival) => 'closed' in arrival).length
  }

  #add(arrival: Arrival): void {
    this.arrivals.push(arrival)
    for (const waiter of this.#waiting.filter(({ count }) => count <= this.arrivals.length)) waiter.resolve()
    this.#waiting = this.#waiting.filter(({ count }) => count > this.arrivals.length)
  }
}

export const request = (id: number | string, params: JsonObject = {}): Request => ({
  jsonrpc: '2.0',
  id,
  method: 'test',
  params,
})

export const notification = (params: JsonObject = {}): Notification => ({ jsonrpc: '2.0', method: 'note', params })

/** The tests that every channel passes. */
export function channelSuite(name: string, open: () => Promise<Pair>): void {
  const withPair = async (run: (pair: Pair) => Promise<void>): Promise<void> => {
    const pair = await open()
    try {
      await run(pair)
    } finally {
      await Promise.all([pair.a.close(), pair.b.close()])
      await pair.close?.()
    }
  }
  const opened = (channel: Channel): Recorder => {
    const recorder = new Recorder()
    channel.open(recorder)
    return recorder
  }

  describe(name, () => {
    test('messages arrive in order, both ways', () =>
      withPair(async ({ a, b }) => {
        const [atA, atB] = [opened(a), opened(b)]
        const messages = Array.from({ length: 2000 }, (_, i) => request(i, { text: 'x'.repeat(i % 50) }))
        for (const message of messages) {
          void a.send(message)
          void b.send(message)
        }
        await Promise.all([atA.atLeast(messages.length), atB.atLeast(messages.length)])
        expect(atA.values).toEqual(messages)
        expect(atB.values).toEqual(messages)
      }))

    test('a big message and any text survive [stdio.framing.no-embedded-newline] [stdio.framing.single-message-line]', () =>
      withPair(async ({ a, b }) => {
        const atB = opened(b)
        opened(a)
        const message = request('grüße', {
          emoji: '🦊\u2028\u0000\ud800',
          lines: 'a\r\nb\n',
          big: 'é🦊'.repeat(300_000),
        })
        await a.send(message)
        await atB.atLeast(1)
        expect(atB.values).toEqual([message])
      }))

    test('a batch arrives as one value', () =>
      withPair(async ({ a, b }) => {
        const atB = opened(b)
        void a.send([request(1), notification()])
        await atB.atLeast(1)
        expect(atB.values).toEqual([[request(1), notification()]])
      }))

    test('nothing is delivered while sending', () =>
      withPair(async ({ a, b }) => {
        const atB = opened(b)
        void a.send(request(1))
        expect(atB.arrivals).toEqual([])
        await atB.atLeast(1)
      }))

    test('what is sent before the other side opens waits for it', () =>
      withPair(async ({ a, b }) => {
        void a.send(request(1))
        void a.send(request(2))
        await new Promise((resolve) => setImmediate(resolve))
        const atB = opened(b)
        void a.send(request(3))
        await atB.atLeast(3)
        expect(atB.values).toEqual([request(1), request(2), request(3)])
      }))

    test('members that are undefined vanish, and what JSON cannot carry throws', () =>
      withPair(async ({ a, b }) => {
        const atB = opened(b)
        const cycle: JsonObject = {}
        cycle.self = cycle
        expect(() => a.send({ jsonrpc: '2.0', id: 1, result: { big: 1n } })).toThrow(TypeError)
        expect(() => a.send(request(1, cycle))).toThrow(TypeError)
        void a.send(request(2, { gone: undefined, list: [undefined, Number.NaN], when: new Date(0) }))
        await atB.atLeast(1)
        expect(atB.values).toStrictEqual([request(2, { list: [null, null], when: '1970-01-01T00:00:00.000Z' })])
      }))

    test('a message nested too deep is refused by its id, and the next one arrives', () =>
      withPair(async ({ a, b }) => {
        const atB = opened(b)
        let deep: JsonObject = {}
        for (let i = 0; i < 100; i++) deep = { deep }
        void a.send(request('deep', deep))
        void a.send(request(2))
        await atB.atLeast(2)
        expect(atB.arrivals).toMatchObject([
          { refusal: { code: -32600, id: 'deep', kind: 'request', message: expect.stringContaining('64') } },
          { value: request(2) },
        ])
      }))

    for (const closer of ['a', 'b'] as const) {
      test(`when ${closer} closes, what it sent arrives first and both are told once, last`, () =>
        withPair(async (pair) => {
          const recorders = { a: opened(pair.a), b: opened(pair.b) }
          const other = closer === 'a' ? 'b' : 'a'
          void pair[closer].send(request(1))
          void pair[closer].send(request(2))
          await pair[closer].close()
          await Promise.all([recorders.a.untilClosed(), recorders.b.untilClosed()])
          await pair[other].close()
          await new Promise((resolve) => setImmediate(resolve))
          expect(recorders[other].values).toEqual([request(1), request(2)])
          expect([recorders.a.closings, recorders.b.closings]).toEqual([1, 1])
          expect(recorders[closer].arrivals).toEqual([{ closed: undefined }])
          expect(recorders[other].arrivals.at(-1)).toHaveProperty('closed')
        }))
    }

    test('sending on a closed channel throws', () =>
      withPair(async ({ a, b }) => {
        const atB = opened(b)
        opened(a)
        await a.close()
        expect(() => a.send(request(1))).toThrow(expect.objectContaining({ name: 'McpError', code: 'closed' }))
        await atB.untilClosed()
        await b.close()
        expect(() => b.send(request(1))).toThrow(expect.objectContaining({ name: 'McpError', code: 'closed' }))
      }))

    test('every call of close is the same promise', () =>
      withPair(async ({ a }) => {
        const first = a.close()
        expect(a.close()).toBe(first)
        await first
        expect(a.close()).toBe(first)
      }))

    test('a channel that was closed before it was opened says so when opened', () =>
      withPair(async ({ a }) => {
        await a.close()
        const atA = opened(a)
        await atA.untilClosed()
        expect(atA.arrivals).toEqual([{ closed: undefined }])
      }))

    test('closing while receiving stops the receiving at once', () =>
      withPair(async ({ a, b }) => {
        const atB = new Recorder()
        b.open({
          receive: (value) => {
            atB.receive(value)
            void b.close()
          },
          refuse: () => {},
          closed: (reason) => atB.closed(reason),
        })
        for (let i = 0; i < 10; i++) void a.send(request(i))
        await atB.untilClosed()
        expect(atB.arrivals).toEqual([{ value: request(0) }, { closed: undefined }])
      }))

    test('who sends a lot is asked to wait, and let go when the other side reads', () =>
      withPair(async ({ a, b }) => {
        const { sent, room } = sendUntilFull(a)
        const atB = opened(b)
        await room
        await atB.atLeast(sent)
        expect(atB.values).toHaveLength(sent)
      }))

    test('who waits for room is let go when the channel closes', () =>
      withPair(async ({ a }) => {
        const { room } = sendUntilFull(a)
        await Promise.all([a.close(), room])
      }))
  })
}

function sendUntilFull(channel: Channel): { sent: number; room: Promise<void> } {
  for (let sent = 1; sent <= 10_000; sent++) {
    const room = channel.send(notification({ text: 'x'.repeat(10_000) }))
    if (room) return { sent, room }
  }
  throw new Error('nobody asked to wait')
}
