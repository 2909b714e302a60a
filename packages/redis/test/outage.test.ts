/** A Redis that is away, restarted, silent or cut off. */

import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect as connectSocket, createServer as listen, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '@tenon/sdk/client'
import type { LoggedEvent } from '@tenon/sdk/http'
import { createServer, isMcpError, type Server, type TaskRecord, tool } from '@tenon/sdk/server'
import { Redis } from 'ioredis'
import { describe, expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import { freePort, startRedis } from '../../../scripts/test-redis.ts'
import {
  RedisBus,
  RedisConnection,
  RedisEventLog,
  RedisSessionStore,
  RedisSpentStates,
  RedisTaskStore,
  redis,
  runTasks,
} from '../src/index.ts'
import { newCertificate } from './certificate.ts'
import { atEnd, cutConnections, failureOf, open, redisForTests } from './helpers.ts'
import { outputOfEnding } from './processes.ts'

/** Everything that a follower of a stream gets. */
function follower() {
  const seen: (string | number)[] = []
  return { seen, event: ({ text }: LoggedEvent) => seen.push(text), end: () => seen.push('end') }
}

describe('a Redis that fails', requires('redis'), () => {
  const held = redisForTests()

  test('connections that were cut are made again: no event is missed or seen twice, no message lost', async () => {
    const [one, two] = [open(held.redis.url), open(held.redis.url)]
    const [log, reading] = [new RedisEventLog(one), new RedisEventLog(two)]
    const reader = follower()
    await reading.follow('s', 'a', 0, reader)
    const heard: string[] = []
    await new RedisBus(two).subscribe('topic', (message) => heard.push(message))
    const [bus, expected] = [new RedisBus(one), [] as string[]]
    for (let round = 0; round < 5; round++) {
      await cutConnections(held)
      const text = `event ${round}`
      await expect
        .poll(() =>
          log.append('s', 'a', text).then(
            () => 'sent',
            () => 'failed',
          ),
        )
        .toBe('sent')
      await expect
        .poll(() =>
          bus.publish('topic', text).then(
            () => 'sent',
            () => 'failed',
          ),
        )
        .toBe('sent')
      expected.push(text)
    }
    await expect.poll(() => reader.seen).toEqual(expected)
    await expect.poll(() => heard).toEqual(expected)
  })

  test('a follower that missed forgotten events is not told of a stream without them', async () => {
    const [one, two] = [open(held.redis.url), open(held.redis.url)]
    const [log, reading] = [new RedisEventLog(one, { maxEvents: 2 }), new RedisEventLog(two)]
    const reader = follower()
    await log.append('s', 'a', 'one')
    await reading.follow('s', 'a', 0, reader)
    // No message says so: the next one shows that some are missing.
    await held.raw.hset('tenon:{s}:facts:a', 'last', 5)
    await log.append('s', 'a', 'seven')
    await expect.poll(() => reader.seen).toEqual(['one', 'end'])
    expect(await reading.follow('s', 'a', 1, reader)).toBeUndefined()
  })

  test('messages arrive after the numbers of a topic began anew', async () => {
    const bus = new RedisBus(open(held.redis.url))
    const heard: string[] = []
    await bus.subscribe('topic', (message) => heard.push(message))
    for (const text of ['one', 'two', 'three']) await bus.publish('topic', text)
    await expect.poll(() => heard).toHaveLength(3)
    await held.raw.flushall()
    await bus.publish('topic', 'four')
    await expect.poll(() => heard).toEqual(['one', 'two', 'three', 'four'])
  })

  test('restarted, it is used again, and subscriptions with it', async () => {
    const own = await startRedis()
    atEnd(() => own.stop())
    const redis = open(own.url)
    const bus = new RedisBus(redis)
    const heard: string[] = []
    await bus.subscribe('topic', (message) => heard.push(message))
    await bus.publish('topic', 'before')
    await expect.poll(() => heard).toEqual(['before'])
    await own.kill()
    await expect.poll(() => failureOf(bus.publish('topic', 'lost'))).toMatchObject({ code: 'unavailable' })
    // Whoever believed to listen now would miss everything until then.
    expect(await failureOf(bus.subscribe('late', () => {}))).toMatchObject({ code: 'unavailable' })
    await own.restart()
    await expect
      .poll(() =>
        bus.publish('topic', 'after').then(
          () => 'sent',
          () => 'failed',
        ),
      )
      .toBe('sent')
    await expect.poll(() => heard.at(-1)).toBe('after')
  })

  test('without it every operation fails at once, with one kind of error that says why', async () => {
    const port = await freePort()
    const redis = open(`redis://:geheim-9@127.0.0.1:${port}`)
    const [sessions, log] = [new RedisSessionStore(redis), new RedisEventLog(redis)]
    const attempts = [
      sessions.use('s', 0),
      sessions.get('s'),
      log.append('s', 'a', 'text'),
      log.follow('s', 'a', 0, follower()),
      new RedisBus(redis).publish('a', 'b'),
      new RedisSpentStates(redis).spend('a', Date.now() + 1_000),
    ]
    for (const error of await Promise.all(attempts.map(failureOf))) {
      expect(error).toMatchObject({
        code: 'unavailable',
        message: expect.stringMatching(/^Redis at redis:\/\/127.*ECONNREFUSED/),
      })
      expect(isMcpError(error)).toBe(true)
      expect(JSON.stringify([error, String((error as Error).stack), (error as Error).cause])).not.toContain('geheim')
    }
  })

  test('one that accepts connections and says nothing is given up', async () => {
    const sockets: Socket[] = []
    const silent = listen((socket) => sockets.push(socket)).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    atEnd(() => {
      for (const socket of sockets) socket.destroy()
      silent.close()
    })
    const { port } = silent.address() as { port: number }
    const sessions = new RedisSessionStore(open(`redis://127.0.0.1:${port}`, { timeoutMs: 50 }))
    expect(await failureOf(sessions.get('s'))).toMatchObject({ code: 'unavailable' })
    expect(await failureOf(sessions.get('s'))).toMatchObject({ code: 'unavailable' })
  })

  test('a connection that became silent is made anew', async () => {
    const { port, pause } = await pausable(held.redis.socket)
    const sessions = new RedisSessionStore(open(`redis://127.0.0.1:${port}`, { timeoutMs: 200 }))
    await expect
      .poll(() =>
        sessions.get('s').then(
          () => 'answered',
          () => 'failed',
        ),
      )
      .toBe('answered')
    pause()
    expect(await failureOf(sessions.get('s'))).toMatchObject({
      message: expect.stringContaining('no answer within 200 ms'),
    })
    await expect
      .poll(() =>
        sessions.get('s').then(
          () => 'answered',
          () => 'failed',
        ),
      )
      .toBe('answered')
  })

  test('half-open connections of followers and of workers are made anew: nothing is missed, and tasks run', async () => {
    const { port, pause } = await pausable(held.redis.socket)
    const options = { timeoutMs: 500, pingMs: 100 }
    const shared = redis(`redis://127.0.0.1:${port}`, options)
    const tools = [tool({ name: 'bake', task: { pollIntervalMs: 20 }, run: () => 'baked' })]
    const server = (): Server => createServer({ name: 'bakery', version: '1', onError: () => {}, tools })
    const workers = await runTasks(server(), { connection: shared })
    const near = redis(held.redis.url, { timeoutMs: 30_000, tasks: { work: false } })
    const front = createServer({ name: 'b', version: '1', tools, tasks: near.tasks, bus: near.sessions.bus })
    const client = await connect(front)
    atEnd(async () => {
      await client.close()
      await workers.close(0)
      await Promise.all([shared.close(), near.close()])
    })
    const reader = follower()
    await expect.poll(() => failureOf(shared.eventLog.follow('s', 'a', 0, reader))).toBeUndefined()
    expect((await client.callTool('bake', {}, { task: true })).text).toBe('baked')
    pause()
    await near.eventLog.append('s', 'a', 'one')
    expect((await client.callTool('bake', {}, { task: true })).text).toBe('baked')
    await expect.poll(() => [...new Set(reader.seen)]).toEqual(['one'])
  })

  test('commands that wait are bounded', async () => {
    const sessions = new RedisSessionStore(open(held.redis.url, { maxInFlight: 3 }))
    await sessions.get('s')
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => sessions.get('s')))
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(2)
    expect(await sessions.get('s')).toBeUndefined()
  })

  test('a wrong password, or a database that does not exist, is told without the password', async () => {
    const own = await startRedis({ tcp: true, args: ['--requirepass', 'geheim-1', '--databases', '2'] })
    atEnd(() => own.stop())
    const at = `@127.0.0.1:${own.port}`
    const wrong = await failureOf(new RedisSessionStore(open(`redis://:geheim-2${at}`)).get('s'))
    expect(wrong).toMatchObject({ code: 'unavailable', message: expect.stringMatching(/WRONGPASS|NOAUTH/) })
    expect(String((wrong as Error).stack)).not.toContain('geheim')
    const other = new RedisSessionStore(open(`redis://:geheim-1${at}/7`))
    await expect.poll(() => failureOf(other.get('s'))).toMatchObject({ code: 'unavailable' })
    const right = new RedisSessionStore(open(`redis://:geheim-1${at}/1`))
    expect(await right.get('s')).toBeUndefined()
  })

  test('writes that Redis refuses are of the same kind', async () => {
    const sessions = new RedisSessionStore(open(held.redis.url))
    await held.raw.config('SET', 'maxmemory', '1')
    atEnd(() => held.raw.config('SET', 'maxmemory', '0'))
    const refused = await failureOf(sessions.add({ id: 's', principal: undefined, initialize: {} }))
    expect(refused).toMatchObject({ code: 'unavailable', message: expect.stringContaining('OOM') })
  })

  test('one that is busy with a script, or became a replica, is told of at once, and used again after that', async () => {
    const redis = open(held.redis.url)
    const [sessions, tasks] = [new RedisSessionStore(redis), new RedisTaskStore(redis)]
    const record = { id: 's', principal: undefined, initialize: {} }
    const task = { owner: 'local', version: 1, status: 'working', createdAt: Date.now(), ttlMs: 60_000 }
    let made = 0
    const create = (): Promise<void> => tasks.create({ ...task, id: `a${made++}` } as unknown as TaskRecord)
    const attempts = (): Promise<unknown[]> => Promise.all([failureOf(sessions.add(record)), failureOf(create())])
    const refused = (reason: string): unknown[] =>
      [1, 2].map(() => expect.objectContaining({ code: 'unavailable', message: expect.stringContaining(reason) }))

    await held.raw.config('SET', 'busy-reply-threshold', '1')
    const endless = new Redis(held.redis.socket, { maxRetriesPerRequest: 0 })
    atEnd(() => endless.disconnect())
    const script = failureOf(endless.eval('while true do end', 0))
    await expect.poll(attempts).toEqual(refused('BUSY'))
    await held.raw.script('KILL')
    await script
    await expect.poll(() => failureOf(sessions.add(record))).toBeUndefined()

    await held.raw.replicaof('127.0.0.1', 1)
    atEnd(() => held.raw.replicaof('NO', 'ONE'))
    await expect.poll(attempts).toEqual(refused('READONLY'))
    await held.raw.replicaof('NO', 'ONE')
    await expect.poll(attempts).toEqual([undefined, undefined])
  })

  test('over TLS, if its certificate is trusted', requires('openssl'), async () => {
    const folder = mkdtempSync(join(tmpdir(), 'redis-tls-'))
    atEnd(() => rmSync(folder, { recursive: true }))
    const [{ ca, files }, port] = [await newCertificate(folder), await freePort()]
    const own = await startRedis({ args: ['--tls-port', String(port), '--tls-auth-clients', 'no', ...files] })
    atEnd(() => own.stop())
    for (const host of ['localhost', '127.0.0.1']) {
      const trusting = new RedisSessionStore(open(`rediss://${host}:${port}`, { tls: { ca } }))
      expect(await trusting.get('s')).toBeUndefined()
    }
    const doubting = await failureOf(new RedisSessionStore(open(`rediss://localhost:${port}`)).get('s'))
    expect(doubting).toMatchObject({ code: 'unavailable', message: expect.stringContaining('self-signed certificate') })
  })

  test('a process that has nothing else to do ends, without closing the connection', async () => {
    expect(await outputOfEnding(held.redis.url)).toBe('done\n')
  })

  test('after it was closed, nothing is done', async () => {
    await using redis = new RedisConnection(held.redis.url)
    const sessions = new RedisSessionStore(redis)
    await sessions.get('s')
    await redis.close()
    expect(await failureOf(sessions.get('s'))).toMatchObject({ code: 'closed' })
  })
})

test.each([
  ['http://localhost', /expected redis:\/\//],
  ['redis://:geheim@', /expected redis:\/\//],
  ['redis://:geheim@localhost/x', /expected redis:\/\//],
  ['redis://:geheim#1@localhost', /expected redis:\/\//],
  ['redis://:geheim%@localhost', /%25/],
  ['redis://:geheim@localhost?family=6', /expected redis:\/\//],
  ['unix://host/path', /expected redis:\/\//],
  ['redis://:geheim@one,two', /expected redis:\/\//],
  ['redis+cluster://:geheim@one:7000,two:x', /expected redis:\/\//],
  ['redis+cluster://:geheim@one,two/1', /a cluster has no databases/],
  ['redis+sentinel://:geheim@one:26379,two', /expected redis:\/\//],
  ['redis+sentinel://:geheim@one/name/0/more', /expected redis:\/\//],
])('the address %s is refused without showing it', (url, message) => {
  const make = (): unknown => new RedisConnection(url)
  expect(make).toThrow(message)
  expect(make).not.toThrow(/geheim/)
})

test.each([
  [{ prefix: 'a b' }, /prefix: expected/],
  [{ timeoutMs: 0 }, /timeoutMs: expected a whole number above 0, got 0/],
  [{ maxInFlight: Number.NaN }, /maxInFlight: expected/],
  [{ tls: {} }, /rediss:/],
  [{ sentinel: { password: 'geheim' } }, /redis\+sentinel/],
])('the options %j are refused', (options, message) => {
  expect(() => new RedisConnection('redis://localhost', options)).toThrow(message)
})

/** A way to a socket that can stop carrying anything on the connections that it has. */
async function pausable(path: string): Promise<{ port: number; pause(): void }> {
  const pairs: [Socket, Socket][] = []
  const server = listen((near) => {
    const far = connectSocket(path)
    pairs.push([near, far])
    near.on('error', () => far.destroy()).on('close', () => far.destroy())
    far.on('error', () => near.destroy()).on('close', () => near.destroy())
    near.pipe(far).pipe(near)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(() => {
    for (const pair of pairs) for (const socket of pair) socket.destroy()
    server.close()
  })
  const pause = (): void => {
    for (const [near, far] of pairs) {
      far.unpipe(near)
      far.pause()
    }
  }
  return { port: (server.address() as { port: number }).port, pause }
}
