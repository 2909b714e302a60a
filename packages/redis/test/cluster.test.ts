/** The stores on a real cluster of Redis: the keys of one script lie together, and messages come from every node. */
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
import { Cluster } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import {
  RedisBus,
  type RedisConnection,
  RedisEventLog,
  RedisLock,
  RedisRates,
  RedisRecords,
  RedisSessionStore,
  RedisSpentStates,
  RedisTaskStore,
} from '../src/index.ts'
import { atEnd, failureOf, open } from './helpers.ts'
import { outputOfEnding } from './processes.ts'
import { startCluster } from './replicated.ts'

describe('a cluster of Redis', requires('redis'), () => {
  let cluster: Awaited<ReturnType<typeof startCluster>>
  beforeAll(async () => {
    cluster = await startCluster()
  })
  afterAll(() => cluster?.stop())

  let made = 0
  /** Two processes of a server that nobody else knows. */
  const twice = <T>(make: (connection: RedisConnection) => T): [T, T] => {
    const prefix = `p${made++}`
    return [make(open(cluster.url, { prefix })), make(open(cluster.url, { prefix }))]
  }

  const stores: { [name: string]: StoreCheck[] } = {
    sessions: sessionStoreChecks(() => twice((redis) => new RedisSessionStore(redis))[0]),
    'sessions of two processes': sharedSessionStoreChecks(() => twice((redis) => new RedisSessionStore(redis))),
    events: eventLogChecks((limits) => twice((redis) => new RedisEventLog(redis, limits))[0]),
    'events of two processes': sharedEventLogChecks((limits) => twice((redis) => new RedisEventLog(redis, limits))),
    'a bus': busChecks(() => twice((redis) => new RedisBus(redis))),
    'counters of uses': rateStoreChecks(() => twice((redis) => new RedisRates(redis))),
    'records of an issuer': recordStoreChecks(() => twice((redis) => new RedisRecords(redis))),
    locks: lockChecks(() => twice((redis) => new RedisLock(redis))),
    'used states': spentStatesChecks(() => twice((redis) => new RedisSpentStates(redis))),
    tasks: taskStoreChecks(() => twice((redis) => new RedisTaskStore(redis))[0]),
  }

  test.each(Object.entries(stores))('%s pass the checks of every store', async (_, checks) => {
    for (const { name, run } of checks) expect(await failureOf(Promise.resolve(run())), name).toBeUndefined()
  })

  test('a connection that is closed before it has found the nodes ends all the same', async () => {
    for (let round = 0; round < 20; round++) {
      const connection = open(cluster.url)
      const asked = failureOf(new RedisSpentStates(connection).spend('a', Date.now() + 1_000))
      if (round % 2 === 1) await new Promise(setImmediate)
      await connection.close()
      await asked
    }
  })

  test('an event whose message was lost between two nodes is read when they are connected again', async () => {
    const reading = open(cluster.url, { prefix: 'lossy', pingMs: 100 })
    const seen: string[] = []
    const follower = { event: ({ text }: { text: string }) => seen.push(text), end: () => seen.push('end') }
    await new RedisEventLog(reading).follow('s', 'a', 0, follower)
    await new RedisEventLog(open(cluster.url, { prefix: 'lossy' })).append('s', 'a', 'one')
    await expect.poll(() => seen).toEqual(['one'])
    const raw = new Cluster(
      [cluster.url.split(',').at(-1)!].map((place) => `redis://${place}`),
      {
        redisOptions: { password: 'geheim-7' },
      },
    )
    atEnd(() => raw.disconnect())
    // Written as a process would, but nobody is told.
    await raw.hincrby('lossy:{s}:facts:a', 'last', 1)
    await raw.xadd('lossy:{s}:events:a', '2-0', 't', 'two')
    const listeners = await Promise.all(cluster.nodes.map((node) => node.call('CLIENT', 'LIST', 'TYPE', 'pubsub')))
    const idle = cluster.nodes.findLast((_, index) => !String(listeners[index]).includes('sub=1'))!
    await cluster.restart(idle)
    await expect.poll(() => seen).toEqual(['one', 'two'])
  })

  test('a node that says nothing is given up, and the others are used meanwhile', async () => {
    const sessions = new RedisSessionStore(open(cluster.url, { timeoutMs: 500 }))
    const add = (id: string) => (): Promise<unknown> =>
      failureOf(sessions.add({ id, principal: undefined, initialize: {} }))
    // The first node has the slot of the one session, and not that of the other.
    const [silent, other] = [add('s'), add('a')]
    await expect.poll(silent).toBeUndefined()
    await expect.poll(other).toBeUndefined()
    await cluster.nodes[0]!.call('CLIENT', 'PAUSE', 600_000, 'WRITE')
    await expect.poll(silent).toMatchObject({ code: 'unavailable' })
    await expect.poll(other).toBeUndefined()
    await cluster.nodes[0]!.call('CLIENT', 'UNPAUSE')
    await expect.poll(silent).toBeUndefined()
  })

  test('keeps no process running', async () => {
    expect(await outputOfEnding(cluster.url)).toBe('done\n')
  })

  test('a wrong password is told without it', async () => {
    const wrong = await failureOf(new RedisSessionStore(open(cluster.url.replace('geheim-7', 'geheim-9'))).get('s'))
    expect(wrong).toMatchObject({ code: 'unavailable', message: expect.stringMatching(/WRONGPASS|NOAUTH/) })
    expect(String((wrong as Error).stack)).not.toContain('geheim')
  })
})
