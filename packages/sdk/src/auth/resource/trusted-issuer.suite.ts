/** An issuer of tokens, real and with keys that rotate, and everything an attacker would sign. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type CryptoKey,
  calculateJwkThumbprint,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  type JWK,
  SignJWT,
} from 'jose'
import { sha256 } from './tokens/sha256.ts'

export interface TokenKey {
  kid: string
  alg: string
  privateKey: CryptoKey
  jwk: JWK
}

export async function tokenKey(kid: string, alg = 'ES256'): Promise<TokenKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}

interface TokenShape {
  key?: TokenKey
  header?: { [member: string]: unknown }
  claims?: { [claim: string]: unknown }
}

export const now = (): number => Math.floor(Date.now() / 1_000)

export class TrustedIssuer implements AsyncDisposable {
  keys: TokenKey[] = []
  /** The paths of requests. */
  readonly paths: string[] = []
  readonly introspected: { token: string; authorization: string | undefined }[] = []
  /** The introspection answers for opaque tokens. */
  readonly opaque = new Map<string, object>()
  /** How long tokens of the token endpoint are good. */
  expiresInS = 60
  /** Answers everything with this status. */
  failsWith: number | undefined
  readonly #server: Server
  readonly #path: string

  private constructor(path: string) {
    this.#path = path
    this.#server = createServer((request, response) => void this.#answer(request, response))
  }

  static async start(path = ''): Promise<TrustedIssuer> {
    const issuer = new TrustedIssuer(path)
    await new Promise<void>((resolve) => issuer.#server.listen(0, '127.0.0.1', resolve))
    issuer.keys = [await tokenKey('first')]
    return issuer
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get url(): string {
    return this.origin + this.#path
  }

  /** How often the keys were fetched. */
  get keyFetches(): number {
    return this.paths.filter((path) => path === '/keys').length
  }

  /** An access token for a server; given members replace the right ones, and undefined removes them. */
  token(audience: string, { key = this.keys[0]!, header = {}, claims = {} }: TokenShape = {}): Promise<string> {
    const all = { iss: this.url, sub: 'ada', aud: audience, client_id: 'app', exp: now() + 60, ...claims }
    const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
    return new SignJWT(given)
      .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'at+jwt', ...header })
      .sign(key.privateKey)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url!
    this.paths.push(path)
    if (this.failsWith !== undefined) json(response, this.failsWith, {})
    else if (path === `/.well-known/oauth-authorization-server${this.#path}`) {
      json(response, 200, this.#metadata())
    } else if (path === '/keys') json(response, 200, { keys: this.keys.map(({ jwk }) => jwk) })
    else if (path === '/introspect') {
      const token = (await formOf(request)).get('token') ?? ''
      this.introspected.push({ token, authorization: request.headers.authorization })
      json(response, 200, this.opaque.get(token) ?? { active: false })
    } else if (path === '/token') json(response, 200, await this.#grant(request))
    else json(response, 404, {})
  }

  #metadata(): object {
    return {
      issuer: this.url,
      jwks_uri: `${this.origin}/keys`,
      token_endpoint: `${this.origin}/token`,
      grant_types_supported: ['client_credentials'],
      dpop_signing_alg_values_supported: ['ES256'],
    }
  }

  /** A token for every request: for its resource and scopes, and for the proven key. */
  async #grant(request: IncomingMessage): Promise<object> {
    const form = await formOf(request)
    const { dpop } = request.headers
    const jwk = typeof dpop === 'string' ? decodeProtectedHeader(dpop).jwk : undefined
    const access_token = await this.token(form.get('resource') ?? 'nobody', {
      claims: {
        sub: 'program',
        exp: now() + this.expiresInS,
        scope: form.get('scope') ?? undefined,
        cnf: jwk && { jkt: await calculateJwkThumbprint(jwk) },
      },
    })
    return { access_token, token_type: jwk === undefined ? 'Bearer' : 'DPoP', expires_in: this.expiresInS }
  }
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return new URLSearchParams(Buffer.concat(chunks).toString())
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

export interface ProofShape {
  method?: string
  header?: { [member: string]: unknown }
  claims?: { [claim: string]: unknown }
  /** Signs instead of the holder's key. */
  signer?: TokenKey
}

/** The holder of a key. */
export class Holder {
  readonly key: TokenKey
  readonly thumbprint: string

  private constructor(key: TokenKey, thumbprint: string) {
    this.key = key
    this.thumbprint = thumbprint
  }

  static async make(alg = 'ES256'): Promise<Holder> {
    const key = await tokenKey('holder', alg)
    return new Holder(key, await calculateJwkThumbprint(key.jwk))
  }

  async proof(url: string, token: string, shape: ProofShape = {}): Promise<string> {
    const { method = 'POST', header = {}, claims = {}, signer = this.key } = shape
    const { kid: _, use: __, alg: ___, ...jwk } = this.key.jwk
    const right = { htm: method, htu: url, ath: await sha256(token), jti: crypto.randomUUID(), iat: now() }
    const given = Object.entries({ ...right, ...claims }).filter(([, value]) => value !== undefined)
    return new SignJWT(Object.fromEntries(given))
      .setProtectedHeader({ alg: signer.alg, typ: 'dpop+jwt', jwk, ...header })
      .sign(signer.privateKey)
  }

  /** The headers of a request. */
  async headers(url: string, token: string, shape: ProofShape = {}): Promise<{ authorization: string; dpop: string }> {
    return { authorization: `DPoP ${token}`, dpop: await this.proof(url, token, shape) }
  }
}
