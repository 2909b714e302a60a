// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the configuration refers to secrets
import { readFileSync } from 'node:fs'
import { compileSchema, formatIssues } from '@tenon/sdk/schema'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { credentialsSchema, identitySchema, newApiKey, readCredentials, readIdentity } from '../../src/identity.ts'

const { hash } = newApiKey()

const messages = (read: ReturnType<typeof readIdentity | typeof readCredentials>, root: string): string =>
  'issues' in read ? formatIssues(read.issues, root) : 'good'

describe('the section identity', () => {
  const whole = {
    local: false,
    issuers: [
      'https://login.example.com',
      {
        issuer: 'https://id.example.com',
        introspection: {
          endpoint: 'https://id.example.com/introspect',
          clientId: 'gateway',
          clientSecret: '${env:SECRET}',
        },
      },
    ],
    scopes: ['mcp'],
    audience: ['api://gateway'],
    groupsClaim: 'realm_access.roles',
    keys: [{ name: 'ci', hash, groups: ['robots'], expires: '2030-01-31' }],
    proxy: {
      addresses: ['10.0.0.0/24', '::1'],
      header: 'X-SSL-Client-S-DN',
      verified: { header: 'X-SSL-Client-Verify', value: 'SUCCESS' },
    },
    servers: { finance: { scopes: ['finance'], groups: ['money'] } },
    signIn: { issuer: 'https://login.example.com', clientId: 'gateway', clientSecret: '${file:secret.txt}' },
    vault: { database: 'postgres://gateway@db/vault', key: '${keychain:vault}', previousKeys: ['${env:OLD}'] },
  }

  test('is taken as it is, or may be missing', () => {
    expect(readIdentity(whole)).toEqual({ value: whole })
    expect([readIdentity(undefined), readIdentity(null)]).toEqual([{ value: {} }, { value: {} }])
    expect(compileSchema(identitySchema).validate(whole)).toEqual([])
  })

  test.each([
    [[], 'identity: expected object, got array'],
    [{ issuer: {} }, 'identity.issuer: expected `provider` or `users`'],
    [{ isuers: [] }, 'identity.isuers: is unknown; did you mean issuers or issuer?'],
    [{ issuers: ['ftp://x'] }, /identity\.issuers\[0\]/],
    [{ issuers: ['https://a.example|b'] }, /identity\.issuers\[0\]/],
    [
      { issuers: ['https://a.example', { issuer: 'https://a.example' }] },
      'identity.issuers[1]: https://a.example is listed twice',
    ],
    [{ keys: [{ name: 'ci', hash: 'tgk_plain' }] }, /identity\.keys\[0\]\.hash/],
    [
      {
        keys: [
          { name: 'ci', hash },
          { name: 'ci', hash, groups: [] },
        ],
      },
      'identity.keys[1].name: ci is used twice; identity.keys[1].hash: is used twice',
    ],
    [
      { keys: [{ name: 'ci', hash, expires: '2030-99-99' }] },
      'identity.keys[0].expires: expected a day or a time in UTC, got 2030-99-99',
    ],
    [
      { proxy: { addresses: ['10.0.0.0/99'], header: 'X' } },
      'identity.proxy.addresses[0]: expected an address or a network, got 10.0.0.0/99',
    ],
    [{ proxy: { addresses: [], header: 'X' } }, /identity\.proxy\.addresses/],
    [{ proxy: { addresses: ['10.0.0.1'], header: 'X Y' } }, /identity\.proxy\.header/],
    [
      { signIn: { issuer: 'https://x.example', clientId: 'x' } },
      'identity.signIn.issuer: expected one of the issuers of tokens',
    ],
  ])('tells the place of a mistake: %j', (section, expected) => {
    expect(messages(readIdentity(section), 'identity')).toMatch(expected)
  })
})

describe('the section credentials', () => {
  const client = { id: 'gateway', secret: '${env:SECRET}' }
  const whole = {
    weather: { type: 'none' },
    github: { type: 'static', headers: { Authorization: 'Bearer ${env:GITHUB_TOKEN}' } },
    crm: { type: 'client-credentials', client, scopes: ['read'] },
    hr: { type: 'token-exchange', client, issuer: 'https://id.example.com', audience: 'hr' },
    docs: { type: 'id-jag', client, provider: { issuer: 'https://login.example.com', client } },
    mail: { type: 'account', title: 'Mail', env: 'MAIL_TOKEN' },
  }

  test('is a map by upstream, in which nothing is a name of an object', () => {
    expect(readCredentials(whole)).toEqual({ value: new Map(Object.entries(whole)) })
    expect(readCredentials(undefined)).toEqual({ value: new Map() })
    expect(compileSchema(credentialsSchema).validate(whole)).toEqual([])
    const odd = JSON.parse('{ "constructor": { "type": "none" }, "__proto__": { "type": "none" } }')
    expect(readCredentials(odd)).toEqual({
      value: new Map([
        ['constructor', { type: 'none' }],
        ['__proto__', { type: 'none' }],
      ]),
    })
  })

  test.each([
    ['text', 'credentials: expected upstreams with their credentials'],
    [{ x: 'none' }, 'credentials.x: expected an object with `type`'],
    [
      { x: { type: 'passthrough' } },
      'credentials.x.type: expected one of none, static, client-credentials, token-exchange, id-jag, account, got "passthrough"',
    ],
    [{ x: { type: 'toString' } }, /credentials\.x\.type: expected one of/],
    [{ x: {} }, /credentials\.x\.type: expected one of .*, got none/],
    [{ 'a/b': { type: 'none' } }, 'credentials["a/b"]: expected the name of an upstream'],
    [{ x: { type: 'static', headers: { 'A B': 'c' } } }, /credentials\.x\.headers/],
    [{ x: { type: 'account', client: { ident: 'a', id: 'b' } } }, /credentials\.x\.client\.ident: is unknown; /],
    [{ x: { type: 'client-credentials' } }, /credentials\.x.*client/],
    [{ x: { type: 'account', env: 'A', header: 'B' } }, 'credentials.x.env: expected `header` or `env`, got both'],
    [
      { x: { type: 'account', client: { id: 'a', secret: 'b', privateKey: 'c' } } },
      'credentials.x.client.privateKey: expected `secret` or `privateKey`, got both',
    ],
    [
      { x: { type: 'account', tokenEndpoint: 'https://a.example/token' } },
      'credentials.x.issuer: is required beside `tokenEndpoint`',
    ],
  ])('tells the place of a mistake: %j', (section, expected) => {
    expect(messages(readCredentials(section), 'credentials')).toMatch(expected)
  })
})

describe('the page about identity', () => {
  const page = readFileSync(new URL('../../../../docs/gateway-identity.md', import.meta.url), 'utf8')
  const blocks = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) => text!)

  test.each(blocks.map((text, index) => [index + 1, text] as const))(
    'has good sections in block %i',
    (_number, text) => {
      const { identity, credentials, ...others } = parse(text)
      expect(others).toEqual({})
      expect(messages(readIdentity(identity), 'identity')).toBe('good')
      expect(messages(readCredentials(credentials), 'credentials')).toBe('good')
    },
  )
})
