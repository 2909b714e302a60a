/** The stores on a real Redis pass the checks that every store passes. */
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics'
import { instrument } from '@tenon/sdk/otel'
import type { TaskRecord } from '@tenon/sdk/server'
import {
  busChecks,
  eventLogChecks,
  lockChecks,
  rateStoreChecks,
  recordStoreChecks,
  type StoreCheck,
  sessionStoreChecks,
  sharedEventLogChecks,
  sharedSessionStoreChecks,
  spentStatesChecks,
  taskStoreChecks,
} from '@tenon/sdk/testing/stores'
import { describe, expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import {
  RedisBus,
  RedisConnection,
  RedisCounters,
  RedisEventLog,
  RedisLock,
  RedisRates,
  RedisRecords,
  RedisReplays,
  RedisSessionStore,
  RedisSpentStates,
  RedisTaskStore,
} from '../src/index.ts'
import { atEnd, failureOf, open, redisForTests } from './helpers.ts'

class ManualReader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

const hostileIds = [
  '__proto__',
  'constructor',
  '*',
  'a:b',
  'a}b{c',
  'a\r\nDEL *\n',
  '',
  '~',
  '\ud800',
  'x'.repeat(9_000),
]

describe('Redis', requires('redis'), () => {
  const held = redisForTests()
  const connect = () => open(held.redis.url)

  /** Two processes. */
  const twice = <T>(make: (connection: RedisConnection) => T): [T, T] => [make(connect()), make(connect())]

  const stores: { [name: string]: StoreCheck[] } = {
    sessions: sessionStoreChecks(() => new RedisSessionStore(connect())),
    'sessions of two processes': sharedSessionStoreChecks(() => twice((redis) => new RedisSessionStore(redis))),
    events: eventLogChecks((limits) => new RedisEventLog(connect(), limits)),
    'events of two processes': sharedEventLogChecks((limits) => twice((redis) => new RedisEventLog(redis, limits))),
    'a bus': busChecks(() => twice((redis) => new RedisBus(redis))),
    'counters of uses': rateStoreChecks(() => twice((redis) => new RedisRates(redis))),
    'records of an issuer': recordStoreChecks(() => twice((redis) => new RedisRecords(redis))),
    locks: lockChecks(() => twice((redis) => new RedisLock(redis))),
    'used states': spentStatesChecks(() => twice((redis) => new RedisSpentStates(redis))),
    tasks: taskStoreChecks(() => new RedisTaskStore(connect())),
  }

  describe.each(Object.entries(stores))('%s', (_, checks) => {
    for (const { name, run } of checks) test(name, run)
  })

  test('a state whose time is over is still known to be used, on clocks that differ', async () => {
    const [one, two] = twice((redis) => new RedisSpentStates(redis))
    expect(await one.spend('late', Date.now() - 1)).toBe(true)
    expect(await two.spend('late', Date.now() - 1)).toBe(false)
  })

  test('two processes take from the same buckets: all or nothing, and work that was done may empty them', async () => {
    const [one, two] = twice((redis) => new RedisCounters(redis))
    const limits = [
      { max: 4, perMs: 86_400_000 },
      { max: 100, perMs: 60_000 },
    ]
    const takes = Array.from({ length: 12 }, (_, index) => [one, two][index % 2]!.take('a', 1, limits))
    expect((await Promise.all(takes)).filter(({ allowed }) => allowed)).toHaveLength(4)
    const { retryAfterMs } = await one.take('a', 1, limits)
    expect(retryAfterMs).toBeGreaterThan(21_000_000)
    expect(retryAfterMs).toBeLessThanOrEqual(21_600_000)
    await two.charge('a', 4, limits)
    expect((await one.take('a', 1, limits)).retryAfterMs).toBeGreaterThan(100_000_000)
    expect(await two.take('__proto__', 1, limits)).toEqual({ allowed: true, retryAfterMs: 0 })
    expect(await held.raw.pttl('tenon:{a}:counters')).toBeGreaterThan(100_000_000)
  })

  test('two servers of one process share a connection, and nothing else', async () => {
    const connection = connect()
    const [red, blue] = ['red', 'blue'].map((prefix) => new RedisConnection(connection, { prefix }))
    await new RedisSessionStore(red!).add({ id: 'a', principal: 'ada', initialize: {} })
    expect(await new RedisSessionStore(red!).get('a')).toMatchObject({ principal: 'ada' })
    expect(await new RedisSessionStore(blue!).get('a')).toBeUndefined()
    expect(await held.raw.keys('*')).toEqual(['tenon:red:{a}:session'])
    await red!.close()
    expect(await blue!.ready()).toBe(true)
  })

  test('a proof is good for one of two processes, and operations are counted', async () => {
    const [one, two] = [connect(), connect()]
    const until = Date.now() + 60_000
    const taken = [await new RedisReplays(one).add('a', until), await new RedisReplays(two).add('a', until)]
    expect(taken).toEqual([true, false])
    expect(await new RedisSpentStates(one).spend('a', until)).toBe(true)
    expect(await one.ready()).toBe(true)
    expect(one.figures).toEqual({ SET: { count: 3, failed: 0, totalMs: expect.any(Number) } })
  })

  test('operations are metrics of OpenTelemetry, those that fail too, and hold no secret', async () => {
    const reader = new ManualReader()
    const stop = instrument({ meter: new MeterProvider({ readers: [reader] }).getMeter('test') })
    atEnd(stop)
    await new RedisSessionStore(connect()).use('a', 0)
    await failureOf(new RedisBus(open('redis://:geheim@127.0.0.1:1')).publish('topic', 'geheim'))
    const { resourceMetrics } = await reader.collect()
    const found = resourceMetrics.scopeMetrics.flatMap(({ metrics }) => metrics)
    const operations = found.find(({ descriptor }) => descriptor.name === 'db.client.operation.duration')!
    expect(operations.dataPoints.map(({ attributes }) => attributes)).toEqual([
      { 'db.system.name': 'redis', 'db.operation.name': 'UseSession', 'server.address': held.redis.socket },
      {
        'db.system.name': 'redis',
        'db.operation.name': 'Append',
        'server.address': '127.0.0.1',
        'server.port': 1,
        'error.type': 'unavailable',
      },
    ])
    expect(JSON.stringify(operations)).not.toContain('geheim')
  })

  test('whatever ids look like, they are different', async () => {
    const redis = connect()
    const [sessions, log, spent] = [new RedisSessionStore(redis), new RedisEventLog(redis), new RedisSpentStates(redis)]
    for (const id of hostileIds) {
      await sessions.add({ id, principal: id, initialize: {} })
      await sessions.change(id, { subscribe: id })
      expect(await log.append(id, id, id)).toBe(1)
      expect(await spent.spend(id, Date.now() + 60_000)).toBe(true)
    }
    for (const id of hostileIds) {
      expect(await sessions.get(id)).toMatchObject({ id, principal: id })
      expect(await log.after(id, id, 0)).toHaveLength(1)
      await log.forget(id)
      expect(await log.after(id, id, 0)).toBeUndefined()
    }
  })

  test('every key has the prefix and a TTL, and the keys of a session lie together', async () => {
    const redis = open(held.redis.url, { prefix: 'my.app' })
    const log = new RedisEventLog(redis)
    const sessions = new RedisSessionStore(redis, { idleMs: 5_000 })
    await sessions.add({ id: 's', principal: undefined, initialize: {} })
    await sessions.use('s', 0)
    await sessions.change('s', { logLevel: 'debug' })
    await log.append('s', 'a', 'one')
    await log.append('s', 'b', 'one', 'last')
    await log.end('s', 'c')
    await new RedisBus(redis).publish('topic', 'message')
    await new RedisSpentStates(redis).spend('a', Date.now() + 5_000)
    await new RedisRates(redis).take('a', { perMinute: 1 })
    const isHeld = await new RedisLock(redis).hold('a', () => held.raw.pttl('my.app:{a}:lock'))
    expect(isHeld).toBeGreaterThan(0)
    await new RedisRecords(redis).set('code', 'a', '{}', Date.now() + 5_000)
    await redis.ready()
    const keys = await held.raw.keys('*')
    expect(keys.filter((key) => !key.startsWith('my.app:{'))).toEqual([])
    expect(keys.filter((key) => key.startsWith('my.app:{s}:'))).toHaveLength(7)
    for (const key of keys) expect(await held.raw.pttl(key), key).toBeGreaterThan(0)
    expect(await held.raw.pttl('my.app:{s}:session')).toBeLessThanOrEqual(5_000)
    await log.forget('s')
    expect((await held.raw.keys('my.app:{s}:*')).sort()).toEqual(['my.app:{s}:facts:c', 'my.app:{s}:session'])
  })

  test('a number is not used again when the events of a stream are too old', async () => {
    const log = new RedisEventLog(connect(), { ttlMs: 60_000 })
    await log.append('s', 'a', 'one')
    await held.raw.del('tenon:{s}:events:a')
    expect(await log.after('s', 'a', 0)).toBeUndefined()
    expect(await log.append('s', 'a', 'two')).toBe(2)
    expect(await log.after('s', 'a', 0)).toBeUndefined()
    expect(await log.after('s', 'a', 1)).toEqual([{ number: 2, text: 'two' }])
  })

  test('records of a newer version of the program are unknown and left alone, those of an older one are read', async () => {
    const redis = connect()
    const [sessions, tasks] = [new RedisSessionStore(redis), new RedisTaskStore(redis)]
    const task = { id: 'a', owner: 'ada', version: 1, status: 'working', createdAt: Date.now(), ttlMs: 60_000 }
    const next = { ...task, version: 2, status: 'completed' } as unknown as TaskRecord
    await sessions.add({ id: 's', principal: 'ada', initialize: {} })
    await tasks.create(task as unknown as TaskRecord)
    const keys = ['tenon:{s}:session', ...(await held.raw.keys('tenon:{tasks}:task:*'))]
    // Members that came later are missing in records of older programs.
    await held.raw.hdel(keys[0]!, 'heard', 'changes')
    expect(await sessions.get('s')).toMatchObject({ principal: 'ada' })
    expect(await sessions.use('s', 9)).toMatchObject({ heard: 0, changes: 0 })
    expect(await tasks.get('ada', 'a')).toEqual(task)

    for (const key of keys) await held.raw.hset(key, 'format', '2')
    const before = await Promise.all(keys.map((key) => held.raw.hgetall(key)))
    expect([await sessions.get('s'), await sessions.use('s', 0)]).toEqual([undefined, 'ended'])
    expect(await sessions.change('s', { logLevel: 'debug' })).toBeUndefined()
    expect([await tasks.get('ada', 'a'), await tasks.list(), await tasks.working()]).toEqual([undefined, [], []])
    expect(await tasks.replace(next)).toBe(false)
    expect(await failureOf(tasks.create(next))).toMatchObject({ code: 'invalid_argument' })
    await tasks.delete('ada', 'a')
    expect(await Promise.all(keys.map((key) => held.raw.hgetall(key)))).toEqual(before)
  })

  test('a session costs at most 2 KiB, and its use one command', async () => {
    const sessions = new RedisSessionStore(connect())
    const initialize = {
      protocolVersion: '2025-11-25',
      capabilities: { roots: {} },
      clientInfo: { name: 'a', version: '1' },
    }
    await sessions.add({ id: 'f'.repeat(32), principal: 'ada', initialize })
    expect(await held.raw.memory('USAGE', `tenon:{${'f'.repeat(32)}}:session`)).toBeLessThan(2_048)
    await sessions.use('f'.repeat(32), 0)
    await held.raw.config('RESETSTAT')
    await sessions.use('f'.repeat(32), 0)
    const stats = await held.raw.info('commandstats')
    expect(stats).toMatch(/cmdstat_evalsha:calls=1,/)
    expect(stats).not.toMatch(/cmdstat_eval:/)
  })
})
