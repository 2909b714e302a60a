/** The way back from the authorization server, on this machine. */
import { request } from 'node:http'
import { connect as connectTcp } from 'node:net'
import { expect, test } from 'vitest'
import { connect } from '../../../client/connect.ts'
import { gate } from '../../../internal/gate.ts'
import { revisions } from '../../../model/revision.ts'
import { oauth } from '../oauth.ts'
import { World } from '../protected-world.suite.ts'
import { memoryStore } from '../stores/store.ts'
import { authorizationCode, type RedirectReceiver } from './authorization-code.ts'
import { type LoopbackOptions, loopbackRedirect } from './loopback.ts'
import { openBrowser } from './open-browser.ts'

const never = new AbortController().signal
const page = new URL('https://as.example/authorize?state=right')
const receive = async (options: LoopbackOptions, preferred?: string): Promise<RedirectReceiver> =>
  loopbackRedirect(options)(preferred)

test('the user comes back to a page that closes itself', async () => {
  await using world = await World.start()
  const pages: Response[] = []
  const browse = async (url: URL): Promise<void> => {
    pages.push(await fetch(url))
  }
  const auth = oauth({ grant: authorizationCode({ redirect: loopbackRedirect({ openBrowser: browse }) }) })
  await using client = await connect(world.url, { auth })
  expect((await client.callTool('read')).text).toBe('read')
  expect(new URL(pages[0]!.url).hostname).toBe('127.0.0.1')
  expect(pages[0]!.headers.get('content-security-policy')).toContain("default-src 'none'")
  const html = await pages[0]!.text()
  expect(html).toContain('window.close()')
  expect(html).not.toContain(world.secrets[0])
})

test('it listens once, on 127.0.0.1, and takes only what knows the state', async () => {
  const strays: string[] = []
  const onStray = ({ pathname, search }: URL): number => strays.push(pathname + search)
  const receiver = await receive({ openBrowser: () => {}, onStray })
  const coming = receiver.visit(page, never)
  const { uri } = receiver
  expect(uri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)
  expect((await fetch(`${uri}?code=of-an-attacker`)).status).toBe(404)
  expect((await fetch(`${uri}?code=x&state=wrong`)).status).toBe(404)
  expect((await fetch(`${uri}?code=x&state=right`, { method: 'POST' })).status).toBe(404)
  // A page of another name that resolves to this machine (DNS rebinding).
  expect(await statusWithHost(`${uri}?code=x&state=right`, 'evil.example')).toBe(404)
  expect((await fetch(`${uri}?code=good&state=right`)).status).toBe(200)
  expect((await coming).searchParams.get('code')).toBe('good')
  expect(strays.slice(0, 2)).toEqual(['/callback?code=of-an-attacker', '/callback?code=x&state=wrong'])
  await receiver.close()
  await expect(fetch(uri)).rejects.toThrow()
})

test('an address that cannot be read is refused and told, and the login goes on', async () => {
  const strays: string[] = []
  const receiver = await receive({ openBrowser: () => {}, onStray: ({ pathname }) => strays.push(pathname) })
  const coming = receiver.visit(page, never)
  const { host, port } = new URL(receiver.uri)
  const targets = [
    '//',
    '///callback?code=x&state=right',
    `http://${host}/callback?code=x&state=right`,
    '/x/../callback',
  ]
  for (const target of targets) {
    const request = `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`
    expect([target, await firstLine(Number(port), request)]).toEqual([target, 'HTTP/1.1 400 Bad Request'])
  }
  expect(strays).toEqual(targets.map(() => '/'))
  expect((await fetch(`${receiver.uri}?code=good&state=right`)).status).toBe(200)
  expect((await coming).searchParams.get('code')).toBe('good')
  await receiver.close()
})

test('whoever watches strays cannot end the login, nor the process', async () => {
  const onStray = (): void => {
    throw new Error('broken')
  }
  const receiver = await receive({ openBrowser: () => {}, onStray })
  const coming = receiver.visit(page, never)
  expect((await fetch(`${receiver.uri}?state=wrong`)).status).toBe(404)
  expect((await fetch(`${receiver.uri}?code=good&state=right`)).status).toBe(200)
  expect((await coming).searchParams.get('code')).toBe('good')
  await receiver.close()
})

test('a visit before anybody waits is answered', async () => {
  const receiver = await receive({})
  expect((await fetch(receiver.uri)).status).toBe(404)
  await receiver.close()
})

test('two logins at once do not mix: an answer that is for one is a stray at the other', async () => {
  await using world = await World.start()
  const strays: URL[] = []
  const pages: URL[] = []
  const both = gate()
  const openBrowser = async (url: URL): Promise<void> => {
    pages.push(url)
    if (pages.length === 2) both.open()
  }
  const login = () =>
    oauth({
      store: memoryStore(),
      grant: authorizationCode({ redirect: loopbackRedirect({ openBrowser, onStray: (url) => strays.push(url) }) }),
    })
  const connecting = [connect(world.url, { auth: login() }), connect(world.url, { auth: login() })]
  await both.passed
  const backs = await Promise.all(pages.map(wayBack))
  const ports = backs.map((back) => back.port)
  expect(ports[0]).not.toBe(ports[1])
  // Each answer, code and state and all, is taken to the other login first.
  const crossed = backs.map((back, index) => Object.assign(new URL(back), { port: ports[1 - index] }))
  for (const url of crossed) expect((await fetch(url)).status).toBe(404)
  expect(strays.map(String)).toEqual(crossed.map(String))
  expect(world.tokenRequests).toEqual([])
  for (const url of backs) expect((await fetch(url)).status).toBe(200)
  for (const client of await Promise.all(connecting)) {
    expect((await client.callTool('read')).text).toBe('read')
    await client.close()
  }
  // Each login redeemed its own code, with its own redirect URI.
  const redeemed = world.tokenRequests.map(({ code, redirect_uri }) => `${redirect_uri} ${code}`)
  const given = backs.map((back) => `${back.origin}${back.pathname} ${back.searchParams.get('code')}`)
  expect(redeemed.sort()).toEqual(given.sort())
})

test('two visits of one receiver each get the answer with their state', async () => {
  const receiver = await receive({ openBrowser: () => {} })
  const visits = ['one', 'two'].map((state) =>
    receiver.visit(new URL(`https://as.example/authorize?state=${state}`), never),
  )
  for (const state of ['two', 'one']) {
    expect((await fetch(`${receiver.uri}?code=of-${state}&state=${state}`)).status).toBe(200)
  }
  const codes = (await Promise.all(visits)).map((back) => back.searchParams.get('code'))
  expect(codes).toEqual(['of-one', 'of-two'])
  await receiver.close()
})

test('a path that no request can have cannot be configured', async () => {
  await expect(receive({ path: 'callback' })).rejects.toMatchObject({ code: 'invalid_argument' })
})

test('the registered port is used again, and another one if it is taken', async () => {
  const first = await receive({})
  const second = await receive({}, first.uri)
  expect(second.uri).not.toBe(first.uri)
  await first.close()
  await expect.poll(() => fetch(first.uri).catch(() => 'closed')).toBe('closed')
  const third = await receive({}, first.uri)
  expect(third.uri).toBe(first.uri)
  await Promise.all([second.close(), third.close()])
})

const withAuth = revisions.filter((one) => one >= '2025-03-26')
test.each(withAuth)(
  '%s: a client whose port is taken registers the new redirect URI [auth.sec.redirect-registered]',
  async (revision) => {
    await using world = await World.start()
    const store = memoryStore()
    const grant = authorizationCode({ redirect: loopbackRedirect({ openBrowser: (url) => fetch(url) }) })
    const auth = oauth({ grant, store })
    await (await connect(world.url, { auth, revisions: [revision] })).close()
    const [uri] = world.registrations[0]!.redirect_uris as string[]
    const occupied = await receive({ port: Number(new URL(uri!).port) })
    await auth.forget(world.url)
    await (await connect(world.url, { auth, revisions: [revision] })).close()
    expect(world.registrations).toHaveLength(2)
    await occupied.close()
  },
)

test('a user who does not come back is not waited for', async () => {
  const receiver = await receive({ openBrowser: () => {}, timeoutMs: 20 })
  await expect(receiver.visit(page, never)).rejects.toMatchObject({ failure: 'authorization' })
  await receiver.close()
})

test('the browser gets http and https only [sec.authurl.http-schemes-only]', () => {
  for (const url of ['file:///etc/passwd', 'javascript:alert(1)', 'data:text/html,x', 'vscode://x', 'ms-msdt:/id']) {
    expect(() => openBrowser(new URL(url))).toThrow(/Only http and https/)
  }
})

/** The redirect of the authorization server, which is not followed. */
async function wayBack(page: URL): Promise<URL> {
  const reply = await fetch(page, { redirect: 'manual' })
  return new URL(reply.headers.get('location')!)
}

/** The first line of the answer to bytes that no client would send. */
const firstLine = (port: number, request: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connectTcp(port, '127.0.0.1', () => socket.write(request))
    socket.once('error', reject).once('data', (chunk) => {
      socket.destroy()
      resolve(String(chunk).split('\r\n', 1)[0]!)
    })
  })

const statusWithHost = (url: string, host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    request(url, { headers: { host } }, (reply) => {
      reply.resume()
      resolve(reply.statusCode!)
    })
      .on('error', reject)
      .end()
  })
