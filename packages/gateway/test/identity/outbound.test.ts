// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the configuration refers to secrets
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type IssuerServer, serveIssuer } from '@tenon/issuer'
import { bearer } from '@tenon/sdk/auth/server'
import { connect } from '@tenon/sdk/client'
import { type HttpServer, serveHttp } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newApiKey } from '../../src/identity.ts'
import type { UpstreamCredentials } from '../../src/model.ts'
import { startTokenStandIn, type TokenStandIn } from './token-stand-in.ts'
import { callerNamed, openWorld, tokenOf, type World } from './world.ts'

const types = 'urn:ietf:params:oauth:token-type:'
const clientSecret = 'the secret of the gateway'
const ci = newApiKey()
/** Of a request that nobody ends. */
const never = (): AbortSignal => new AbortController().signal

let issuer: IssuerServer
let issued: string[]
let upstream: HttpServer
let standIn: TokenStandIn
let world: World
let providerKeys: Awaited<ReturnType<typeof generateKeyPair>>

beforeAll(async () => {
  providerKeys = await generateKeyPair('ES256')
  standIn = await startTokenStandIn()
  issued = []
  issuer = await serveIssuer({
    users: [{ subject: 'ada' }, { subject: 'bob' }],
    clients: [
      {
        id: 'gateway',
        secret: clientSecret,
        grantTypes: ['client_credentials', 'urn:ietf:params:oauth:grant-type:jwt-bearer'],
      },
    ],
    trusts: [
      {
        issuer: standIn.url,
        keys: [{ ...(await exportJWK(providerKeys.publicKey)), alg: 'ES256' }],
        user: ({ sub }) => ({ subject: `work ${sub}` }),
      },
    ],
    onEvent: ({ type, clientId, subject }) => type === 'issued' && issued.push(subject ?? clientId ?? ''),
  })
  const whoami = tool({ name: 'whoami', run: (_input, { auth }) => `${auth?.principal}` })
  upstream = await serveHttp(createServer({ name: 'crm', version: '1.0.0', tools: [whoami] }), {
    auth: bearer({ issuer: issuer.url }),
  })
  const client = { id: 'gateway', secret: '${env:CLIENT_SECRET}' }
  world = await openWorld({
    env: { CLIENT_SECRET: clientSecret, FIXED: 'a fixed secret' },
    urlOf: (name) => (name === 'crm' || name === 'docs' ? upstream.url : undefined),
    identity: { issuers: [issuer.url], keys: [{ name: 'ci', hash: ci.hash }] },
    credentials: {
      open: { type: 'none' },
      fixed: { type: 'static', headers: { Authorization: 'Bearer ${env:FIXED}' }, env: { TOKEN: '${env:FIXED}' } },
      crm: { type: 'client-credentials', client },
      hr: {
        type: 'token-exchange',
        issuer: standIn.url,
        tokenEndpoint: `${standIn.url}/token`,
        client,
        audience: 'hr',
        scopes: ['read'],
      },
      pay: {
        type: 'token-exchange',
        issuer: standIn.url,
        tokenEndpoint: `${standIn.url}/token`,
        client,
        audience: 'pay',
        env: 'PAY_TOKEN',
      },
      docs: {
        type: 'id-jag',
        client,
        subject: 'caller',
        scopes: ['read'],
        provider: { issuer: standIn.url, tokenEndpoint: `${standIn.url}/token`, client },
      },
    },
  })
})
afterAll(() => Promise.all([world, upstream, issuer, standIn].map((each) => each?.close())))
beforeEach(() => {
  issued.length = 0
  standIn.seen.length = 0
})

const tokenFor = (user: string): Promise<string> =>
  tokenOf(issuer.url, { user, resource: `${world.url}/servers/tables/mcp` })

/** The credentials that an upstream gets for the holder of a token or a key, or the error. */
async function credentials(authorization: string, name: string): Promise<UpstreamCredentials | string> {
  const headers = { authorization: `Bearer ${authorization}` }
  const { text } = await world.post('tables', { headers, tool: 'credentials', arguments: { upstream: name } })
  const { result, error } = JSON.parse(text)
  return result === undefined || result.isError ? JSON.stringify(error ?? result) : JSON.parse(result.content[0].text)
}

/** The person that the upstream sees. */
async function seenAs(given: UpstreamCredentials | string): Promise<string | undefined> {
  await using client = await connect(upstream.url, { headers: { ...(given as UpstreamCredentials).headers } })
  return (await client.callTool('whoami')).text
}

describe('an upstream', () => {
  test('gets nothing of the caller unless it is configured', async () => {
    const token = await tokenFor('ada')
    expect([await credentials(token, 'open'), await credentials(token, 'unlisted')]).toEqual([{}, {}])
  })

  test('gets fixed secrets, which are looked up again when they were refused', async () => {
    expect(await credentials(ci.key, 'fixed')).toEqual({
      headers: { Authorization: 'Bearer a fixed secret' },
      env: { TOKEN: 'a fixed secret' },
    })
    const file = join(world.folder, 'secret.txt')
    await writeFile(file, 'one\n')
    const other = await openWorld({
      folder: world.folder,
      credentials: { api: { type: 'static', headers: { 'X-Key': '${file:secret.txt}' } } },
    })
    const { credentials: source } = other.identity
    const caller = callerNamed('ada')
    expect(await source.credentialsFor(caller, 'api', never())).toEqual({ headers: { 'X-Key': 'one' } })
    await writeFile(file, 'two')
    await source.refused!(caller, 'api')
    expect(await source.credentialsFor(caller, 'api', never())).toEqual({ headers: { 'X-Key': 'two' } })
    await other.close()
  })

  test('is not served with a secret that is missing, or has a second line', async () => {
    const open = (value: string, env = {}): Promise<unknown> =>
      openWorld({
        env,
        folder: world.folder,
        credentials: { api: { type: 'static', headers: { 'X-Key': value } } },
      }).catch((error: Error) => error.message)
    expect(await open('${env:NONE}')).toBe('credentials.api.headers.X-Key: ${env:NONE} has no value')
    expect(await open('${file:none.txt}')).toBe(
      'credentials.api.headers.X-Key: ${file:none.txt} cannot be read (ENOENT)',
    )
    expect(await open('${env:TWO}', { TWO: 'a secret\r\nX-Admin: 1' })).toBe(
      'credentials.api.headers.X-Key: ${env:TWO} has more than one line',
    )
  })
})

describe('client credentials', () => {
  test('give the gateway one token for everybody, found by the metadata of the upstream, and one more if it is refused', async () => {
    const source = world.identity.credentials
    const people = Array.from({ length: 20 }, (_, number) => callerNamed(`person ${number}`))
    const all = await Promise.all(people.map((caller) => source.credentialsFor(caller, 'crm', never())))
    expect(new Set(all.map(({ headers }) => headers!.Authorization)).size).toBe(1)
    expect(issued).toEqual(['gateway'])
    expect(await seenAs(all[0]!)).toBe(`${issuer.url}#gateway`)
    await Promise.all(people.map((caller, index) => source.refused!(caller, 'crm', all[index]!)))
    const again = await Promise.all(people.map((caller) => source.credentialsFor(caller, 'crm', never())))
    // A refusal that comes late is about the token before.
    await source.refused!(people[0]!, 'crm', all[0]!)
    expect(await source.credentialsFor(people[0]!, 'crm', never())).toEqual(again[0])
    expect(issued).toEqual(['gateway', 'gateway'])
  })

  test('are waited for no longer than the caller wants, and by the others', async () => {
    const source = world.identity.credentials
    await source.refused!(callerNamed('ada'), 'crm')
    const stop = new AbortController()
    const left = source.credentialsFor(callerNamed('ada'), 'crm', stop.signal)
    const stays = source.credentialsFor(callerNamed('bob'), 'crm', never())
    stop.abort()
    await expect(left).rejects.toMatchObject({ code: 'cancelled' })
    expect((await stays).headers).toHaveProperty('Authorization')
    expect(issued).toEqual(['gateway'])
  })
})

describe('token exchange', () => {
  test('sends the token of the request, and keeps the result for that token alone', async () => {
    let number = 0
    standIn.answer = ({ form }) => ({
      body: {
        access_token: `for-${form.audience}-${++number}`,
        token_type: 'Bearer',
        issued_token_type: `${types}access_token`,
        expires_in: 300,
      },
    })
    const [ada, bob] = [await tokenFor('ada'), await tokenFor('bob')]
    expect(await credentials(ada, 'hr')).toEqual({ headers: { Authorization: 'Bearer for-hr-1' } })
    expect(await credentials(ada, 'hr')).toEqual({ headers: { Authorization: 'Bearer for-hr-1' } })
    expect(await credentials(bob, 'hr')).toEqual({ headers: { Authorization: 'Bearer for-hr-2' } })
    expect(await credentials(ada, 'pay')).toEqual({ env: { PAY_TOKEN: 'for-pay-3' } })
    // Another token of the same person may have other rights.
    expect(await credentials(await tokenFor('ada'), 'hr')).toEqual({ headers: { Authorization: 'Bearer for-hr-4' } })
    expect(standIn.seen.length).toBe(4)
    // In a session it is the token of each request, too.
    const headers = { Authorization: `Bearer ${ada}` }
    await using host = await connect(`${world.url}/servers/tables/mcp`, { headers, revisions: ['2025-11-25'] })
    expect((await host.callTool('credentials', { upstream: 'hr' })).text).toContain('for-hr-1')
    expect(standIn.seen[0]).toEqual({
      authorization: `Basic ${Buffer.from(`gateway:${encodeURIComponent(clientSecret).replaceAll('%20', '+')}`).toString('base64')}`,
      form: {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: ada,
        subject_token_type: `${types}access_token`,
        scope: 'read',
        audience: 'hr',
      },
    })
  })

  test('is not tried for a caller without a token', async () => {
    expect(await credentials(ci.key, 'hr')).toContain('Internal error')
    expect(standIn.seen).toEqual([])
    expect(String(world.logged.at(-1))).toContain('There is no token of key:ci that could be exchanged')
  })

  test('fails without repeating a token, whatever the other server says', async () => {
    const token = await tokenFor('bob')
    const hostile: { status: number; body: { [member: string]: unknown } }[] = [
      { status: 400, body: { error: token, error_description: `no ${token}` } },
      {
        status: 400,
        body: { error: 'invalid_request', error_description: `no ${token} ${clientSecret}`, error_uri: token },
      },
      { status: 401, body: { [token]: clientSecret } },
      { status: 200, body: { access_token: { token }, token_type: token } },
      { status: 200, body: { access_token: 'leaked-access-token', token_type: 'mac' } },
      { status: 500, body: { token } },
    ]
    const shown: string[] = []
    for (const answer of hostile) {
      standIn.answer = () => answer
      shown.push(JSON.stringify(await credentials(token, 'pay')))
    }
    const texts = world.logged.map((error) => everythingOf(error))
    expect(texts.join(' ')).toContain('refused with invalid_request')
    for (const secret of [token, token.split('.')[2]!, clientSecret, 'leaked-access-token']) {
      expect([...shown, ...texts].filter((text) => text.includes(secret))).toEqual([])
    }
  })
})

/** An error with all that a logger could print of it. */
function everythingOf(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify(error)
  const members = Object.getOwnPropertyNames(error).map(
    (name) => (error as unknown as { [name: string]: unknown })[name],
  )
  return [
    String(error),
    ...members.map((member) => (member instanceof Error ? everythingOf(member) : (JSON.stringify(member) ?? ''))),
  ].join(' ')
}

describe('an identity assertion', () => {
  test('of the identity provider becomes a token of the upstream for the same person', async () => {
    const grants: string[] = []
    standIn.answer = async ({ form }) => {
      const claims = { client_id: 'gateway', resource: form.resource, scope: form.scope, sub: 'ada' }
      const grant = await new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', typ: 'oauth-id-jag+jwt' })
        .setIssuer(standIn.url)
        .setAudience(form.audience!)
        .setJti(crypto.randomUUID())
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(providerKeys.privateKey)
      grants.push(grant)
      return { body: { access_token: grant, token_type: 'N_A', issued_token_type: `${types}id-jag`, expires_in: 300 } }
    }
    const token = await tokenFor('ada')
    issued.length = 0
    const given = await credentials(token, 'docs')
    expect(await seenAs(given)).toBe(`${issuer.url}#work ada`)
    expect(await credentials(token, 'docs')).toEqual(given)
    expect(issued).toEqual(['work ada'])
    expect(
      standIn.seen.map(({ form }) => [form.requested_token_type, form.audience, form.resource, form.subject_token]),
    ).toEqual([[`${types}id-jag`, issuer.url, upstream.url, token]])
    expect(JSON.stringify(given)).not.toContain(grants[0])
  })

  test('is refused if it is something else', async () => {
    standIn.answer = () => ({
      body: { access_token: 'other', token_type: 'N_A', issued_token_type: `${types}access_token` },
    })
    expect(await credentials(await tokenFor('bob'), 'docs')).toContain('Internal error')
    expect(String(world.logged.at(-1))).toContain('issued something other than an ID-JAG')
  })
})
