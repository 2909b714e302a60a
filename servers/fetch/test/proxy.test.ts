import { expect, test } from 'vitest'
import { open } from './open.ts'
import { startSite } from './site.ts'
import { startProxy } from './start-proxy.ts'

const unknown = () => Promise.reject(new Error('no name server here'))

test('requests go to the proxy, with its password, and names are resolved there', async () => {
  await using proxy = await startProxy(1)
  await using client = await open({ proxyUrl: proxy.url, resolve: unknown, ignoreRobotsTxt: true })
  const { text } = await client.callTool('fetch', { url: 'http://somewhere.test/a?b#c' })
  expect(text).toContain('through the proxy')
  const basic = Buffer.from('ada:pass word').toString('base64')
  expect(proxy.seen).toEqual([`GET http://somewhere.test/a?b Basic ${basic}`])
})

test('https goes through a tunnel, whose other end has to be the site', async () => {
  // It speaks no TLS, so the handshake fails: after CONNECT, and without a request in plain text.
  await using site = await startSite({ '/': '<p>x</p>' })
  await using proxy = await startProxy(site.port)
  await using client = await open({ proxyUrl: proxy.url, resolve: unknown, ignoreRobotsTxt: true })
  expect((await client.callTool('fetch', { url: 'https://somewhere.test/' })).isError).toBe(true)
  expect((await client.callTool('fetch', { url: 'https://closed.test/' })).text).toContain('the proxy answered 403')
  expect(proxy.seen).toEqual(['CONNECT somewhere.test:443', 'CONNECT closed.test:443'])
  expect(site.requests).toEqual([])
})

test('private addresses and names that are known to have one are refused all the same', async () => {
  await using proxy = await startProxy(1)
  const resolve = async () => [{ address: '10.0.0.1', family: 4 }]
  await using client = await open({ proxyUrl: proxy.url, resolve, allowPrivate: [] })
  for (const url of ['http://127.0.0.1/', 'http://internal.test/']) {
    expect((await client.callTool('fetch', { url })).text).toContain('not a public address')
  }
  expect(proxy.seen).toEqual([])
})
