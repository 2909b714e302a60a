import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import { TestBench } from './workbench-in-test.suite.ts'

let bench: TestBench
beforeAll(async () => {
  bench = await TestBench.open()
})
afterAll(() => bench[Symbol.asyncDispose]())

test('the page may load and send what it needs, word for word, and nothing else', async () => {
  const { headers } = await fetch(bench.origin, { headers: { cookie: bench.cookie } })
  const directives = headers.get('content-security-policy')!.split('; ')
  expect(directives.map((text) => text.replace(/:\d+$/, ':PORT'))).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data: blob:",
    'media-src data: blob:',
    'frame-src http://localhost:PORT',
    "frame-ancestors 'none'",
    "form-action 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ])
  expect(headers.get('permissions-policy')).toBe('camera=(), microphone=(), geolocation=(), clipboard-read=()')
  expect(headers.get('x-frame-options')).toBe('DENY')
})

test('an origin is a scheme and a host: the host alone is none', async () => {
  const { hostname, port, host } = new URL(bench.origin)
  const status = await new Promise((resolve, reject) => {
    const headers = { cookie: bench.cookie, 'tenon-key': bench.key, origin: host, 'content-type': 'application/json' }
    const sent = request({ hostname, port, path: '/api/timeline.clear', method: 'POST', headers }, (reply) =>
      resolve(reply.statusCode),
    )
    sent.on('error', reject).end('{}')
  })
  expect(status).toBe(403)
})

// Only Linux has all of 127.0.0.0/8 without being told to.
test('page and sandbox listen at no other address of this machine', requires('linux'), async () => {
  const { url } = await bench.run('app.sandbox', {})
  for (const origin of [bench.origin, new URL(url).origin]) {
    await expect(fetch(origin.replace(/127\.0\.0\.1|localhost/, '127.0.0.2'))).rejects.toThrow('fetch failed')
  }
})
