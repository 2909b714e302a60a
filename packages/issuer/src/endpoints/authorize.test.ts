import { describe, expect, test } from 'vitest'
import { isRegistered, problemOfRedirectUri } from '../clients/redirect-uris.ts'
import { Desk, redirectUri, server } from '../desk.suite.ts'
import { Visitor } from '../visitor.suite.ts'

const queryOf = (url: URL): { [name: string]: string } => Object.fromEntries(url.searchParams)

describe('the consent page', () => {
  // [sec.deputy.ui-identify-client] [sec.deputy.ui-show-scopes] [sec.deputy.ui-show-redirect]
  // [auth.cimd.as-show-redirect-host]
  test('names the client, who vouches for it, the scopes, the resource and where it leads', async () => {
    const desk = new Desk({ scopes: { read: 'Read your notes', write: 'Change your notes' } })
    const words = await (await desk.open(await desk.register())).words()
    expect(words).toContain('An app asks for access')
    expect(words).toContain('It chose this name itself; nobody has checked it.')
    expect(words).toContain('Read your notes read')
    expect(words).toContain('Change your notes write')
    expect(words).toContain(`Access to ${server}`)
    expect(words).toContain('Afterwards you go to app.example')
    expect(words).not.toContain('Any program on this computer')
  })

  // [auth.cimd.as-localhost-warning]
  test('warns of clients that anybody on this machine could be', async () => {
    const desk = new Desk()
    const local = { redirect_uris: ['http://127.0.0.1:5000/callback'] }
    const page = await desk.open(await desk.register(local), { redirect_uri: 'http://127.0.0.1:6000/callback' })
    expect(await page.words()).toContain('127.0.0.1:6000 , a program on this computer')
    expect(await page.words()).toContain('Any program on this computer could call itself that.')
  })

  // [sec.deputy.ui-no-framing] [sec.authurl.csp]
  test('is in no frame, runs no script, and loads nothing', async () => {
    const desk = new Desk()
    const page = await desk.open(await desk.register())
    const policy = page.response.headers.get('content-security-policy')!
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'nonce-[\w-]+'; form-action 'self' https:; frame-ancestors 'none'; base-uri 'none'$/,
    )
    expect(page.response.headers.get('x-frame-options')).toBe('DENY')
    expect(page.response.headers.get('cache-control')).toBe('no-store')
    expect(await page.text()).toContain('dl > div')
    expect(await page.text()).not.toMatch(/<script|javascript:|\son\w+=|<img|<link/i)
  })

  // [sec.authurl.sanitise]
  test('shows names of clients as text, without what turns writing around', async () => {
    const desk = new Desk()
    const client_name = `<script>alert(1)</script>"'&\u202egnorw\u0000 ${'x'.repeat(200)}`
    const text = await (await desk.open(await desk.register({ client_name }), { scope: 'a<b' })).text()
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp; gnorw')
    expect(text).not.toContain('<script')
    expect(text).not.toContain('\u202e')
    expect(text).not.toContain('x'.repeat(80))
  })

  // [sec.deputy.per-client-consent]
  test('is shown again every time, whatever was agreed to before', async () => {
    const desk = new Desk()
    const clientId = await desk.register()
    await desk.code(clientId)
    const again = await desk.open(clientId)
    expect([again.status, again.response.headers.get('location')]).toEqual([200, null])
    expect((await desk.open(clientId, { prompt: 'none', redirect_uri: redirectUri })).status).toBe(400)
  })

  // [sec.deputy.ui-csrf] [sec.deputy.cookie-signed]
  test('belongs to the browser that it was shown to, and is answered once', async () => {
    const desk = new Desk()
    const clientId = await desk.register()
    const page = await desk.open(clientId)
    const fields = await page.fields()
    const other = new Visitor((request) => desk.as.fetch(request))
    await other.open(`${desk.as.url}/device`)
    const stolen = new Request(`${desk.as.url}/authorize`, {
      method: 'POST',
      body: new URLSearchParams({ ...fields, decision: 'allow' }),
    })
    expect((await other.request(stolen)).status).toBe(403)
    expect((await page.submit({ decision: 'allow', ticket: 'another' })).status).toBe(403)
    expect((await page.submit({ decision: 'allow' }, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await page.submit({ decision: 'allow' }, { origin: 'null' })).status).toBe(403)
    expect((await page.submit({ decision: 'allow' }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await page.allow()).status).toBe(303)
    expect((await page.allow()).status).toBe(403)
  })

  test('is good for ten minutes', async () => {
    const desk = new Desk()
    const page = await desk.open(await desk.register())
    desk.time += 10 * 60_000 + 1
    expect((await page.allow()).status).toBe(403)
  })

  // [sec.deputy.cookie-host-prefix] [sec.deputy.cookie-attributes]
  test('sets a cookie that only this host gets, and no script', async () => {
    const signIn = (): { subject: string } => ({ subject: 'ada' })
    const desk = new Desk({ url: 'https://id.example', signIn })
    const page = await desk.open(await desk.register())
    expect(page.response.headers.get('set-cookie')).toMatch(
      /^__Host-tenon-issuer=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    )
  })

  test('is answered by whoever it was shown to', async () => {
    let subject: string | undefined = 'ada'
    const signIn = () => (subject === undefined ? undefined : { subject, name: subject.toUpperCase() })
    const desk = new Desk({ url: 'https://id.example', signIn })
    const clientId = await desk.register()
    const page = await desk.open(clientId)
    expect(await page.words()).toContain('You are ADA')
    subject = 'bob'
    expect((await page.allow()).status).toBe(403)
    subject = undefined
    expect((await desk.open(clientId)).status).toBe(403)
    subject = ''
    expect((await desk.open(clientId)).status).toBe(500)
  })

  test('lets users sign in first', async () => {
    const desk = new Desk({
      url: 'https://id.example',
      signIn: ({ url }) => Response.redirect(`https://id.example/login?back=${encodeURIComponent(url)}`),
    })
    const { location } = await desk.open(await desk.register())
    expect(location.pathname).toBe('/login')
    expect(location.searchParams.get('back')).toContain('https://id.example/authorize?response_type=code')
  })

  test('asks during development who somebody wants to be', async () => {
    const desk = new Desk({ users: [{ subject: 'ada', name: 'Ada' }, { subject: 'bob' }] })
    const clientId = await desk.register()
    const page = await desk.open(clientId)
    expect(await page.words()).toContain('Agree as Ada bob')
    const { location } = await page.allow({ user: 'bob' })
    await desk.exchange(clientId, location.searchParams.get('code')!)
    expect(desk.events.find(({ type }) => type === 'issued')).toMatchObject({ subject: 'bob' })
    expect((await (await desk.open(clientId)).allow({ user: 'eve' })).status).toBe(400)
  })
})

describe('the answer', () => {
  // [auth.iss.as-includes]
  test('has the code, the state and the issuer', async () => {
    const desk = new Desk()
    const { location } = await (await desk.open(await desk.register())).allow()
    expect(location.origin + location.pathname).toBe(redirectUri)
    expect(queryOf(location)).toEqual({
      code: expect.stringMatching(/^[\w-]{43}$/),
      state: 'a state',
      iss: desk.as.url,
    })
  })

  test('is an error if the user refuses, with the issuer too', async () => {
    const desk = new Desk()
    const { location } = await (await desk.open(await desk.register())).deny()
    expect(queryOf(location)).toEqual({
      error: 'access_denied',
      error_description: 'The user refused',
      state: 'a state',
      iss: desk.as.url,
    })
  })

  test('keeps the query of the redirect URI as it is', async () => {
    const desk = new Desk()
    const uri = 'https://app.example/cb?a=%7e&b'
    const page = await (await desk.open(await desk.register({ redirect_uris: [uri] }), { redirect_uri: uri })).allow()
    expect(page.response.headers.get('location')).toMatch(/^https:\/\/app\.example\/cb\?a=%7e&b&code=/)
  })
})

describe('an authorization request', () => {
  const wrong: [string, { [name: string]: string | undefined }, string][] = [
    ['without PKCE', { code_challenge: undefined }, 'invalid_request'],
    ['with a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['without the method, which would be plain', { code_challenge_method: undefined }, 'invalid_request'],
    ['with a challenge that is no hash', { code_challenge: 'short' }, 'invalid_request'],
    ['for a token', { response_type: 'token' }, 'unsupported_response_type'],
    ['for an answer in the fragment', { response_mode: 'fragment' }, 'invalid_request'],
    ['with a request object', { request: 'x' }, 'request_not_supported'],
    ['that asks nobody', { prompt: 'none' }, 'consent_required'],
    ['for unknown scopes', { scope: 'root' }, 'invalid_scope'],
    ['for scopes that are none', { scope: 'a"b' }, 'invalid_scope'],
    ['for a resource that is no URI', { resource: 'here' }, 'invalid_target'],
    ['for a resource of somebody else', { resource: 'https://other.example' }, 'invalid_target'],
    ['with an endless state', { state: 's'.repeat(5_000) }, 'invalid_request'],
    ['with a thumbprint that is none', { dpop_jkt: 'x' }, 'invalid_request'],
  ]
  const options = { scopes: ['read', 'write'], resources: [server] }

  test.each(wrong)('%s is sent back to a client that somebody vouches for', async (_, more, error) => {
    const clients = [{ id: 'app', redirectUris: [redirectUri] }]
    const page = await new Desk({ ...options, clients }).open('app', more)
    expect(page.status).toBe(303)
    expect(queryOf(page.location)).toMatchObject({ error, iss: 'http://127.0.0.1:4000' })
    expect(page.location.searchParams.has('code')).toBe(false)
  })

  // [auth.sec.auto-redirect-trusted] [auth.sec.untrusted-redirect] [auth.mar25.validate-redirect-uris]
  test('that is wrong sends nobody to a stranger by itself', async () => {
    const desk = new Desk(options)
    const page = await desk.open(await desk.register(), { scope: 'root' })
    expect([page.status, page.response.headers.get('location')]).toEqual([400, null])
    expect(await page.text()).toContain('href="https://app.example/callback?error=invalid_scope&amp;')
    const local = await desk.register({ redirect_uris: ['http://127.0.0.1:5000/'] })
    expect((await desk.open(local, { redirect_uri: 'http://127.0.0.1:5000/', scope: 'root' })).status).toBe(303)
  })

  // [sec.deputy.redirect-changed-reject]
  test.each([
    ['of an unknown client', { client_id: 'nobody' }],
    ['without a client', { client_id: undefined }],
    ['without a redirect URI', { redirect_uri: undefined }],
    ['with another redirect URI', { redirect_uri: 'https://app.example/callback/' }],
    ['with another host', { redirect_uri: 'https://evil.example/callback' }],
  ])('%s leads nowhere', async (_, more) => {
    const desk = new Desk()
    const page = await desk.open(await desk.register(), more)
    expect([page.status, page.response.headers.get('location')]).toEqual([400, null])
    expect(await page.text()).not.toContain('evil.example')
  })

  test('with a parameter that comes twice leads nowhere', async () => {
    const desk = new Desk()
    const page = await desk.visitor.open(`${desk.as.url}/authorize?client_id=a&client_id=b`)
    expect(page.status).toBe(400)
  })

  // [sec.scopes.as-subset]
  test('gets the scopes that exist', async () => {
    const desk = new Desk(options)
    const { body } = await desk.tokens({ scope: 'read unknown' })
    expect(body.scope).toBe('read')
  })
})

describe('redirect URIs', () => {
  // [auth.sec.redirect-exact-match] [sec.deputy.redirect-exact]
  test('are compared as text', () => {
    const registered = ['https://app.example/cb', 'cursor://auth/cb']
    expect(isRegistered('https://app.example/cb', registered)).toBe(true)
    expect(isRegistered('cursor://auth/cb', registered)).toBe(true)
    for (const other of [
      'https://app.example/cb/',
      'https://app.example/cb?x',
      'https://APP.example/cb',
      'https://app.example:443/cb',
      'https://app.example/./cb',
      'https://app.example@evil.example/cb',
    ]) {
      expect(isRegistered(other, registered), other).toBe(false)
    }
  })

  test('may have any port on this machine, and differ in nothing else', () => {
    const registered = ['http://127.0.0.1/cb', 'http://localhost:3000/cb?x=1', 'http://[::1]:9/cb']
    for (const same of ['http://127.0.0.1:50123/cb', 'http://localhost:1/cb?x=1', 'http://[::1]/cb']) {
      expect(isRegistered(same, registered), same).toBe(true)
    }
    for (const other of [
      'http://127.0.0.1:5/cb/x',
      'http://127.0.0.2:5/cb',
      'http://localhost:5/cb',
      'https://127.0.0.1:5/cb',
      'http://127.0.0.1:5@evil.example/cb',
      'http://127.0.0.1.evil.example/cb',
      'http://127.0.0.1:99999/cb',
    ]) {
      expect(isRegistered(other, registered), other).toBe(false)
    }
  })

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'http://app.example/cb',
    'https://a@app.example/',
    'https://app.example/#x',
    'here',
    'https://app.example/\\evil',
    `https://app.example/${'x'.repeat(2_100)}`,
  ])('%s is none', (uri) => {
    expect(problemOfRedirectUri(uri)).toEqual(expect.any(String))
  })

  test.each([
    'https://app.example/cb',
    'http://localhost:3000/cb',
    'http://[::1]:3000/',
    'vscode://tenon.auth/cb',
    'com.example.app:/cb',
  ])('%s is one', (uri) => {
    expect(problemOfRedirectUri(uri)).toBeUndefined()
  })
})
