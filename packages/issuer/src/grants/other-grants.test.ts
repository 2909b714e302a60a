import { decodeJwt, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { Desk, server } from '../desk.suite.ts'
import type { TrustedAssertions } from '../options.ts'
import { signingKey } from '../signing-key.suite.ts'

const deviceType = 'urn:ietf:params:oauth:grant-type:device_code'
const bearerType = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

describe('a device', () => {
  const start = async (desk = new Desk()) => {
    const clientId = await desk.register({ grant_types: [deviceType, 'refresh_token'], redirect_uris: [] })
    const { body } = await desk.post('/device_authorization', { client_id: clientId, scope: 'read', resource: server })
    const poll = async (id = clientId) =>
      (await desk.post('/token', { grant_type: deviceType, client_id: id, device_code: String(body.device_code) })).body
    return { desk, clientId, body: body as { [member: string]: string }, poll }
  }

  test('gets tokens when its user agrees on another machine', async () => {
    const { desk, body, poll } = await start()
    expect(body.user_code).toMatch(/^[B-Z]{4}-[B-Z]{4}$/)
    expect((await poll()).error).toBe('authorization_pending')
    expect((await poll()).error).toBe('slow_down')
    const typed = String(body.user_code).toLowerCase().replace('-', ' ')
    const page = await desk.visitor.open(`${desk.as.url}/device?user_code=${encodeURIComponent(typed)}`)
    expect(await page.words()).toContain(`Its code ${body.user_code}`)
    expect((await page.submit({ decision: 'allow' }, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await page.allow()).status).toBe(200)
    const tokens = await poll()
    expect(decodeJwt(tokens.access_token as string)).toMatchObject({ aud: server, scope: 'read', sub: 'developer' })
    expect(tokens.refresh_token).toEqual(expect.any(String))
    expect((await poll()).error).toBe('expired_token')
  })

  test('is refused if its user refuses, or does not come', async () => {
    const first = await start()
    await (await first.desk.visitor.open(first.body.verification_uri_complete!)).deny()
    expect((await first.poll()).error).toBe('access_denied')
    const second = await start()
    second.desk.time += 10 * 60_000 + 1
    expect((await second.desk.visitor.open(second.body.verification_uri_complete!)).status).toBe(400)
    expect((await second.poll()).error).toBe('expired_token')
  })

  test('has a page that asks for its code, and believes no other', async () => {
    const { desk, poll } = await start()
    expect(await (await desk.visitor.open(`${desk.as.url}/device`)).words()).toContain(
      'Type the code that the device shows.',
    )
    expect((await desk.visitor.open(`${desk.as.url}/device?user_code=BBBB-BBBB`)).status).toBe(400)
    expect((await poll(await desk.register({ grant_types: [deviceType], redirect_uris: [] }))).error).toBe(
      'expired_token',
    )
    const other = await desk.register()
    expect((await desk.post('/device_authorization', { client_id: other })).body.error).toBe('unauthorized_client')
  })
})

describe('an assertion', () => {
  const idp = 'https://idp.example'
  const app = { id: 'app', secret: 'the secret of the app' }
  const setUp = async (trust: Partial<TrustedAssertions> = {}) => {
    const key = await signingKey('k')
    const desk = new Desk({
      scopes: ['read', 'write'],
      resources: [server],
      clients: [app],
      trusts: [{ issuer: idp, keys: [key.jwk], ...trust }],
    })
    const sign = (claims: object = {}, header: object = {}, signer = key): Promise<string> => {
      const now = Math.floor(desk.time / 1_000)
      const all = {
        iss: idp,
        sub: 'ada',
        aud: desk.as.url,
        iat: now,
        exp: now + 60,
        jti: crypto.randomUUID(),
        client_id: app.id,
        resource: server,
        scope: 'read',
        ...claims,
      }
      return new SignJWT(all as never)
        .setProtectedHeader({ alg: 'ES256', kid: 'k', typ: 'oauth-id-jag+jwt', ...header })
        .sign(signer.privateKey)
    }
    const ask = (
      assertion: string,
      more: object = {},
      credentials: object = { client_id: app.id, client_secret: app.secret },
    ) => desk.post('/token', { grant_type: bearerType, assertion, ...credentials, ...more })
    return { desk, sign, ask }
  }

  // [xauth.ema.as-audience-restrict] [xauth.ema.scope-subset] [xauth.wif.as-token-endpoint]
  test('of a trusted identity provider gives a token for its user, its resource and its scopes', async () => {
    const { sign, ask, desk } = await setUp()
    const reply = await ask(await sign(), { scope: 'read write' })
    expect(reply).toMatchObject({ status: 200, body: { scope: 'read' } })
    expect(decodeJwt(reply.access)).toMatchObject({ sub: `${idp}#ada`, aud: server, client_id: app.id })
    expect(reply.refresh).toBeUndefined()
    const metadata = (await (await desk.send('/.well-known/oauth-authorization-server')).json()) as {
      grant_types_supported: string[]
    }
    // xauth.wif.as-metadata
    expect(metadata.grant_types_supported).toContain(bearerType)
  })

  // [xauth.ema.replay]
  test('is good once', async () => {
    const { sign, ask } = await setUp()
    const assertion = await sign()
    expect((await ask(assertion)).status).toBe(200)
    expect((await ask(assertion)).body.error).toBe('invalid_grant')
  })

  // [xauth.ema.as-claims] [xauth.ema.as-signature] [xauth.ema.short-lived] [xauth.ema.as-aud-resource]
  // [xauth.wif.as-issuer-trust] [xauth.wif.as-signature]
  test('is refused unless all of it is right', async () => {
    const { sign, ask, desk } = await setUp()
    const now = Math.floor(desk.time / 1_000)
    const wrong = [
      await sign({ aud: 'https://other.example' }),
      await sign({ iss: 'https://evil.example' }),
      await sign({ client_id: 'other' }),
      await sign({ jti: undefined }),
      await sign({ sub: undefined }),
      await sign({ iat: undefined }),
      await sign({ exp: now - 60 }),
      await sign({ iat: now - 7_200, exp: now + 60 }),
      await sign({ resource: 'https://other.example' }),
      await sign({}, {}, await signingKey('k')),
    ]
    for (const assertion of wrong) expect((await ask(assertion)).body.error).toBe('invalid_grant')
    expect((await ask(await sign(), {}, { client_id: app.id })).body.error).toBe('invalid_client')
    expect((await ask('x')).body.error).toBe('invalid_request')
  })

  // [xauth.wif.as-authorization-rules]
  test('of a workload needs no client, and gets what its issuer may have', async () => {
    const { sign, ask } = await setUp({
      scopes: ['write'],
      user: ({ sub }) => (sub === 'job' ? { subject: 'the job' } : undefined),
    })
    const workload = { client_id: undefined, scope: undefined, resource: undefined, sub: 'job' }
    const reply = await ask(await sign(workload, { typ: 'JWT' }), { resource: server, scope: 'read write' }, {})
    expect(reply.body.scope).toBe('write')
    expect(decodeJwt(reply.access)).toMatchObject({ sub: 'the job', aud: server })
    expect((await ask(await sign({ ...workload, sub: 'other' }, { typ: 'JWT' }), {}, {})).body.error).toBe(
      'invalid_grant',
    )
  })
})
