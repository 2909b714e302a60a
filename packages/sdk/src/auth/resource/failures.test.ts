import { afterEach, expect, test, vi } from 'vitest'
import type { HttpRequest } from '../../http/request.ts'
import { Failures } from './failures.ts'

afterEach(() => vi.useRealTimers())

const from = (remoteAddress: string | undefined): HttpRequest => ({
  method: 'POST',
  target: { path: '/mcp', query: '' },
  raw: { socket: { remoteAddress } },
  header: () => undefined,
  readBody: async () => ({ text: '' }),
})

test('memory is bounded, however many addresses fail', () => {
  const failures = new Failures({ max: 1 })
  for (let i = 0; i < 20_000; i++) failures.add(`198.51.${i >> 8}.${i & 255}`)
  expect(failures.size).toBe(10_000)
  expect(failures.waitMs('198.51.0.0')).toBe(0)
  expect(failures.waitMs(`198.51.${19_999 >> 8}.${19_999 & 255}`)).toBeGreaterThan(0)
})

test('an address of IPv6 stands for its network, and one of IPv4 for itself', () => {
  const failures = new Failures()
  const one = failures.addressOf(from('2600:1f18:1:2:aaaa::1'))
  expect(one).toBe('2600:1f18:1:2::/64')
  expect(failures.addressOf(from('2600:1f18:1:2:bbbb:0:0:9'))).toBe(one)
  expect(failures.addressOf(from('2600:1f18::9'))).toBe('2600:1f18:0:0::/64')
  expect(failures.addressOf(from('::ffff:93.184.216.34'))).toBe('93.184.216.34')
})

test('addresses that are proxies more often than clients are not counted, unless somebody says who is behind them', () => {
  const failures = new Failures()
  for (const address of ['127.0.0.1', '::1', '10.1.2.3', '172.17.0.1', 'fd00::1', undefined]) {
    expect(failures.addressOf(from(address))).toBeUndefined()
  }
  expect(new Failures({ address: () => '10.1.2.3' }).addressOf(from('127.0.0.1'))).toBe('10.1.2.3')
})

test('a request of a platform without connections has no address', () => {
  expect(new Failures().addressOf({ ...from(undefined), raw: new Request('http://localhost/') })).toBeUndefined()
})

test('a window lasts no longer if the wall clock is set back', () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  const failures = new Failures({ max: 1, windowMs: 60_000 })
  failures.add('198.51.100.1')
  vi.setSystemTime(Date.now() - 3_600_000)
  expect(failures.waitMs('198.51.100.1')).toBe(60_000)
  vi.advanceTimersByTime(60_000)
  expect(failures.waitMs('198.51.100.1')).toBe(0)
})
