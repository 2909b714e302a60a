import { spawn } from 'node:child_process'
import { type Client, connect, type ProcessTarget } from '@tenon/sdk/client'
import type { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import { freePort } from '../../../scripts/test-redis.ts'
import { bin, originalBin, ours, redisForTests } from './helpers.ts'

/** Parameters that we have and the original lacks, by tool. */
const moreParameters: { [tool: string]: string[] } = {
  set: ['condition', 'encoding', 'keepTtl', 'keyEncoding'],
  get: ['keyEncoding', 'length', 'offset'],
  delete: ['keyEncoding'],
  list: ['cursor', 'limit', 'type'],
}

describe('beside the original', requires('redis'), () => {
  const held = redisForTests({ tcp: true })
  const url = (database: number): string => `redis://127.0.0.1:${held.redis.port}/${database}`
  let theirs: Client
  let mine: Client
  // The original takes a second to start.
  beforeAll(async () => {
    const connecting = { revisions: ['2025-11-25'] } as const
    const original: ProcessTarget = { command: process.execPath, args: [originalBin, url(1)], stderr: 'ignore' }
    ;[theirs, mine] = await Promise.all([connect(original, connecting), connect(ours(url(2)), connecting)])
  })
  const inBoth = async (work: (raw: Redis) => Promise<unknown>): Promise<void> => {
    for (const database of [1, 2, 0]) {
      await held.raw.select(database)
      await work(held.raw)
    }
  }
  afterAll(() => Promise.all([theirs?.close(), mine?.close()]))

  test('every tool of the original is here, with its parameters', async () => {
    const known = new Map((await mine.listTools()).tools.map((tool) => [tool.name, tool]))
    const { tools } = await theirs.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['set', 'get', 'delete', 'list'])
    for (const { name, inputSchema } of tools) {
      const like = known.get(name)!.inputSchema
      const names = Object.keys(like.properties!).filter((one) => !moreParameters[name]!.includes(one))
      expect([name, names]).toEqual([name, Object.keys(inputSchema.properties!)])
      expect([name, like.required ?? []]).toEqual([name, inputSchema.required ?? []])
      const [here, there] = [like.properties, inputSchema.properties] as { [name: string]: unknown }[]
      for (const one of names) expect(shapeOf(here![one])).toEqual(shapeOf(there![one]))
    }
  })

  test('the same calls have the same answers', async () => {
    const script: [tool: string, args: object][] = [
      ...(['one', 'two', 'three'].map((value) => ['set', { key: `k:${value}`, value }]) as [string, object][]),
      ['set', { key: 'k:one', value: 'again', expireSeconds: 100 }],
      ['set', { key: 'k:forever', value: 'x', expireSeconds: 0 }],
      ['get', { key: 'k:one' }],
      ['get', { key: 'missing' }],
      ['set', { key: 'multi\nline ü', value: 'a\nb' }],
      ['get', { key: 'multi\nline ü' }],
      ['list', { pattern: 'k:t*' }],
      ['list', { pattern: 'nothing*' }],
      ['list', {}],
      ['delete', { key: 'k:one' }],
      ['delete', { key: ['k:two', 'k:three'] }],
      ['list', { pattern: 'k:*' }],
    ]
    const run = async (client: Client): Promise<string[]> => {
      const texts: string[] = []
      // Keys come in no order.
      for (const [tool, args] of script) texts.push((await client.callTool(tool, { ...args })).text)
      return texts.map((text) => (text.startsWith('Found') ? text.split('\n').sort().join('\n') : text))
    }
    // A key with a line break is quoted in our lists and sentences: it is one key and not two.
    const plain = (texts: string[]): string[] =>
      texts.map((text) => text.replaceAll('"multi\\nline ü"', 'multi\nline ü'))
    const [there, here] = [await run(theirs), plain(await run(mine))]
    const sorted = (texts: string[]): string[] => texts.map((text) => text.split('\n').sort().join('\n'))
    expect(sorted(here)).toEqual(sorted(there))
    const state = async (database: number): Promise<unknown[]> => {
      await held.raw.select(database)
      return [await held.raw.dbsize(), await held.raw.ttl('k:forever'), await held.raw.get('multi\nline ü')]
    }
    expect(await state(2)).toEqual(await state(1))
    await held.raw.select(0)
  })

  test('differences: missing keys are not deleted, answers have limits, mistakes are told to the model', async () => {
    const both = async (tool: string, args: object): Promise<string[]> => [
      (await theirs.callTool(tool, { ...args })).text,
      (await mine.callTool(tool, { ...args })).text,
    ]
    expect(await both('delete', { key: 'none' })).toEqual(['Successfully deleted key: none', 'Key not found: none'])
    expect(await both('delete', { key: ['none'] })).toEqual([
      'Successfully deleted 1 keys',
      'Successfully deleted 0 keys',
    ])
    await inBoth((raw) => raw.set('long', 'x'.repeat(150_000)))
    expect((await both('get', { key: 'long' })).map(({ length }) => length > 150_000 - 1)).toEqual([true, false])
    await inBoth((raw) => raw.sadd('s', '1'))
    await expect(theirs.callTool('get', { key: 's' })).rejects.toThrow('WRONGTYPE')
    expect(await mine.callTool('get', { key: 's' })).toMatchObject({ isError: true })
    // Half a second: the original refuses it in the words of Redis.
    await expect(theirs.callTool('set', { key: 'a', value: '1', expireSeconds: 0.5 })).rejects.toThrow('not an integer')
    expect(await mine.callTool('set', { key: 'a', value: '1', expireSeconds: 0.5 })).toMatchObject({ isError: false })
  })

  test('the original sends KEYS, which stops Redis for everybody; ours does not', async () => {
    const commands = async (client: Client): Promise<string> => {
      await held.raw.call('CONFIG', 'RESETSTAT')
      await client.callTool('list', {})
      return held.raw.info('commandstats')
    }
    expect(await commands(theirs)).toContain('cmdstat_keys')
    const stats = await commands(mine)
    expect(stats).toContain('cmdstat_scan')
    expect(stats).not.toContain('cmdstat_keys')
  })

  test('the original prints bytes that are not text as if they were; ours keeps them', async () => {
    const bytes = Buffer.from([0xff, 0xfe, 0x00])
    await inBoth((raw) => raw.set('bytes', bytes))
    expect(Buffer.from((await theirs.callTool('get', { key: 'bytes' })).text)).not.toEqual(bytes)
    const { structured } = await mine.callTool('get', { key: 'bytes' })
    expect(structured).toMatchObject({ value: bytes.toString('base64'), encoding: 'base64' })
  })

  test('the original logs the password; ours does not', async () => {
    const address = `redis://user:hunter2@127.0.0.1:${await freePort()}`
    expect(await stderrOf(originalBin, address, (text) => text.includes('Connection:'))).toContain('hunter2')
    const text = await stderrOf(bin, address, (said) => said.includes('"id":2'), [
      {
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
      },
      { method: 'tools/call', params: { name: 'get', arguments: { key: 'a' } } },
    ])
    expect(text).toContain('cannot be reached')
    expect(text).not.toContain('hunter2')
  })
})

/** Everything that a program says, until it has said enough. */
async function stderrOf(
  program: string,
  address: string,
  isEnough: (text: string) => boolean,
  messages: readonly object[] = [],
): Promise<string> {
  const child = spawn(process.execPath, [program, address])
  let said = ''
  try {
    return await new Promise<string>((resolve) => {
      const take = (chunk: Buffer): void => {
        said += chunk.toString()
        if (isEnough(said)) resolve(said)
      }
      child.stderr.on('data', take)
      child.stdout.on('data', take)
      for (const [at, message] of messages.entries()) {
        child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: at + 1, ...message })}\n`)
      }
    })
  } finally {
    child.kill()
  }
}

/** The part of a schema that decides which arguments are accepted: zod writes anyOf for the original's oneOf. */
function shapeOf(schema: unknown): unknown {
  const { type, anyOf, oneOf, items } = schema as { [name: string]: unknown }
  const choices = (anyOf ?? oneOf) as unknown[] | undefined
  return {
    type,
    ...(choices && { choices: choices.map(shapeOf) }),
    ...(items !== undefined && { items: shapeOf(items) }),
  }
}
