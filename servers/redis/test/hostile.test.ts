import { describe, expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import { call, failing, open, redisForTests } from './helpers.ts'

describe('hostile values and arguments', requires('redis'), () => {
  const held = redisForTests()

  test('names of every kind are names', async () => {
    const client = await open({ redis: held.redis.url })
    const names = [
      '__proto__',
      'constructor',
      '',
      ' ',
      '\n',
      '"',
      '\u202e',
      '😀',
      '../../etc',
      '*',
      'KEYS *\r\nFLUSHALL\r\n',
    ]
    for (const key of names) {
      await call(client, 'set', { key, value: key })
      expect((await call(client, 'get', { key })).value).toBe(key)
      await call(client, 'hash_set', { key: `hash ${key}`, fields: [{ field: key, value: 'v' }] })
      expect((await call(client, 'hash_read', { key: `hash ${key}` })).fields).toMatchObject([
        { field: key, value: 'v' },
      ])
    }
    expect((await call(client, 'list', { pattern: '[^h]*' })).keys).toContain('__proto__')
    const text = (await client.callTool('list', { limit: 1_000 })).text
    expect(text).toContain('"KEYS *\\r\\nFLUSHALL\\r\\n"')
    expect(await held.raw.dbsize()).toBe(names.length * 2)
  })

  test('a huge value is read in parts, and what is too large is refused with the limit', async () => {
    const client = await open({ redis: held.redis.url })
    await held.raw.setrange('huge', 35_000_000, 'x')
    const part = await call(client, 'get', { key: 'huge' })
    expect([part.bytes, part.nextOffset]).toEqual([35_000_001, 100_000])
    expect(await failing(client, 'json_get', { key: 'huge' })).toContain('16000000 bytes')
    await held.raw.eval("redis.call('HSET', 'h', 'huge', redis.call('GET', 'huge'))", 0)
    expect(await failing(client, 'hash_get', { key: 'h', fields: ['huge'] })).toContain('32000000 bytes')
    const long = 'x'.repeat(8_193)
    expect(await failing(client, 'get', { key: long })).toContain('8192')
    expect(await failing(client, 'list', { pattern: 'x'.repeat(1_001) })).toContain('1000')
    expect(await failing(client, 'list', { pattern: 'a*'.repeat(21) })).toContain('stars')
    await held.raw.set(long, '1')
    expect(await call(client, 'list')).toMatchObject({ tooLong: 1 })
  })

  test('an answer that would fill the memory is dropped, and the next call works', async () => {
    const client = await open({ redis: held.redis.url })
    await held.raw.eval("for i = 1, 4 do redis.call('RPUSH', 'l', string.rep('x', 17000000)) end", 0)
    expect(await failing(client, 'list_pop', { key: 'l', count: 4 })).toContain('more than')
    expect(await held.raw.llen('l')).toBe(4)
    expect(await call(client, 'key_info', { key: 'l' })).toMatchObject({ length: 4 })
    expect((await call(client, 'list_range', { key: 'l', limit: 1 })).items).toMatchObject([{ cutFrom: 17_000_000 }])
  })

  test('JSON of any depth is answered, if only with an error', async () => {
    const client = await open({ redis: held.redis.url })
    await held.raw.set('deep', '['.repeat(400_000) + ']'.repeat(400_000))
    expect(await failing(client, 'json_get', { key: 'deep' })).toContain('nested')
    await held.raw.set('deep', `${'['.repeat(51)}1${']'.repeat(51)}`)
    expect(await failing(client, 'json_get', { key: 'deep' })).toContain('nested')
    expect(await call(client, 'json_get', { key: 'deep', pointer: '/0' })).toMatchObject({ exists: true })
    expect((await client.readResource('redis://key/deep')).contents).toHaveLength(1)
  })

  test('a read-only server has no tool that writes', async () => {
    const client = await open({ redis: held.redis.url, readOnly: true })
    const { tools } = await client.listTools()
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
    await expect(client.callTool('set', { key: 'a', value: '1' })).rejects.toThrow('set')
  })

  test('with confirm, a client that cannot ask changes nothing', async () => {
    const client = await open({ redis: held.redis.url, confirm: true })
    await held.raw.set('a', '1')
    for (const [tool, args] of [
      ['set', { key: 'a', value: '2' }],
      ['delete', { key: 'a' }],
      ['delete_matching', { pattern: '*' }],
      ['expire', { key: 'a', seconds: 1 }],
      ['rename', { key: 'a', newKey: 'b' }],
    ] as const) {
      expect(await failing(client, tool, args)).toContain('Nothing was changed')
    }
    expect(await held.raw.get('a')).toBe('1')
    await call(client, 'list_push', { key: 'l', values: ['1'] })
  })

  test('a cancelled call ends, and leaves the connection as it was', async () => {
    const client = await open({ redis: held.redis.url })
    await held.raw.eval("for i = 1, 50000 do redis.call('SET', 'k' .. i, 1) end", 0)
    const stop = new AbortController()
    const deleting = client.callTool(
      'delete_matching',
      { pattern: 'k*' },
      { signal: stop.signal, onProgress: () => stop.abort() },
    )
    await expect(deleting).rejects.toMatchObject({ code: 'cancelled' })
    expect(await held.raw.dbsize()).toBeGreaterThan(0)
    expect(await call(client, 'list', { limit: 1 })).toMatchObject({ nextCursor: expect.any(String) })
  })
})
