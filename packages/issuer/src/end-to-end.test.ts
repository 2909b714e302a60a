/** Tenon's client, a protected server and the issuer, each on a port of its own. */
import { createServer as createHttp } from 'node:http'
import { type AddressInfo, connect as connectTcp } from 'node:net'
import {
  authorizationCode,
  clientCredentials,
  memoryStore,
  type OAuth,
  type OAuthOptions,
  oauth,
} from '@tenon/sdk/auth'
import { type BearerOptions, bearer, isBearerAuth } from '@tenon/sdk/auth/server'
import { type ConnectOptions, connect, revisions } from '@tenon/sdk/client'
import { type HttpServer, nodeHandler, serveHttp } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { issuer } from './issuer.ts'
import type { IssuerEvent } from './options.ts'
import { type IssuerServer, type ServeIssuerOptions, serveIssuer } from './serve-issuer.ts'
import { Visitor } from './visitor.suite.ts'

const whoami = tool({
  name: 'whoami',
  run: (_input, { auth }) => `${auth?.principal} ${isBearerAuth(auth) ? auth.scopes : ''}`,
})
const publish = tool({ name: 'publish', scopes: { needed: ['write'], listed: true }, run: () => 'published' })
const hidden = tool({ name: 'hidden', scopes: ['write'], run: () => 'found' })
const definition = createServer({ name: 'protected', version: '1.0.0', tools: [whoami, publish, hidden] })

/** All that comes back for bytes that no client would send. */
const rawAnswer = (port: number, request: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = ''
    const socket = connectTcp(port, '127.0.0.1', () => socket.write(request))
    socket.on('error', reject).on('close', () => resolve(answer))
    socket.on('data', (chunk) => {
      answer += chunk
    })
  })

class World {
  readonly events: IssuerEvent[] = []
  as!: IssuerServer
  http: HttpServer | undefined
  /** How often a user was asked. */
  asked = 0
  readonly #open: AsyncDisposable[] = []

  static async start(issuing: ServeIssuerOptions = {}, protecting: Partial<BearerOptions> = {}): Promise<World> {
    const world = new World()
    const introspector = { id: 'protected', secret: 'the secret of the server' }
    world.as = await serveIssuer({
      users: [{ subject: 'ada' }],
      clients: [introspector],
      onEvent: (event) => world.events.push(event),
      ...issuing,
    })
    world.#open.push(world.as)
    await world.protect(protecting)
    return world
  }

  /** Serves again at the same address, protected in another way. */
  async protect(protecting: Partial<BearerOptions>): Promise<void> {
    const auth = bearer({ issuer: this.as.url, scopes: ['read'], ...protecting })
    await this.http?.close()
    this.http = await serveHttp(definition, { auth, port: this.http?.port ?? 0 })
  }

  get url(): string {
    return this.http!.url
  }

  get introspection() {
    return {
      endpoint: `${this.as.url}/introspect`,
      clientId: 'protected',
      clientSecret: 'the secret of the server',
      cacheMs: 0,
    }
  }

  auth(options: OAuthOptions = {}): OAuth {
    const redirect = () => ({
      uri: 'http://127.0.0.1:4999/callback',
      visit: async (page: URL) => {
        this.asked += 1
        return (await (await new Visitor().open(page)).allow()).location
      },
      close: () => {},
    })
    return oauth({ grant: authorizationCode({ redirect }), ...options })
  }

  async connect(auth: OAuth, options: ConnectOptions = {}) {
    const client = await connect(this.url, { auth, ...options })
    this.#open.push(client)
    return client
  }

  async whoami(auth: OAuth): Promise<string> {
    const client = await this.connect(auth)
    return (await client.callTool('whoami', {})).text
  }

  count(type: IssuerEvent['type']): number {
    return this.events.filter((event) => event.type === type).length
  }

  async close(): Promise<void> {
    for (const each of this.#open.reverse()) await each[Symbol.asyncDispose]()
    await this.http?.close()
  }
}

let world: World
afterEach(async () => {
  vi.useRealTimers()
  await world.close()
})

describe('client, server and issuer', () => {
  test('a tool is called after the user agreed, once for all calls', async () => {
    world = await World.start()
    const auth = world.auth()
    expect(await world.whoami(auth)).toContain('ada')
    expect(await world.whoami(auth)).toContain('read')
    expect([world.asked, world.count('registered'), world.count('issued')]).toEqual([1, 1, 1])
  })

  test('a user who refuses is not asked again at once', async () => {
    world = await World.start()
    const redirect = () => ({
      uri: 'http://127.0.0.1:4999/callback',
      visit: async (page: URL) => (await (await new Visitor().open(page)).deny()).location,
      close: () => {},
    })
    const auth = oauth({ grant: authorizationCode({ redirect }) })
    await expect(world.whoami(auth)).rejects.toMatchObject({
      code: 'unauthorized',
      message: expect.stringContaining('access_denied'),
    })
  })

  test('a token that has expired is renewed, without the user', async () => {
    world = await World.start()
    const auth = world.auth()
    const client = await world.connect(auth)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 })
    expect((await client.callTool('whoami', {})).text).toContain('ada')
    expect([world.asked, world.count('refreshed'), world.count('refresh_reused')]).toEqual([1, 1, 0])
  })

  test('a server that wants more scopes than before leads to another question, and the call goes on', async () => {
    world = await World.start()
    const auth = world.auth()
    expect(await world.whoami(auth)).toMatch(/ read$/)
    await world.protect({ scopes: ['read', 'write'] })
    expect(await world.whoami(auth)).toMatch(/ read,write$/)
    expect([world.asked, world.count('consent')]).toEqual([2, 2])
  })

  test.each(revisions.slice(1))('a tool that is listed without its scopes leads to them, in %s', async (revision) => {
    world = await World.start({ scopes: ['read', 'write'] })
    const client = await world.connect(world.auth({ scopes: ['read'] }), { revisions: [revision] })
    const names = async (): Promise<string[]> => (await client.listTools({ fresh: true })).tools.map(({ name }) => name)
    // A model calls nothing but the tools of the list.
    expect(await names()).toEqual(['whoami', 'publish'])
    expect(world.asked).toBe(1)
    expect((await client.callTool('publish')).text).toBe('published')
    expect([world.asked, world.count('consent')]).toEqual([2, 2])
    expect(await names()).toEqual(['whoami', 'publish', 'hidden'])
  })

  test('a server refuses tokens for somebody else, and tokens that nobody signed', async () => {
    world = await World.start({ faults: { wrongAudience: true } })
    await expect(world.whoami(world.auth())).rejects.toMatchObject({ code: 'unauthorized' })
    world.as.issuer.faults.wrongAudience = false
    world.as.issuer.faults.badSignature = true
    await expect(world.whoami(world.auth())).rejects.toMatchObject({ code: 'unauthorized' })
    world.as.issuer.faults.badSignature = false
    expect(await world.whoami(world.auth())).toContain('ada')
  })

  test('a client refuses answers of another issuer, and issuers without PKCE or registration', async () => {
    world = await World.start({ faults: { badIss: 'wrong' } })
    await expect(world.whoami(world.auth())).rejects.toThrow(/iss/)
    world.as.issuer.faults.badIss = 'missing'
    await expect(world.whoami(world.auth())).rejects.toThrow(/iss/)
    delete world.as.issuer.faults.badIss
    world.as.issuer.faults.noPkce = true
    await expect(world.whoami(world.auth())).rejects.toThrow(/PKCE/)
    world.as.issuer.faults.noPkce = false
    world.as.issuer.faults.noRegistration = true
    await expect(world.whoami(world.auth())).rejects.toThrow(/no client id/)
    expect(world.count('issued')).toBe(0)
  })

  test('a revoked token ends at once where the server asks the issuer', async () => {
    world = await World.start()
    await world.protect({ introspection: world.introspection })
    const auth = world.auth()
    const client = await world.connect(auth)
    expect((await client.callTool('whoami', {})).text).toContain('ada')
    expect(await auth.revoke(world.url)).toBe(true)
    expect(world.count('revoked')).toBe(1)
    expect((await client.callTool('whoami', {})).text).toContain('ada')
    expect(world.asked).toBe(2)
  })

  test('a stolen refresh token ends the access of the thief and of the owner', async () => {
    world = await World.start()
    await world.protect({ introspection: world.introspection })
    const entries = new Map<string, string>()
    const kept = memoryStore()
    const set = (key: string, value: string) => kept.set(key, entries.set(key, value).get(key)!)
    const store = { ...kept, set }
    const auth = world.auth({ store })
    expect(await world.whoami(auth)).toContain('ada')
    const text = JSON.stringify([...entries.values()])
    const stolen = /[\w-]{43}\.[\w-]{43}(?![\w.-])/.exec(text)![0]
    const client_id = world.events.find(({ type }) => type === 'registered')!.clientId!
    const use = (refresh_token: string) =>
      fetch(`${world.as.url}/token`, {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'refresh_token', client_id, refresh_token }),
      })
    const tokens = async (token: string) => (await (await use(token)).json()) as { refresh_token: string }
    const thief = await tokens((await tokens(stolen)).refresh_token)
    expect((await use(stolen)).status).toBe(400)
    expect((await use(thief.refresh_token)).status).toBe(400)
    expect(world.count('refresh_reused')).toBe(1)
    // The owner is asked again, and goes on.
    expect(await world.whoami(auth)).toContain('ada')
    expect(world.asked).toBe(2)
  })

  test('tokens belong to the key of the client, where the server wants that', async () => {
    world = await World.start({}, { dpop: { required: true } })
    expect(await world.whoami(world.auth({ dpop: 'always' }))).toContain('ada')
  })

  test('a program acts for itself, with its secret', async () => {
    const secret = 'the secret of a program'
    world = await World.start({ clients: [{ id: 'program', secret }], scopes: ['read'] })
    const auth = oauth({ grant: clientCredentials(), client: { id: 'program', secret } })
    expect(await world.whoami(auth)).toContain('program')
  })

  // [auth.mar25.base-url] [auth.mar25.server-metadata]
  test('one server of Node can be both, the issuer beside the resource', async () => {
    world = await World.start()
    const http = createHttp((request, response) => {
      const isResource = /^\/(mcp|\.well-known\/oauth-protected-resource)/.test(request.url!)
      if (isResource) handler(request, response)
      else void as.handle(request, response)
    })
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
    const as = issuer({ url })
    const handler = nodeHandler(definition, { auth: bearer({ issuer: url, resource: `${url}/mcp` }) })
    const client = await connect(`${url}/mcp`, { auth: world.auth() })
    expect((await client.callTool('whoami', {})).text).toContain('developer')
    await client.close()
    await handler.close()
    http.closeAllConnections()
    http.close()
  })

  test('an issuer without a way to tell users apart listens for this machine only', async () => {
    world = await World.start()
    await expect(serveIssuer({ host: '0.0.0.0', url: 'http://localhost:4000' })).rejects.toMatchObject({
      code: 'invalid_definition',
    })
    const as = await serveIssuer({ host: '0.0.0.0', url: 'http://localhost:4000', signIn: () => undefined })
    await as.close()
  })

  test('a handler for Node never rejects, whatever the request: nobody waits for its promise', async () => {
    const reported: unknown[] = []
    world = await World.start({ onError: (error) => reported.push(error) })
    const { host } = new URL(world.as.url)
    const settled: Promise<unknown>[] = []
    const http = createHttp((request, response) => settled.push(world.as.issuer.handle(request, response)))
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    const own = (http.address() as AddressInfo).port
    const ask = (line: string, fields = `Host: ${host}`) =>
      rawAnswer(own, `${line} HTTP/1.1\r\n${fields}\r\nConnection: close\r\n\r\n`)
    expect(await ask('GET /jwks')).toMatch(/^HTTP\/1\.1 200 /)
    expect(await ask('TRACE /jwks')).toMatch(/^HTTP\/1\.1 400 /)
    expect(await ask('GET //')).toMatch(/^HTTP\/1\.1 400 /)
    // A part of `Host` must not become the path, nor a second line decide.
    expect(await ask('GET /other', `Host: ${host}/jwks?`)).toMatch(/^HTTP\/1\.1 400 /)
    expect(await ask('GET /jwks', `Host: ${host}\r\nHost: evil.example`)).toMatch(/^HTTP\/1\.1 400 /)
    // A client that leaves in the middle of the body.
    const left = connectTcp(own, '127.0.0.1', () =>
      left.write(`POST /token HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 9\r\n\r\nx`),
    )
    await expect.poll(() => settled.length).toBe(6)
    left.destroy()
    expect(await Promise.all(settled)).toEqual(settled.map(() => undefined))
    expect(reported).toEqual([])
    http.closeAllConnections()
    http.close()
  })

  test('a handler for Node answers for its host only, and reads no endless bodies', async () => {
    world = await World.start()
    const http = createHttp((request, response) => void world.as.issuer.handle(request, response))
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    const { port } = http.address() as AddressInfo
    const foreign = await fetch(`http://127.0.0.1:${port}/jwks`)
    expect(foreign.status).toBe(421)
    const large = await fetch(`${world.as.url}/token`, { method: 'POST', body: 'x'.repeat(200_000) })
    expect(large.status).toBe(413)
    http.closeAllConnections()
    http.close()
  })
})
