/** How a client finds the authorization server, registers there, and chooses scopes. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Client } from '../../client/client.ts'
import { connect } from '../../client/connect.ts'
import { forgetServers } from '../../http-client/verdicts.ts'
import { revisions } from '../../model/revision.ts'
import { oauth } from './oauth.ts'
import type { OAuthOptions } from './options.ts'
import { World } from './protected-world.suite.ts'

let world: World
beforeEach(async () => {
  forgetServers()
  world = await World.start()
})
afterEach(() => world[Symbol.asyncDispose]())

// Authorization came with 2025-03-26.
describe.each(revisions.filter((one) => one >= '2025-03-26'))('in %s', (revision) => {
  const open = (options: OAuthOptions = {}): Promise<Client> =>
    connect(world.url, { revisions: [revision], auth: oauth({ grant: world.grant, ...options }) })
  const wellKnown = (): string[] => world.paths.filter((path) => path.includes('.well-known'))
  const scopes = (): (string | null)[] => world.authorizations.map((page) => page.get('scope'))

  describe('the metadata of a server', () => {
    // [auth.prm.client-supports-both] [auth.asmeta.client-rfc8414] [auth.asmeta.default-suffix]
    test('is read from where the challenge says, or from the well-known place', async () => {
      await (await open()).close()
      const named = wellKnown()
      world.paths.length = 0
      world.namesMetadata = false
      await (await open()).close()
      expect(named).toEqual(['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-authorization-server'])
      expect(wellKnown()).toEqual(named)
    })

    // [auth.asmeta.client-both] [auth.asmeta.multiple-endpoints] [auth.asmeta.validate-issuer]
    test('leads to an authorization server with the metadata of OpenID as well', async () => {
      world.issuerMetadataPath = '/.well-known/openid-configuration'
      await using client = await open()
      expect((await client.callTool('read')).text).toBe('read')
      expect(wellKnown().slice(1)).toEqual([
        '/.well-known/oauth-authorization-server',
        '/.well-known/openid-configuration',
      ])
    })

    // [auth.mar25.client-metadata] [auth.mar25.discover-before-fallback] [auth.mar25.fallback-endpoints]
    // [auth.mar25.dcr] [auth.mar25.pkce] [auth.mar25.version-header-on-discovery]
    test('may be missing in 2025-03-26: then the default endpoints are used, and metadata was looked for before', async () => {
      world.hasHandshake = true
      world.namesMetadata = false
      world.issuerMetadataPath = undefined
      world.iss = undefined
      await using client = await open()
      expect((await client.callTool('read')).text).toBe('read')
      const steps = world.paths.filter((path) => path !== '/mcp' && !path.startsWith('/authorize?'))
      expect([...new Set(steps)]).toEqual([
        '/.well-known/oauth-protected-resource/mcp',
        '/.well-known/oauth-protected-resource',
        '/.well-known/oauth-authorization-server',
        '/.well-known/openid-configuration',
        '/register',
        '/authorize',
        '/token',
      ])
      expect(world.registrations).toHaveLength(1)
      expect(world.authorizations[0]!.get('code_challenge_method')).toBe('S256')
      expect(new Set(world.discoveryVersions)).toEqual(new Set(['2026-07-28']))
    })
  })

  describe('a client id', () => {
    const url = 'https://my-app.example/client.json'

    // [auth.reg.client-id] [auth.reg.priority] [auth.reg.prereg-support] [auth.cimd.client-support] [auth.cimd.client-checks-support]
    // [auth.reg.dcr-should] [auth.reg.dcr-may] [auth.cimd.client-falls-back]
    test('is the one that was given, or that of a document where such are supported, or registered', async () => {
      world.clients.add('given').add(url)
      world.metadata = { client_id_metadata_document_supported: true }
      await (await open({ client: { id: 'given' }, clientMetadataUrl: url })).close()
      await (await open({ clientMetadataUrl: url })).close()
      expect(world.registrations).toEqual([])
      world.metadata = {}
      await (await open({ clientMetadataUrl: url })).close()
      expect(world.registrations).toHaveLength(1)
      const ids = world.authorizations.map((page) => page.get('client_id'))
      expect(ids).toEqual(['given', url, expect.stringMatching(/^client-/)])
    })

    // [auth.cimd.url-has-path] [auth.cimd.https-hosted]
    test.each(['http://my-app.example/client.json', 'https://my-app.example', 'https://my-app.example/', 'x'])(
      '%s is no address of a document about a client',
      (clientMetadataUrl) => expect(() => oauth({ clientMetadataUrl })).toThrow(/expected an https URL with a path/),
    )

    // [auth.token.endpoint-auth-method]
    test('that was registered with a secret shows it in the way that was agreed on', async () => {
      world.givesSecrets = true
      world.metadata = { token_endpoint_auth_methods_supported: ['client_secret_post'] }
      await (await open()).close()
      expect(world.registrations).toMatchObject([{ token_endpoint_auth_method: 'client_secret_post' }])
      expect(world.tokenRequests).toMatchObject([{ client_secret: world.secrets[0] }])
    })
  })

  describe('a server that changes its authorization server', () => {
    // [auth.asbind.no-assumed-validity] [auth.asbind.no-reuse-after-change] [auth.asbind.reregister] [auth.token.client-only-own-as]
    test('makes the client register there, and nothing of the old one is shown', async () => {
      await using other = await World.start()
      await using client = await open()
      const [old] = world.clients
      world.resourceMetadata = { authorization_servers: [other.issuer] }
      world.expireAll()
      // The server knows nothing of the tokens of the new one, so the call fails in the end.
      await expect(client.callTool('read')).rejects.toMatchObject({ code: 'unauthorized' })
      expect(other.registrations).toHaveLength(1)
      expect(other.tokenRequests.map(({ grant_type }) => grant_type)).toEqual(['authorization_code'])
      expect(JSON.stringify([other.tokenRequests, other.authorizations.map(String)])).not.toContain(old)
      const leaked = world.secrets.filter((secret) => JSON.stringify(other.tokenRequests).includes(secret))
      expect(leaked).toEqual([])
      // And the token goes to this server only.
      expect(world.requests('refresh_token')).toEqual([])
    })

    // [auth.asbind.cimd-portable]
    test('makes no difference to a client that is a document', async () => {
      const url = 'https://my-app.example/client.json'
      await using other = await World.start()
      for (const each of [world, other]) {
        each.metadata = { client_id_metadata_document_supported: true }
        each.clients.add(url)
      }
      await using client = await open({ clientMetadataUrl: url })
      world.resourceMetadata = { authorization_servers: [other.issuer] }
      world.expireAll()
      await expect(client.callTool('read')).rejects.toMatchObject({ code: 'unauthorized' })
      expect([world.registrations, other.registrations]).toEqual([[], []])
      expect(other.tokenRequests).toMatchObject([{ client_id: url, grant_type: 'authorization_code' }])
    })
  })

  describe('the scopes to ask for', () => {
    // [auth.scope.first-challenge] [auth.scope.no-set-assumption]
    test('are those of the challenge, whatever the metadata lists', async () => {
      world.challengeScope = 'read special'
      world.scopesSupported = ['read', 'other']
      await (await open()).close()
      expect(scopes()).toEqual(['read special'])
    })

    // [auth.scope.else-omit]
    test('are left out where nobody names any', async () => {
      world.scopesSupported = undefined
      await (await open()).close()
      expect(scopes()).toEqual([null])
    })
  })
})
