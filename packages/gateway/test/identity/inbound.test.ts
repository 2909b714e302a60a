import { type IssuerServer, serveIssuer } from '@tenon/issuer'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newApiKey } from '../../src/identity.ts'
import { openWorld, send, tokenOf, type World } from './world.ts'

const ci = newApiKey()
const old = newApiKey()
const certificate = 'CN=ada,O=Example'
/** Another address of this machine, on which the proxy is. */
const proxyAddress = '127.0.0.2'

let staff: IssuerServer
let partners: IssuerServer
let world: World

beforeAll(async () => {
  const users = [
    { subject: 'ada', name: 'Ada', claims: { name: 'Ada', realm: { groups: ['staff', 'money'] } } },
    { subject: 'bob', claims: { realm: { groups: ['staff'] } } },
  ]
  staff = await serveIssuer({ users })
  partners = await serveIssuer({ users: [{ subject: 'ada' }] })
  world = await openWorld({
    identity: {
      issuers: [staff.url, { issuer: partners.url }],
      groupsClaim: 'realm.groups',
      keys: [
        { name: 'ci', hash: ci.hash, groups: ['robots'], scopes: ['read'] },
        { name: 'old', hash: old.hash, expires: '2020-01-01' },
      ],
      proxy: {
        addresses: [proxyAddress],
        header: 'X-Client-Cert',
        verified: { header: 'X-Client-Verify', value: 'SUCCESS' },
      },
      servers: { finance: { scopes: ['finance'], groups: ['money'] } },
    },
  })
})
afterAll(() => Promise.all([world, staff, partners].map((each) => each?.close())))

const bearer = (token: string): { headers: { authorization: string } } => ({
  headers: { authorization: `Bearer ${token}` },
})
const tables = (): string => `${world.url}/servers/tables/mcp`

describe('tokens', () => {
  test('of each issuer make a caller, with groups from a claim; the same subject elsewhere is another person', async () => {
    const ada = await world.caller('tables', bearer(await tokenOf(staff.url, { user: 'ada', resource: tables() })))
    expect(ada).toMatchObject({
      id: `${staff.url}|ada`,
      kind: 'token',
      name: 'Ada',
      issuer: staff.url,
      groups: ['staff', 'money'],
      claims: { sub: 'ada' },
    })
    const other = await world.caller('tables', bearer(await tokenOf(partners.url, { user: 'ada', resource: tables() })))
    expect(other).toMatchObject({ id: `${partners.url}|ada`, groups: [] })
  })

  test('are for one virtual server, which publishes its resource and scopes', async () => {
    const metadata = await send(`${world.url}/.well-known/oauth-protected-resource/servers/finance/mcp`)
    expect(JSON.parse(metadata.text)).toMatchObject({
      resource: `${world.url}/servers/finance/mcp`,
      authorization_servers: [staff.url, partners.url],
      scopes_supported: ['finance'],
    })
    const whole = await send(`${world.url}/.well-known/oauth-protected-resource/mcp`)
    expect(JSON.parse(whole.text)).toMatchObject({ resource: `${world.url}/mcp` })
    expect((await send(`${world.url}/.well-known/oauth-protected-resource/servers/unknown/mcp`)).status).not.toBe(200)
    const challenge = await world.post('finance')
    expect(challenge.status).toBe(401)
    expect(challenge.headers['www-authenticate']).toContain(
      '/.well-known/oauth-protected-resource/servers/finance/mcp"',
    )

    const scopes = ['finance']
    const forTables = await tokenOf(staff.url, { user: 'ada', resource: tables(), scopes })
    const forFinance = await tokenOf(staff.url, { user: 'ada', resource: `${world.url}/servers/finance/mcp`, scopes })
    const status = async (server: string | undefined, token: string): Promise<number> =>
      (await world.post(server, bearer(token))).status
    expect([await status('tables', forTables), await status('finance', forTables)]).toEqual([200, 401])
    expect([await status('finance', forFinance), await status('tables', forFinance)]).toEqual([200, 401])
    expect([await status(undefined, forTables), await status(undefined, forFinance)]).toEqual([401, 401])
    expect(await status('unknown', forTables)).toBe(404)
  })

  test('need the scopes of the virtual server, and their person one of its groups', async () => {
    const resource = `${world.url}/servers/finance/mcp`
    const scopes = ['finance']
    const without = await world.post(
      'finance',
      bearer(await tokenOf(staff.url, { user: 'ada', resource, scopes: ['other'] })),
    )
    expect([without.status, without.headers['www-authenticate']]).toEqual([
      403,
      expect.stringContaining('scope="finance"'),
    ])
    const outsider = await world.post('finance', bearer(await tokenOf(staff.url, { user: 'bob', resource, scopes })))
    expect(outsider.status).toBe(403)
    expect(outsider.text).not.toContain('money')
  })
})

describe('API keys', () => {
  test('make a caller, in either header', async () => {
    const caller = { id: 'key:ci', kind: 'key', name: 'ci', scopes: ['read'], groups: ['robots'], claims: {} }
    expect(await world.caller('tables', bearer(ci.key))).toEqual(caller)
    expect(await world.caller('tables', { headers: { 'x-api-key': ci.key } })).toEqual(caller)
    expect(await world.caller('finance', bearer(ci.key))).toBe(403)
  })

  test('that are unknown, have expired or come with another credential are refused, and never repeated', async () => {
    const almost = ci.key.slice(0, -1) + (ci.key.endsWith('A') ? 'B' : 'A')
    const before = world.refused.length
    for (const key of [almost, old.key, 'tgk_short', `tgk_${ci.hash.slice(7)}`]) {
      for (const options of [bearer(key), { headers: { 'x-api-key': key } }]) {
        const { status, text, headers } = await world.post('tables', options)
        expect(status).toBe(401)
        expect(text + JSON.stringify(headers)).not.toContain(key)
      }
    }
    const two = await world.post('tables', { headers: { 'x-api-key': ci.key, authorization: `Bearer ${ci.key}` } })
    expect(two.status).toBe(400)
    expect(world.refused.length).toBe(before + 9)
    expect(JSON.stringify(world.refused)).not.toMatch(/tgk_/)
    expect(world.refused.at(-1)).toMatchObject({ server: 'tables', status: 400, address: '127.0.0.1' })
  })

  test('have 256 bits, and a hash that does not show them', () => {
    const keys = Array.from({ length: 50 }, () => newApiKey().key)
    expect(new Set(keys).size).toBe(50)
    for (const key of keys) expect(key).toMatch(/^tgk_[\w-]{43}$/)
    expect(ci.hash).toMatch(/^sha256:[\w-]{43}$/)
  })
})

describe('certificates of a proxy', () => {
  const headers = { 'x-client-cert': certificate, 'x-client-verify': 'SUCCESS' }

  test('make a caller if the proxy sends them', async () => {
    expect(await world.caller('tables', { headers, from: proxyAddress })).toMatchObject({
      id: `cert:${certificate}`,
      kind: 'certificate',
    })
  })

  test('are refused from everybody else, in every part and spelling', async () => {
    for (const spoofed of [headers, { 'X-CLIENT-CERT': certificate }, { 'x-client-verify': 'SUCCESS' }]) {
      expect(await world.caller('tables', { headers: spoofed })).toBe(403)
    }
    const withKey = { ...headers, 'x-api-key': ci.key }
    expect(await world.caller('tables', { headers: withKey })).toBe(403)
  })

  test('are refused if a client sent one through a proxy that adds its own', async () => {
    const two = { ...headers, 'x-client-cert': ['CN=root', certificate] }
    expect(await world.caller('tables', { headers: two, from: proxyAddress })).toBe(403)
    const twice = { ...headers, 'x-client-verify': ['SUCCESS', 'NONE'] }
    expect(await world.caller('tables', { headers: twice, from: proxyAddress })).toBe(403)
  })

  test('count for nothing if the proxy did not verify them, or named nobody', async () => {
    for (const verify of ['NONE', 'FAILED:expired', 'success']) {
      const unverified = { ...headers, 'x-client-verify': verify }
      expect(await world.caller('tables', { headers: unverified, from: proxyAddress })).toBe(401)
    }
    expect(await world.caller('tables', { headers: { 'x-client-cert': certificate }, from: proxyAddress })).toBe(401)
    expect(await world.caller('tables', { headers: { ...headers, 'x-client-cert': '' }, from: proxyAddress })).toBe(401)
  })
})

describe('this machine', () => {
  test('needs no credentials if nothing else is configured, and gets no way around bad ones', async () => {
    const local = await openWorld({})
    expect(await local.caller(undefined)).toMatchObject({ id: 'local', kind: 'local' })
    expect(await local.caller('tables', bearer('anything'))).toBe(401)
    expect(await local.caller('tables', bearer(ci.key))).toBe(401)
    for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']) {
      expect(await local.caller('tables', { headers: { [name]: '203.0.113.7' } })).toBe(401)
    }
    await local.close()
    expect(await world.caller('tables')).toBe(401)
  })
})

describe('refusals', () => {
  test('repeat no token, in no answer and no event', async () => {
    const good = await tokenOf(partners.url, { resource: `${world.url}/servers/other/mcp` })
    const [head, body, signature] = good.split('.') as [string, string, string]
    const secrets = [good, `${head}.${body}.${signature.slice(0, -4)}AAAA`, 'opaque-secret-token', `${body}.${head}`]
    for (const token of secrets) {
      const { status, text, headers } = await world.post('tables', bearer(token))
      expect(status).toBe(401)
      const shown = text + JSON.stringify([headers, world.refused, world.logged])
      for (const part of [token, signature]) expect(shown).not.toContain(part)
    }
  })
})
