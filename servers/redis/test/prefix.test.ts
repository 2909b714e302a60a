import type { Client } from '@tenon/sdk/client'
import { beforeEach, describe, expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import { call, failing, open, redisForTests } from './helpers.ts'

/** Arguments besides the key, by tool: every tool that takes a key is here. */
const others: { [tool: string]: object } = {
  ...{ set: { value: '1' }, get: {}, delete: {}, increment: {}, json_get: {}, json_set: { json: 1 } },
  ...{ key_info: {}, memory_usage: {}, ttl: {}, persist: {}, expire: { seconds: 9 }, rename: { newKey: 'app:x' } },
  ...{
    hash_read: {},
    hash_get: { fields: ['f'] },
    hash_set: { fields: [{ field: 'f', value: '1' }] },
    hash_delete: { fields: ['f'] },
  },
  ...{ hash_increment: { field: 'f' }, list_range: {}, list_push: { values: ['1'] }, list_pop: {} },
  ...{ list_set: { index: 0, value: '1' }, list_remove: { value: '1' }, list_trim: { start: 0, stop: 0 } },
  ...{ set_members: {}, set_contains: { members: ['1'] }, set_add: { members: ['1'] }, set_remove: { members: ['1'] } },
  ...{ sorted_set_range: {}, sorted_set_scores: { members: ['1'] }, sorted_set_remove: { members: ['1'] } },
  ...{ sorted_set_add: { members: [{ member: '1', score: 1 }] }, sorted_set_increment: { member: '1' } },
  ...{
    stream_range: {},
    stream_info: {},
    stream_add: { fields: [{ field: 'f', value: '1' }] },
    stream_delete: { ids: ['1-1'] },
  },
  ...{ stream_trim: { maxLength: 0 }, stream_create_group: { group: 'g', createStream: true } },
  ...{ stream_delete_group: { group: 'g' }, stream_read_group: { group: 'g', consumer: 'c' } },
  ...{ stream_ack: { group: 'g', ids: ['1-1'] }, stream_pending: { group: 'g' } },
}

const refusal = 'may only use keys that begin with "app:"'

// Whatever works here works without KEYS.
describe('prefixes', requires('redis'), () => {
  const held = redisForTests({ args: ['--rename-command', 'KEYS', ''] })
  let client: Client
  beforeEach(async () => {
    client = await open({ redis: held.redis.url, prefix: ['app:'] })
    await held.raw.mset({ 'app:a': '1', 'app:b': '2', other: 'secret', 'App:a': '3', app: '4' })
  })

  test('no tool touches a key outside, not even one that is new', async () => {
    const { tools } = await client.listTools()
    const withKey = tools.filter(({ inputSchema }) => Object.hasOwn(inputSchema.properties ?? {}, 'key'))
    expect(withKey.map(({ name }) => name).sort()).toEqual(Object.keys(others).sort())
    const outside = ['other', 'new', 'App:a', 'app', ' app:', '\0app:', '', 'other\r\napp:', 'ａpp:']
    for (const { name } of withKey) {
      for (const key of outside) {
        expect([name, key, await failing(client, name, { key, ...others[name] })]).toEqual([
          ...[name, key, expect.stringContaining(refusal)],
        ])
      }
    }
    expect(await held.raw.dbsize()).toBe(5)
    expect(await held.raw.get('other')).toBe('secret')
  })

  test('neither the second key of a command, nor one of many, nor one in base64 is outside', async () => {
    expect(await failing(client, 'rename', { key: 'app:a', newKey: 'other', overwrite: true })).toContain(refusal)
    expect(await failing(client, 'rename', { key: 'app:a', newKey: 'new' })).toContain(refusal)
    expect(await failing(client, 'delete', { key: ['app:a', 'other'] })).toContain(refusal)
    expect(await failing(client, 'get_many', { keys: ['app:a', 'other'] })).toContain(refusal)
    const base64 = { key: Buffer.from('other').toString('base64'), keyEncoding: 'base64' }
    expect(await failing(client, 'get', base64)).toContain(refusal)
    expect(await held.raw.dbsize()).toBe(5)
    expect(await call(client, 'rename', { key: 'app:a', newKey: 'app:c' })).toEqual({ renamed: true })
  })

  test('patterns reach no further', async () => {
    for (const pattern of ['*', '*a*', '[aAo]*', '?*', '\\*', 'o*', 'app*']) {
      const { keys } = await call(client, 'list', { pattern })
      expect(keys.filter((key: string) => !key.startsWith('app:'))).toEqual([])
    }
    expect((await call(client, 'list')).keys.sort()).toEqual(['app:a', 'app:b'])
    expect(await call(client, 'delete_matching', { pattern: '*' })).toMatchObject({ deleted: 2 })
    expect(await held.raw.dbsize()).toBe(3)
    await call(client, 'delete_matching', { pattern: 'other' })
    expect(await held.raw.get('other')).toBe('secret')
  })

  test('a prefix is no pattern', async () => {
    const prefix = 'a*[b]?\\'
    await held.raw.mset({ [`${prefix}1`]: '1', 'axxb?1': '2', aXb: '3' })
    const narrow = await open({ redis: held.redis.url, prefix: [prefix] })
    expect((await call(narrow, 'list')).keys).toEqual([`${prefix}1`])
    expect((await call(narrow, 'get', { key: `${prefix}1` })).value).toBe('1')
    expect(await failing(narrow, 'get', { key: 'axxb?1' })).toContain('may only use')
    const both = await open({ redis: held.redis.url, prefix: ['app:', 'a*'] })
    expect((await call(both, 'list')).keys.sort()).toEqual([`${prefix}1`, 'app:a', 'app:b'].sort())
  })

  test('resources, their list and completion know only the allowed keys', async () => {
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri).sort()).toEqual([
      'redis://info',
      'redis://key/app%3Aa',
      'redis://key/app%3Ab',
    ])
    for (const uri of ['redis://key/other', 'redis://binary-key/b3RoZXI', 'redis://key/app']) {
      await expect(client.readResource(uri)).rejects.toMatchObject({ code: -32002 })
    }
    const ref = { type: 'ref/resource', uri: 'redis://key/{key}{?cursor}' } as const
    const complete = async (value: string) => (await client.complete(ref, { name: 'key', value })).values
    expect(await complete('')).toEqual(['app:a', 'app:b'])
    expect([await complete('o'), await complete('*'), await complete('app:b')]).toEqual([[], [], ['app:b']])
    await expect(client.watch('redis://key/other', () => {})).rejects.toThrow()
  })

  test('KEYS was never sent', async () => {
    await call(client, 'list')
    const stats = await held.raw.info('commandstats')
    expect(stats).toContain('cmdstat_scan')
    expect(stats).not.toContain('cmdstat_keys')
  })
})
