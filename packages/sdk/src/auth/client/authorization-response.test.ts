/** The checks of an authorization response, and the recipients of codes and tokens. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Client } from '../../client/client.ts'
import { connect } from '../../client/connect.ts'
import { forgetServers } from '../../http-client/verdicts.ts'
import { revisions } from '../../model/revision.ts'
import { authorizationCode } from './grants/authorization-code.ts'
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

  describe('the issuer in a response', () => {
    const refused = async (): Promise<void> => {
      await expect(open()).rejects.toMatchObject({ code: 'unauthorized', failure: 'authorization' })
      expect(world.tokenRequests).toEqual([])
    }

    test('has to be there where the server said that it would be [auth.iss.advertised-absent]', async () => {
      world.iss = undefined
      await refused()
    })

    test('is compared also where the server did not say so [auth.iss.unadvertised-present]', async () => {
      world.metadata = { authorization_response_iss_parameter_supported: undefined }
      world.iss = 'https://evil.example'
      await refused()
    })

    test('may be missing where nobody promised it [auth.iss.unadvertised-absent]', async () => {
      world.metadata = { authorization_response_iss_parameter_supported: undefined }
      world.iss = undefined
      await using client = await open()
      expect((await client.callTool('read')).text).toBe('read')
    })

    test.each([
      ['a slash at the end', (iss: string) => `${iss}/`],
      ['capital letters', (iss: string) => iss.replace('http', 'HTTP')],
      ['an escape', (iss: string) => iss.replace('127', '%3127')],
    ])('is compared as it is written: %s makes it another one [auth.iss.no-normalisation]', async (_name, change) => {
      world.iss = change(world.issuer)
      await refused()
    })
  })

  describe('the resource', () => {
    // [auth.resource.implement] [auth.resource.always-sent] [auth.resource.canonical-uri] [auth.resource.most-specific]
    test('is named in every request, as it is written in the metadata, path and all', async () => {
      world.expiresInS = 3_600
      await using client = await open()
      world.expireAll()
      await client.callTool('read')
      const named = [
        ...world.authorizations.map((page) => page.get('resource')),
        ...world.tokenRequests.map(({ resource }) => resource),
      ]
      expect(named).toEqual([world.url, world.url, world.url])
      expect(new URL(world.url)).toMatchObject({ pathname: '/mcp', hash: '' })
    })
  })

  // [auth.token.not-in-query]
  test('no token, code verifier or secret is in an address, before and after renewal', async () => {
    const pages: string[] = []
    const redirect: typeof world.redirect = async (preferred) => {
      const receiver = await world.redirect(preferred)
      const visit: typeof receiver.visit = (page, signal) => {
        pages.push(page.href)
        return receiver.visit(page, signal)
      }
      return { ...receiver, visit }
    }
    await using client = await open({ grant: authorizationCode({ redirect }) })
    await client.callTool('write')
    world.expireAll()
    await client.callTool('read')
    const tokens = world.secrets.filter((secret) => !world.tokenRequests.some(({ code }) => code === secret))
    expect(tokens.length).toBeGreaterThanOrEqual(4)
    const verifiers = world.tokenRequests.flatMap(({ code_verifier }) => code_verifier ?? [])
    const addresses = [...world.paths, ...pages].join('\n')
    expect([...tokens, ...verifiers].filter((secret) => addresses.includes(secret))).toEqual([])
  })

  // [auth.sec.redirect-uri-form]
  test('the user is sent back to this machine, or by https, and nowhere else', async () => {
    const to = (uri: string) => open({ grant: authorizationCode({ redirect: () => ({ ...receiver, uri }) }) })
    const receiver = { visit: async () => new URL('http://x'), close: () => {} }
    await expect(to('http://my-app.example/callback')).rejects.toMatchObject({
      message: expect.stringContaining('neither https nor on this machine'),
    })
    expect([world.registrations, world.authorizations]).toEqual([[], []])
  })
})
