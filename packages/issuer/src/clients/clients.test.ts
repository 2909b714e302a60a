import { SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { Desk, redirectUri, verifier } from '../desk.suite.ts'
import type { IssuerOptions } from '../options.ts'
import { signingKey } from '../signing-key.suite.ts'

describe('registration', () => {
  // [auth.reg.dcr-should] [auth.reg.dcr-may] [auth.mar25.dcr]
  test('gives a client an id, and a secret if it wants one', async () => {
    const desk = new Desk()
    const open = await desk.registration()
    expect(open).toMatchObject({
      client_id: expect.any(String),
      token_endpoint_auth_method: 'none',
      redirect_uris: [redirectUri],
    })
    expect(open).not.toHaveProperty('client_secret')
    const closed = await desk.registration({ token_endpoint_auth_method: undefined })
    expect(closed).toMatchObject({
      client_secret: expect.stringMatching(/^[\w-]{43}$/),
      client_secret_expires_at: 0,
      token_endpoint_auth_method: 'client_secret_basic',
    })
  })

  test.each([
    ['no redirect URIs', { redirect_uris: [] }, 'invalid_redirect_uri'],
    ['a script', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    ['plain http', { redirect_uris: ['http://app.example/'] }, 'invalid_redirect_uri'],
    [
      'too many redirect URIs',
      { redirect_uris: Array.from({ length: 21 }, (_, i) => `https://app.example/${i}`) },
      'invalid_redirect_uri',
    ],
    ['no list', { redirect_uris: 'https://app.example/' }, 'invalid_redirect_uri'],
    ['an unknown method', { token_endpoint_auth_method: 'tls_client_auth' }, 'invalid_client_metadata'],
    ['the implicit grant', { grant_types: ['implicit'] }, 'invalid_client_metadata'],
    ['tokens as response', { response_types: ['token'] }, 'invalid_client_metadata'],
    ['a name that is none', { client_name: 1 }, 'invalid_client_metadata'],
    [
      'private keys',
      { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [{ kty: 'EC', d: 'x' }] } },
      'invalid_client_metadata',
    ],
    ['no keys', { token_endpoint_auth_method: 'private_key_jwt' }, 'invalid_client_metadata'],
    ['keys without TLS', { jwks_uri: 'http://app.example/keys' }, 'invalid_client_metadata'],
  ])('with %s is refused', async (_, about, error) => {
    expect((await new Desk().registration(about)).error).toBe(error)
  })

  test('is bounded: who nobody agreed to makes room, and who is in use stays', async () => {
    const desk = new Desk({ registration: { maxClients: 2 } })
    const { clientId: used } = await desk.tokens()
    const unused = await desk.register()
    const next = await desk.register()
    expect((await desk.open(unused)).status).toBe(400)
    expect((await desk.open(next)).status).toBe(200)
    expect((await desk.open(used)).status).toBe(200)
    await desk.exchange(next, await desk.code(next))
    expect((await desk.registration()).error).toBe('temporarily_unavailable')
  })
})

const id = 'https://app.example/client.json'
const document = {
  client_id: id,
  client_name: 'Described',
  redirect_uris: [redirectUri],
  grant_types: ['authorization_code'],
}

/** A desk whose network is these documents. */
function withDocuments(
  documents: { [url: string]: unknown },
  options: Partial<IssuerOptions> = {},
  headers = {},
): { desk: Desk; asked: string[] } {
  const asked: string[] = []
  const answer = async (url: string | URL | Request): Promise<Response> => {
    asked.push(String(url))
    const found = documents[String(url)]
    if (found === undefined) return new Response('', { status: 404 })
    const body = typeof found === 'string' ? found : JSON.stringify(found)
    return new Response(body, { headers: { 'content-type': 'application/json', ...headers } })
  }
  return { desk: new Desk({ network: { fetch: answer as typeof fetch }, ...options }), asked }
}

describe('a client with a document', () => {
  // [auth.cimd.as-support] [auth.cimd.as-fetches] [auth.cimd.as-validates-redirect]
  test('is known by its URL, and named after its host', async () => {
    const { desk } = withDocuments({ [id]: document })
    const page = await desk.open(id)
    expect(await page.words()).toContain('Described asks for access It is described by app.example .')
    const { location } = await page.allow()
    expect((await desk.exchange(id, location.searchParams.get('code')!)).status).toBe(200)
    expect((await desk.open(id, { redirect_uri: 'https://app.example/other' })).status).toBe(400)
  })

  // [auth.cimd.as-validates-client-id] [auth.cimd.as-validates-structure]
  test.each([
    ['of another client', { ...document, client_id: 'https://app.example/other.json' }],
    ['without a name', { ...document, client_name: undefined }],
    ['without redirect URIs', { ...document, redirect_uris: undefined }],
    ['with a secret method', { ...document, token_endpoint_auth_method: 'client_secret_basic' }],
    ['that is a list', [document]],
    ['that is no JSON', '{'],
    ['that nests too deep', `${'['.repeat(40)}${']'.repeat(40)}`],
    ['that is too large', { ...document, padding: 'x'.repeat(20_000) }],
    ['that is not there', undefined],
  ])('%s is refused', async (_, found) => {
    const { desk } = withDocuments({ [id]: found })
    expect((await desk.open(id)).status).toBe(400)
  })

  // [auth.cimd.as-caches]
  test('is not asked for again while it is fresh', async () => {
    const { desk, asked } = withDocuments({ [id]: document }, {}, { 'cache-control': 'max-age=3600' })
    await Promise.all([desk.open(id), desk.open(id)])
    desk.time += 3_599_000
    await desk.open(id)
    expect(asked).toHaveLength(1)
    desk.time += 2_000
    await desk.open(id)
    expect(asked).toHaveLength(2)
  })

  test('that cannot be read is not asked for more than once a minute', async () => {
    const { desk, asked } = withDocuments({})
    for (let i = 0; i < 5; i++) await desk.open(id)
    expect(asked).toHaveLength(1)
    desk.time += 61_000
    await desk.open(id)
    expect(asked).toHaveLength(2)
  })

  test.each([
    'http://app.example/client.json',
    'https://app.example',
    'https://app.example/',
    'https://app.example/a/../client.json',
    'https://user@app.example/client.json',
    'https://app.example/client.json#x',
    'ftp://app.example/client.json',
  ])('is not looked for at %s', async (url) => {
    const { desk, asked } = withDocuments({ [url]: { ...document, client_id: url } })
    expect((await desk.open(url)).status).toBe(400)
    expect(asked).toEqual([])
  })

  // [auth.cimd.as-ssrf]
  test.each([
    'https://127.0.0.1/client.json',
    'https://10.0.0.1/client.json',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/client.json',
  ])('is not looked for at %s, within the network of a public issuer', async (url) => {
    const signIn = (): { subject: string } => ({ subject: 'ada' })
    const { desk, asked } = withDocuments(
      { [url]: { ...document, client_id: url } },
      { url: 'https://id.example.com', signIn },
    )
    expect((await desk.open(url)).status).toBe(400)
    expect(asked).toEqual([])
  })

  test('that redirects is refused', async () => {
    const moved = 'https://app.example/moved.json'
    const answer = async (url: string | URL | Request): Promise<Response> =>
      String(url) === id
        ? new Response(null, { status: 302, headers: { location: moved } })
        : Response.json({ ...document, client_id: id })
    const desk = new Desk({ network: { fetch: answer as typeof fetch } })
    expect((await desk.open(id)).status).toBe(400)
  })

  // [auth.cimd.as-trust-policy]
  test('is taken only from where the issuer says', async () => {
    const { desk, asked } = withDocuments(
      { [id]: document },
      { clientDocuments: ({ hostname }) => hostname === 'known.example' },
    )
    expect((await desk.open(id)).status).toBe(400)
    expect(asked).toEqual([])
  })

  test('proves who it is with the keys that its document names', async () => {
    const key = await signingKey('k')
    const about = { ...document, token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://app.example/keys' }
    const { desk } = withDocuments({ [id]: about, 'https://app.example/keys': { keys: [key.jwk] } })
    const exchange = async (signer = key): Promise<unknown> => {
      const claims = { iss: id, sub: id, aud: desk.as.url, jti: crypto.randomUUID(), exp: desk.time / 1_000 + 60 }
      const client_assertion = await new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', kid: 'k' })
        .sign(signer.privateKey)
      const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
      const form = { grant_type: 'authorization_code', code: await desk.code(id), code_verifier: verifier }
      return (await desk.post('/token', { ...form, client_assertion, client_assertion_type })).status
    }
    expect(await exchange()).toBe(200)
    expect(await exchange(await signingKey('k'))).toBe(401)
  })
})
