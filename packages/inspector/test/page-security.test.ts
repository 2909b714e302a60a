import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TestBench } from './workbench-in-test.suite.ts'

let bench: TestBench
beforeAll(async () => {
  bench = await TestBench.open()
})
afterAll(() => bench[Symbol.asyncDispose]())

interface Sent {
  path?: string
  method?: string
  headers?: { [name: string]: string }
  body?: string
}

/** A request with any headers at all: `fetch` sets some of them itself. */
function send({
  path = '/',
  method = 'GET',
  headers = {},
  body,
}: Sent): Promise<{ status: number; text: string; headers: object }> {
  const { hostname, port } = new URL(bench.origin)
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers }, (reply) => {
      let text = ''
      reply.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      reply.on('end', () => resolve({ status: reply.statusCode!, text, headers: reply.headers }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

const json = { 'content-type': 'application/json' }
const known = (): { [name: string]: string } => ({
  cookie: bench.cookie,
  'tenon-key': bench.key,
  origin: bench.origin,
  ...json,
})
const command = (headers: { [name: string]: string }, body = '{}'): Promise<{ status: number }> =>
  send({ path: '/api/timeline.clear', method: 'POST', headers, body })

describe('the page of the workbench', () => {
  test('the link works once: a second browser with the same link is not let in', async () => {
    const url = new URL(bench.inspector.newUrl())
    const first = await send({ path: url.pathname + url.search })
    expect(first).toMatchObject({ status: 303, headers: { location: expect.stringMatching(/^\/#key=[\w-]{43}$/) } })
    const [cookie] = (first.headers as { 'set-cookie': string[] })['set-cookie']
    expect(cookie).toMatch(/^tenon-\d+=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/)
    const second = await send({ path: url.pathname + url.search })
    expect(second.status).toBe(401)
    expect(second.headers).not.toHaveProperty('set-cookie')
  })

  test('a browser that only looks ahead does not use up the link', async () => {
    const { pathname, search } = new URL(bench.inspector.newUrl())
    expect(await send({ path: pathname + search, headers: { 'sec-purpose': 'prefetch' } })).toMatchObject({
      status: 503,
    })
    expect(await send({ path: pathname + search })).toMatchObject({ status: 303 })
  })

  test('without a cookie there is neither a page nor a command nor an event', async () => {
    expect(await send({})).toMatchObject({ status: 401 })
    expect(await send({ path: '/api/events' })).toMatchObject({ status: 401 })
    expect(await command({ origin: bench.origin, ...json })).toMatchObject({ status: 401 })
    expect(await command({ ...known(), cookie: bench.cookie.replace(/=.*/, '=guessed') })).toMatchObject({
      status: 401,
    })
  })

  test('a cookie without the key of its page opens nothing: all servers of this machine get to see the cookie', async () => {
    const { 'tenon-key': _, ...withoutKey } = known()
    expect(await command(withoutKey)).toMatchObject({ status: 401 })
    expect(await command({ ...known(), 'tenon-key': 'guessed' })).toMatchObject({ status: 401 })
    expect(await send({ path: '/api/events', headers: { cookie: bench.cookie } })).toMatchObject({ status: 401 })
    const other = await fetch(bench.inspector.newUrl(), { redirect: 'manual' })
    const foreignKey = other.headers.get('location')!.replace('/#key=', '')
    expect(await command({ ...known(), 'tenon-key': foreignKey })).toMatchObject({ status: 401 })
    expect(await command(known())).toMatchObject({ status: 200 })
  })

  test('the key is asked for however the path is spelled', async () => {
    const { 'tenon-key': _, ...withoutKey } = known()
    const { host } = new URL(bench.origin)
    const ways = ['/.', '/x/..', '/%2e', '/x/%2e%2e', '/..', '/', '/\\', `http://${host}`, `http://${host}/.`, '/x/..;']
    for (const way of ways) {
      const add = await send({ path: `${way}/api/server.add`, method: 'POST', headers: withoutKey, body: '{}' })
      expect([way, add.status]).toEqual([way, 400])
      const events = await send({ path: `${way}/api/events`, headers: { cookie: bench.cookie } })
      expect([way, events.status]).toEqual([way, 400])
    }
    for (const path of ['/%61pi/server.add', '/api%2fserver.add', '/api//server.add', '\\api\\server.add'])
      expect([path, (await send({ path, method: 'POST', headers: withoutKey, body: '{}' })).status]).toEqual([
        path,
        400,
      ])
  })

  test('a foreign host is refused, with a valid cookie too: a name may have been pointed at this machine', async () => {
    for (const host of ['evil.example', 'evil.example:80', `127.0.0.1.evil.example:${new URL(bench.origin).port}`]) {
      expect(await command({ ...known(), host })).toMatchObject({ status: 403 })
    }
  })

  test.each(['http://evil.example', 'null', 'http://127.0.0.1:1', 'https://127.0.0.1'])(
    'the origin %s is refused',
    async (origin) => {
      expect(await command({ ...known(), origin })).toMatchObject({ status: 403 })
    },
  )

  test('a POST without an origin is refused', async () => {
    expect(await command({ cookie: bench.cookie, ...json })).toMatchObject({ status: 403 })
  })

  test('requests that browsers make for other sites are refused, following a link is not', async () => {
    const cookie = bench.cookie
    const asScript = { cookie, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' }
    const samePort = { cookie, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }
    const asFrame = { cookie, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }
    for (const headers of [asScript, samePort, asFrame]) expect(await send({ headers })).toMatchObject({ status: 403 })
    const visit = { cookie, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
    expect(await send({ headers: visit })).not.toMatchObject({ status: 403 })
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/jsonp'])(
    'a command as %s is refused: a form could send it',
    async (type) => {
      expect(await command({ ...known(), 'content-type': type })).toMatchObject({ status: 415 })
    },
  )

  test('commands that do not exist, paths outside and other methods lead nowhere', async () => {
    expect(await send({ path: '/api/constructor', method: 'POST', headers: known(), body: '{}' })).toMatchObject({
      status: 404,
    })
    for (const path of ['/../package.json', '/%2e%2e/package.json', '/assets/../../package.json', '//etc/passwd']) {
      expect((await send({ path, headers: { cookie: bench.cookie } })).status).toBeGreaterThanOrEqual(400)
    }
    expect(await send({ method: 'PUT', headers: known() })).toMatchObject({ status: 405 })
  })

  test('what is no JSON, and what is too large, is refused with words', async () => {
    expect(await command(known(), '{')).toMatchObject({ status: 422 })
    expect(await command(known(), '[]')).toMatchObject({ status: 422 })
    expect(await command(known(), ' '.repeat(17 * 1024 * 1024))).toMatchObject({ status: 413 })
  })

  test('every answer forbids what the page does not need', async () => {
    for (const reply of [await send({}), await send({ headers: { cookie: bench.cookie } }), await command(known())]) {
      const { headers } = reply as unknown as { headers: { [name: string]: string } }
      const policy = headers['content-security-policy']!
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('unsafe')
      // Nothing but the sandbox of views, on this machine.
      expect(policy.replace(/frame-src http:\/\/localhost:\d+;/, '')).not.toContain('http')
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-store',
      })
      expect(headers).not.toHaveProperty('access-control-allow-origin')
    }
  })
})
