/** Clients that register themselves, with servers that have rules about that. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Client } from '../../client/client.ts'
import { connect } from '../../client/connect.ts'
import { forgetServers } from '../../http-client/verdicts.ts'
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

const open = (options: OAuthOptions = {}): Promise<Client> =>
  connect(world.url, { auth: oauth({ grant: world.grant, ...options }) })
const types = (): unknown[] => world.registrations.map(({ application_type }) => application_type)

test('what comes back to this machine is native, what comes back to a website is web [auth.reg.application-type-native] [auth.reg.application-type-web]', async () => {
  await (await open()).close()
  const redirect = () => ({ ...world.redirect('' as never), uri: 'https://my-app.example/callback' }) as never
  await (await open({ grant: authorizationCode({ redirect }) })).close()
  expect(types()).toEqual(['native', 'web'])
})

test.each(['invalid_redirect_uri', 'invalid_client_metadata'])(
  'a registration that is refused with %s is tried as the other kind of application [auth.reg.handle-rejection] [auth.reg.retry-adjusted]',
  async (error) => {
    world.registrationErrors = [{ error }]
    await using client = await open()
    expect((await client.callTool('read')).text).toBe('read')
    expect(types()).toEqual(['native', 'web'])
  },
)

test('what is refused twice is reported, with what the server said first [auth.reg.surface-rejection]', async () => {
  world.registrationErrors = [
    { error: 'invalid_redirect_uri', error_description: 'no loopback' },
    { error: 'invalid_client_metadata' },
  ]
  await expect(open()).rejects.toMatchObject({
    failure: 'registration',
    error: 'invalid_redirect_uri',
    message: expect.stringContaining('no loopback'),
  })
  expect(types()).toHaveLength(2)
})

test('a kind that was given is not changed, and other refusals are not about it', async () => {
  world.registrationErrors = [{ error: 'invalid_redirect_uri' }]
  await expect(open({ registration: { application_type: 'native' } })).rejects.toMatchObject({
    failure: 'registration',
  })
  world.registrationErrors = [{ error: 'unapproved_software_statement' }]
  await expect(open()).rejects.toMatchObject({ failure: 'registration', error: 'unapproved_software_statement' })
  expect(types()).toEqual(['native', 'native'])
})
