import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRedisServer } from '@tenon/server-redis'
import { Redis } from 'ioredis'
import { describe, expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import { freePort, startRedis, type TestRedis, type TestRedisOptions } from '../../../scripts/test-redis.ts'
import { atEnd, call, failing, open } from './helpers.ts'

async function redisWith(options: TestRedisOptions): Promise<TestRedis> {
  const redis = await startRedis(options)
  atEnd(() => redis.stop())
  return redis
}

function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-redis-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A server that takes connections and does with them as it is told. */
async function fakeRedis(onSocket: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    onSocket(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as { port: number }).port
}

test('nothing that listens: an error at once that says what to do', async () => {
  const port = await freePort()
  const client = await open({ redis: `redis://user:hunter2@127.0.0.1:${port}/5` })
  const message = await failing(client, 'get', { key: 'a' })
  expect(message).toContain(`redis://127.0.0.1:${port}/5`)
  expect(message).toContain('Nothing listens there')
  expect(message).not.toContain('hunter2')
  const missing = await open({ redis: 'unix:///nowhere/redis.sock' })
  expect(await failing(missing, 'list')).toContain('no such socket')
})

test('a peer that never answers: the call ends with the timeout, and so do calls beside it', async () => {
  const port = await fakeRedis(() => {})
  const client = await open({ redis: `redis://127.0.0.1:${port}`, timeout: 100 })
  const messages = await Promise.all([failing(client, 'get', { key: 'a' }), failing(client, 'list')])
  for (const message of messages) expect(message).toContain('did not answer within 100 ms')
})

test('a peer that goes away in the middle, or talks nonsense: an error', async () => {
  const leaving = await fakeRedis((socket) => socket.once('data', () => socket.destroy()))
  const first = await open({ redis: `redis://127.0.0.1:${leaving}`, timeout: 5_000 })
  expect(await failing(first, 'get', { key: 'a' })).toMatch(/connection to Redis .* was lost|cannot be reached/)
  const strange = await fakeRedis((socket) =>
    socket.once('data', () => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')),
  )
  const second = await open({ redis: `redis://127.0.0.1:${strange}`, timeout: 1_000 })
  expect(await failing(second, 'get', { key: 'a' })).not.toContain('no error')
})

test('wrong addresses throw, without the password', () => {
  const wrong = [
    ...['http://u:hunter2@host', 'hunter2', 'redis://u:hunter2@host/x', 'redis://u:hunter2@host?password=1'],
    ...['unix://hunter2', 'redis://u:hun%ter2@host', 'redis://u:hunter2#x@host', 'redis://u:hunter2@host:99999'],
  ]
  for (const redis of wrong) {
    expect(() => createRedisServer({ redis })).toThrow('the address of Redis')
    expect(() => createRedisServer({ redis })).not.toThrow('hunter2')
  }
  expect(() => createRedisServer({ passwordFile: '/nowhere' })).toThrow('--password-file')
  expect(() => createRedisServer({ tlsCa: '/nowhere' })).toThrow('rediss://')
})

describe('a real Redis', requires('redis'), () => {
  test('that ends and comes back: calls fail clearly, then work', async () => {
    const redis = await redisWith({})
    const client = await open({ redis: redis.url })
    await call(client, 'set', { key: 'a', value: '1' })
    await redis.kill()
    expect(await failing(client, 'get', { key: 'a' })).toMatch(/lost|cannot be reached/)
    expect(await failing(client, 'get', { key: 'a' })).toContain('cannot be reached')
    await redis.restart()
    expect(await call(client, 'get', { key: 'a' })).toEqual({ exists: false })
  })

  test('with a password: from the URL, a file or a setting, and never in a message', async () => {
    const redis = await redisWith({ tcp: true, args: ['--requirepass', 'hunter2'] })
    const file = join(testFolder(), 'password')
    writeFileSync(file, 'hunter2\n')
    for (const options of [
      { redis: `redis://:hunter2@127.0.0.1:${redis.port}` },
      { redis: redis.url, passwordFile: file },
      { redis: redis.url, password: 'hunter2' },
      { redis: redis.url, username: 'default', password: 'hunter2' },
    ]) {
      expect(await call(await open(options), 'list')).toEqual({ keys: [] })
    }
    expect(await failing(await open({ redis: redis.url }), 'list')).toContain('REDIS_PASSWORD')
    const wrong = await failing(await open({ redis: redis.url, password: 'hunter3' }), 'list')
    expect(wrong).toContain('refuses the user or the password')
    expect(wrong).not.toContain('hunter3')
  })

  test('with a user of few rights: the error says so', async () => {
    const redis = await redisWith({ args: ['--user', 'ada', 'on', '>hunter2', '~app:*', '+@read', '+ping'] })
    const client = await open({ redis: redis.url, username: 'ada', password: 'hunter2' })
    expect(await call(client, 'get', { key: 'app:a' })).toEqual({ exists: false })
    expect(await failing(client, 'set', { key: 'app:a', value: '1' })).toContain('ACL')
  })

  test('the database is the one of the URL or the setting; one that is missing is not replaced by another', async () => {
    const redis = await redisWith({})
    await call(await open({ redis: `${redis.url}?db=3` }), 'set', { key: 'a', value: '3' })
    await call(await open({ redis: `${redis.url}?db=3`, database: 4 }), 'set', { key: 'a', value: '4' })
    const missing = await open({ redis: redis.url, database: 99 })
    expect(await failing(missing, 'set', { key: 'a', value: '99' })).toContain('out of range')
    expect(await failing(missing, 'list')).toContain('out of range')
    const raw = new Redis(redis.socket)
    const found: (string | null)[] = []
    for (const database of [0, 3, 4]) {
      await raw.select(database)
      found.push(await raw.get('a'))
    }
    raw.disconnect()
    expect(found).toEqual([null, '3', '4'])
  })

  test('over TLS, if its certificate is trusted', requires('openssl'), async () => {
    const folder = testFolder()
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
    const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
    const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
    execFileSync('openssl', [...made, ...name, '-keyout', key, '-out', certificate], { stdio: 'ignore' })
    const port = await freePort()
    const tls = ['--tls-port', String(port), '--tls-cert-file', certificate, '--tls-key-file', key]
    await redisWith({ args: [...tls, '--tls-auth-clients', 'no', '--tls-ca-cert-file', certificate] })
    const url = `rediss://localhost:${port}`
    expect(await call(await open({ redis: url, tlsCa: certificate }), 'list')).toEqual({ keys: [] })
    expect(await failing(await open({ redis: url }), 'list')).toContain('--tls-ca')
    expect(await failing(await open({ redis: `redis://localhost:${port}`, timeout: 1_000 }), 'list')).toMatch(
      /lost|cannot be reached|did not answer/,
    )
  })
})
