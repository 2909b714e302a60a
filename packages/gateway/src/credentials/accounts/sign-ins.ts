import type { NetworkOptions } from '@tenon/sdk/auth/server'
import { type JsonObject, McpError } from '@tenon/sdk/client'
import { decodeJwt } from 'jose'
import * as oauth from 'oauth4webapi'
import { type ClaimNames, personOf } from '../../identity/callers.ts'
import type { ProviderConfig } from '../../identity/config.ts'
import type { GatewayCaller } from '../../model.ts'
import type { Vault } from '../../vault/vault.ts'
import { AuthorizationServers } from '../authorization-servers.ts'
import { issuedToken, requestIdToken, requestToken, tokenClient } from '../token-requests.ts'
import { accountRequired } from './account-required.ts'

/** The identity of a person at the provider, for grants that need it. */
interface IdentityRecord {
  readonly idToken: string
  readonly refreshToken?: string | undefined
}

/** The way of a browser to the provider and back. It is kept by the browser, sealed. */
export interface SignInFlow {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** The upstream that the person wanted to connect. */
  readonly connect?: string | undefined
}

interface SignInWorld {
  readonly vault: Vault
  readonly base: string
  readonly network: NetworkOptions
  readonly claims: ClaimNames
  readonly now: () => number
  /** Keeps the id tokens of people who sign in here. False: they sign in at the issuer of the gateway, which passes them on. */
  readonly keepsIdentity: boolean
}

const identity = 'identity'

/** Signs people in at an OpenID provider: for the page of their accounts, and for grants that need their identity. */
export class SignIns {
  readonly #page: ProviderConfig
  readonly #provider: ProviderConfig
  readonly #world: SignInWorld
  readonly #servers: AuthorizationServers
  readonly #providers: AuthorizationServers

  /** `page` signs in for the page; `provider` made the id tokens that are kept, if that is another one. */
  constructor(page: ProviderConfig, provider: ProviderConfig, world: SignInWorld) {
    this.#page = page
    this.#provider = provider
    this.#world = world
    this.#servers = new AuthorizationServers(page, undefined, world.network)
    this.#providers = new AuthorizationServers(provider, undefined, page === provider ? world.network : {})
  }

  async begin(connect: string | undefined): Promise<{ page: URL; flow: SignInFlow }> {
    const { as } = await this.#servers.find()
    if (as.authorization_endpoint === undefined) {
      throw new McpError('unavailable', `The provider ${as.issuer} has no page to sign in`)
    }
    const [state, nonce, verifier] = [
      oauth.generateRandomState(),
      oauth.generateRandomNonce(),
      oauth.generateRandomCodeVerifier(),
    ]
    const page = new URL(as.authorization_endpoint)
    const parameters = {
      response_type: 'code',
      client_id: this.#page.clientId,
      redirect_uri: this.#redirectUri,
      scope: (this.#page.scopes ?? ['openid']).join(' '),
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }
    for (const [name, value] of Object.entries(parameters)) page.searchParams.set(name, value)
    return { page, flow: { state, nonce, verifier, connect } }
  }

  /** The person who came back. */
  async finish(query: URLSearchParams, { state, nonce, verifier }: SignInFlow): Promise<GatewayCaller> {
    const server = await this.#servers.find()
    const { clientId, clientSecret } = this.#page
    const client = await tokenClient(
      { id: clientId, ...(clientSecret !== undefined && { secret: clientSecret }) },
      server.as,
    )
    const response = await requestIdToken({
      server,
      client,
      query,
      state,
      nonce,
      verifier,
      redirectUri: this.#redirectUri,
    })
    const claims = oauth.getValidatedIdTokenClaims(response) as unknown as JsonObject & { sub: string }
    const caller = personOf({ issuer: server.as.issuer, subject: claims.sub, scopes: [], claims }, this.#world.claims)
    if (this.#world.keepsIdentity)
      await this.keep(caller.id, { idToken: response.id_token!, refreshToken: response.refresh_token })
    return caller
  }

  /** Keeps the identity of a person. */
  async keep(owner: string, { idToken, refreshToken }: IdentityRecord): Promise<void> {
    await this.#world.vault.set(owner, identity, JSON.stringify({ idToken, refreshToken }))
  }

  /** An id token that has not ended. Throws the URL to sign in at if there is none. */
  async idTokenOf({ id: owner }: GatewayCaller): Promise<string> {
    const { vault, base } = this.#world
    const kept = await vault.get(owner, identity)
    const record = kept === undefined ? undefined : (JSON.parse(kept) as IdentityRecord)
    if (record !== undefined && this.#isFresh(record)) return record.idToken
    const renewed = record?.refreshToken === undefined ? undefined : await this.#renew(owner)
    if (renewed !== undefined) return renewed
    throw accountRequired(`${base}/accounts/sign-in`, new URL(this.#provider.issuer).host)
  }

  /** One process renews it at a time, because a refresh token may be good once. */
  #renew(owner: string): Promise<string | undefined> {
    const { vault, now } = this.#world
    return vault.hold(owner, identity, async () => {
      const kept = await vault.get(owner, identity)
      const record = kept === undefined ? undefined : (JSON.parse(kept) as IdentityRecord)
      if (record === undefined || this.#isFresh(record)) return record?.idToken
      const server = await this.#providers.find()
      const { clientId: id, clientSecret: secret } = this.#provider
      const client = await tokenClient({ id, ...(secret !== undefined && { secret }) }, server.as)
      const parameters = { refresh_token: record.refreshToken }
      const request = { server, client, type: 'refresh_token', parameters, keepsIdToken: true }
      const response = await requestToken(request).catch(() => undefined)
      const { idToken, refreshToken = record.refreshToken } = response === undefined ? {} : issuedToken(response, now())
      if (idToken === undefined) return undefined
      await this.keep(owner, { idToken, refreshToken })
      return idToken
    })
  }

  #isFresh({ idToken }: IdentityRecord): boolean {
    try {
      return (decodeJwt(idToken).exp ?? 0) * 1_000 - this.#world.now() > 30_000
    } catch {
      return false
    }
  }

  get #redirectUri(): string {
    return `${this.#world.base}/accounts/signed-in`
  }
}
