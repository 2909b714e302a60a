import type { Client } from '@tenon/sdk/client'
import { beforeEach, describe, expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import { call, failing, open, redisForTests } from './helpers.ts'

describe('tools', requires('redis'), () => {
  const held = redisForTests()
  let client: Client
  beforeEach(async () => {
    client = await open({ redis: held.redis.url })
  })

  test('every tool has a title, all annotations and an output schema', async () => {
    const { tools } = await client.listTools()
    expect(tools.length).toBeGreaterThan(35)
    for (const { name, title, annotations, outputSchema } of tools) {
      expect([name, title, outputSchema?.type]).toEqual([name, expect.any(String), 'object'])
      expect(Object.keys(annotations!).sort()).toEqual(
        expect.arrayContaining(['destructiveHint', 'idempotentHint', 'openWorldHint', 'readOnlyHint']),
      )
    }
  })

  test('set and get, with conditions, expiration and base64', async () => {
    expect((await client.callTool('set', { key: 'a', value: 'é1' })).text).toBe('Successfully set key: a')
    expect((await client.callTool('get', { key: 'a' })).text).toBe('é1')
    expect(await call(client, 'set', { key: 'a', value: '2', condition: 'absent' })).toEqual({ set: false })
    expect(await call(client, 'set', { key: 'b', value: '2', condition: 'present' })).toEqual({ set: false })
    await call(client, 'set', { key: 'a', value: '2', expireSeconds: 100 })
    expect(await held.raw.ttl('a')).toBeGreaterThan(90)
    await call(client, 'set', { key: 'a', value: '3', keepTtl: true })
    expect(await held.raw.ttl('a')).toBeGreaterThan(90)
    await call(client, 'set', { key: 'a', value: '4' })
    expect(await held.raw.ttl('a')).toBe(-1)
    await call(client, 'set', { key: 'bytes', value: '/wAB', encoding: 'base64' })
    expect(await held.raw.getBuffer('bytes')).toEqual(Buffer.from([255, 0, 1]))
    expect(await call(client, 'get', { key: 'bytes' })).toMatchObject({ value: '/wAB', encoding: 'base64' })
    expect((await client.callTool('get', { key: 'bytes' })).content).toMatchObject([
      { type: 'resource', resource: { blob: '/wAB', uri: 'redis://key/bytes' } },
    ])
    expect(await failing(client, 'set', { key: 'x', value: 'no!', encoding: 'base64' })).toContain('Expected base64')
    expect((await client.callTool('get', { key: 'missing' })).text).toBe('Key not found: missing')
    await held.raw.set('empty', '')
    expect(await call(client, 'get', { key: 'empty' })).toEqual({ exists: true, value: '', encoding: 'text' })
  })

  test('a long value comes in parts that end with whole characters', async () => {
    const whole = '0123456€€€'.repeat(30)
    await held.raw.set('long', whole)
    const small = await open({ redis: held.redis.url, maxValue: 100 })
    let text = ''
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const part = await call(small, 'get', { key: 'long', offset })
      expect([part.encoding, part.bytes, Buffer.byteLength(part.value) <= 100]).toEqual(['text', 480, true])
      text += part.value
      offset = part.nextOffset
    }
    expect(text).toBe(whole)
    expect(await call(small, 'get', { key: 'long', offset: 3, length: 2 })).toMatchObject({
      value: '34',
      nextOffset: 5,
    })
    expect(await call(small, 'get', { key: 'long', offset: 9_999 })).toEqual({
      ...{ exists: true, value: '', encoding: 'text', offset: 9_999, bytes: 480 },
    })
  })

  test('several values, cut where they are long and left out where they do not fit', async () => {
    await held.raw.mset({ a: '1', b: 'x'.repeat(50), c: 'x'.repeat(50) })
    const small = await open({ redis: held.redis.url, maxValue: 20, maxResult: 30 })
    expect(await call(small, 'get_many', { keys: ['a', 'none', 'b', 'c'] })).toEqual({
      values: [
        { key: 'a', exists: true, value: '1', encoding: 'text' },
        { key: 'none', exists: false },
        { key: 'b', exists: true, value: 'x'.repeat(20), encoding: 'text', cutFrom: 50 },
      ],
      leftOut: ['c'],
    })
  })

  test('increment counts, also beyond what JSON numbers hold', async () => {
    expect(await call(client, 'increment', { key: 'n' })).toEqual({ value: '1' })
    await held.raw.set('n', '9007199254740993')
    expect((await call(client, 'increment', { key: 'n', by: -1 })).value).toMatch(/^900719925474099\d$/)
    await held.raw.set('n', 'word')
    expect(await failing(client, 'increment', { key: 'n' })).toContain('not an integer')
  })

  test('delete takes one key or many and says how many were there', async () => {
    await held.raw.mset({ a: '1', b: '2', c: '3' })
    expect((await client.callTool('delete', { key: 'a' })).text).toBe('Successfully deleted key: a')
    expect((await client.callTool('delete', { key: 'a' })).text).toBe('Key not found: a')
    expect(await call(client, 'delete', { key: ['b', 'c', 'none'] })).toEqual({ deleted: 2 })
    expect(await held.raw.dbsize()).toBe(0)
  })

  test('delete_matching deletes in steps, with progress, up to a limit', async () => {
    const pairs = Array.from({ length: 5_000 }, (_, at) => [`cache:${at}`, '1'] as const)
    await held.raw.mset(...pairs.flat())
    await held.raw.mset({ 'user:1': '1', 'cache*': '1' })
    expect(await call(client, 'delete_matching', { pattern: 'cache:*', dryRun: true })).toEqual({
      ...{ deleted: 0, matched: 5_000, complete: true },
    })
    const some = await call(client, 'delete_matching', { pattern: 'cache:*', limit: 1_500 })
    expect(some).toEqual({ deleted: 1_500, matched: 1_500, complete: false })
    const heard: number[] = []
    const { structured } = await client.callTool(
      'delete_matching',
      { pattern: 'cache:*' },
      { onProgress: ({ progress }) => void heard.push(progress) },
    )
    expect(structured).toEqual({ deleted: 3_500, matched: 3_500, complete: true })
    expect(heard.length).toBeGreaterThan(0)
    expect((await held.raw.keys('*')).sort()).toEqual(['cache*', 'user:1'])
  })

  test('delete_matching is not complete while a key is left', async () => {
    // A full page may be the last one or not: only "complete" is a promise.
    for (const limit of [1, 5, 11, 12, 13]) {
      await held.raw.mset(...Array.from({ length: 12 }, (_, at) => [`k${at}`, '1']).flat())
      const { deleted, complete } = await call(client, 'delete_matching', { pattern: 'k*', limit })
      const left = await held.raw.dbsize()
      expect([limit, deleted, left]).toEqual([limit, Math.min(limit, 12), Math.max(12 - limit, 0)])
      expect([limit, complete && left > 0, complete || limit <= 12]).toEqual([limit, false, true])
    }
  })

  test('prompts name the pattern as a text', async () => {
    const { messages } = await client.getPrompt('explore', { pattern: 'a"\n*' })
    expect(JSON.stringify(messages)).toContain(JSON.stringify(JSON.stringify('a"\n*')).slice(1, -1))
    expect((await client.getPrompt('find-waste')).messages).toHaveLength(1)
  })

  test('list pages through all keys, each once, and finds by pattern and type', async () => {
    const names = Array.from({ length: 3_000 }, (_, at) => `k:${at}`)
    await held.raw.mset(...names.flatMap((name) => [name, '1']))
    await held.raw.sadd('k:set', 'x')
    const found: string[] = []
    let pages = 0
    for (let cursor: string | undefined, more = true; more; pages++) {
      const page = await call(client, 'list', { pattern: 'k:*', limit: 500, ...(cursor && { cursor }) })
      expect(page.keys.length).toBeLessThan(540)
      found.push(...page.keys)
      cursor = page.nextCursor
      more = cursor !== undefined
    }
    expect(found.sort()).toEqual([...names, 'k:set'].sort())
    expect(pages).toBeGreaterThan(5)
    expect(await call(client, 'list', { pattern: 'k:1234' })).toEqual({ keys: ['k:1234'] })
    expect(await call(client, 'list', { type: 'set' })).toEqual({ keys: ['k:set'] })
    expect((await client.callTool('list', { pattern: 'none' })).text).toBe('No keys found matching pattern')
    expect(await failing(client, 'list', { cursor: 'abc' })).toContain('nextCursor')
  })

  test('key_info, memory_usage, rename and the time to live', async () => {
    await held.raw.hset('h', { a: '1' })
    expect(await call(client, 'key_info', { key: 'h' })).toMatchObject({
      ...{ exists: true, type: 'hash', length: 1, readWith: 'hash_read', memoryBytes: expect.any(Number) },
    })
    expect(await call(client, 'key_info', { key: 'none' })).toEqual({ exists: false })
    expect((await call(client, 'memory_usage', { key: 'h' })).bytes).toBeGreaterThan(10)
    expect(await call(client, 'memory_usage', { key: 'none' })).toEqual({ exists: false })
    await held.raw.set('other', '1')
    expect(await failing(client, 'rename', { key: 'h', newKey: 'other' })).toContain('overwrite')
    expect(await call(client, 'rename', { key: 'h', newKey: 'other', overwrite: true })).toEqual({ renamed: true })
    expect(await failing(client, 'rename', { key: 'h', newKey: 'x' })).toContain('no such key')
    expect(await call(client, 'ttl', { key: 'other' })).toEqual({ exists: true })
    expect(await call(client, 'expire', { key: 'other', seconds: 50 })).toEqual({ changed: true })
    expect((await call(client, 'ttl', { key: 'other' })).ttlMs).toBeGreaterThan(40_000)
    const later = { key: 'other', at: new Date(Date.now() + 3_600_000).toISOString(), condition: 'earlier' }
    expect(await call(client, 'expire', later)).toEqual({ changed: false })
    expect(await call(client, 'expire', { ...later, condition: 'later' })).toEqual({ changed: true })
    expect(await call(client, 'persist', { key: 'other' })).toEqual({ changed: true })
    expect(await call(client, 'persist', { key: 'other' })).toEqual({ changed: false })
    expect(await failing(client, 'expire', { key: 'other' })).toContain('either')
    expect(await call(client, 'ttl', { key: 'none' })).toEqual({ exists: false })
  })

  test('JSON is written, and read by pointer', async () => {
    await call(client, 'json_set', { key: 'j', json: { items: [{ 'a/b': 1 }], '': null } })
    expect(await held.raw.get('j')).toBe('{"items":[{"a/b":1}],"":null}')
    expect(await call(client, 'json_get', { key: 'j', pointer: '/items/0/a~1b' })).toEqual({ exists: true, json: 1 })
    expect(await call(client, 'json_get', { key: 'j', pointer: '/' })).toEqual({ exists: true, json: null })
    for (const pointer of ['/items/1', '/items/length', '/__proto__', '/constructor', '/items/0/x']) {
      expect(await failing(client, 'json_get', { key: 'j', pointer })).toContain('nothing at')
    }
    await held.raw.set('t', 'text')
    expect(await failing(client, 'json_get', { key: 't' })).toContain('not JSON')
  })

  test('hashes', async () => {
    expect(
      await call(client, 'hash_set', {
        key: 'h',
        fields: [
          { field: 'a', value: '1' },
          { field: 'b', value: 'x\ny' },
        ],
      }),
    ).toEqual({ added: 2 })
    await held.raw.hset('h', Buffer.from([255]), Buffer.from([0]))
    const { fields, length } = await call(client, 'hash_read', { key: 'h' })
    expect(length).toBe(3)
    expect(fields).toEqual([
      { field: 'a', value: '1', encoding: 'text' },
      { field: 'b', value: 'x\ny', encoding: 'text' },
      { field: '/w==', fieldEncoding: 'base64', value: 'AA==', encoding: 'base64' },
    ])
    expect((await client.callTool('hash_read', { key: 'h', pattern: 'b' })).text).toBe('h: 3 fields\nb: "x\\ny"')
    expect(await call(client, 'hash_get', { key: 'h', fields: ['a', 'none'] })).toEqual({
      fields: [
        { field: 'a', exists: true, value: '1', encoding: 'text' },
        { field: 'none', exists: false },
      ],
    })
    expect(await call(client, 'hash_increment', { key: 'h', field: 'a', by: 5 })).toEqual({ value: '6' })
    expect(await call(client, 'hash_delete', { key: 'h', fields: ['a', 'b', 'none'] })).toEqual({ deleted: 2 })
    expect(await call(client, 'hash_read', { key: 'none' })).toEqual({ length: 0, fields: [] })
  })

  test.each([300, 5_000])('a hash of %i fields comes in pages, each field once', async (count) => {
    const fields = Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, `v${at}`]))
    await held.raw.hset('h', fields)
    const found = new Map<string, string>()
    let cursor: string | undefined
    do {
      const page = await call(client, 'hash_read', { key: 'h', limit: 100, ...(cursor && { cursor }) })
      expect(page.fields.length).toBeLessThan(140)
      for (const { field, value } of page.fields) found.set(field, value)
      cursor = page.nextCursor
    } while (cursor !== undefined)
    expect(Object.fromEntries(found)).toEqual(fields)
  })

  test('long fields are cut, and read on by offset', async () => {
    await held.raw.hset('h', 'big', 'abcdefghij'.repeat(10))
    const small = await open({ redis: held.redis.url, maxValue: 15 })
    const { fields } = await call(small, 'hash_read', { key: 'h' })
    expect(fields).toEqual([{ field: 'big', value: 'abcdefghijabcde', encoding: 'text', cutFrom: 100 }])
    expect((await call(small, 'hash_get', { key: 'h', fields: ['big'], offset: 95 })).fields).toEqual([
      { field: 'big', exists: true, value: 'fghij', encoding: 'text' },
    ])
  })

  test('lists', async () => {
    expect(await call(client, 'list_push', { key: 'l', values: ['b', 'c'] })).toEqual({ length: 2 })
    expect(await call(client, 'list_push', { key: 'l', values: ['a'], side: 'left' })).toEqual({ length: 3 })
    const page = await call(client, 'list_range', { key: 'l', limit: 2 })
    expect([page.items.map(({ value }: { value: string }) => value), page.next]).toEqual([['a', 'b'], 2])
    expect(await call(client, 'list_range', { key: 'l', start: -1 })).toMatchObject({
      start: 2,
      items: [{ value: 'c' }],
    })
    await call(client, 'list_set', { key: 'l', index: 1, value: 'B' })
    expect(await held.raw.lrange('l', 0, -1)).toEqual(['a', 'B', 'c'])
    expect(await failing(client, 'list_set', { key: 'l', index: 9, value: 'x' })).toContain('out of range')
    expect(await call(client, 'list_remove', { key: 'l', value: 'B' })).toEqual({ removed: 1 })
    expect((await call(client, 'list_pop', { key: 'l', side: 'right' })).items).toMatchObject([{ value: 'c' }])
    await held.raw.rpush('l', 'x'.repeat(2_000))
    const small = await open({ redis: held.redis.url, maxResult: 1_000 })
    expect(await failing(small, 'list_pop', { key: 'l', count: 2 })).toContain('2001 bytes')
    expect(await held.raw.llen('l')).toBe(2)
    expect(await call(client, 'list_trim', { key: 'l', start: 0, stop: 0 })).toEqual({ length: 1 })
    expect(await call(client, 'list_pop', { key: 'none' })).toEqual({ items: [] })
  })

  test('a long list comes in pages by number and by bytes', async () => {
    const values = Array.from({ length: 2_500 }, (_, at) => `item ${at}`)
    await held.raw.rpush('l', ...values)
    const small = await open({ redis: held.redis.url, maxResult: 20_000 })
    const found: string[] = []
    for (let start: number | undefined = 0; start !== undefined; ) {
      const page = await call(small, 'list_range', { key: 'l', start, limit: 2_000 })
      expect(page.items.length).toBeLessThan(500)
      found.push(...page.items.map(({ value }: { value: string }) => value))
      start = page.next
    }
    expect(found).toEqual(values)
  })

  test('sets', async () => {
    expect(await call(client, 'set_add', { key: 's', members: ['a', 'b', 'a'] })).toEqual({ added: 2 })
    expect(await call(client, 'set_contains', { key: 's', members: ['a', 'z'] })).toEqual({ contained: [true, false] })
    const { members } = await call(client, 'set_members', { key: 's' })
    expect(members.map(({ value }: { value: string }) => value).sort()).toEqual(['a', 'b'])
    expect(await call(client, 'set_remove', { key: 's', members: ['a', 'z'] })).toEqual({ removed: 1 })
  })

  test('sorted sets', async () => {
    const members = ['low', 'mid', 'high'].map((member, at) => ({ member, score: at * 1.5 }))
    expect(await call(client, 'sorted_set_add', { key: 'z', members })).toEqual({ added: 3 })
    await call(client, 'sorted_set_add', { key: 'z', members: [{ member: 'top', score: 'inf' }] })
    const read = async (range: object): Promise<unknown> =>
      (await call(client, 'sorted_set_range', { key: 'z', ...range })).members.map(
        ({ value, score }: { value: string; score: unknown }) => [value, score],
      )
    expect(await read({ maxScore: 1.5 })).toEqual([
      ['low', 0],
      ['mid', 1.5],
    ])
    expect(await read({ reverse: true, limit: 2 })).toEqual([
      ['top', 'inf'],
      ['high', 3],
    ])
    expect(await read({ start: 3 })).toEqual([['top', 'inf']])
    expect(await call(client, 'sorted_set_scores', { key: 'z', members: ['mid', 'no'] })).toEqual({
      scores: [1.5, null],
    })
    expect(await call(client, 'sorted_set_increment', { key: 'z', member: 'mid', by: 2 })).toEqual({ score: 3.5 })
    expect(await call(client, 'sorted_set_remove', { key: 'z', members: ['mid', 'no'] })).toEqual({ removed: 1 })
  })

  test('streams and their groups', async () => {
    const ids: string[] = []
    for (const n of [1, 2, 3])
      ids.push((await call(client, 'stream_add', { key: 'x', fields: [{ field: 'n', value: String(n) }] })).id)
    const first = await call(client, 'stream_range', { key: 'x', limit: 2 })
    expect(first).toMatchObject({ length: 3, entries: [{ id: ids[0], fields: [{ field: 'n', value: '1' }] }, {}] })
    const rest = await call(client, 'stream_range', { key: 'x', limit: 2, start: first.next })
    expect(rest).toMatchObject({ entries: [{ id: ids[2] }] })
    expect(rest.next).toBeUndefined()
    const newest = await call(client, 'stream_range', { key: 'x', reverse: true, limit: 1 })
    expect(newest.entries).toMatchObject([{ id: ids[2] }])
    expect(await call(client, 'stream_create_group', { key: 'x', group: 'g', start: '0' })).toEqual({ created: true })
    expect(await call(client, 'stream_create_group', { key: 'x', group: 'g' })).toEqual({ created: false })
    const got = await call(client, 'stream_read_group', { key: 'x', group: 'g', consumer: 'c', limit: 2 })
    expect(got.entries.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2))
    expect(await call(client, 'stream_ack', { key: 'x', group: 'g', ids: [ids[0]] })).toEqual({ acknowledged: 1 })
    expect((await call(client, 'stream_pending', { key: 'x', group: 'g' })).pending).toMatchObject([
      { id: ids[1], consumer: 'c', deliveries: 1 },
    ])
    const again = { key: 'x', group: 'g', consumer: 'c', pending: true }
    expect((await call(client, 'stream_read_group', again)).entries).toMatchObject([{ id: ids[1] }])
    expect(await call(client, 'stream_info', { key: 'x' })).toMatchObject({
      ...{ length: 3, lastId: ids[2], groups: [{ name: 'g', consumers: 1, pending: 1, lastDeliveredId: ids[1] }] },
    })
    expect(await call(client, 'stream_delete', { key: 'x', ids: [ids[0]] })).toEqual({ deleted: 1 })
    expect(await call(client, 'stream_trim', { key: 'x', maxLength: 1 })).toEqual({ deleted: 1 })
    expect(await call(client, 'stream_delete_group', { key: 'x', group: 'g' })).toEqual({ deleted: true })
    expect(await failing(client, 'stream_read_group', again)).toContain('stream_create_group')
  })

  test('info tells about Redis, and no paths of its machine', async () => {
    const { info } = await call(client, 'info', { sections: ['server', 'keyspace'] })
    expect(info.server.redis_version).toMatch(/^[67]\./)
    expect(Object.keys(info.server)).not.toContain('executable')
  })

  test('a wrong type says which tool to use', async () => {
    await held.raw.sadd('s', 'x')
    for (const tool of ['get', 'hash_read', 'list_range', 'stream_range', 'sorted_set_range']) {
      expect(await failing(client, tool, { key: 's' })).toContain('key_info')
    }
  })

  test('keys that are not text are listed in base64, and used so', async () => {
    const key = Buffer.from([0x6b, 0xff])
    await held.raw.set(key, 'v')
    const { keys, binaryKeys } = await call(client, 'list')
    expect([keys, binaryKeys]).toEqual([[], ['a/8=']])
    expect(await call(client, 'get', { key: 'a/8=', keyEncoding: 'base64' })).toMatchObject({ value: 'v' })
    expect(await call(client, 'delete', { key: ['a/8='], keyEncoding: 'base64' })).toEqual({ deleted: 1 })
  })
})
