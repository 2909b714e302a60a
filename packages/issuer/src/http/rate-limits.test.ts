import { expect, test } from 'vitest'
import { networkKey, RequestLimits } from './rate-limits.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:1::', '2001:db8:1:0::/64'],
  ['2001:db8:1:2::ffff:1', '2001:db8:1:2::/64'],
])('%s counts as %s', (address, network) => expect(networkKey(address)).toBe(network))

test('one household has one limit, in a window that ends', () => {
  let now = 0
  const limits = new RequestLimits({ perAddress: 2 }, () => now)
  const ask = (address: string): void => limits.countAddress('token', address)
  ask('2001:db8::1')
  ask('2001:db8::2')
  now = 45_000
  expect(() => ask('2001:db8::3')).toThrow(expect.objectContaining({ status: 429, headers: { 'retry-after': '15' } }))
  ask('2001:db8:0:1::1')
  now = 60_000
  ask('2001:db8::3')
})
