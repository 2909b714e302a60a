import { guardFetch, type NetworkOptions } from '@tenon/sdk/auth/server'
import { McpError } from '@tenon/sdk/client'
import * as oauth from 'oauth4webapi'
import type { TokenConfig } from './config.ts'

/** An authorization server, and the resource that its tokens are for. */
export interface TokenServer {
  readonly as: oauth.AuthorizationServer
  readonly resource: string | undefined
  /** Options of every request to it: guarded, since documents of others name the addresses. */
  readonly requests: RequestOptions
}

interface RequestOptions {
  [oauth.allowInsecureRequests]: true
  [oauth.customFetch]: (url: string, init: object) => Promise<Response>
}

/** Metadata is read again after this time: endpoints and keys change. */
const freshMs = 60 * 60_000

/** Finds the authorization server of one upstream, once for everybody. */
export class AuthorizationServers {
  readonly #config: TokenConfig
  readonly #url: string | undefined
  readonly #network: NetworkOptions
  #found: { server: Promise<TokenServer>; at: number } | undefined

  /** `url` is the address of the upstream. */
  constructor(config: TokenConfig, url: string | undefined, network: NetworkOptions = {}) {
    this.#config = config
    this.#url = url
    this.#network = network
  }

  find(): Promise<TokenServer> {
    if (this.#found === undefined || performance.now() - this.#found.at > freshMs) {
      const found = { server: this.#discover(), at: performance.now() }
      this.#found = found
      // Read again after a failure.
      found.server.catch(() => {
        if (this.#found === found) this.#found = undefined
      })
    }
    return this.#found.server
  }

  async #discover(): Promise<TokenServer> {
    const { issuer, tokenEndpoint, authorizationEndpoint, resource } = this.#config
    // The operator vouches for these addresses.
    const start = issuer ?? this.#url
    if (start === undefined) throw new McpError('invalid_argument', 'issuer: is required for an upstream without a URL')
    const requests = requestOptions(start, this.#network)
    if (issuer !== undefined && tokenEndpoint !== undefined) {
      const endpoints = {
        token_endpoint: tokenEndpoint,
        ...(authorizationEndpoint && { authorization_endpoint: authorizationEndpoint }),
      }
      return { as: { issuer, code_challenge_methods_supported: ['S256'], ...endpoints }, resource, requests }
    }
    if (issuer !== undefined) return { as: await metadataOf(issuer, requests), resource, requests }
    const named = await resourceOf(start, requests)
    const as = await metadataOf(named?.issuer ?? new URL(start).origin, requests)
    return { as, resource: resource ?? named?.resource, requests }
  }
}

function requestOptions(server: string, network: NetworkOptions): RequestOptions {
  const guarded = guardFetch(server, network)
  return {
    // Which plain http is allowed is decided by the guard.
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: (url, init) => guarded(url, init as RequestInit),
  }
}

/** The metadata of an issuer (RFC 8414, OpenID Connect Discovery). It has to name the same issuer. */
async function metadataOf(issuer: string, requests: RequestOptions): Promise<oauth.AuthorizationServer> {
  const url = new URL(issuer)
  for (const algorithm of ['oauth2', 'oidc'] as const) {
    try {
      const found = await oauth.processDiscoveryResponse(
        url,
        await oauth.discoveryRequest(url, { algorithm, ...requests }),
      )
      // Compared as text: the library compares URLs, for which a slash at the end makes no difference.
      if (found.issuer === issuer) return found
    } catch {}
  }
  throw new McpError('unavailable', `The authorization server ${issuer} has no metadata that can be used`)
}

/** The authorization server that an upstream names (RFC 9728). */
async function resourceOf(
  upstream: string,
  requests: RequestOptions,
): Promise<{ resource: string; issuer: string | undefined } | undefined> {
  for (const url of [new URL(upstream), new URL(new URL(upstream).origin)]) {
    try {
      const response = await oauth.resourceDiscoveryRequest(url, requests)
      const { resource, authorization_servers: [issuer] = [] } = await oauth.processResourceDiscoveryResponse(
        url,
        response,
      )
      return { resource, issuer }
    } catch {}
  }
  return undefined
}
