import { expect, test } from 'vitest'
import { isLoopbackHost } from './loopback.ts'

test.each([
  ...['localhost', 'LOCALHOST.', 'app.localhost', '127.0.0.1', '127.9.9.9', '::1', '[::1]', '::ffff:127.0.0.1'],
  ...['http://127.1', 'http://2130706433', 'http://[::ffff:127.0.0.1]', 'http://[0:0:0:0:0:0:0:1]'].map(
    (url) => new URL(url).hostname,
  ),
])('%s is this machine', (host) => expect(isLoopbackHost(host)).toBe(true))

test.each([
  ...['', 'localhost.example', 'notlocalhost', '127.0.0.1.example', '128.0.0.1', '1127.0.0.1', '127.0.0'],
  ...['0.0.0.0', '::', '::2', '[::ffff:10.0.0.1]', '[::ffff:8000:1]', '::1.example', '[2001:db8::1]'],
])('%s is not', (host) => expect(isLoopbackHost(host)).toBe(false))
