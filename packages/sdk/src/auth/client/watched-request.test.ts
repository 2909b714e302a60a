/** An inspector sees every request of authorization before it is sent. */
import { expect, test } from 'vitest'
import { connect } from '../../client/connect.ts'
import type { OAuthReply, OAuthRequest } from '../watched-request.ts'
import { oauth } from './oauth.ts'
import { World } from './protected-world.suite.ts'

test('every request is told with what it is for, in order, and with its reply', async () => {
  await using world = await World.start()
  const seen: [OAuthRequest, OAuthReply | Error][] = []
  const auth = oauth({
    grant: world.grant,
    onRequest: (request) => (outcome) => seen.push([request, outcome]),
  })
  await using _client = await connect(world.url, { auth })
  await auth.revoke(world.url)
  const lines = seen.map(([{ purpose, method, url }]) => `${purpose} ${method} ${new URL(url).pathname}`)
  expect(lines).toEqual([
    'resource-metadata GET /.well-known/oauth-protected-resource/mcp',
    'issuer-metadata GET /.well-known/oauth-authorization-server',
    'registration POST /register',
    'token POST /token',
    'issuer-metadata GET /.well-known/oauth-authorization-server',
    'revocation POST /revoke',
  ])
  const [registration, reply] = seen[2]!
  expect(JSON.parse(registration.body!)).toMatchObject({ application_type: 'native' })
  expect(reply).toMatchObject({ status: 201, url: `${world.issuer}/register` })
  expect((reply as OAuthReply).headers['content-type']).toBe('application/json')
  expect(JSON.parse((seen[3]![1] as OAuthReply).text)).toMatchObject({ token_type: 'Bearer' })
})

function settable(): [Promise<void>, () => void] {
  let set = (): void => {}
  const promise = new Promise<void>((resolve) => {
    set = resolve
  })
  return [promise, () => set()]
}

test('a request waits until whoever watches lets it go', async () => {
  await using world = await World.start()
  const [asked, ask] = settable()
  const [held, letGo] = settable()
  const auth = oauth({
    grant: world.grant,
    onRequest: async ({ purpose }) => {
      if (purpose !== 'token') return
      ask()
      await held
    },
  })
  const connecting = connect(world.url, { auth })
  await asked
  expect(world.tokenRequests).toEqual([])
  letGo()
  await using client = await connecting
  expect((await client.callTool('read')).text).toBe('read')
})

test('whoever watches hears why there is no reply, and can keep a request from being sent', async () => {
  await using world = await World.start()
  world.metadata = { token_endpoint: 'http://127.0.0.1:9/token' }
  const outcomes: unknown[] = []
  const auth = oauth({
    grant: world.grant,
    onRequest: ({ purpose }) => (purpose === 'token' ? (outcome) => outcomes.push(outcome) : undefined),
  })
  await expect(connect(world.url, { auth })).rejects.toThrow('The token endpoint failed')
  expect(outcomes).toEqual([expect.any(Error)])
  const stopped = oauth({
    grant: world.grant,
    onRequest: () => {
      throw new Error('not today')
    },
  })
  const before = world.paths.length
  await expect(connect(world.url, { auth: stopped })).rejects.toThrow('its metadata cannot be read')
  expect(world.paths.slice(before).filter((path) => !path.startsWith('/mcp'))).toEqual([])
})
