import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { authorizationRequest, Desk, formOf, redirectUri } from '../desk.suite.ts'
import { Visitor } from '../visitor.suite.ts'
import type { UpstreamOptions } from './upstream.ts'

/** An identity provider that knows one client, and an issuer in front of it for all the others. */
function setUp(more: Partial<UpstreamOptions> = {}, options = {}) {
  const secret = 'the secret of the proxy'
  const idp = new Desk({
    url: 'http://127.0.0.1:5000',
    registration: false,
    users: [{ subject: 'ada', name: 'Ada' }],
    clients: [{ id: 'proxy', secret, redirectUris: ['http://127.0.0.1:4000/callback'] }],
  })
  const asked: string[] = []
  const answer = (url: string, init: RequestInit): Promise<Response> => {
    asked.push(new URL(url).pathname)
    return idp.as.fetch(new Request(url, init))
  }
  const network = { fetch: answer as typeof fetch }
  const upstream = { issuer: idp.as.url, clientId: 'proxy', clientSecret: secret, ...more }
  const proxy = new Desk({ upstream, network, ...options })
  const send = (request: Request): Promise<Response> =>
    (request.url.startsWith(idp.as.url) ? idp : proxy).as.fetch(request)
  return { idp, proxy, send, asked, browser: new Visitor(send) }
}

const authorizeUrl = async (proxy: Desk, clientId: string): Promise<string> =>
  `${proxy.as.url}/authorize?${formOf(await authorizationRequest(clientId))}`

/** The page that the proxy sends a user to, who has just agreed. */
async function hop({ proxy, browser }: ReturnType<typeof setUp>, clientId: string): Promise<URL> {
  return (await (await browser.open(await authorizeUrl(proxy, clientId))).allow()).goesTo()
}

describe('an issuer in front of an identity provider', () => {
  // [sec.deputy.check-before-forward] [auth.sec.proxy-consent] [sec.passthrough.only-own-tokens]
  // [auth.mar25.third-party]
  test('asks its own users for its own clients before it sends them on, and gives its own tokens', async () => {
    const world = setUp()
    const { proxy, idp, browser } = world
    const clientId = await proxy.register()
    const consent = await browser.open(await authorizeUrl(proxy, clientId))
    expect(await consent.words()).toContain('An app asks for access')
    expect(await consent.words()).toContain('You sign in at 127.0.0.1:5000 , for openid')
    const there = await hop(world, clientId)
    expect(there.searchParams.get('client_id')).toBe('proxy')
    const back = await (await browser.open(there)).allow()
    const location = await (await browser.open(back.location)).goesTo()
    expect(location.origin + location.pathname).toBe(redirectUri)
    expect(Object.fromEntries(location.searchParams)).toMatchObject({ state: 'a state', iss: proxy.as.url })
    const { access, body } = await proxy.exchange(clientId, location.searchParams.get('code')!)
    expect(decodeJwt(access)).toMatchObject({ iss: proxy.as.url, sub: 'ada' })
    expect(JSON.stringify(body)).not.toContain(idp.as.url)
    expect(world.asked).toEqual(['/.well-known/oauth-authorization-server', '/token'])
  })

  // [sec.deputy.per-client-consent]
  test('asks again for another client, though the identity provider would not', async () => {
    const world = setUp()
    const { proxy, browser } = world
    const first = await proxy.register()
    await browser.open((await (await browser.open(await hop(world, first))).allow()).location)
    const stranger = await proxy.register({ client_name: 'Stranger', redirect_uris: ['https://evil.example/'] })
    const url = (await authorizeUrl(proxy, stranger)).replace(
      encodeURIComponent(redirectUri),
      encodeURIComponent('https://evil.example/'),
    )
    const page = await browser.open(url)
    expect([page.status, page.response.headers.get('location')]).toEqual([200, null])
    expect(await page.words()).toContain('Stranger asks for access')
    const refused = await page.deny()
    expect(refused.location.searchParams.get('error')).toBe('access_denied')
  })

  // [sec.deputy.state-random] [sec.deputy.state-validate] [sec.deputy.state-single-use]
  // [sec.deputy.state-after-consent]
  test('makes a state for each way through, good once, for a short time, and in one browser', async () => {
    const world = setUp()
    const { proxy, browser, send } = world
    const clientId = await proxy.register()
    const [one, two] = [await hop(world, clientId), await hop(world, clientId)]
    expect(one.searchParams.get('state')).not.toBe(two.searchParams.get('state'))
    const { location } = await (await browser.open(one)).allow()
    expect((await new Visitor(send).open(location)).status).toBe(403)
    const changed = new URL(location)
    changed.searchParams.set('state', 'another')
    expect((await browser.open(changed)).status).toBe(403)
    expect((await browser.open(location)).status).toBe(200)
    expect((await browser.open(location)).status).toBe(403)
    const late = (await (await browser.open(two)).allow()).location
    proxy.time += 10 * 60_000 + 1
    expect((await browser.open(late)).status).toBe(403)
  })

  test('tells its client when the identity provider refuses, and nothing of why', async () => {
    const world = setUp()
    const { proxy, browser, idp } = world
    const clientId = await proxy.register()
    const denied = await browser.open((await (await browser.open(await hop(world, clientId))).deny()).location)
    expect((await denied.goesTo()).searchParams.get('error')).toBe('access_denied')
    idp.as.faults.badIss = 'wrong'
    const mixedUp = await browser.open((await (await browser.open(await hop(world, clientId))).allow()).location)
    expect((await mixedUp.goesTo()).searchParams.get('error')).toBe('access_denied')
    expect(proxy.errors.length).toBe(2)
  })

  test('lets somebody decide who a user of the identity provider is, and refuse them', async () => {
    let seen: unknown
    const world = setUp({
      scopes: ['openid', 'mail'],
      user: (tokens) => {
        seen = tokens
        return undefined
      },
    })
    const { proxy, browser } = world
    const clientId = await proxy.register()
    expect(await (await browser.open(await authorizeUrl(proxy, clientId))).words()).toContain('for openid mail')
    const back = (await (await browser.open(await hop(world, clientId))).allow()).location
    expect((await (await browser.open(back)).goesTo()).searchParams.get('error')).toBe('access_denied')
    expect(seen).toMatchObject({ accessToken: expect.any(String), claims: { sub: 'ada' } })
  })

  test('has no way back for anybody without one', async () => {
    expect((await new Desk().send('/callback?state=x&code=y')).status).toBe(404)
    expect((await setUp().proxy.send('/callback?code=y')).status).toBe(403)
  })
})
