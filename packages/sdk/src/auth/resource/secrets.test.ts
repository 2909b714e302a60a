/** Nothing that a server says, to peers or to its operator, holds a token or a secret. */
import { inspect } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type HttpServer, serveHttp } from '../../http-server/serve-http.ts'
import { callToolRequest } from '../../http-server/tests/http.suite.ts'
import { createServer, tool } from '../../server.ts'
import { bearer } from './bearer.ts'
import type { BearerOptions } from './options.ts'
import { Holder, now, TrustedIssuer } from './trusted-issuer.suite.ts'

const resource = 'https://mcp.example.com/mcp'
const clientSecret = 'hush-client-secret'
const nonceSecret = 'hush-nonce-secret-of-more-than-32-bytes'

let issuer: TrustedIssuer
let http: HttpServer
let told: string[]

beforeEach(async () => {
  issuer = await TrustedIssuer.start()
  told = []
})
afterEach(async () => {
  await http.close()
  await issuer[Symbol.asyncDispose]()
})

const tell = (what: unknown): void => void told.push(inspect(what, { depth: 20, showHidden: true }))

async function start(options: Partial<BearerOptions> = {}): Promise<void> {
  const server = createServer({
    name: 'x',
    version: '1',
    onError: tell,
    tools: [
      tool({
        name: 'dump',
        run: (_input, ctx) => inspect([ctx, ctx.auth, ctx.caller], { depth: 20, showHidden: true }),
      }),
      tool({
        name: 'fail',
        run: () => {
          throw new Error('broken')
        },
      }),
    ],
  })
  const auth = bearer({
    issuer: issuer.url,
    resource,
    failures: { max: 3, address: () => 'one' },
    onRefused: tell,
    ...options,
  })
  http = await serveHttp(server, { closeTimeoutMs: 100, auth })
}

async function send(headers: { [name: string]: string }, name = 'dump'): Promise<void> {
  const response = await fetch(http.url, callToolRequest(name, {}, headers))
  tell([response.status, [...response.headers], await response.text()])
}

const expectNothingOf = (...secrets: string[]): void => {
  const all = [...told, ...issuer.paths].join('\n')
  for (const secret of secrets) expect(all.includes(secret), `${secret} was told`).toBe(false)
}

// [elicit.oauth.no-client-creds]
test('a token, good or bad, is told to nobody [auth.sec.no-passthrough]', async () => {
  await start({ dpop: { nonces: { secret: nonceSecret } } })
  const holder = await Holder.make()
  const tokens = await Promise.all([
    issuer.token(resource),
    issuer.token(resource, { claims: { exp: now() - 60 } }),
    issuer.token('https://other.example'),
    issuer.token(resource, { claims: { cnf: { jkt: holder.thumbprint } } }),
  ])
  for (const token of [...tokens, 'opaque-guess-1', 'opaque-guess-2', 'opaque-guess-3', 'opaque-guess-4']) {
    await send({ authorization: `Bearer ${token}` })
    await send({ authorization: `Bearer ${token}` }, 'fail')
    await send({ authorization: `DPoP ${token}`, dpop: await holder.proof(resource, token) })
  }
  expect(told.length).toBeGreaterThan(24)
  // The signature is the secret of a token that was signed.
  expectNothingOf(...tokens, ...tokens.map((token) => token.split('.')[2]!), 'opaque-guess', nonceSecret)
})

test('what a server shows to its issuer is told to nobody else, whatever the issuer answers', async () => {
  const introspection = { endpoint: `${issuer.url}/introspect`, clientId: 'rs', clientSecret, cacheMs: 0 }
  await start({ introspection, failures: false })
  issuer.opaque.set('opaque-good', { active: true, sub: 'ada', aud: resource })
  for (const status of [undefined, 500]) {
    issuer.failsWith = status
    for (const token of ['opaque-good', 'opaque-bad']) await send({ authorization: `Bearer ${token}` })
  }
  await issuer[Symbol.asyncDispose]()
  await send({ authorization: 'Bearer opaque-good' })
  expect(issuer.introspected[0]!.authorization).toContain('Basic')
  expectNothingOf('opaque-good', 'opaque-bad', clientSecret, btoa(`rs:${clientSecret}`))
})
