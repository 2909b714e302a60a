import { describe, expect, test } from 'vitest'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { Bus, EventLog, EventLogLimits, SessionStore } from './stores.ts'

/** The rules of a session store. */
export function sessionStoreSuite(name: string, make: () => MaybePromise<SessionStore>): void {
  describe(`session store: ${name}`, () => {
    const record = { id: 'a', principal: 'ada', initialize: { protocolVersion: '2025-11-25', capabilities: {} } }

    test('what was added is found, as it was', async () => {
      const store = await make()
      await store.add(record)
      expect(await store.get('a')).toEqual(record)
      expect(await store.get('b')).toBeUndefined()
    })

    test('a session without a principal is not one with an empty principal', async () => {
      const store = await make()
      await store.add({ ...record, principal: undefined })
      await store.add({ ...record, id: 'b', principal: '' })
      expect((await store.get('a'))!.principal).toBeUndefined()
      expect((await store.get('b'))!.principal).toBe('')
    })

    test('what was removed is gone, and can be removed once', async () => {
      const store = await make()
      await store.add(record)
      expect(await store.remove('a')).toBe(true)
      expect(await store.remove('a')).toBe(false)
      expect(await store.get('a')).toBeUndefined()
    })

    test('ids are ids, whatever they look like', async () => {
      const store = await make()
      for (const id of ['__proto__', 'constructor', '*', 'a:b', 'a b']) {
        expect(await store.get(id)).toBeUndefined()
        await store.add({ ...record, id })
        expect(await store.get(id)).toMatchObject({ id })
      }
    })
  })
}

/** The rules of an event log. */
export function eventLogSuite(name: string, make: (limits?: EventLogLimits) => MaybePromise<EventLog>): void {
  const texts = async (log: EventLog, stream: string, after: number, session = 's'): Promise<string[] | undefined> =>
    (await log.after(session, stream, after))?.map(({ text }) => text)

  describe(`event log: ${name}`, () => {
    test('events are numbered from 1, per stream', async () => {
      const log = await make()
      expect(await log.append('s', 'a', 'one')).toBe(1)
      expect(await log.append('s', 'a', 'two')).toBe(2)
      expect(await log.append('s', 'b', 'other')).toBe(1)
      expect(await log.append('t', 'a', 'other')).toBe(1)
    })

    test('what follows an event is found, of its stream and session only', async () => {
      const log = await make()
      for (const text of ['one', 'two', 'three']) await log.append('s', 'a', text)
      await log.append('s', 'b', 'other')
      await log.append('t', 'a', 'foreign')
      expect(await log.after('s', 'a', 1)).toEqual([
        { number: 2, text: 'two' },
        { number: 3, text: 'three' },
      ])
      expect(await texts(log, 'a', 0)).toEqual(['one', 'two', 'three'])
      expect(await texts(log, 'a', 3)).toEqual([])
    })

    test('what was never there is not found', async () => {
      const log = await make()
      await log.append('s', 'a', 'one')
      expect(await log.after('s', 'b', 0)).toBeUndefined()
      expect(await log.after('t', 'a', 0)).toBeUndefined()
      expect(await log.after('s', 'a', 2)).toBeUndefined()
    })

    test('old events make room, and a gap is not hidden', async () => {
      const log = await make({ maxEvents: 2 })
      for (const text of ['one', 'two', 'three']) await log.append('s', 'a', text)
      expect(await texts(log, 'a', 1)).toEqual(['two', 'three'])
      expect(await texts(log, 'a', 0)).toBeUndefined()
    })

    test('large events make room too', async () => {
      const log = await make({ maxBytes: 10 })
      await log.append('s', 'a', '123456')
      await log.append('s', 'a', '1234567')
      expect(await texts(log, 'a', 1)).toEqual(['1234567'])
      expect(await texts(log, 'a', 0)).toBeUndefined()
      await log.append('s', 'a', 'larger than everything')
      expect(await texts(log, 'a', 2)).toBeUndefined()
      expect(await texts(log, 'a', 3)).toEqual([])
    })

    test('a session is forgotten with all its streams', async () => {
      const log = await make()
      await log.append('s', 'a', 'one')
      await log.append('s', 'b', 'one')
      await log.append('t', 'a', 'kept')
      await log.forget('s')
      expect(await log.after('s', 'a', 0)).toBeUndefined()
      expect(await log.after('s', 'b', 0)).toBeUndefined()
      expect(await texts(log, 'a', 0, 't')).toEqual(['kept'])
    })

    test('texts come back as they were', async () => {
      const log = await make()
      const text = '{"a":"é\u2028\\n𝄞\\u0000"}'
      await log.append('s', 'a', text)
      expect(await texts(log, 'a', 0)).toEqual([text])
    })
  })
}

/** The rules of a bus. */
export function busSuite(name: string, make: () => MaybePromise<Bus>): void {
  describe(`bus: ${name}`, () => {
    test('a message reaches everybody who listens to its topic, in order', async () => {
      const bus = await make()
      const heard: string[] = []
      await bus.subscribe('a', (message) => heard.push(`1 ${message}`))
      await bus.subscribe('a', (message) => heard.push(`2 ${message}`))
      await bus.subscribe('b', (message) => heard.push(`wrong ${message}`))
      await bus.publish('a', 'x')
      await bus.publish('a', 'y')
      await expect.poll(() => heard.toSorted()).toEqual(['1 x', '1 y', '2 x', '2 y'])
      expect(heard.filter((line) => line.startsWith('1'))).toEqual(['1 x', '1 y'])
    })

    test('who stopped hears nothing, and the others still do', async () => {
      const bus = await make()
      const heard: string[] = []
      const listener = (message: string): void => void heard.push(message)
      const stop = await bus.subscribe('a', listener)
      await bus.subscribe('a', listener)
      stop()
      stop()
      await bus.publish('a', 'x')
      await expect.poll(() => heard).toEqual(['x'])
    })

    test('nobody has to listen', async () => {
      const bus = await make()
      await bus.publish('nobody', 'x')
    })
  })
}
