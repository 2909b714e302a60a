import { expect, test } from 'vitest'
import { channelSuite, Recorder, request } from '../jsonrpc/channel.suite.ts'
import type { Request } from '../jsonrpc/message.ts'
import { memoryPair } from './memory.ts'

channelSuite('a memory pair', async () => {
  const [a, b] = memoryPair()
  return { a, b }
})

test('neither side can reach the objects of the other', async () => {
  const [a, b] = memoryPair()
  const atB = new Recorder()
  b.open(atB)
  const sent = request(1, { list: [{ name: 'before' }] })
  void a.send(sent)
  ;(sent.params!.list as { name: string }[])[0]!.name = 'after'
  await atB.atLeast(1)
  const received = atB.values[0] as Request
  expect(received.params).toEqual({ list: [{ name: 'before' }] })
  ;(received.params!.list as unknown[]).length = 0
  expect(sent.params!.list).toHaveLength(1)
})

test('delivery needs no more than a microtask', async () => {
  const [a, b] = memoryPair()
  const atB = new Recorder()
  b.open(atB)
  await Promise.resolve()
  void a.send(request(1))
  await Promise.resolve()
  expect(atB.values).toEqual([request(1)])
})

test('the depth limit can be changed', async () => {
  const [a, b] = memoryPair({ maxDepth: 2 })
  const atB = new Recorder()
  b.open(atB)
  void a.send(request(1, { fine: 1 }))
  void a.send(request(2, { deep: [] }))
  await atB.atLeast(2)
  expect(atB.arrivals).toMatchObject([{ value: { id: 1 } }, { refusal: { id: 2, code: -32600 } }])
})
