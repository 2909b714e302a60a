/** The way back from the authorization server, on this machine. */
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { connect } from '../../client/connect.ts'
import { revisions } from '../../model/revision.ts'
import { authorizationCode, type RedirectReceiver } from './authorization-code.ts'
import { type LoopbackOptions, loopbackRedirect } from './loopback.ts'
import { oauth } from './oauth.ts'
import { openBrowser } from './open-browser.ts'
import { World } from './protected-world.suite.ts'
import { memoryStore } from './store.ts'

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

const statusWithHost = (url: string, host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    request(url, { headers: { host } }, (reply) => {
      reply.resume()
      resolve(reply.statusCode!)
    })
      .on('error', reject)
      .end()
  })
