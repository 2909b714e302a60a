import type { EventLog, EventLogLimits, SharedEventLog, StreamFollower } from '../../http-server/stores/stores.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import { checks, comesTo, type StoreCheck, same } from './check.ts'

const texts = async (log: EventLog, stream: string, after: number, session = 's'): Promise<string[] | undefined> =>
  (await log.after(session, stream, after))?.map(({ text }) => text)

const appendAll = async (log: EventLog, ...all: string[]): Promise<void> => {
  for (const text of all) await log.append('s', 'a', text)
}

/** The rules of an event log. `make` opens one that is empty. */
export const eventLogChecks = (make: (limits?: EventLogLimits) => MaybePromise<EventLog>): StoreCheck[] =>
  checks({
    'events are numbered from 1, per stream': async () => {
      const log = await make()
      same(await log.append('s', 'a', 'one'), 1)
      same(await log.append('s', 'a', 'two'), 2)
      same(await log.append('s', 'b', 'other'), 1)
      same(await log.append('t', 'a', 'other'), 1)
    },
    'the events after a number are found, of their stream and session only': async () => {
      const log = await make()
      await appendAll(log, 'one', 'two', 'three')
      await log.append('s', 'b', 'other')
      await log.append('t', 'a', 'foreign')
      const rest = [
        { number: 2, text: 'two' },
        { number: 3, text: 'three' },
      ]
      same(await log.after('s', 'a', 1), rest)
      same(await texts(log, 'a', 0), ['one', 'two', 'three'])
      same(await texts(log, 'a', 3), [])
    },
    'an event that was never there is not found': async () => {
      const log = await make()
      await log.append('s', 'a', 'one')
      same(await log.after('s', 'b', 0), undefined)
      same(await log.after('t', 'a', 0), undefined)
      same(await log.after('s', 'a', 2), undefined)
    },
    'old events make room, and a gap is not hidden': async () => {
      const log = await make({ maxEvents: 2 })
      await appendAll(log, 'one', 'two', 'three')
      same(await texts(log, 'a', 1), ['two', 'three'])
      same(await texts(log, 'a', 0), undefined)
    },
    'large events make room too': async () => {
      const log = await make({ maxBytes: 10 })
      await appendAll(log, '123456', '1234567')
      same(await texts(log, 'a', 1), ['1234567'])
      same(await texts(log, 'a', 0), undefined)
      await log.append('s', 'a', 'larger than everything')
      same(await texts(log, 'a', 2), undefined)
      same(await texts(log, 'a', 3), [])
    },
    'a session is forgotten with all its streams': async () => {
      const log = await make()
      await log.append('s', 'a', 'one')
      await log.append('s', 'b', 'one')
      await log.append('t', 'a', 'kept')
      await log.forget('s')
      same(await log.after('s', 'a', 0), undefined)
      same(await log.after('s', 'b', 0), undefined)
      same(await texts(log, 'a', 0, 't'), ['kept'])
    },
    'texts come back as they were': async () => {
      const log = await make()
      const text = '{"a":"é\u2028\\n𝄞\\u0000"}'
      await log.append('s', 'a', text)
      same(await texts(log, 'a', 0), [text])
    },
  })

type SeenEvents = StreamFollower & { readonly seen: (string | number)[] }

function follower(): SeenEvents {
  const seen: (string | number)[] = []
  return { seen, event: ({ number, text }) => seen.push(number, text), end: () => seen.push('end') }
}

/** The rules of a log that several processes use: the two logs that `make` returns are one. */
export const sharedEventLogChecks = (
  make: (limits?: EventLogLimits) => MaybePromise<[SharedEventLog, SharedEventLog]>,
): StoreCheck[] =>
  checks({
    'a stream is followed from an event to its end, as another process writes it': async () => {
      const [one, two] = await make()
      await appendAll(one, 'one', 'two')
      const reader = follower()
      same(typeof (await two.follow('s', 'a', 1, reader)), 'function')
      await one.append('s', 'a', 'three')
      await one.append('s', 'b', 'other')
      await one.end('s', 'a')
      await comesTo(() => reader.seen, [2, 'two', 3, 'three', 'end'])
    },
    'a stream that has ended is followed to its end': async () => {
      const [one, two] = await make()
      await one.append('s', 'a', 'one', 'last')
      const reader = follower()
      await two.follow('s', 'a', 0, reader)
      await comesTo(() => reader.seen, [1, 'one', 'end'])
    },
    'a stream that has no events yet can be followed, and two processes can write it': async () => {
      const [one, two] = await make()
      const reader = follower()
      await two.follow('s', 'a', 0, reader)
      await Promise.all(Array.from({ length: 20 }, (_, index) => [one, two][index % 2]!.append('s', 'a', 'x')))
      const all = Array.from({ length: 20 }, (_, index) => [index + 1, 'x']).flat()
      await comesTo(() => reader.seen, all)
      same(await one.last('s', 'a'), 20)
      same(await one.last('s', 'b'), 0)
    },
    'a gap is not hidden from a follower': async () => {
      const [one, two] = await make({ maxEvents: 2 })
      await appendAll(one, 'one', 'two', 'three')
      same(await two.follow('s', 'a', 0, follower()), undefined)
      same(await two.follow('s', 'a', 9, follower()), undefined)
    },
    'a follower that stopped hears nothing': async () => {
      const [one, two] = await make()
      const [reader, other] = [follower(), follower()]
      const stop = await two.follow('s', 'a', 0, reader)
      await two.follow('s', 'a', 0, other)
      stop?.()
      await one.append('s', 'a', 'one')
      await comesTo(() => other.seen, [1, 'one'])
      same(reader.seen, [])
    },
  })
