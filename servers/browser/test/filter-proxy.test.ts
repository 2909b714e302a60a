/** The proxy alone: who may use it, and what it passes on. */
import { once } from 'node:events'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { networkPolicy } from '@tenon/server-kit/network'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Site, startSite } from '../../fetch/test/site.ts'
import { FilterProxy } from '../src/network/filter-proxy.ts'

let proxy: FilterProxy
let site: Site
let authorization: string
const refusals: string[] = []
let rules = networkPolicy({ allowPrivate: ['127.0.0.1'] })

beforeAll(async () => {
  const resolve = async (host: string) => {
    if (host === 'missing.test') throw Object.assign(new Error(), { code: 'ENOTFOUND' })
    return [{ address: host === 'inside.test' ? '10.0.0.1' : '127.0.0.1', family: 4 }]
  }
  proxy = await FilterProxy.start(() => ({ policy: rules, resolve }))
  const { username, password } = proxy.admit((_url, reason) => refusals.push(reason))
  authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  site = await startSite({
    '/': 'hello',
    '/headers': (_request, response) =>
      void response
        .writeHead(201, { 'set-cookie': ['a=1', 'b=2'], connection: 'x-hop', 'x-hop': '1', 'x-end': '2' })
        .end('body'),
    '/echo': (request, response) => void request.pipe(response),
  })
})
afterAll(async () => {
  await proxy.close()
  await site[Symbol.asyncDispose]()
})

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

/** Sends a request to the proxy, with credentials unless others are given. */
async function send(path: string, headers: { [name: string]: string } = {}, body?: string): Promise<Answer> {
  const request = httpRequest({
    port: proxy.port,
    method: body === undefined ? 'GET' : 'POST',
    path,
    headers: { 'proxy-authorization': authorization, ...headers },
    agent: false,
  })
  request.end(body)
  const [response] = await once(request, 'response')
  let text = ''
  for await (const chunk of response) text += chunk
  return { status: response.statusCode, headers: response.headers, body: text }
}

/** Sends bytes to the proxy, and gives everything that it answers. */
async function sendRaw(text: string): Promise<string> {
  const socket = connect(proxy.port, '127.0.0.1')
  socket.write(text)
  let answer = ''
  for await (const chunk of socket) {
    answer += chunk
    if (answer.includes('\r\n\r\n')) break
  }
  socket.destroy()
  return answer
}

test('passes requests on, without the headers of the connection and of the proxy', async () => {
  const { status, headers, body } = await send(`${site.origin}/headers`, {
    'x-own': '1',
    connection: 'x-gone',
    'x-gone': '1',
  })
  expect([status, body, headers['set-cookie'], headers['x-end'], headers['x-hop']]).toEqual([
    201,
    'body',
    ['a=1', 'b=2'],
    '2',
    undefined,
  ])
  const sent = site.requests.at(-1)!.headers
  expect([sent['x-own'], sent['x-gone'], sent['proxy-authorization'], sent.host]).toEqual([
    '1',
    undefined,
    undefined,
    `127.0.0.1:${site.port}`,
  ])
  expect((await send(`${site.origin}/echo`, {}, 'posted')).body).toBe('posted')
})

test.each(['', 'Basic eDp5', 'Bearer x'])('asks for credentials if they are %j', async (given) => {
  const before = site.requests.length
  const { status, headers } = await send(`${site.origin}/`, { 'proxy-authorization': given })
  expect([status, headers['proxy-authenticate']]).toEqual([407, 'Basic realm="tenon"'])
  expect(
    await sendRaw(`CONNECT 127.0.0.1:${site.port} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${given}\r\n\r\n`),
  ).toMatch(/^HTTP\/1\.1 407 /)
  expect(site.requests).toHaveLength(before)
})

test('credentials that were given back do not work', async () => {
  const { username, password, [Symbol.dispose]: end } = proxy.admit(() => {})
  const own = { 'proxy-authorization': `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
  expect((await send(`${site.origin}/`, own)).status).toBe(200)
  end()
  expect((await send(`${site.origin}/`, own)).status).toBe(407)
})

test.each(['/', '/etc/passwd', 'file:///etc/passwd', 'https://127.0.0.1/'])('is no server for %s', async (path) => {
  expect((await send(path)).status).toBe(400)
})

test.each([
  ['http://127.0.0.2/', 'not a public address'],
  ['http://inside.test/', '10.0.0.1, which is not a public address'],
  ['http://missing.test/', 'was not found'],
  ['http://127.0.0.1:22/', 'expected a port that web servers use'],
])('refuses %s, and tells whom it concerns', async (url, reason) => {
  expect((await send(url)).status).toBe(403)
  expect(refusals.at(-1)).toContain(reason)
  const { host, port } = new URL(url)
  const target = port === '' ? `${host}:443` : host
  const auth = `Proxy-Authorization: ${authorization}`
  expect(await sendRaw(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${auth}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 403 /)
})

test('does not lead to itself', async () => {
  expect((await send(`http://127.0.0.1:${proxy.port}/`)).status).toBe(403)
  expect(refusals.at(-1)).toContain('a port of this server')
})

test('an address without a server is told', async () => {
  await using gone = await startSite({})
  await gone[Symbol.asyncDispose]()
  expect((await send(`${gone.origin}/`)).status).toBe(502)
  expect(refusals.at(-1)).toContain('ECONNREFUSED')
})

test('a tunnel passes bytes, until the rules change', async () => {
  const socket = connect(proxy.port, '127.0.0.1')
  const target = `site.test:${site.port}`
  rules = networkPolicy({ allowPrivate: ['site.test'] })
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\nProxy-Authorization: ${authorization}\r\n\r\n`)
  expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /)
  socket.write(`GET / HTTP/1.1\r\nHost: ${target}\r\n\r\n`)
  expect(String((await once(socket, 'data'))[0])).toContain('200 OK')
  const closed = once(socket, 'close')
  proxy.disconnect()
  await closed
  rules = networkPolicy({ allowPrivate: ['127.0.0.1'] })
})
