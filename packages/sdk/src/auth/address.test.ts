import { expect, test } from 'vitest'
import { type Reach, reachOfHost } from './address.ts'

test.each<[string, Reach]>([
  ['localhost', 'loopback'],
  ['app.localhost.', 'loopback'],
  ['127.8.9.1', 'loopback'],
  ['[::1]', 'loopback'],
  ['[::ffff:7f00:1]', 'loopback'],
  ['169.254.169.254', 'link-local'],
  ['[fe80::1]', 'link-local'],
  ['[::ffff:a9fe:a9fe]', 'link-local'],
  ['10.0.0.1', 'private'],
  ['172.31.0.1', 'private'],
  ['192.168.1.1', 'private'],
  ['100.64.0.1', 'private'],
  ['0.0.0.0', 'private'],
  ['224.0.0.1', 'private'],
  ['[::]', 'private'],
  ['[fd00::1]', 'private'],
  ['[64:ff9b::a00:1]', 'private'],
  ['[2002:a00:1::]', 'private'],
  ['[::10.0.0.1]', 'private'],
  ['[2001:db8::1]', 'private'],
  ['172.32.0.1', 'public'],
  ['8.8.8.8', 'public'],
  ['[2606:4700::1111]', 'public'],
  ['localhost.example.com', 'public'],
  ['example.com', 'public'],
])('%s is %s', (host, reach) => expect(reachOfHost(host)).toBe(reach))

test('what URLs make of unusual spellings is recognised', () => {
  for (const spelling of ['http://2130706433/', 'http://0x7f.1/', 'http://0177.0.0.1/', 'http://127.1/']) {
    expect(reachOfHost(new URL(spelling).hostname)).toBe('loopback')
  }
})
