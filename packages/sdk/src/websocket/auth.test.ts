/** Tokens on the request for a WebSocket: challenged, sent, and the end of the connection. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { clientCredentials } from '../auth/client/grants/program-grants.ts'
import { oauth } from '../auth/client/oauth.ts'
import { bearer } from '../auth/resource/bearer.ts'
import type { BearerOptions } from '../auth/resource/options.ts'
import { now, TrustedIssuer } from '../auth/resource/trusted-issuer.suite.ts'
import { connect } from '../client/connect.ts'
import { createServer, tool } from '../server.ts'
import { webSocketChannel } from './connect.ts'
import { serveWebSocket, type WebSocketServer } from './serve.ts'

let issuer: TrustedIssuer
let listening: WebSocketServer

const server = createServer({
  name: 'who',
  version: '1',
  tools: [
    tool({ name: 'whoami', run: (_input, ctx) => `${ctx.auth?.principal} may ${ctx.auth?.scopes?.join(' ')}` }),
    tool({ name: 'write', scopes: ['write'], run: () => 'written' }),
  ],
})

const start = async (options: Partial<BearerOptions> = {}): Promise<void> => {
  const auth = bearer({ issuer: issuer.url, scopes: ['read'], clockToleranceS: 0, ...options })
  listening = await serveWebSocket(server, { port: 0 }, { auth })
}
const resource = (): string => listening.url!.replace('ws:', 'http:')
const program = () => oauth({ grant: clientCredentials(), client: { id: 'program', secret: 's', issuer: issuer.url } })

beforeEach(async () => {
  issuer = await TrustedIssuer.start()
})
afterEach(async () => {
  await listening.close()
  await issuer[Symbol.asyncDispose]()
})

describe('bearer on a WebSocket', () => {
  test('refuses with a challenge, and says where the metadata is', async () => {
    await start()
    const refused = await webSocketChannel(listening.url!, { headers: {} }).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'unauthorized', status: 401 })
    const challenge = (refused as { header(name: string): string }).header('www-authenticate')
    const [, metadata] = /resource_metadata="(.*?)"/.exec(challenge)!
    expect(await (await fetch(metadata!)).json()).toMatchObject({
      resource: resource(),
      authorization_servers: [issuer.url],
    })
  })

  test('a client that knows only the address gets a token, and is let in', async () => {
    await start()
    await using client = await connect(listening.url!, { auth: program() })
    expect((await client.callTool('whoami')).text).toBe(`${issuer.url}#program may read`)
    expect(issuer.paths.filter((path) => path === '/token')).toHaveLength(1)
  })

  test('a client that has to prove its key does so', async () => {
    await start({ dpop: { required: true, nonces: true } })
    await using client = await connect(listening.url!, { auth: program() })
    expect((await client.callTool('whoami')).text).toBe(`${issuer.url}#program may read`)
  })

  test('a token in the address is no token', async () => {
    await start()
    const token = await issuer.token(resource(), { claims: { scope: 'read' } })
    const channel = webSocketChannel(`${listening.url}?access_token=${token}`, { headers: {} })
    await expect(channel).rejects.toMatchObject({ status: 401 })
  })

  test('scopes of tools are an error that names them: there is no HTTP to challenge with', async () => {
    await start()
    await using client = await connect(listening.url!, { auth: program() })
    await expect(client.callTool('write')).rejects.toMatchObject({ code: 403, data: { scopes: ['write'] } })
  })

  test('the connection ends with its token, and says why', async () => {
    await start()
    const token = await issuer.token(resource(), { claims: { scope: 'read', exp: now() + 1 } })
    const headers = { authorization: `Bearer ${token}` }
    const client = await connect(() => webSocketChannel(listening.url!, { headers }))
    const reason = await client.closed
    expect(reason).toMatchObject({
      code: 'closed',
      message: expect.stringContaining('1008: The access token is no longer good'),
    })
    await expect.poll(() => listening.connections).toBe(0)
  })

  test('a client with oauth connects again with a new token', async () => {
    await start()
    issuer.expiresInS = 1
    await using client = await connect(listening.url!, { auth: program() })
    expect((await client.callTool('whoami')).text).toContain('#program')
    issuer.expiresInS = 60
    const tokens = (): number => issuer.paths.filter((path) => path === '/token').length
    await expect.poll(tokens, { timeout: 100_000 }).toBe(2)
    expect((await client.callTool('whoami')).text).toContain('#program')
  })
})
