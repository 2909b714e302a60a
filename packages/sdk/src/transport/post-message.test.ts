import { expect, test } from 'vitest'
import { channelSuite, notification, Recorder, request } from '../jsonrpc/channel.suite.ts'
import { portChannel, windowChannel } from './post-message.ts'

channelSuite('a message port', async () => {
  const { port1, port2 } = new MessageChannel()
  return { a: portChannel(port1 as MessagePort), b: portChannel(port2 as MessagePort) }
})

/** A window as far as messages are concerned: messages posted to it arrive with a source and an origin. */
class FakeWindow extends EventTarget {
  readonly heard: { data: unknown; targetOrigin: string }[] = []

  postMessage(data: unknown, targetOrigin: string): void {
    this.heard.push({ data, targetOrigin })
  }

  arrive(data: unknown, source: unknown, origin: string): void {
    this.dispatchEvent(Object.assign(new Event('message'), { data, source, origin }))
  }
}

const asWindow = (window: FakeWindow): Window => window as unknown as Window

// [xapp.sec.validate-messages]
test('only the target is heard, and only with its origin', async () => {
  const [self, target, stranger] = [new FakeWindow(), new FakeWindow(), new FakeWindow()]
  const channel = windowChannel({ target: asWindow(target), origin: 'https://a.example', self: asWindow(self) })
  const recorder = new Recorder()
  channel.open(recorder)
  await Promise.resolve()
  self.arrive(request(1), stranger, 'https://a.example')
  self.arrive(request(2), target, 'https://evil.example')
  self.arrive(request(3), null, 'https://a.example')
  self.arrive(request(4), target, 'https://a.example')
  expect(recorder.values).toEqual([request(4)])
  channel.send(notification())
  expect(target.heard).toEqual([{ data: notification(), targetOrigin: 'https://a.example' }])
  await channel.close()
  self.arrive(request(5), target, 'https://a.example')
  expect(recorder.values).toEqual([request(4)])
})

test('a sandbox is told without an address, because it has none', async () => {
  const [self, target] = [new FakeWindow(), new FakeWindow()]
  const channel = windowChannel({ target: asWindow(target), origin: 'null', self: asWindow(self) })
  channel.send(notification())
  expect(target.heard[0]!.targetOrigin).toBe('*')
  await channel.close()
})

test('what JSON cannot say, too long and too deep messages are refused', async () => {
  const [self, target] = [new FakeWindow(), new FakeWindow()]
  const options = { target: asWindow(target), origin: '*', self: asWindow(self), maxMessageLength: 1_000 }
  const channel = windowChannel(options)
  const recorder = new Recorder()
  channel.open(recorder)
  await Promise.resolve()
  const cycle: { self?: unknown } = {}
  cycle.self = cycle
  let deep: unknown = {}
  for (let i = 0; i < 100_000; i++) deep = [deep]
  const nonsense = [cycle, { big: 1n }, undefined, deep]
  for (const data of nonsense) self.arrive(data, target, 'null')
  self.arrive(request('big', { text: 'x'.repeat(1_000) }), target, 'null')
  const parseError = { refusal: { code: -32700, message: 'Parse error: not a JSON value' } }
  expect(recorder.arrivals).toEqual([
    ...nonsense.map(() => parseError),
    { refusal: expect.objectContaining({ code: -32600, id: 'big', kind: 'request' }) },
  ])
  await channel.close()
})

test('who floods is cut off', async () => {
  const [self, target] = [new FakeWindow(), new FakeWindow()]
  const options = { target: asWindow(target), origin: '*', self: asWindow(self), maxMessagesPerSecond: 100 }
  const channel = windowChannel(options)
  const recorder = new Recorder()
  channel.open(recorder)
  await Promise.resolve()
  for (let i = 0; i < 10_000; i++) self.arrive(notification(), target, 'null')
  await recorder.untilClosed()
  // The clock may reach the next second while they arrive.
  expect(recorder.values.length).toBeLessThanOrEqual(200)
  expect(recorder.arrivals.at(-1)).toMatchObject({
    closed: { code: 'closed', message: expect.stringContaining('100') },
  })
  expect(() => channel.send(notification())).toThrow(expect.objectContaining({ code: 'closed' }))
})
