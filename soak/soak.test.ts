import { spawnSync } from 'node:child_process'
import { connect as connectSocket, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type Channel, McpError, RpcError } from '@tenon/sdk/client'
import { describe, expect, test } from 'vitest'
import { counted } from './lib/counted.ts'
import { CuttingProxy } from './lib/cutting-proxy.ts'
import { leftBehind } from './lib/footprint.ts'
import { Random } from './lib/random.ts'
import { Tally } from './lib/tally.ts'

const fine = (): undefined => undefined

describe('the tally', () => {
  test('counts answers, and failures that may be', async () => {
    const tally = new Tally()
    expect(await tally.call('a', 'b', async () => 1, fine)).toBe(true)
    expect(await tally.call('a', 'b', () => Promise.reject(new McpError('closed', 'gone')), fine)).toBe(false)
    expect(tally.count('a')).toEqual({ started: 2, answered: 1, failed: { closed: 1 } })
    expect([tally.problems, tally.open]).toEqual([[], 0])
  })

  test.each([
    ['a wrong answer', async () => 1, () => 'expected 2', /a b: expected 2/],
    ['an untyped error', () => Promise.reject(new TypeError('oops')), fine, /untyped TypeError: oops/],
    ['an error of the server', () => Promise.reject(new RpcError(-32603, 'Internal error')), fine, /RpcError -32603/],
    [
      'an error that nothing explains',
      () => Promise.reject(new McpError('invalid_result', 'odd')),
      fine,
      /invalid_result/,
    ],
  ])('keeps %s', async (_, run, wrong, problem) => {
    const tally = new Tally()
    await tally.call<unknown>('a', 'b', run, wrong)
    expect(tally.problems).toEqual([expect.stringMatching(problem)])
  })
})

test('a second answer to one request is told', () => {
  const complaints: string[] = []
  let receive: (value: unknown) => void = () => {}
  const channel: Channel = {
    open: (receiver) => {
      receive = (value) => receiver.receive(value)
    },
    send: () => {},
    close: async () => {},
  }
  const heard: unknown[] = []
  counted(channel, (text) => complaints.push(text)).open({
    receive: (value) => void heard.push(value),
    refuse: () => {},
    closed: () => {},
  })
  for (const id of [1, 2, 1]) receive({ jsonrpc: '2.0', id, result: {} })
  receive({ jsonrpc: '2.0', id: 1, method: 'ping' })
  expect(heard).toHaveLength(4)
  expect(complaints).toEqual(['request 1 was answered twice'])
})

test('what is left behind is told', () => {
  const before = { memory: 10e6, handles: 5, files: 20 }
  expect(leftBehind('it', before, { memory: 12e6, handles: 6, files: 21 })).toEqual([])
  expect(leftBehind('it', before, { memory: 60e6, handles: 50, files: 90 })).toHaveLength(3)
})

test('the proxy passes bytes on until it cuts', async () => {
  const echo = createServer((socket) => void socket.on('error', () => {}).pipe(socket))
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve))
  const proxy = await CuttingProxy.open(() => (echo.address() as { port: number }).port)
  const socket = connectSocket(proxy.port, '127.0.0.1')
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.once('close', resolve))
  const answer = new Promise((resolve) => socket.once('data', (chunk) => resolve(String(chunk))))
  socket.write('hello')
  expect(await answer).toBe('hello')
  expect(proxy.cut(0, true)).toBe(true)
  await closed
  await proxy.close()
  await new Promise((resolve) => echo.close(resolve))
})

test('the same seed gives the same order', () => {
  const numbers = (seed: number): number[] => {
    const random = new Random(seed)
    return Array.from({ length: 20 }, () => random.between(1, 1_000))
  }
  expect(numbers(7)).toEqual(numbers(7))
  expect(numbers(7)).not.toEqual(numbers(8))
})

test('the command says what it can do, and what it cannot', () => {
  const root = fileURLToPath(new URL('../', import.meta.url))
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ['soak/run.mjs', ...args], { cwd: root, encoding: 'utf8' })
  expect(run('--help').stdout).toContain('--minutes <n>')
  expect(run('--minutes', 'many')).toMatchObject({ status: 2, stderr: expect.stringContaining('--minutes: expected') })
})
