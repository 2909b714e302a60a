import { describe, expect, test } from 'vitest'
import type { LogLine } from '../src/protocol.ts'
import { LogLines } from '../src/servers/log-lines.ts'
import { connected, reach, serverThat } from './tasks.suite.ts'
import { TestBench } from './workbench-in-test.suite.ts'

async function countPrimes(bench: TestBench, server: string): Promise<void> {
  const operation = { method: 'tools/call' as const, name: 'count_primes', arguments: { below: 100 } }
  const { call: id } = await bench.run('call.start', { server, operation })
  await bench.until((event) => {
    const calls = event.type === 'snapshot' ? event.snapshot.calls : event.type === 'call' ? [event.call] : []
    return calls.find((call) => call.id === id)?.outcome
  })
}

describe.each([
  ['2024-11-05', 'stdio'],
  ['2025-03-26', 'stdio'],
  ['2025-06-18', 'stdio'],
  ['2025-11-25', 'stdio'],
  ['2025-11-25', 'http'],
  ['2026-07-28', 'stdio'],
  ['2026-07-28', 'http'],
] as const)('a server of %s over %s', (revision, transport) => {
  test('logs from the level on that was chosen while connected', async () => {
    await using way = await reach(revision, transport)
    await using bench = await TestBench.open({ servers: [way.spec] })
    const { id: server } = await connected(bench)
    const log = async (): Promise<LogLine[]> => (await bench.run('server.log', { server })).lines
    await bench.run('server.setLogLevel', { server, level: 'debug' })
    await serverThat(bench, ({ logLevel }) => logLevel === 'debug')
    const told = bench.until((event) => (event.type === 'log' ? event.last : undefined))
    await countPrimes(bench, server)
    await expect.poll(log).toMatchObject([
      { number: 1, level: 'info', logger: 'primes', data: { event: 'started', below: 100 } },
      { number: 2, level: 'info', logger: 'primes', data: { event: 'finished', primes: 25 } },
      { number: 3, level: 'debug', logger: 'timing' },
    ])
    await bench.run('server.setLogLevel', { server, level: 'error' })
    await countPrimes(bench, server)
    expect(await log()).toHaveLength(3)
    await bench.run('server.setLogLevel', { server, level: 'info' })
    await countPrimes(bench, server)
    await expect.poll(log).toHaveLength(5)
    expect(await told).toBeGreaterThan(0)
    expect((await bench.run('server.log', { server, after: 4 })).lines).toMatchObject([{ number: 5 }])
  })
})

test('a log is bounded in messages and in characters', () => {
  const log = new LogLines()
  for (let count = 0; count < 3_000; count++) log.add({ level: 'info', data: count })
  expect(log.after(0)).toHaveLength(2_000)
  expect(log.after(0).at(-1)).toMatchObject({ number: 3_000, data: 2_999 })
  expect(log.last).toBe(3_000)
  expect(log.after(2_990)).toHaveLength(10)
  for (let count = 0; count < 200; count++) log.add({ level: 'info', data: 'x'.repeat(70_000) })
  expect(JSON.stringify(log.after(0)).length).toBeLessThan(9 * 1024 * 1024)
  expect(log.after(0).at(-1)?.data).toHaveLength(65_537)
})
