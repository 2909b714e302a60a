import { McpError } from '@tenon/sdk/client'
import { importPKCS8 } from 'jose'
import * as oauth from 'oauth4webapi'
import type { TokenServer } from './authorization-servers.ts'
import type { ClientConfig } from './config.ts'

/** A token, and everything that is needed to renew it. */
export interface IssuedToken {
  readonly accessToken: string
  /** ms since 1970; undefined if the server does not say. */
  readonly expiresAt?: number
  readonly refreshToken?: string
  /** As it came, if it was asked for. */
  readonly idToken?: string
}

/** The gateway at an authorization server. */
export interface TokenClient {
  readonly client: oauth.Client
  readonly authenticate: oauth.ClientAuth
}

export async function tokenClient(config: ClientConfig, as: oauth.AuthorizationServer): Promise<TokenClient> {
  const { id, secret, privateKey, algorithm = 'ES256', method } = config
  const client = { client_id: id }
  if (privateKey !== undefined) {
    const key = await importPKCS8(privateKey, algorithm).catch(() => {
      throw new McpError('invalid_argument', `client.privateKey: expected a key for ${algorithm}, PKCS#8 in PEM`)
    })
    return { client, authenticate: oauth.PrivateKeyJwt(key) }
  }
  if (secret === undefined) return { client, authenticate: oauth.None() }
  const offered = as.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const isBasic = method === undefined ? offered.includes('client_secret_basic') : method === 'client_secret_basic'
  return { client, authenticate: isBasic ? oauth.ClientSecretBasic(secret) : oauth.ClientSecretPost(secret) }
}

interface TokenRequest {
  readonly server: TokenServer
  readonly client: TokenClient
  readonly type: string
  readonly parameters: { readonly [name: string]: string | undefined }
  /** Token types that count beside `bearer`. */
  readonly types?: readonly string[]
  /** Takes the id token of the response too, as it is. */
  readonly keepsIdToken?: boolean
}

/** Requests a token of any grant. */
export async function requestToken(request: TokenRequest): Promise<oauth.TokenEndpointResponse> {
  const { server, type, parameters, types = [], keepsIdToken = false } = request
  const { client, authenticate } = request.client
  const { as, requests } = server
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return explained(as.issuer, async () => {
    const form = Object.fromEntries(given)
    const reply = await oauth.genericTokenEndpointRequest(as, client, authenticate, type, form, requests)
    const recognizedTokenTypes = Object.fromEntries(types.map((name) => [name, () => {}]))
    const plain = keepsIdToken ? reply : await withoutIdToken(reply)
    const response = await oauth.processGenericTokenEndpointResponse(as, client, plain, { recognizedTokenTypes })
    if (response.token_type === 'dpop') throw new McpError('unsupported', 'the token is bound to a key')
    return response
  })
}

interface SignInRequest {
  readonly server: TokenServer
  readonly client: TokenClient
  readonly query: URLSearchParams
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly redirectUri: string
}

/** Exchanges the code of an OpenID provider, and checks the id token. */
export function requestIdToken(request: SignInRequest): Promise<oauth.TokenEndpointResponse> {
  const { server, query, state, nonce, verifier, redirectUri } = request
  const { as, requests } = server
  const { client, authenticate } = request.client
  return explained(as.issuer, async () => {
    // Checks `iss` before anything else in the answer is believed (RFC 9207).
    const answer = oauth.validateAuthResponse(as, client, query, state)
    const reply = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      authenticate,
      answer,
      redirectUri,
      verifier,
      requests,
    )
    return oauth.processAuthorizationCodeResponse(as, client, reply, { expectedNonce: nonce, requireIdToken: true })
  })
}

/** A failure of a token request. `error` is the code of OAuth. It holds nothing that was sent or received beside that. */
export class TokenRequestError extends McpError {
  readonly error: string | undefined

  constructor(message: string, error: string | undefined) {
    super('unauthorized', message)
    this.error = error
  }
}

/** Runs a request to an authorization server. Messages and causes of the library hold codes and tokens, so they end here. */
export async function explained<T>(issuer: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    const error = codeOf(thrown)
    const said = error === undefined ? 'gave no answer that can be used' : `refused with ${error}`
    throw new TokenRequestError(`The authorization server ${issuer} ${said}`, error)
  }
}

function codeOf(thrown: unknown): string | undefined {
  if (thrown instanceof oauth.ResponseBodyError || thrown instanceof oauth.AuthorizationResponseError) {
    // A code is a word; a server that puts something else there may repeat a token.
    return /^[a-z_]{1,40}$/.test(thrown.error) ? thrown.error : 'an unknown error'
  }
  return thrown instanceof oauth.WWWAuthenticateChallengeError ? 'invalid_client' : undefined
}

/** The tokens of a response. A token that is bound to a key would be useless to the gateway. */
export function issuedToken(response: oauth.TokenEndpointResponse, now: number): IssuedToken {
  const { access_token: accessToken, expires_in: lifeS, refresh_token: refreshToken, id_token: idToken } = response
  return {
    accessToken,
    ...(typeof lifeS === 'number' && lifeS > 0 && { expiresAt: now + lifeS * 1_000 }),
    ...(refreshToken !== undefined && { refreshToken }),
    ...(idToken !== undefined && { idToken }),
  }
}

/** Nothing here looks at an id token, so one that cannot be verified shall not spoil the rest. */
async function withoutIdToken(response: Response): Promise<Response> {
  if (response.status !== 200) return response
  const { status, headers } = response
  const text = await response.text()
  try {
    const { id_token: _, ...rest } = JSON.parse(text) as { id_token?: unknown }
    return new Response(JSON.stringify(rest), { status, headers })
  } catch {
    return new Response(text, { status, headers })
  }
}
