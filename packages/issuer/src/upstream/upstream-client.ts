import { guardFetch, type NetworkOptions } from '@tenon/sdk/auth/server'
import * as oauth from 'oauth4webapi'
import type { Hop } from '../state/records.ts'
import { readIssuerMetadata } from './issuer-metadata.ts'
import type { UpstreamOptions, UpstreamTokens } from './upstream.ts'

interface PageParameters {
  state: string
  verifier: string
  nonce: string
  redirectUri: string
}

/** This issuer as a client of the identity provider. Loaded when the first user goes there. */
export class UpstreamClient {
  readonly #options: UpstreamOptions
  readonly #fetch: ReturnType<typeof guardFetch>
  #as: Promise<oauth.AuthorizationServer> | undefined

  constructor(options: UpstreamOptions, network: NetworkOptions = {}) {
    this.#options = options
    // The operator vouches for the address of the provider.
    this.#fetch = guardFetch(options.issuer, network)
  }

  async page({ state, verifier, nonce, redirectUri }: PageParameters): Promise<URL> {
    const { clientId } = this.#options
    const page = new URL((await this.#server()).authorization_endpoint!)
    const scopes = this.#scopes
    const parameters = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: scopes.join(' '),
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(scopes.includes('openid') && { nonce }),
    }
    for (const [name, value] of Object.entries(parameters)) page.searchParams.set(name, value)
    return page
  }

  async tokens(query: URLSearchParams, state: string, hop: Hop, redirectUri: string): Promise<UpstreamTokens> {
    const as = await this.#server()
    const client = { client_id: this.#options.clientId }
    const parameters = oauth.validateAuthResponse(as, client, query, state)
    const { clientSecret } = this.#options
    const authenticate = clientSecret === undefined ? oauth.None() : this.#secretAuthentication(as, clientSecret)
    const reply = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      authenticate,
      parameters,
      redirectUri,
      hop.verifier,
      {
        // Which plain http is allowed is decided by the guard.
        [oauth.allowInsecureRequests]: true,
        [oauth.customFetch]: (url, init) => this.#fetch(url, init as RequestInit),
      },
    )
    const wantsIdentity = this.#scopes.includes('openid')
    const given = await oauth.processAuthorizationCodeResponse(as, client, reply, {
      ...(wantsIdentity && { expectedNonce: hop.nonce, requireIdToken: this.#options.user === undefined }),
    })
    return {
      accessToken: given.access_token,
      refreshToken: given.refresh_token,
      idToken: given.id_token,
      claims: oauth.getValidatedIdTokenClaims(given),
    }
  }

  get #scopes(): readonly string[] {
    return this.#options.scopes ?? ['openid']
  }

  #secretAuthentication(as: oauth.AuthorizationServer, secret: string): oauth.ClientAuth {
    const offered = as.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return offered.includes('client_secret_basic') ? oauth.ClientSecretBasic(secret) : oauth.ClientSecretPost(secret)
  }

  /** Read again after a failure. */
  #server(): Promise<oauth.AuthorizationServer> {
    this.#as ??= this.#discover().catch((error: unknown) => {
      this.#as = undefined
      throw error
    })
    return this.#as
  }

  async #discover(): Promise<oauth.AuthorizationServer> {
    const { issuer, authorizationEndpoint, tokenEndpoint } = this.#options
    if (authorizationEndpoint !== undefined && tokenEndpoint !== undefined) {
      return { issuer, authorization_endpoint: authorizationEndpoint, token_endpoint: tokenEndpoint }
    }
    const needed = ['authorization_endpoint', 'token_endpoint']
    const found = await readIssuerMetadata(issuer, needed, (url) => this.#readJson(url))
    return found as unknown as oauth.AuthorizationServer
  }

  async #readJson(url: string): Promise<unknown> {
    const response = await this.#fetch(url, { headers: { accept: 'application/json' } })
    if (!response.ok) throw new Error(`it was answered with ${response.status}`)
    return response.json()
  }
}
