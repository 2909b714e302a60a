/** Requests to addresses that a server named. */
import { hostname } from 'node:os'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type HttpHandler, ScriptedHttp } from '../http-client/scripted-http.suite.ts'
import { GuardedFetch, guardFetch, type NetworkOptions } from './guarded-fetch.ts'

const publicServer = new URL('https://mcp.example/mcp')

describe('where requests may go [sec.ssrf.consider] [sec.ssrf.block-private-ranges]', () => {
  const refused = (url: string, server = publicServer, options: NetworkOptions = {}): boolean =>
    new GuardedFetch(server, options).refusal(new URL(url)) !== undefined

  test.each([
    'http://as.example/',
    'https://10.0.0.1/',
    'https://127.0.0.1/',
    'http://localhost:8080/',
    'https://169.254.169.254/latest',
    'https://[::1]/',
    'ftp://as.example/',
    'javascript:alert(1)',
    'https://user:password@as.example/',
  ])('a server on the internet cannot send a client to %s', (url) => expect(refused(url)).toBe(true))

  test('a server of this network can name others of it, but not the address that cloud machines ask for secrets', () => {
    const server = new URL('http://127.0.0.1:3000/mcp')
    expect(refused('http://127.0.0.1:4000/', server)).toBe(false)
    expect(refused('https://10.0.0.1/', server)).toBe(false)
    expect(refused('https://169.254.169.254/', server)).toBe(true)
    expect(refused('http://10.0.0.1/', server)).toBe(true)
  })

  test('switches allow more', () => {
    expect(refused('https://10.0.0.1/', publicServer, { allowPrivateNetwork: true })).toBe(false)
    expect(refused('http://as.example/', publicServer, { allowInsecureHttp: true })).toBe(false)
  })

  test('a name is judged by what it resolves to when it is connected to', async () => {
    const name = hostname()
    const send = new GuardedFetch(publicServer).send({ method: 'GET', url: new URL(`https://${name}:9/`) })
    await expect(send).rejects.toThrow(/is not asked: .* is a \S+ address/)
  })
})

test('guardFetch is the same as a function with the types of the platform', async () => {
  await using server = await ScriptedHttp.start((_, reply) => {
    reply.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'max-age=60' }).end('{"a":1}')
  })
  const response = await guardFetch(server.url)(`${server.origin}/document`)
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'max-age=60'])
  expect(await response.json()).toEqual({ a: 1 })
  await expect(guardFetch(publicServer)(`${server.origin}/document`)).rejects.toMatchObject({ code: 'unauthorized' })
})

describe('how much a document may cost', () => {
  let server: ScriptedHttp
  const handle = (handler: HttpHandler): void => {
    server.handler = handler
  }
  beforeEach(async () => {
    server = await ScriptedHttp.start((_, reply) => reply.end('{}'))
  })
  afterEach(() => server[Symbol.asyncDispose]())
  const get = (path: string, options: NetworkOptions = {}): Promise<{ status: number; text: string; url: URL }> =>
    new GuardedFetch(new URL(server.url), options).send({ method: 'GET', url: new URL(path, server.origin) })

  const engines: [string, NetworkOptions][] = [
    ['node', {}],
    ['fetch', { fetch: (input, init) => globalThis.fetch(input, init) }],
  ]
  describe.each(engines)('with %s', (_name, engine) => {
    test('redirects are followed within the origin [sec.ssrf.validate-redirects]', async () => {
      handle(({ path }, reply) => {
        if (path === '/b') reply.end('found')
        else reply.writeHead(302, { Location: '/b' }).end()
      })
      expect(await get('/a', engine)).toMatchObject({ status: 200, text: 'found' })
    })

    test('a redirect to another origin is refused', async () => {
      handle((_, reply) => reply.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end())
      await expect(get('/a', engine)).rejects.toThrow(/another origin, http:\/\/127.0.0.1:1/)
    })

    test('redirects in a circle end', async () => {
      handle((_, reply) => reply.writeHead(302, { Location: '/a' }).end())
      await expect(get('/a', engine)).rejects.toThrow(/too often/)
      expect(server.seen).toHaveLength(4)
    })

    test('a document that is too large is not read to its end', async () => {
      handle((_, reply) => reply.end('x'.repeat(5_000)))
      await expect(get('/a', { ...engine, maxBytes: 1_000 })).rejects.toThrow(/larger than 1000 bytes/)
    })

    test('a server that says nothing is not waited for', async () => {
      handle(() => {})
      await expect(get('/a', { ...engine, timeoutMs: 100 })).rejects.toMatchObject({ code: 'timeout' })
    })
  })
})
