import { getEventListeners, setMaxListeners } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { cpuTime } from '../../test/cpu-time.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import { deadlineCount } from '../jsonrpc/timer-wheel.ts'
import { connect } from './connect.ts'
import type { ProcessTarget } from './connecting/target.ts'
import type { ConnectOptions } from './options.ts'
import { legacyServer, type ScriptedServer, silence } from './scripted-server.suite.ts'

const done: JsonObject = { content: [{ type: 'text', text: 'done' }] }
const form = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } }

describe('a server that floods', () => {
  test('with ten thousand questions gets as many answers as may be in work, and refusals for the rest', async () => {
    let asked = 0
    let answerAll: () => void = () => {}
    const answered = new Promise<void>((resolve) => {
      answerAll = resolve
    })
    const server = legacyServer({ ping: {} })
    await using client = await connect(server.open, {
      elicit: async () => {
        asked += 1
        await answered
        return { action: 'accept' }
      },
    })
    const answers = Array.from({ length: 10_000 }, (_, id) => server.ask('elicitation/create', form, id))
    await client.ping()
    answerAll()
    const results = await Promise.all(answers)
    expect(asked).toBe(2_048)
    expect(results.filter(({ result }) => result?.action === 'accept')).toHaveLength(2_048)
    expect(results.filter(({ error }) => /Too many requests/.test(String(error?.message)))).toHaveLength(7_952)
    await client.ping()
  })

  // [cancel.ignore-invalid] [progress.active-tokens-only]
  test('with news and reports about nothing loses no call', async () => {
    const reported: number[] = []
    let changes = 0
    const errors: Error[] = []
    const server: ScriptedServer = legacyServer({
      'tools/call': (_, { id }) => {
        for (let progress = 1; progress <= 5_000; progress++) {
          server.notify('notifications/tools/list_changed')
          server.notify('notifications/progress', { progressToken: id!, progress })
          server.notify('notifications/progress', { progressToken: 'nobody', progress })
          server.notify('notifications/cancelled', { requestId: progress })
          server.notify('notifications/resources/updated', { uri: 'file:///nobody' })
        }
        return done
      },
    })
    await using client = await connect(server.open, { onError: (error) => errors.push(error) })
    client.onChange('tools', () => {
      changes += 1
    })
    const { text } = await client.callTool('x', {}, { onProgress: ({ progress }) => reported.push(progress) })
    expect(text).toBe('done')
    expect([reported.length, changes, errors.length]).toEqual([5_000, 5_000, 0])
  })
})

test('answers that belong to nothing, or are none, are reported and settle nothing else', async () => {
  const errors: string[] = []
  const server: ScriptedServer = legacyServer({
    'tools/call': async (_, { id }) => {
      for (const stray of [999, -1, 'x', '', '__proto__']) server.send({ jsonrpc: '2.0', id: stray, result: done })
      for (const stray of [null, 1.5, true, {}, []]) server.send({ jsonrpc: '2.0', id: stray, result: done })
      server.send({ jsonrpc: '2.0', id: 999, error: { code: 'x', message: 5 } })
      server.send({ jsonrpc: '1.0', id, result: {} })
      server.send({ id, result: {} })
      for (const nonsense of [null, 5, 'x', [], [[]], {}]) server.send(nonsense)
      return done
    },
    'resources/read': (_, { id }) => {
      server.send({ jsonrpc: '2.0', id, result: done, error: { code: 1, message: 'both' } })
      return silence
    },
  })
  await using client = await connect(server.open, { onError: ({ message }) => errors.push(message) })
  expect((await client.callTool('x')).text).toBe('done')
  expect(errors.length).toBeGreaterThanOrEqual(19)
  await expect(client.readResource('file:///x')).rejects.toMatchObject({
    code: 'invalid_result',
    message: expect.stringMatching(/either result or error/),
  })
})

describe('output schemas meant to harm are bounded', () => {
  const doubling: JsonObject = { type: 'array', $defs: {} }
  const deep = Array.from({ length: 25 }).reduce<JsonObject>((inner) => ({ properties: { a: inner } }), {})
  for (let level = 0; level < 30; level++) {
    const next = { $ref: `#/$defs/d${level + 1}` }
    const both = level === 29 ? {} : { allOf: [next, next] }
    ;(doubling.$defs as JsonObject)[`d${level}`] = both
  }
  // [jschema.no-network-ref] [jschema.unresolved-ref-reject] [jschema.unsupported-dialect-error] [jschema.bounds]
  test.each<[string, JsonObject, unknown, RegExp | undefined]>([
    ['a reference to elsewhere', { $ref: 'http://127.0.0.1:1/x' }, {}, /cannot be used/],
    ['a dialect of its own', { $schema: 'https://example.com/mine' }, {}, /example\.com\/mine/],
    ['itself', { $ref: '#' }, {}, /./],
    ['a pattern that explodes', { properties: { a: { pattern: '^(a+)+$' } } }, { a: `${'a'.repeat(50_000)}!` }, /./],
    ['doubling references', { ...doubling, allOf: [{ $ref: '#/$defs/d0' }], type: 'object' }, {}, /./],
    ['depth', deep, {}, undefined],
    ['a property named __proto__', JSON.parse('{"required":["__proto__"]}') as JsonObject, {}, /__proto__/],
  ])('%s', async (_, outputSchema, structuredContent, problem) => {
    const server = legacyServer({
      'tools/list': { tools: [{ name: 'x', inputSchema: { type: 'object' }, outputSchema }] },
      'tools/call': { ...done, structuredContent },
      ping: {},
    })
    await using client = await connect(server.open, { validate: 'strict' })
    const spent = cpuTime()
    const call = client.callTool('x').then(
      () => undefined,
      (error: Error) => error.message,
    )
    if (problem === undefined) expect(await call).toBeUndefined()
    else expect(await call).toMatch(problem)
    expect(spent()).toBeLessThan(2_000)
    await client.ping()
  })
})

test('nothing is left behind by calls that are answered, cancelled or given up', async () => {
  const stop = new AbortController()
  const server = legacyServer({ 'tools/call': ({ name }) => (name === 'answered' ? done : silence), ping: {} })
  const watched = deadlineCount()
  await using client = await connect(server.open)
  const { signal } = stop
  setMaxListeners(0, signal)
  for (let i = 0; i < 200; i++) await client.callTool('answered', {}, { signal })
  const given = Array.from({ length: 200 }, () => client.callTool('lost', {}, { signal, timeoutMs: 10 }))
  await Promise.allSettled(given)
  expect(getEventListeners(signal, 'abort')).toEqual([])
  const cancelled = Array.from({ length: 200 }, () => client.callTool('lost', {}, { signal }))
  stop.abort()
  await Promise.allSettled(cancelled)
  expect(deadlineCount()).toBe(watched)
})

describe('a process that', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-hostile-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const script = join(folder, 'server.mjs')
  writeFileSync(
    script,
    `import { createInterface } from 'node:readline'
const write = (text) => process.stdout.write(text)
const send = (message) => write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
const pings = (id) => JSON.stringify({ jsonrpc: '2.0', id: id + 'x'.repeat(60_000), method: 'ping' }) + '\\n'
const habits = {
  mumbles() {
    write(Buffer.from([0xff, 0xfe, 0x7b, 0x0a, 0xc3, 0x28, 0x0a, 0x00, 0x0a]))
    write('['.repeat(1_000_000) + '\\n' + '{"a":'.repeat(100_000) + '\\n')
    write('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"' + 'x'.repeat(17_000_000) + '"}}\\n')
    write('\\r\\n\\n  \\n')
  },
  'asks and does not read'() {
    process.stdin.pause()
    const more = (id) => {
      while (write(pings(id++)));
      process.stdout.once('drain', () => more(id))
    }
    more(0)
    return 'silent'
  },
  'dies in the middle of a line'() {
    write('{"jsonrpc":"2.0","id":2,"resu')
    process.exit(4)
  },
}
const [, , habit] = process.argv
const serverInfo = { name: habit, version: '1' }
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize') {
    if (habit === 'dies in the handshake') process.exit(3)
    send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } })
  } else if (method === 'tools/call') {
    if (habits[habit]() === 'silent') return
    send({ id, result: ${JSON.stringify(done)} })
  } else if (method === 'ping') send({ id, result: {} })
})
`,
  )
  const start = (habit: string, options: ConnectOptions = {}) => {
    const target: ProcessTarget = { command: process.execPath, args: [script, habit], closeTimeouts: { exitMs: 100 } }
    return connect(target, { revisions: ['2025-11-25'], ...options })
  }

  // [rpc.encoding.utf8] [stdio.framing.newline-delimited]
  test('mumbles is understood where it speaks, and what it mumbled is reported', async () => {
    const errors: string[] = []
    await using client = await start('mumbles', { onError: ({ message }) => errors.push(message) })
    expect((await client.callTool('x')).text).toBe('done')
    expect(errors.map((message) => message.replace(/:.*|of \d+.*/s, ''))).toEqual([
      'Parse error',
      'Parse error',
      'Parse error',
      'Message nests deeper than the limit ',
      'Message nests deeper than the limit ',
      'Message exceeds the limit ',
    ])
  })

  test('asks and does not read is ended, and says so', async () => {
    await using client = await start('asks and does not read')
    await expect(client.callTool('x')).rejects.toMatchObject({
      code: 'closed',
      message: expect.stringMatching(/does not read its standard input/),
    })
    expect(await client.closed).toMatchObject({ code: 'closed' })
  })

  test('dies in the middle of a line fails the call and reports the line', async () => {
    const errors: string[] = []
    await using client = await start('dies in the middle of a line', {
      onError: ({ message }) => errors.push(message),
    })
    await expect(client.callTool('x')).rejects.toThrow(/exited with code 4/)
    expect(errors).toEqual([expect.stringMatching(/not JSON: .*resu/)])
  })

  test('dies in the handshake is an error at once', async () => {
    await expect(start('dies in the handshake')).rejects.toThrow(/exited with code 3/)
  })
})
