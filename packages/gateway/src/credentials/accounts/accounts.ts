import { createHash } from 'node:crypto'
import type { NetworkOptions } from '@tenon/sdk/auth/server'
import { McpError } from '@tenon/sdk/client'
import * as oauth from 'oauth4webapi'
import type { GatewayCaller } from '../../model.ts'
import type { Vault } from '../../vault/vault.ts'
import { AuthorizationServers, type TokenServer } from '../authorization-servers.ts'
import type { AccountConfig } from '../config.ts'
import { type CredentialProvider, placed, tokenIn } from '../provider.ts'
import { TokenCache } from '../token-cache.ts'
import { explained, type IssuedToken, issuedToken, requestToken, TokenRequestError } from '../token-requests.ts'
import { accountRequired } from './account-required.ts'
import { clientAt, forgetClient, knownClient } from './registrations.ts'

/** An account as the vault has it. */
interface AccountRecord extends IssuedToken {
  /** The authorization server and the client that the tokens belong to. No other one gets to see them. */
  readonly issuer: string
  readonly clientId: string
  readonly connectedAt: number
  /** The refresh token was refused: the person has to connect again. */
  readonly ended?: true
}

/** The way of a person to an authorization server and back. */
interface Flow {
  readonly issuer: string
  readonly verifier: string
  readonly redirectUri: string
}

export interface AccountState {
  readonly upstream: string
  readonly title: string
  readonly status: 'connected' | 'ended' | 'absent'
  readonly connectedAt?: number
}

export interface AccountWorld {
  readonly vault: Vault
  /** The public URL of the gateway. */
  readonly base: string
  /** The address of the upstream. */
  readonly url: string | undefined
  readonly network: NetworkOptions
  readonly now: () => number
}

const flowMs = 10 * 60_000
const maxFlows = 20
/** Another gateway may have disconnected the account: the vault is asked again after this time. */
const recheckMs = 10_000

/** The accounts of all people at one upstream. */
export class Accounts implements CredentialProvider {
  readonly upstream: string
  readonly title: string
  readonly #config: AccountConfig
  readonly #world: AccountWorld
  readonly #servers: AuthorizationServers
  readonly #cache: TokenCache

  constructor(upstream: string, config: AccountConfig, world: AccountWorld) {
    this.upstream = upstream
    this.title = config.title ?? upstream
    this.#config = config
    this.#world = world
    this.#servers = new AuthorizationServers(config, world.url, world.network)
    this.#cache = new TokenCache(world.now, recheckMs)
  }

  // Credentials

  async credentialsFor(caller: GatewayCaller, signal: AbortSignal): ReturnType<CredentialProvider['credentialsFor']> {
    const token = await this.#cache.get(caller.id, (refused) => this.#fresh(caller.id, refused), signal)
    return placed(this.#config, token)
  }

  async refused(caller: GatewayCaller, used: Parameters<CredentialProvider['refused']>[1]): Promise<void> {
    this.#cache.refused(caller.id, tokenIn(this.#config, used))
  }

  /** A token from the vault, renewed if it ended or was refused. One process renews it at a time. */
  #fresh(owner: string, refused: string | undefined): Promise<IssuedToken> {
    const isGood = (record: AccountRecord): boolean =>
      record.accessToken !== refused &&
      (record.expiresAt === undefined || record.expiresAt - this.#world.now() > 30_000)
    return this.#world.vault.hold(owner, this.#name, async () => {
      const record = await this.#read(owner)
      if (record === undefined || record.ended) throw this.#required()
      if (isGood(record)) return record
      return this.#renew(owner, record)
    })
  }

  async #renew(owner: string, record: AccountRecord): Promise<IssuedToken> {
    const { refreshToken, issuer, clientId } = record
    const server = await this.#servers.find()
    // A refresh token goes to the server that issued it, even if the configuration names another one since.
    if (refreshToken === undefined || server.as.issuer !== issuer) throw await this.#end(owner, record)
    const client = await knownClient(server, this.#config, this.#registration)
    if (client?.client.client_id !== clientId) throw await this.#end(owner, record)
    const parameters = { refresh_token: refreshToken, resource: server.resource }
    try {
      const response = await requestToken({ server, client, type: 'refresh_token', parameters })
      const renewed = { ...record, ...issuedToken(response, this.#world.now()) }
      await this.#write(owner, renewed)
      return renewed
    } catch (error) {
      const code = error instanceof TokenRequestError ? error.error : undefined
      // A server that is down for a moment costs no account, and neither does a wrong secret in the configuration.
      const isForgotten = code === 'invalid_client' && this.#config.client === undefined
      if (isForgotten) await forgetClient(issuer, this.#registration)
      if (isForgotten || code === 'invalid_grant') throw await this.#end(owner, record)
      throw error
    }
  }

  async #end(owner: string, record: AccountRecord): Promise<Error> {
    await this.#write(owner, { ...record, ended: true })
    return this.#required()
  }

  #required(): Error {
    const { base } = this.#world
    return accountRequired(`${base}/accounts?connect=${encodeURIComponent(this.upstream)}`, this.title)
  }

  // Connecting

  /** The page of the authorization server for a person. The way back is theirs alone, and good once. */
  async begin({ id: owner }: GatewayCaller): Promise<URL> {
    const server = await this.#servers.find()
    const { client } = await clientAt(server, this.#config, this.#registration)
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const { vault, now } = this.#world
    const flow: Flow = { issuer: server.as.issuer, verifier, redirectUri: this.#redirectUri }
    await vault.prune(owner, 'flow ', maxFlows - 1)
    await vault.set(owner, this.#flowName(state), JSON.stringify(flow), now() + flowMs)
    return this.#page(server, client.client_id, state, await oauth.calculatePKCECodeChallenge(verifier))
  }

  /** The person is back, with the answer of the authorization server. */
  async finish({ id: owner }: GatewayCaller, query: URLSearchParams): Promise<void> {
    const { vault, now } = this.#world
    const state = query.get('state') ?? ''
    const kept = await vault.take(owner, this.#flowName(state))
    if (kept === undefined) throw new McpError('unauthorized', 'This is not a way back that you began, or it was used')
    const flow = JSON.parse(kept) as Flow
    const server = await this.#servers.find()
    if (server.as.issuer !== flow.issuer) throw new McpError('unauthorized', 'The authorization server has changed')
    const client = await clientAt(server, this.#config, this.#registration)
    // Checks `iss` before anything else in the answer is believed (RFC 9207).
    const check = async (): Promise<string> =>
      oauth.validateAuthResponse(server.as, client.client, query, state).get('code')!
    const code = await explained(flow.issuer, check)
    const { verifier: code_verifier, redirectUri: redirect_uri } = flow
    const parameters = { code, code_verifier, redirect_uri, resource: server.resource }
    const response = await requestToken({ server, client, type: 'authorization_code', parameters })
    const time = now()
    await vault.hold(owner, this.#name, async () => {
      const { issuer } = flow
      const { client_id: clientId } = client.client
      await this.#write(owner, { ...issuedToken(response, time), issuer, clientId, connectedAt: time })
    })
    this.#cache.forget(owner)
  }

  /** Forgets the tokens of a person, and revokes them where that is possible. */
  async disconnect({ id: owner }: GatewayCaller): Promise<void> {
    const record = await this.#world.vault.hold(owner, this.#name, async () => {
      const found = await this.#read(owner).catch(() => undefined)
      await this.#world.vault.delete(owner, this.#name)
      return found
    })
    this.#cache.forget(owner)
    if (record !== undefined) await this.#revoke(record).catch(() => {})
  }

  async stateOf({ id: owner }: GatewayCaller): Promise<AccountState> {
    const { upstream, title } = this
    const record = await this.#read(owner)
    if (record === undefined) return { upstream, title, status: 'absent' }
    return { upstream, title, status: record.ended ? 'ended' : 'connected', connectedAt: record.connectedAt }
  }

  async #revoke({ issuer, refreshToken, accessToken }: AccountRecord): Promise<void> {
    const server = await this.#servers.find()
    if (server.as.issuer !== issuer || server.as.revocation_endpoint === undefined) return
    const known = await knownClient(server, this.#config, this.#registration)
    const token = refreshToken ?? accessToken
    if (known !== undefined) {
      await oauth.revocationRequest(server.as, known.client, known.authenticate, token, server.requests)
    }
  }

  #page({ as, resource }: TokenServer, clientId: string, state: string, challenge: string): URL {
    const methods = as.code_challenge_methods_supported
    if (as.authorization_endpoint === undefined || !methods?.includes('S256')) {
      throw new McpError(
        'unauthorized',
        `The authorization server ${as.issuer} has no page, or does not support PKCE with S256`,
      )
    }
    const page = new URL(as.authorization_endpoint)
    if (page.protocol !== 'https:' && page.protocol !== 'http:') {
      throw new McpError('unauthorized', `The authorization server ${as.issuer} names no page of the web`)
    }
    const { scopes = [] } = this.#config
    const parameters = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: this.#redirectUri,
      state,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...(scopes.length > 0 && { scope: scopes.join(' ') }),
      ...(scopes.includes('offline_access') && { prompt: 'consent' }),
      ...(resource !== undefined && { resource }),
    }
    for (const [name, value] of Object.entries(parameters)) page.searchParams.set(name, value)
    return page
  }

  // Places

  get #name(): string {
    return `account ${this.upstream}`
  }

  /** One for each upstream, so that the answer of one authorization server is not taken for that of another. */
  get #redirectUri(): string {
    return `${this.#world.base}/accounts/callback/${encodeURIComponent(this.upstream)}`
  }

  get #registration(): { vault: Vault; redirectUri: string } {
    return { vault: this.#world.vault, redirectUri: this.#redirectUri }
  }

  #flowName(state: string): string {
    return `flow ${this.upstream} ${createHash('sha256').update(state).digest('base64url')}`
  }

  async #read(owner: string): Promise<AccountRecord | undefined> {
    const text = await this.#world.vault.get(owner, this.#name)
    return text === undefined ? undefined : (JSON.parse(text) as AccountRecord)
  }

  #write(owner: string, record: AccountRecord): Promise<void> {
    return this.#world.vault.set(owner, this.#name, JSON.stringify(record))
  }
}
