import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { type IssuerServer, serveIssuer } from '@tenon/issuer'
import { authorizationCode, oauth } from '@tenon/sdk/auth'
import { bearer } from '@tenon/sdk/auth/server'
import { connect } from '@tenon/sdk/client'
import { type HttpServer, serveHttp } from '@tenon/sdk/node'
import { createServer, isRpcError, tool } from '@tenon/sdk/server'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type VisitedPage, Visitor } from '../../../issuer/src/visitor.suite.ts'
import { accountUrlOf, newApiKey } from '../../src/identity.ts'
import type { UpstreamCredentials } from '../../src/model.ts'
import { startTokenStandIn, type TokenStandIn } from './token-stand-in.ts'
import { callerNamed, openWorld, send, tokenOf, type World } from './world.ts'

const ci = newApiKey()
const never = (): AbortSignal => new AbortController().signal

let folder: string
let mailIssuer: IssuerServer
let mail: HttpServer
let world: World
let issued: string[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-accounts-'))
  issued = []
  mailIssuer = await serveIssuer({
    users: [{ subject: 'ada@mail' }, { subject: 'bob@mail' }, { subject: 'mallory@mail' }],
    onEvent: ({ type, subject }) => issued.push(`${type} ${subject ?? ''}`),
  })
  const whoami = tool({ name: 'whoami', run: (_input, { auth }) => `${auth?.principal.split('#').at(-1)}` })
  mail = await serveHttp(createServer({ name: 'mail', version: '1.0.0', tools: [whoami] }), {
    auth: bearer({ issuer: mailIssuer.url, scopes: ['read'] }),
  })
  world = await openWorld({
    folder,
    urlOf: (name) => (name === 'mail' || name === 'archive' ? mail.url : undefined),
    identity: {
      issuer: { users: [{ subject: 'ada', name: 'Ada' }, { subject: 'bob' }, { subject: 'mallory' }] },
      keys: [{ name: 'ci', hash: ci.hash }],
    },
    credentials: { mail: { type: 'account', title: 'Mail <b>', scopes: ['read'] }, archive: { type: 'account' } },
  })
})
afterAll(async () => {
  await Promise.all([world, mail, mailIssuer].map((each) => each?.close()))
  await rm(folder, { recursive: true, force: true })
})

const idOf = (user: string): string => `${world.url}/issuer|${user}`
const accounts = (): string => `${world.url}/accounts`

/** A browser in which somebody is signed in. */
async function browserOf(user: string): Promise<Visitor> {
  const browser = new Visitor()
  const agreed = await (await browser.open((await browser.open(`${accounts()}/sign-in`)).location)).allow({ user })
  const back = await browser.open(agreed.location)
  expect(back.response.headers.get('location')).toBe('/accounts')
  return browser
}

/** Sends the form of an account on the page. */
async function submit(
  browser: Visitor,
  action: 'connect' | 'disconnect',
  more: { [name: string]: string } = {},
  origin = world.url,
): Promise<Response> {
  const { ticket } = await (await browser.open(accounts())).fields()
  const body = new URLSearchParams({ ticket: ticket ?? '', upstream: 'mail', ...more })
  return browser.request(
    new Request(`${accounts()}/${action}`, { method: 'POST', body, headers: { origin }, redirect: 'manual' }),
  )
}

/** The address that the authorization server sends somebody back to who agreed there. */
async function agreedUrl(browser: Visitor, user: string): Promise<URL> {
  const page = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(await (await submit(browser, 'connect')).text())![1]!
  return (await (await new Visitor().open(page.replaceAll('&amp;', '&'))).allow({ user })).location
}

async function connectAccount(browser: Visitor, user: string): Promise<VisitedPage> {
  return browser.open(await agreedUrl(browser, user))
}

const credentialsOf = (user: string, upstream = 'mail'): Promise<UpstreamCredentials> =>
  world.identity.credentials.credentialsFor(callerNamed(idOf(user)), upstream, never())

/** The account that the upstream sees, or the page that a person is sent to. */
async function seenAs(user: string): Promise<string | undefined> {
  try {
    await using client = await connect(mail.url, { headers: { ...(await credentialsOf(user)).headers } })
    return (await client.callTool('whoami')).text
  } catch (error) {
    return accountUrlOf(error) ?? String(error)
  }
}

const needsPage = (): string => `${accounts()}?connect=mail`

describe('the page of accounts', () => {
  test('signs a person in, connects an account of theirs, and disconnects it', async () => {
    expect(await seenAs('ada')).toBe(needsPage())
    const browser = await browserOf('ada')
    const page = await browser.open(needsPage())
    expect(await page.words()).toContain(`You are Ada (${idOf('ada')})`)
    expect(await page.words()).toContain(
      'Mail <b> Not connected A request of yours waits for this account. Connect archive',
    )
    const done = await connectAccount(browser, 'ada@mail')
    expect([done.status, done.response.headers.get('location')]).toEqual([303, '/accounts'])
    expect(await (await browser.open(accounts())).words()).toContain('Mail <b> Connected Disconnect')
    expect([await seenAs('ada'), await seenAs('bob')]).toEqual(['ada@mail', needsPage()])
    issued.length = 0
    expect((await submit(browser, 'disconnect')).status).toBe(303)
    expect(issued).toEqual([expect.stringContaining('revoked')])
    expect(await seenAs('ada')).toBe(needsPage())
  })

  test('is asked for by a call without an account, in the error and as a URL elicitation', async () => {
    const error = await credentialsOf('bob').catch((thrown: unknown) => thrown)
    expect(isRpcError(error) && error.toWire()).toMatchObject({
      code: -32042,
      message: `Connect your Mail <b> account first: ${needsPage()}`,
      data: { elicitations: [{ mode: 'url', url: needsPage(), elicitationId: expect.any(String) }] },
    })
    const token = await tokenOf(`${world.url}/issuer`, { user: 'bob', resource: `${world.url}/servers/tables/mcp` })
    const headers = { authorization: `Bearer ${token}` }
    const answer = await world.post('tables', { headers, tool: 'credentials', arguments: { upstream: 'mail' } })
    expect(answer.text).toContain(needsPage())
  })

  test('knows the holder of an API key, and nobody else', async () => {
    const browser = new Visitor()
    const welcome = await browser.open(needsPage())
    expect(await welcome.words()).toContain('Sign in')
    const post = (key: string, headers: { [name: string]: string }): Promise<Response> =>
      browser.request(
        new Request(`${accounts()}/key`, {
          method: 'POST',
          body: new URLSearchParams({ key, connect: 'mail' }),
          headers,
          redirect: 'manual',
        }),
      )
    const { origin } = new URL(world.url)
    expect((await post('tgk_wrong', { origin })).status).toBe(403)
    // Another site must not sign a visitor in as somebody whose accounts the visitor would then connect.
    expect((await post(ci.key, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await post(ci.key, {})).status).toBe(403)
    expect((await post(ci.key, { origin })).status).toBe(303)
    expect(await (await browser.open(accounts())).words()).toContain('You are ci (key:ci)')
  })

  test('loads and runs nothing, is in no frame and no cache, and has a lock on its cookies', async () => {
    const browser = await browserOf('bob')
    const { response } = await browser.open(accounts())
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'nonce-[\w-]{22}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
    )
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('x-frame-options')).toBe('DENY')
    const { headers } = await send(`${accounts()}/sign-in`)
    expect(headers['set-cookie']![0]).toMatch(
      /^tenon-sign-in-\d+=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/,
    )
    const rebound = await send(accounts(), { headers: { host: 'evil.example' } })
    expect(rebound.status).toBe(403)
    expect((await send(`${accounts()}/nothing`)).status).toBe(404)
    const long = await send(`${accounts()}/key`, {
      method: 'POST',
      headers: { origin: world.url, 'content-type': 'application/x-www-form-urlencoded' },
      body: `key=${'x'.repeat(20_000)}`,
    })
    expect(long.status).toBe(400)
  })
})

describe('attacks on a connection', () => {
  test('a form of another site, of another browser or without a ticket does nothing', async () => {
    const [ada, bob] = [await browserOf('ada'), await browserOf('bob')]
    await connectAccount(ada, 'ada@mail')
    const { ticket } = await (await bob.open(accounts())).fields()
    expect((await submit(ada, 'disconnect', {}, 'https://evil.example')).status).toBe(403)
    expect((await submit(ada, 'disconnect', { ticket: '' })).status).toBe(403)
    expect((await submit(ada, 'disconnect', { ticket: ticket! })).status).toBe(403)
    expect((await submit(ada, 'disconnect', { upstream: '__proto__' })).status).toBe(404)
    expect(await seenAs('ada')).toBe('ada@mail')
    await submit(ada, 'disconnect')
  })

  test('a code that one person got is not taken in the browser of another, nor twice, nor for another upstream', async () => {
    const [ada, mallory] = [await browserOf('ada'), await browserOf('mallory')]
    // Mallory wants the requests of Ada to reach the account of Mallory, where Mallory can read them.
    const back = await agreedUrl(mallory, 'mallory@mail')
    expect((await ada.open(back)).status).toBe(403)
    expect((await new Visitor().open(back)).status).toBe(403)
    const elsewhere = new URL(back.href.replace('/callback/mail', '/callback/archive'))
    expect((await mallory.open(elsewhere)).status).toBe(403)
    expect(await seenAs('ada')).toBe(needsPage())
    // The code of Mallory with the state that Ada began.
    const mixed = await agreedUrl(ada, 'ada@mail')
    const own = mixed.searchParams.get('code')!
    mixed.searchParams.set('code', back.searchParams.get('code')!)
    expect((await ada.open(mixed)).status).toBe(403)
    mixed.searchParams.set('code', own)
    expect((await ada.open(mixed)).status).toBe(403)
    expect(await seenAs('ada')).toBe(needsPage())
    // The authorization server has noticed the theft, so this code is worth nothing to Mallory either.
    expect((await mallory.open(back)).status).toBe(403)
    const next = await agreedUrl(mallory, 'mallory@mail')
    expect([(await mallory.open(next)).status, (await mallory.open(next)).status]).toEqual([303, 403])
    const logged = inspect(world.logged, { depth: 10 })
    expect(logged).toContain('This is not a way back that you began')
    for (const { searchParams } of [back, mixed, next]) {
      for (const name of ['code', 'state']) expect(logged).not.toContain(searchParams.get(name))
    }
    expect(await seenAs('mallory')).toBe('mallory@mail')
    await submit(mallory, 'disconnect')
  })

  test('an answer of another authorization server is not believed', async () => {
    const ada = await browserOf('ada')
    const back = await agreedUrl(ada, 'ada@mail')
    back.searchParams.set('iss', 'https://evil.example')
    expect((await ada.open(back)).status).toBe(403)
    expect(await seenAs('ada')).toBe(needsPage())
  })

  test('a sign-in that another browser began signs nobody in', async () => {
    const [attacker, victim] = [new Visitor(), new Visitor()]
    const page = await attacker.open((await attacker.open(`${accounts()}/sign-in`)).location)
    const { location } = await page.allow({ user: 'mallory' })
    expect((await victim.open(location)).status).toBe(403)
    await victim.open(`${accounts()}/sign-in`)
    expect((await victim.open(location)).status).toBe(403)
    expect([...victim.cookies.keys()].filter((name) => name.includes('session'))).toEqual([])
  })

  test('a cookie of another purpose, another key or another time is none', async () => {
    const browser = await browserOf('ada')
    const [name, value] = [...browser.cookies].find(([cookie]) => cookie.includes('session'))!
    const shown = async (cookie: string): Promise<string> => (await send(accounts(), { headers: { cookie } })).text
    expect(await shown(`${name}=${value}`)).toContain(idOf('ada'))
    expect(await shown(`${name}=${value.slice(0, -6)}AAAAAA`)).not.toContain(idOf('ada'))
    expect(await shown(`${name}=${value}; ${name}=${value}`)).not.toContain(idOf('ada'))
    expect(await shown(`${name.replace('session', 'sign-in')}=${value}`)).not.toContain(idOf('ada'))
  })
})

describe('the token of an account', () => {
  test('is renewed once for all that wait, and the account ends if that is refused', async () => {
    const browser = await browserOf('ada')
    await connectAccount(browser, 'ada@mail')
    const source = world.identity.credentials
    const caller = callerNamed(idOf('ada'))
    const used = await credentialsOf('ada')
    issued.length = 0
    await Promise.all(Array.from({ length: 10 }, () => source.refused!(caller, 'mail', used)))
    const renewed = await Promise.all(Array.from({ length: 10 }, () => credentialsOf('ada')))
    expect(new Set(renewed.map(({ headers }) => headers!.Authorization)).size).toBe(1)
    expect(renewed[0]).not.toEqual(used)
    expect(issued).toEqual(['refreshed ada@mail'])
    // An authorization server that fails costs no account.
    mailIssuer.issuer.faults.tokenErrors = ['server_error']
    await source.refused!(caller, 'mail', renewed[0])
    await expect(credentialsOf('ada')).rejects.toMatchObject({ code: 'unauthorized' })
    const later = await credentialsOf('ada')
    expect(later).not.toEqual(renewed[0])
    mailIssuer.issuer.faults.tokenErrors = ['invalid_grant']
    await source.refused!(caller, 'mail', later)
    expect(await seenAs('ada')).toBe(needsPage())
    issued.length = 0
    expect(await seenAs('ada')).toBe(needsPage())
    expect(issued).toEqual([])
    expect(await (await browser.open(accounts())).words()).toContain('Has to be connected again')
    expect((await connectAccount(browser, 'ada@mail')).status).toBe(303)
    expect(await seenAs('ada')).toBe('ada@mail')
    // The authorization server has forgotten the gateway, which registers again.
    mailIssuer.issuer.faults.tokenErrors = ['invalid_client']
    await source.refused!(caller, 'mail')
    expect(await seenAs('ada')).toBe(needsPage())
    issued.length = 0
    expect((await connectAccount(browser, 'ada@mail')).status).toBe(303)
    expect(issued).toContain('registered ')
  })

  test('is never that of somebody else, in whatever order people connect, call, are refused and leave', async () => {
    const random = seeded(20_260_728)
    const names = ['ada', 'bob', 'mallory']
    const browsers = new Map(await Promise.all(names.map(async (name) => [name, await browserOf(name)] as const)))
    for (const name of names) await connectAccount(browsers.get(name)!, `${name}@mail`)
    const wrong: string[] = []
    let answered = 0
    const source = world.identity.credentials
    const step = async (): Promise<void> => {
      const name = names[Math.floor(random() * names.length)]!
      const choice = random()
      const given = await credentialsOf(name).catch((error: unknown) => accountUrlOf(error) ?? String(error))
      if (typeof given === 'string') {
        if (given !== needsPage()) wrong.push(given)
        return
      }
      answered += 1
      const { sub } = decodeJwt(given.headers!.Authorization!.slice('Bearer '.length))
      if (sub !== `${name}@mail`) wrong.push(`${name} got the token of ${sub}`)
      if (choice < 0.2) await source.refused!(callerNamed(idOf(name)), 'mail', given)
      else if (choice < 0.23) await submit(browsers.get(name)!, 'disconnect')
      else if (choice < 0.26) await connectAccount(browsers.get(name)!, `${name}@mail`)
    }
    for (let round = 0; round < 8; round++) {
      await Promise.all(Array.from({ length: 25 }, step))
      for (const name of names) if (random() < 0.5) await connectAccount(browsers.get(name)!, `${name}@mail`)
    }
    expect(wrong).toEqual([])
    expect(answered).toBeGreaterThan(100)
  })
})

describe('an identity provider', () => {
  const secret = 'the secret of the gateway'
  const idJag = 'urn:ietf:params:oauth:token-type:id-jag'
  let provider: IssuerServer
  let standIn: TokenStandIn
  let time = Date.now()

  beforeAll(async () => {
    await world.close()
    standIn = await startTokenStandIn()
    standIn.answer = ({ form }) =>
      form.requested_token_type === idJag
        ? { body: { access_token: 'a grant', token_type: 'N_A', issued_token_type: idJag } }
        : { body: { access_token: `for ${form.assertion}`, token_type: 'Bearer', expires_in: 60 } }
    const redirectUris = ['http://127.0.0.1:1/issuer/callback', 'http://127.0.0.1:1/accounts/signed-in']
    provider = await serveIssuer({
      registration: false,
      clients: [{ id: 'gateway', secret, redirectUris, grantTypes: ['authorization_code'] }],
      users: [{ subject: 'ada', name: 'Ada' }, { subject: 'bob' }],
    })
  })
  afterAll(() => Promise.all([provider, standIn].map((each) => each?.close())))

  const client = { id: 'gateway', secret: 'another secret' }
  const place = (): object => ({ issuer: standIn.url, tokenEndpoint: `${standIn.url}/token`, client })
  const open = async (identity: unknown): Promise<void> => {
    world = await openWorld({
      folder,
      identity,
      now: () => time,
      credentials: { docs: { type: 'id-jag', ...place(), provider: place() } },
    })
  }
  const own = (): object => ({ issuer: provider.url, clientId: 'gateway', clientSecret: secret })
  const docs = (id: string): Promise<unknown> =>
    world.identity.credentials
      .credentialsFor(callerNamed(id), 'docs', never())
      .catch((error: unknown) => accountUrlOf(error) ?? String(error))

  test('stands behind the issuer of the gateway, for hosts that register themselves', async () => {
    await open({ issuer: { provider: own() }, groupsClaim: 'sub' })
    const browser = new Visitor()
    const visit = async (page: URL): Promise<URL> => {
      const consent = await (await browser.open(page)).allow()
      const there = await (await browser.open(await consent.goesTo())).allow({ user: 'ada' })
      return (await browser.open(there.location)).goesTo()
    }
    const redirect = () => ({ uri: 'http://127.0.0.1:4999/callback', visit, close: () => {} })
    const auth = oauth({ grant: authorizationCode({ redirect }) })
    await using host = await connect(`${world.url}/servers/tables/mcp`, { auth })
    const { text } = await host.callTool('whoami')
    expect(JSON.parse(text)).toMatchObject({ id: idOf('ada'), groups: ['ada'], issuer: `${world.url}/issuer` })
    // The identity at the provider starts the grant, and is never the token of the gateway.
    expect(await docs(idOf('ada'))).toEqual({ headers: { Authorization: 'Bearer for a grant' } })
    expect(decodeJwt(standIn.seen[0]!.form.subject_token!)).toMatchObject({
      iss: provider.url,
      sub: 'ada',
      aud: 'gateway',
    })
    expect(await docs(idOf('bob'))).toBe(`${accounts()}/sign-in`)
    await world.close()
  })

  test('signs people in for the page if the gateway takes its tokens, until the id token ends', async () => {
    await open({ issuers: [provider.url], signIn: own() })
    const ada = `${provider.url}|ada`
    expect(await docs(ada)).toBe(`${accounts()}/sign-in`)
    const browser = await browserOf('ada')
    expect(await (await browser.open(accounts())).words()).toContain(`(${ada})`)
    expect(await docs(ada)).toEqual({ headers: { Authorization: 'Bearer for a grant' } })
    expect(await docs(`${provider.url}|bob`)).toBe(`${accounts()}/sign-in`)
    time += 24 * 60 * 60_000
    expect(await docs(ada)).toBe(`${accounts()}/sign-in`)
    expect(await (await browser.open(accounts())).words()).not.toContain(ada)
  })
})

/** The same numbers in every run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
