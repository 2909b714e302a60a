import type { Client } from '@tenon/sdk/client'
import { describe, expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import { call, open, redisForTests } from './helpers.ts'

const both = ['2025-11-25', '2026-07-28'] as const

/** Watches a resource; each call of the result waits for the next news. */
async function news(client: Client, uri: string): Promise<() => Promise<string>> {
  const heard: string[] = []
  const waiting: ((uri: string) => void)[] = []
  await client.watch(uri, (update) => {
    const next = waiting.shift()
    if (next === undefined) heard.push(update.uri)
    else next(update.uri)
  })
  return () => new Promise((resolve) => (heard.length > 0 ? resolve(heard.shift()!) : waiting.push(resolve)))
}

async function read(client: Client, uri: string): Promise<{ text?: string; blob?: string; mimeType?: string }> {
  return (await client.readResource(uri)).contents[0] as never
}

describe('keys as resources', requires('redis'), () => {
  const held = redisForTests()

  test('a string is read as it is, anything else as JSON', async () => {
    const { raw } = held
    const client = await open({ redis: held.redis.url })
    await raw.mset({ 'a/b ?#%é*': 'text', json: '{"a":[1]}' })
    await raw.set('bytes', Buffer.from([255, 1]))
    await raw.hset('hash', { a: '1' })
    await raw.rpush('list', 'x', 'y')
    await raw.sadd('set', 'x')
    await raw.zadd('sorted', 1, 'x')
    await raw.xadd('stream', '1-1', 'f', 'v')
    const { resources } = await client.listResources()
    expect(resources).toHaveLength(9)
    const uri = resources.find(({ name }) => name === 'a/b ?#%é*')!.uri
    expect(await read(client, uri)).toMatchObject({ uri, text: 'text', mimeType: 'text/plain' })
    expect(await read(client, 'redis://key/json')).toMatchObject({ text: '{"a":[1]}', mimeType: 'application/json' })
    expect(await read(client, 'redis://key/bytes')).toMatchObject({ blob: '/wE=' })
    const page = async (key: string): Promise<object> => JSON.parse((await read(client, `redis://key/${key}`)).text!)
    expect(await page('hash')).toMatchObject({ type: 'hash', length: 1, fields: [{ field: 'a', value: '1' }] })
    expect(await page('list')).toMatchObject({ type: 'list', length: 2, items: [{ value: 'x' }, { value: 'y' }] })
    expect(await page('set')).toMatchObject({ type: 'set', members: [{ value: 'x' }] })
    expect(await page('sorted')).toMatchObject({ type: 'zset', members: [{ value: 'x', score: 1 }] })
    expect(await page('stream')).toMatchObject({ type: 'stream', entries: [{ id: '1-1' }] })
    expect(JSON.parse((await read(client, 'redis://info')).text!)).toHaveProperty('server.redis_version')
    await expect(client.readResource('redis://key/none')).rejects.toMatchObject({ code: -32002 })
  })

  test('large keys come in pages', async () => {
    const { raw } = held
    const client = await open({ redis: held.redis.url, maxResult: 1_000 })
    await raw.rpush('list', ...Array.from({ length: 100 }, (_, at) => `item ${at}`))
    await raw.set('text', 'x'.repeat(1_500))
    const found: string[] = []
    for (let cursor = ''; ; ) {
      const page = JSON.parse((await read(client, `redis://key/list${cursor && `?cursor=${cursor}`}`)).text!)
      found.push(...page.items.map(({ value }: { value: string }) => value))
      if (page.nextCursor === undefined) break
      cursor = page.nextCursor
    }
    expect(found).toEqual(await raw.lrange('list', 0, -1))
    expect(await read(client, 'redis://key/text')).toMatchObject({ _meta: { nextCursor: '1000' } })
    expect((await read(client, 'redis://key/text?cursor=1000')).text).toHaveLength(500)
  })

  test('keys complete, and the characters of patterns are characters', async () => {
    await held.raw.mset({ 'user:1': '1', 'user:2': '1', 'u*': '1' })
    const client = await open({ redis: held.redis.url })
    const ref = { type: 'ref/resource', uri: 'redis://key/{key}{?cursor}' } as const
    const complete = async (value: string) => (await client.complete(ref, { name: 'key', value })).values
    expect(await complete('us')).toEqual(['user:1', 'user:2'])
    expect(await complete('u*')).toEqual(['u*'])
  })

  test.each(both)('in %s watchers hear of changes, though Redis does not tell of them', async (revision) => {
    const client = await open({ redis: held.redis.url, pollInterval: 20 }, { revisions: [revision] })
    const next = await news(client, 'redis://key/a')
    await held.raw.set('a', '1')
    expect(await next()).toBe('redis://key/a')
    await held.raw.set('a', '2')
    expect(await next()).toBe('redis://key/a')
    await held.raw.del('a')
    expect(await next()).toBe('redis://key/a')
  })

  test('only watched keys are looked at', async () => {
    const client = await open({ redis: held.redis.url, pollInterval: 20 })
    await held.raw.set('other', '1')
    await held.raw.call('CONFIG', 'RESETSTAT')
    const next = await news(client, 'redis://key/a')
    await held.raw.set('a', '1')
    await next()
    const stats = await held.raw.info('commandstats')
    expect(stats).not.toContain('cmdstat_scan')
    expect(stats).toContain('cmdstat_getrange')
  })
})

describe('keyspace notifications', requires('redis'), () => {
  const held = redisForTests({ args: ['--notify-keyspace-events', 'KA'] })
  // Looks would come too late for any test.
  const pollInterval = 3_600_000

  test.each(both)('in %s Redis tells watchers of changes of every kind', async (revision) => {
    const { raw } = held
    const client = await open({ redis: held.redis.url, database: 2, pollInterval }, { revisions: [revision] })
    await raw.select(2)
    const next = await news(client, 'redis://key/a%3A%2A')
    await raw.set('other', '1')
    await raw.set('a:x', '1')
    for (const change of [
      () => raw.hset('a:*', { f: '1' }),
      () => raw.expire('a:*', 100),
      () => call(client, 'hash_set', { key: 'a:*', fields: [{ field: 'f', value: '2' }] }),
      () => raw.del('a:*'),
    ]) {
      await change()
      expect(await next()).toBe('redis://key/a%3A%2A')
    }
    await raw.select(0)
  })

  test('the subscription outlasts a lost connection, and ends with its watcher', async () => {
    const { raw } = held
    const client = await open({ redis: held.redis.url, pollInterval })
    const next = await news(client, 'redis://key/a')
    await raw.client('KILL', 'TYPE', 'pubsub')
    // Changes of the time without a connection are not known, so watchers hear of it.
    expect(await next()).toBe('redis://key/a')
    await raw.set('a', '1')
    expect(await next()).toBe('redis://key/a')
    await client.close()
    await expect.poll(() => raw.pubsub('CHANNELS'), { timeout: 100_000 }).toEqual([])
  })
})
