/** An authorization server of two processes, whichever of them gets a request. */
import { describe, expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import { freePort } from '../../../scripts/test-redis.ts'
import { Desk } from '../../issuer/src/desk.suite.ts'
import { RedisRecords } from '../src/index.ts'
import { open, redisForTests } from './helpers.ts'

const deviceType = 'urn:ietf:params:oauth:grant-type:device_code'
const secret = 'secret-of-the-server'

describe('an issuer on Redis', requires('redis'), () => {
  const held = redisForTests()

  /** Two processes; requests to the first go to both in turn. */
  const twoDesks = (): [Desk, Desk] => {
    const make = (): Desk =>
      new Desk({
        store: new RedisRecords(open(held.redis.url)),
        rateLimits: false,
        clients: [{ id: 'server', secret }],
      })
    const [one, two] = [make(), make()]
    // Clocks of two machines differ.
    two.time = one.time - 1_000
    const fetches = [one.as.fetch, two.as.fetch]
    let turn = 0
    one.as.fetch = (...given) => fetches[turn++ % 2]!(...given)
    return [one, two]
  }

  const isActive = async (desk: Desk, token: string): Promise<unknown> =>
    (await desk.post('/introspect', { client_id: 'server', client_secret: secret, token })).body.active

  test('gives tokens for what another process registered, showed and heard, and renews them once', async () => {
    const [desk, other] = twoDesks()
    const { clientId, access, refresh } = await desk.tokens()
    expect([await isActive(desk, access), await isActive(desk, access)]).toEqual([true, true])
    const [next, again] = await Promise.all([desk.refresh(clientId, refresh), other.refresh(clientId, refresh)])
    expect([next.status, again.status, next.refresh === again.refresh]).toEqual([200, 200, true])
    await desk.post('/revoke', { client_id: clientId, token: access })
    expect([await isActive(desk, access), await isActive(other, access)]).toEqual([false, false])
    expect(await isActive(other, next.access)).toBe(true)
    await other.post('/revoke', { client_id: clientId, token: next.refresh })
    expect((await desk.refresh(clientId, next.refresh)).body.error).toBe('invalid_grant')
  })

  test('ends the grant of a code that two processes got, and of an old refresh token', async () => {
    const [desk, other] = twoDesks()
    const clientId = await desk.register()
    const code = await desk.code(clientId)
    const replies = await Promise.all([desk.exchange(clientId, code), other.exchange(clientId, code)])
    for (const { access } of replies) if (access !== undefined) expect(await isActive(desk, access)).toBe(false)
    expect(replies.filter(({ status }) => status === 200).length).toBeLessThan(2)

    const { clientId: id, refresh } = await desk.tokens()
    const next = await other.refresh(id, refresh)
    for (const each of [desk, other]) each.time += 20_000
    expect((await desk.refresh(id, refresh)).body.error).toBe('invalid_grant')
    expect((await other.refresh(id, next.refresh)).body.error).toBe('invalid_grant')
  })

  test('knows devices, keys and the number of clients everywhere', async () => {
    const [desk, other] = twoDesks()
    const jwks = async (each: Desk): Promise<unknown> => (await each.send('/jwks')).json()
    expect(await jwks(desk)).toEqual(await jwks(other))
    await other.as.rotateKey()
    expect(await jwks(desk)).toEqual(await jwks(other))
    const { access } = await desk.tokens()
    expect(await isActive(other, access)).toBe(true)

    const clientId = await desk.register({ grant_types: [deviceType] })
    const { body } = await desk.post('/device_authorization', {
      client_id: clientId,
      resource: 'https://mcp.example/mcp',
    })
    const form = { grant_type: deviceType, client_id: clientId, device_code: String(body.device_code) }
    expect((await desk.post('/token', form)).body.error).toBe('authorization_pending')
    await (await desk.visitor.open(String(body.verification_uri_complete))).allow()
    const replies = await Promise.all([desk.post('/token', form), other.post('/token', form)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400])
    const ids = await Promise.all(Array.from({ length: 10 }, (_, index) => [desk, other][index % 2]!.register()))
    const listed = await new RedisRecords(open(held.redis.url)).get('clients', '')
    expect(JSON.parse(listed!.text)).toEqual(expect.arrayContaining(ids))
  })

  test('keeps no secret in Redis but the keys that sign, and nothing without a TTL', async () => {
    const [desk] = twoDesks()
    const { access, refresh } = await desk.tokens()
    const { client_secret } = await desk.registration({ token_endpoint_auth_method: 'client_secret_basic' })
    const keys = await held.raw.keys('*')
    const texts = await Promise.all(keys.map((key) => held.raw.hgetall(key)))
    for (const hidden of [access, ...refresh.split('.'), String(client_secret)])
      expect(JSON.stringify([keys, texts])).not.toContain(hidden)
    for (const key of keys) expect(await held.raw.pttl(key), key).toBeGreaterThan(0)
    expect(keys.filter((key) => !key.startsWith('tenon:{'))).toEqual([])
  })

  test('says that it is not available while Redis is away, and not that a client or a token is unknown', async () => {
    const desk = new Desk({ store: new RedisRecords(open(`redis://127.0.0.1:${await freePort()}`)) })
    for (const path of ['/jwks', '/introspect', '/token']) {
      const response = await desk.send(
        path,
        path === '/jwks' ? {} : { method: 'POST', body: new URLSearchParams({ client_id: 'a' }) },
      )
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
    }
    const [two] = twoDesks()
    const { access, clientId } = await two.tokens()
    const revoke = async (): Promise<number> =>
      (await two.post('/revoke', { client_id: clientId, token: access })).status
    await held.raw.config('SET', 'maxmemory', '1')
    expect(await revoke()).toBe(503)
    await held.raw.config('SET', 'maxmemory', '0')
    expect([await isActive(two, access), await revoke(), await isActive(two, access)]).toEqual([true, 200, false])
  })
})
