import { createServer, tool } from '@tenon/sdk/server'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createHost, modelName, policy } from '../src/index.ts'
import { scripted } from './scripted.ts'

const consent = policy({ otherwise: 'allow' })

test('names are plain where they can be, and carry a hash where they cannot', () => {
  expect(modelName('weather', 'get_forecast')).toBe('weather__get_forecast')
  expect(modelName('my-server', 'get-forecast')).toBe('my-server__get-forecast')
  expect(modelName('weather', 'get.forecast')).toMatch(/^weather__get_forecast_[\da-f]{8}$/)
  expect(modelName('1st', 'go')).toMatch(/^_1st__go_[\da-f]{8}$/)
  expect(modelName('a__b', 'c')).not.toBe(modelName('a', 'b__c'))
  expect(modelName('a', '_b')).not.toBe(modelName('a_', 'b'))
  expect(modelName('s', 'x'.repeat(100))).toHaveLength(64)
  expect(modelName('s', `${'x'.repeat(100)}1`)).not.toBe(modelName('s', `${'x'.repeat(100)}2`))
})

test('names fit every provider and differ for different tools', () => {
  const word = fc.string({
    unit: fc.constantFrom('a', 'b', '_', '__', '-', '.', 'é', '1', '/'),
    minLength: 1,
    maxLength: 8,
  })
  fc.assert(
    fc.property(word, word, word, word, (server, name, otherServer, otherName) => {
      const [first, second] = [modelName(server, name), modelName(otherServer, otherName)]
      expect(first).toMatch(/^[a-zA-Z_][\w-]{0,63}$/)
      expect(first === second).toBe(server === otherServer && name === otherName)
    }),
    { numRuns: 2_000 },
  )
})

test('a server that joins renames nothing', async () => {
  using one = scripted({ tools: [{ name: 'search' }, { name: 'b__c' }] })
  await using host = await createHost({ servers: { a: one.config }, consent })
  await host.ready()
  const before = host.tools.map(({ name }) => name)
  host.addServer('a__b', { ...one.config })
  host.addServer('b', { ...one.config })
  await host.ready()
  expect(host.tools.map(({ name }) => name)).toEqual(expect.arrayContaining(before))
  expect(host.tools).toHaveLength(6)
  expect(host.problems.filter(({ code }) => code === 'collision')).toEqual([])
})

const subjects = ['mail', 'calendar', 'file', 'issue', 'invoice', 'weather', 'ticket', 'image', 'route', 'song']
const verbs = ['create', 'read', 'update', 'remove', 'search', 'list', 'export', 'import', 'share', 'archive']

test('thirty servers with a thousand tools: listed within 5 ms, and found by words', async () => {
  const servers = Array.from({ length: 30 }, (_, at) => [
    `server${at}`,
    createServer({
      name: `s${at}`,
      version: '1.0.0',
      tools: Array.from({ length: 34 }, (_, of) => {
        const [verb, subject] = [verbs[of % 10]!, subjects[(at + of) % 10]!]
        return tool({
          name: `${verb}_${subject}_${of}`,
          description: `Can ${verb} a ${subject} of department ${at}`,
          run: () => 'done',
        })
      }),
    }),
  ])
  await using host = await createHost({
    servers: Object.fromEntries(servers),
    consent: policy({
      deny: ['*.remove_*', 'server7.*'],
      ask: [{ hints: { destructive: true } }],
      allow: ['server1.*', 'server2.*'],
    }),
  })
  await host.ready()
  expect(host.tools.length).toBeGreaterThan(850)
  const times = Array.from({ length: 20 }, () => {
    const started = performance.now()
    void host.tools
    return performance.now() - started
  })
  expect(Math.min(...times)).toBeLessThan(5)
  const [found] = host.search('archive an invoice of department 15')
  expect(found).toMatchObject({
    item: { server: 'server15', tool: { name: expect.stringMatching(/^archive_invoice/) } },
    score: 1,
  })
  expect(
    host
      .search('remove a mail')
      .map(({ item }) => item.tool.name)
      .filter((name) => name.startsWith('remove')),
  ).toEqual([])
  expect(host.search('zebra')).toEqual([])
  expect(host.search('songs', { limit: 3 })).toHaveLength(3)
})

test('ten thousand calls leave nothing behind', async () => {
  const server = createServer({ name: 's', version: '1.0.0', tools: [tool({ name: 'go', run: () => 'gone' })] })
  await using host = await createHost({ servers: { s: server }, consent })
  const call = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at++) await host.callTool('s__go', { at }, { callId: `call ${at}` })
  }
  const heap = async (): Promise<number> => {
    // Two looks: the first collection may leave what is only weakly held.
    for (let at = 0; at < 3; at++) {
      collect()
      await new Promise(setImmediate)
    }
    return process.memoryUsage().heapUsed
  }
  await call(10_000)
  const before = await heap()
  await call(10_000)
  const grown = (await heap()) - before
  // A single kept object of each call would be more than 100 bytes.
  expect(grown / 10_000).toBeLessThan(50)
})

const { setFlagsFromString } = process.getBuiltinModule('node:v8')
const { runInNewContext } = process.getBuiltinModule('node:vm')
setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')
