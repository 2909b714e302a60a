import { calculateJwkThumbprint, decodeJwt, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { Desk, redirectUri, server, verifier } from '../desk.suite.ts'
import { signingKey } from '../signing-key.suite.ts'

const introspector = { id: 'server', secret: 'the secret of a server' }
const basic = (id: string, secret: string): { authorization: string } => ({
  authorization: `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}`,
})

async function isActive(desk: Desk, token: string): Promise<unknown> {
  return (await desk.post('/introspect', { token }, basic(introspector.id, introspector.secret))).body.active
}

describe('a code', () => {
  // [auth.sec.short-lived]
  test('is exchanged for a token that is for the resource, short-lived, and in no cache', async () => {
    const desk = new Desk()
    const { status, headers, body, access, clientId } = await desk.tokens()
    expect([status, headers.get('cache-control'), headers.get('pragma')]).toEqual([200, 'no-store', 'no-cache'])
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 600, scope: 'read write' })
    const claims = decodeJwt(access)
    expect(claims).toMatchObject({ iss: desk.as.url, aud: server, sub: 'developer', client_id: clientId })
    expect(claims.exp! - claims.iat!).toBe(600)
  })

  test('is good once, and the second use takes back what the first one gave', async () => {
    const desk = new Desk({ clients: [introspector] })
    const clientId = await desk.register()
    const code = await desk.code(clientId)
    const { access, refresh } = await desk.exchange(clientId, code)
    expect(await isActive(desk, access)).toBe(true)
    expect(await desk.exchange(clientId, code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await isActive(desk, access)).toBe(false)
    expect((await desk.refresh(clientId, refresh)).body.error).toBe('invalid_grant')
    expect(desk.events.map(({ type }) => type)).toContain('code_reused')
  })

  test('that is exchanged twice at the same time gives nobody a token that stays good', async () => {
    const desk = new Desk({ clients: [introspector] })
    const clientId = await desk.register()
    const code = await desk.code(clientId)
    const replies = await Promise.all([desk.exchange(clientId, code), desk.exchange(clientId, code)])
    expect(replies.some(({ status }) => status === 400)).toBe(true)
    for (const { access, status } of replies) if (status === 200) expect(await isActive(desk, access)).toBe(false)
  })

  test('expires after a minute', async () => {
    const desk = new Desk()
    const clientId = await desk.register()
    const code = await desk.code(clientId)
    desk.time += 60_001
    expect((await desk.exchange(clientId, code)).body.error).toBe('invalid_grant')
  })

  test.each([
    ['another verifier', { code_verifier: 'w'.repeat(43) }, 'invalid_grant'],
    ['no verifier', { code_verifier: undefined }, 'invalid_request'],
    ['a short verifier', { code_verifier: 'short' }, 'invalid_request'],
    ['another redirect URI', { redirect_uri: 'https://app.example/other' }, 'invalid_grant'],
    ['another resource', { resource: 'https://other.example' }, 'invalid_target'],
    ['no code', { code: undefined }, 'invalid_request'],
    ['another code', { code: 'x' }, 'invalid_grant'],
  ])('is refused with %s, and used up', async (_, more, error) => {
    const desk = new Desk()
    const clientId = await desk.register()
    const code = await desk.code(clientId)
    expect((await desk.exchange(clientId, code, more)).body.error).toBe(error)
  })

  test('is refused to another client', async () => {
    const desk = new Desk()
    const code = await desk.code(await desk.register())
    expect((await desk.exchange(await desk.register(), code)).body.error).toBe('invalid_grant')
  })

  test('for openid comes with an id token, for the client and with its nonce', async () => {
    const desk = new Desk({ users: [{ subject: 'ada', name: 'Ada', claims: { email: 'ada@example.com' } }] })
    const { body, clientId, access } = await desk.tokens({ scope: 'openid read', nonce: 'n' })
    const about = { iss: desk.as.url, aud: clientId, sub: 'ada', nonce: 'n', name: 'Ada', email: 'ada@example.com' }
    expect(decodeJwt(body.id_token as string)).toMatchObject(about)
    expect(decodeJwt(access)).toMatchObject({ email: 'ada@example.com', aud: server })
  })
})

describe('a refresh token', () => {
  // [auth.sec.rotate-refresh] [auth.mar25.token-expiry-rotation]
  test('is good once, and gives the next one', async () => {
    const desk = new Desk()
    const first = await desk.tokens()
    const second = await desk.refresh(first.clientId, first.refresh)
    expect([second.status, second.body.scope]).toEqual([200, 'read write'])
    expect(second.refresh).not.toBe(first.refresh)
    expect((await desk.refresh(first.clientId, second.refresh)).status).toBe(200)
  })

  test('that comes a second time later ends everything that came of it', async () => {
    const desk = new Desk({ clients: [introspector] })
    const first = await desk.tokens()
    const second = await desk.refresh(first.clientId, first.refresh)
    expect(await isActive(desk, second.access)).toBe(true)
    desk.time += 10_000
    expect((await desk.refresh(first.clientId, first.refresh)).body.error).toBe('invalid_grant')
    expect((await desk.refresh(first.clientId, second.refresh)).body.error).toBe('invalid_grant')
    expect(await isActive(desk, second.access)).toBe(false)
    expect(await isActive(desk, first.access)).toBe(false)
    expect(desk.events.map(({ type }) => type)).toContain('refresh_reused')
  })

  test('that comes twice at the same time gives both requests the same next one', async () => {
    const desk = new Desk({ clients: [introspector] })
    const { clientId, refresh } = await desk.tokens()
    const replies = await Promise.all(Array.from({ length: 5 }, () => desk.refresh(clientId, refresh)))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(new Set(replies.map((reply) => reply.refresh)).size).toBe(1)
    for (const { access } of replies) expect(await isActive(desk, access)).toBe(true)
    expect((await desk.refresh(clientId, replies[0]!.refresh)).status).toBe(200)
  })

  test('whose answer was lost is asked for again within seconds, counted from its first use', async () => {
    const desk = new Desk({ refreshGraceS: 5 })
    const { clientId, refresh } = await desk.tokens()
    const lost = await desk.refresh(clientId, refresh)
    desk.time += 4_000
    const again = await desk.refresh(clientId, refresh)
    expect([again.status, again.refresh]).toEqual([200, lost.refresh])
    expect(again.access).not.toBe(lost.access)
    desk.time += 1_000
    expect((await desk.refresh(clientId, refresh)).body.error).toBe('invalid_grant')
    expect((await desk.refresh(clientId, again.refresh)).body.error).toBe('invalid_grant')
  })

  test('that was stolen and repeated in time is noticed when either goes on', async () => {
    const desk = new Desk()
    const { clientId, refresh } = await desk.tokens()
    const own = await desk.refresh(clientId, refresh)
    const thief = await desk.refresh(clientId, refresh)
    expect((await desk.refresh(clientId, own.refresh)).status).toBe(200)
    desk.time += 60_000
    expect((await desk.refresh(clientId, thief.refresh)).body.error).toBe('invalid_grant')
    expect(desk.events.at(-2)).toMatchObject({ type: 'refresh_reused' })
  })

  test('has no grace once the one after it was used, nor when the clock was set back', async () => {
    for (const step of [0, -1]) {
      const desk = new Desk()
      const { clientId, refresh } = await desk.tokens()
      const next = await desk.refresh(clientId, refresh)
      if (step === 0) await desk.refresh(clientId, next.refresh)
      desk.time += step
      expect((await desk.refresh(clientId, refresh)).body.error).toBe('invalid_grant')
    }
  })

  test('that comes twice ends everything at once without a grace', async () => {
    const desk = new Desk({ refreshGraceS: 0 })
    const { clientId, refresh } = await desk.tokens()
    const replies = await Promise.all([desk.refresh(clientId, refresh), desk.refresh(clientId, refresh)])
    const next = replies.find(({ status }) => status === 200)
    expect(replies.filter(({ status }) => status === 400).length).toBeGreaterThan(0)
    if (next) expect((await desk.refresh(clientId, next.refresh)).body.error).toBe('invalid_grant')
    for (const refreshGraceS of [-1, 61, Number.NaN])
      expect(() => new Desk({ refreshGraceS })).toThrow('refreshGraceS: expected 0 to 60 seconds')
  })

  test('of another client is refused, and ends the grant, used or not', async () => {
    for (const uses of [0, 1]) {
      const desk = new Desk()
      const { clientId, refresh } = await desk.tokens()
      if (uses > 0) await desk.refresh(clientId, refresh)
      expect((await desk.refresh(await desk.register(), refresh)).body.error).toBe('invalid_grant')
      expect(desk.events.map(({ type }) => type)).toContain('refresh_reused')
      expect((await desk.refresh(clientId, refresh)).body.error).toBe('invalid_grant')
    }
  })

  test('gives fewer scopes if asked, and never more', async () => {
    const desk = new Desk()
    const { clientId, refresh } = await desk.tokens()
    expect((await desk.refresh(clientId, refresh, { scope: 'admin' })).body.error).toBe('invalid_scope')
    expect((await desk.refresh(clientId, refresh, { resource: 'https://other.example' })).body.error).toBe(
      'invalid_target',
    )
    const narrow = await desk.refresh(clientId, refresh, { scope: 'read' })
    expect(narrow.body.scope).toBe('read')
    expect((await desk.refresh(clientId, narrow.refresh)).body.scope).toBe('read write')
  })

  test('ends when it lies unused for too long', async () => {
    const desk = new Desk({ refreshTokenTtlS: 100 })
    const { clientId, refresh } = await desk.tokens()
    desk.time += 99_000
    const next = await desk.refresh(clientId, refresh)
    desk.time += 99_000
    expect((await desk.refresh(clientId, next.refresh)).status).toBe(200)
    desk.time += 101_000
    expect((await desk.refresh(clientId, next.refresh)).body.error).toBe('invalid_grant')
  })

  test('ends when its user has left', async () => {
    const gone = new Set<string>()
    const desk = new Desk({ clients: [introspector], isActive: ({ subject }) => !gone.has(subject) })
    const { clientId, refresh } = await desk.tokens()
    const next = await desk.refresh(clientId, refresh)
    expect(next.status).toBe(200)
    gone.add('developer')
    expect((await desk.refresh(clientId, next.refresh)).body.error).toBe('invalid_grant')
    expect(await isActive(desk, next.access)).toBe(false)
  })

  test('is for clients that asked for such, or users who agreed to offline access', async () => {
    const desk = new Desk()
    const clientId = await desk.register({ grant_types: ['authorization_code'] })
    expect((await desk.exchange(clientId, await desk.code(clientId))).refresh).toBeUndefined()
    expect(
      (await desk.exchange(clientId, await desk.code(clientId, { scope: 'read offline_access' }))).refresh,
    ).toEqual(expect.any(String))
  })
})

describe('a client', () => {
  const program = { id: 'a program', secret: 'a secret: 100% +safe', scopes: ['read'] }
  const form = { grant_type: 'client_credentials', resource: server }

  // [auth.mar25.grant-types]
  test('acts for itself with its secret, in the header or the form', async () => {
    const desk = new Desk({ clients: [program] })
    for (const reply of [
      await desk.post('/token', form, basic(program.id, program.secret)),
      await desk.post('/token', { ...form, client_id: program.id, client_secret: program.secret }),
    ]) {
      expect(reply).toMatchObject({ status: 200, body: { scope: 'read' } })
      expect(reply.refresh).toBeUndefined()
      expect(decodeJwt(reply.access)).toMatchObject({ sub: program.id, client_id: program.id, aud: server })
    }
    const more = await desk.post('/token', { ...form, scope: 'write' }, basic(program.id, program.secret))
    expect(more.body.error).toBe('invalid_scope')
  })

  test.each([
    ['a wrong secret', {}, basic(program.id, 'another secret of it')],
    ['no secret', { client_id: program.id }, {}],
    ['a header that is none', {}, { authorization: 'Basic ???' }],
    ['an unknown id', {}, basic('nobody', 'a secret')],
    ['nothing at all', {}, {}],
  ])('is refused with %s', async (_, more, headers) => {
    const desk = new Desk({ clients: [program] })
    const reply = await desk.post('/token', { ...form, ...more }, headers)
    expect(reply).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    expect(JSON.stringify([reply.body, desk.events])).not.toContain('secret of it')
    if ('authorization' in headers) expect(reply.headers.get('www-authenticate')).toMatch(/^Basic /)
  })

  test('proves who it is in one way', async () => {
    const desk = new Desk({ clients: [program] })
    const twice = await desk.post(
      '/token',
      { ...form, client_secret: program.secret },
      basic(program.id, program.secret),
    )
    expect(twice.body.error).toBe('invalid_request')
    const other = await desk.post('/token', { ...form, client_id: 'other' }, basic(program.id, program.secret))
    expect(other.body.error).toBe('invalid_request')
  })

  test('uses the grants that it was configured for', async () => {
    const limited = { ...program, redirectUris: [redirectUri], grantTypes: ['authorization_code'] }
    const desk = new Desk({ clients: [limited] })
    expect((await desk.post('/token', form, basic(limited.id, limited.secret))).body.error).toBe('unauthorized_client')
  })

  test('without credentials gets nothing without a user, whatever was configured', async () => {
    const desk = new Desk({ clients: [{ id: 'open', grantTypes: ['client_credentials'] }] })
    expect((await desk.post('/token', { ...form, client_id: 'open' })).body.error).toBe('unauthorized_client')
  })

  test('that registered itself gets nothing without a user', async () => {
    const desk = new Desk()
    const asked = {
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code', 'client_credentials'],
    }
    const { client_id, client_secret, grant_types } = await desk.registration(asked)
    expect(grant_types).toEqual(['authorization_code'])
    const reply = await desk.post('/token', form, basic(client_id as string, client_secret as string))
    expect(reply.body.error).toBe('unauthorized_client')
  })

  test('with a secret has to show it for codes as well', async () => {
    const desk = new Desk()
    const { client_id, client_secret } = await desk.registration({ token_endpoint_auth_method: 'client_secret_basic' })
    const id = client_id as string
    expect((await desk.exchange(id, await desk.code(id))).body.error).toBe('invalid_client')
    const code = await desk.code(id)
    const reply = await desk.post(
      '/token',
      { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: redirectUri },
      basic(id, client_secret as string),
    )
    expect(reply.status).toBe(200)
  })

  test('cannot use grants that do not exist', async () => {
    const desk = new Desk({ clients: [program] })
    expect((await desk.post('/token', { grant_type: 'password' }, basic(program.id, program.secret))).body.error).toBe(
      'unsupported_grant_type',
    )
    expect((await desk.post('/token', { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer' })).body.error).toBe(
      'unsupported_grant_type',
    )
    expect((await desk.post('/token', { grant_type: '__proto__' })).body.error).toBe('unsupported_grant_type')
  })
})

describe('a client with a key', () => {
  const setUp = async () => {
    const key = await signingKey('k')
    const desk = new Desk({ clients: [{ id: 'program', keys: [key.jwk] }] })
    const sign = (claims: object = {}, header: object = {}, signer = key): Promise<string> =>
      new SignJWT({
        iss: 'program',
        sub: 'program',
        aud: desk.as.url,
        jti: crypto.randomUUID(),
        exp: desk.time / 1_000 + 60,
        ...claims,
      } as never)
        .setProtectedHeader({ alg: 'ES256', kid: 'k', ...header })
        .sign(signer.privateKey)
    const ask = async (assertion: string) =>
      desk.post('/token', {
        grant_type: 'client_credentials',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: assertion,
      })
    return { desk, key, sign, ask }
  }

  test('acts for itself with an assertion, which is good once', async () => {
    const { sign, ask, desk } = await setUp()
    const assertion = await sign()
    expect((await ask(assertion)).status).toBe(200)
    expect((await ask(assertion)).body.error).toBe('invalid_client')
    expect((await ask(await sign({ aud: `${desk.as.url}/token` }))).status).toBe(200)
  })

  test('is refused with an assertion that is not its own, not for here, or not for now', async () => {
    const { sign, ask, desk } = await setUp()
    const other = await signingKey('k')
    for (const assertion of [
      await sign({ aud: 'https://other.example' }),
      await sign({ exp: desk.time / 1_000 - 60 }),
      await sign({ exp: desk.time / 1_000 + 90_000 }),
      await sign({ exp: undefined }),
      await sign({ jti: undefined }),
      await sign({ iss: 'other' }),
      await sign({ sub: 'other' }),
      await sign({}, {}, other),
    ]) {
      expect((await ask(assertion)).body.error).toBe('invalid_client')
    }
    expect((await ask('no.jwt')).body.error).toBe('invalid_request')
    expect((await desk.post('/token', { grant_type: 'client_credentials', client_id: 'program' })).body.error).toBe(
      'invalid_client',
    )
  })
})

describe('a token that belongs to a key', () => {
  const proofOf = async (
    desk: Desk,
    key: Awaited<ReturnType<typeof signingKey>>,
    claims: object = {},
  ): Promise<{ dpop: string }> => {
    const { kty, crv, x, y } = key.jwk
    const all = {
      htm: 'POST',
      htu: `${desk.as.url}/token`,
      iat: Math.floor(desk.time / 1_000),
      jti: crypto.randomUUID(),
      ...claims,
    }
    const proof = new SignJWT(all as never).setProtectedHeader({
      alg: 'ES256',
      typ: 'dpop+jwt',
      jwk: { kty, crv, x, y } as never,
    })
    return { dpop: await proof.sign(key.privateKey) }
  }

  // [xauth.dpop.as-binding]
  test('says so, and so does its refresh token', async () => {
    const desk = new Desk()
    const [mine, other] = [await signingKey('a'), await signingKey('b')]
    const clientId = await desk.register()
    const reply = await desk.exchange(clientId, await desk.code(clientId), {}, await proofOf(desk, mine))
    expect(reply.body.token_type).toBe('DPoP')
    expect(decodeJwt(reply.access).cnf).toEqual({ jkt: await calculateJwkThumbprint(mine.jwk) })
    expect((await desk.refresh(clientId, reply.refresh)).body.error).toBe('invalid_grant')
    expect((await desk.refresh(clientId, reply.refresh, {}, await proofOf(desk, other))).body.error).toBe(
      'invalid_grant',
    )
    expect((await desk.refresh(clientId, reply.refresh, {}, await proofOf(desk, mine))).body.token_type).toBe('DPoP')
    // Within the grace it needs the same key.
    expect((await desk.refresh(clientId, reply.refresh, {}, await proofOf(desk, other))).status).toBe(400)
    expect((await desk.refresh(clientId, reply.refresh, {}, await proofOf(desk, mine))).body.token_type).toBe('DPoP')
  })

  test('that comes first with a repeated refresh token does not become the key of the grant', async () => {
    const desk = new Desk()
    const { clientId, refresh } = await desk.tokens()
    const next = await desk.refresh(clientId, refresh)
    await desk.refresh(clientId, refresh, {}, await proofOf(desk, await signingKey('thief')))
    expect((await desk.refresh(clientId, next.refresh)).status).toBe(200)
  })

  // [xauth.dpop.as-bound-enforced]
  test('is the only kind for clients that want no other', async () => {
    const desk = new Desk()
    const key = await signingKey('a')
    const clientId = await desk.register({ dpop_bound_access_tokens: true })
    expect((await desk.exchange(clientId, await desk.code(clientId))).body.error).toBe('invalid_dpop_proof')
    expect((await desk.exchange(clientId, await desk.code(clientId), {}, await proofOf(desk, key))).status).toBe(200)
  })

  test('comes only of a code for the same key', async () => {
    const desk = new Desk()
    const [mine, other] = [await signingKey('a'), await signingKey('b')]
    const clientId = await desk.register()
    const bound = { dpop_jkt: await calculateJwkThumbprint(mine.jwk) }
    expect(
      (await desk.exchange(clientId, await desk.code(clientId, bound), {}, await proofOf(desk, other))).body.error,
    ).toBe('invalid_grant')
    expect((await desk.exchange(clientId, await desk.code(clientId, bound))).body.error).toBe('invalid_grant')
    expect(
      (await desk.exchange(clientId, await desk.code(clientId, bound), {}, await proofOf(desk, mine))).status,
    ).toBe(200)
  })

  test('is refused for proofs of something else, of another time, or used before', async () => {
    const desk = new Desk()
    const key = await signingKey('a')
    const clientId = await desk.register()
    const used = await proofOf(desk, key)
    await desk.exchange(clientId, await desk.code(clientId), {}, used)
    const wrong = [
      used,
      await proofOf(desk, key, { htm: 'GET' }),
      await proofOf(desk, key, { htu: 'https://other.example/token' }),
      await proofOf(desk, key, { iat: Math.floor(desk.time / 1_000) - 600 }),
      await proofOf(desk, key, { jti: '' }),
      { dpop: 'no proof' },
    ]
    for (const proof of wrong) {
      expect((await desk.exchange(clientId, await desk.code(clientId), {}, proof)).body.error).toBe(
        'invalid_dpop_proof',
      )
    }
  })
})

describe('revocation', () => {
  test('of a refresh token ends the grant; of an access token, that one', async () => {
    const desk = new Desk({ clients: [introspector] })
    const { clientId, access, refresh } = await desk.tokens()
    const next = await desk.refresh(clientId, refresh)
    expect((await desk.post('/revoke', { token: next.access, client_id: clientId })).status).toBe(200)
    expect([await isActive(desk, next.access), await isActive(desk, access)]).toEqual([false, true])
    expect((await desk.post('/revoke', { token: next.refresh, client_id: clientId })).status).toBe(200)
    expect(await isActive(desk, access)).toBe(false)
    expect((await desk.refresh(clientId, next.refresh)).body.error).toBe('invalid_grant')
  })

  test('by others does nothing, and answers the same', async () => {
    const desk = new Desk({ clients: [introspector] })
    const { access, refresh } = await desk.tokens()
    const other = await desk.register()
    for (const token of [access, refresh, 'unknown']) {
      expect((await desk.post('/revoke', { token, client_id: other })).status).toBe(200)
    }
    expect([await isActive(desk, access), await isActive(desk, refresh)]).toEqual([true, true])
    expect((await desk.post('/revoke', { token: access })).status).toBe(401)
  })
})

describe('introspection', () => {
  test('tells configured servers about every token, and others about their own', async () => {
    const desk = new Desk({ clients: [introspector] })
    const { access, refresh, clientId } = await desk.tokens()
    const asked = await desk.post('/introspect', { token: access }, basic(introspector.id, introspector.secret))
    expect(asked.body).toMatchObject({
      active: true,
      sub: 'developer',
      aud: server,
      client_id: clientId,
      token_type: 'Bearer',
    })
    expect(await isActive(desk, refresh)).toBe(true)
    const next = await desk.refresh(clientId, refresh)
    expect([await isActive(desk, refresh), await isActive(desk, next.refresh)]).toEqual([false, true])
    expect((await desk.post('/introspect', { token: access, client_id: clientId })).status).toBe(401)
    const { client_id, client_secret } = await desk.registration({ token_endpoint_auth_method: 'client_secret_basic' })
    const stranger = await desk.post(
      '/introspect',
      { token: access },
      basic(client_id as string, client_secret as string),
    )
    expect(stranger.body).toEqual({ active: false })
  })

  test('knows no tokens that have expired, were changed, or are of somebody else', async () => {
    const desk = new Desk({ clients: [introspector] })
    const { access } = await desk.tokens()
    expect(await isActive(desk, `${access.slice(0, -4)}AAAA`)).toBe(false)
    expect(await isActive(desk, (await new Desk().tokens()).access)).toBe(false)
    expect(await isActive(desk, 'x'.repeat(10_000))).toBe(false)
    desk.time += 601_000
    expect(await isActive(desk, access)).toBe(false)
  })
})

describe('faults', () => {
  test('withhold scopes until the user agrees a second time', async () => {
    const desk = new Desk({ faults: { stepUp: ['write'] } })
    const clientId = await desk.register()
    expect((await desk.exchange(clientId, await desk.code(clientId))).body.scope).toBe('read')
    expect((await desk.exchange(clientId, await desk.code(clientId))).body.scope).toBe('read write')
  })

  test('give tokens that servers have to refuse', async () => {
    const desk = new Desk()
    const claims = async () => decodeJwt((await desk.tokens()).access)
    desk.as.faults.expiredTokens = true
    expect((await claims()).exp).toBeLessThan(desk.time / 1_000)
    desk.as.faults.expiredTokens = false
    desk.as.faults.wrongAudience = true
    expect((await claims()).aud).toBe('https://wrong.example')
    expect((await claims()).exp).toBeGreaterThan(desk.time / 1_000)
  })

  test('give answers that clients have to refuse', async () => {
    const desk = new Desk({ faults: { badIss: 'wrong', noPkce: true, noRefresh: true, noRegistration: false } })
    const clientId = await desk.register()
    const { location } = await (await desk.open(clientId)).allow()
    expect(location.searchParams.get('iss')).toBe('https://wrong.example')
    desk.as.faults.badIss = 'missing'
    expect((await (await desk.open(clientId)).allow()).location.searchParams.has('iss')).toBe(false)
    expect((await desk.exchange(clientId, await desk.code(clientId))).refresh).toBeUndefined()
    desk.as.faults.noRegistration = true
    expect((await desk.registration()).error).toBe('access_denied')
    const metadata = await (await desk.send('/.well-known/oauth-authorization-server')).json()
    expect(metadata).not.toHaveProperty('code_challenge_methods_supported')
    expect(metadata).not.toHaveProperty('registration_endpoint')
    desk.as.faults.tokenErrors = ['temporarily_unavailable']
    expect((await desk.exchange(clientId, await desk.code(clientId))).body.error).toBe('temporarily_unavailable')
    expect((await desk.exchange(clientId, await desk.code(clientId))).status).toBe(200)
  })
})
