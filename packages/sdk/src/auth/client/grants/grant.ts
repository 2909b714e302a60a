import type { AuthorizationServer, Client, ClientAuth, TokenEndpointResponse } from 'oauth4webapi'
import type { GuardedFetch } from '../../guarded-fetch.ts'
import type { Trace } from '../../trace.ts'
import type { DpopKey } from '../dpop.ts'

/** A client id, and how it is proven. */
export interface ResolvedClient {
  client: Client
  authenticate: ClientAuth
  /** True if it registered itself, and can do so again. */
  registered: boolean
}

/** The context of obtaining a token. */
export interface GrantContext {
  server: URL
  as: AuthorizationServer
  /** The resource that the token is for, as the server writes it. */
  resource: string | undefined
  /** Sent as `resource`; undefined where it must not be. */
  sentResource: string | undefined
  scopes: readonly string[]
  /** False if the metadata of the server was not found, and so says nothing. */
  hasMetadata: boolean
  allowsUnadvertisedPkce: boolean
  dpop: DpopKey | undefined
  guard: GuardedFetch
  trace: Trace
  signal: AbortSignal
  /** The client to use; registered if there is none. */
  client(redirectUri?: string): Promise<ResolvedClient>
  /** The redirect URI of a client that was registered before. */
  knownRedirectUri(): Promise<string | undefined>
}

/** A way to obtain tokens, made by `authorizationCode`, `clientCredentials` and the like. */
export interface Grant {
  readonly name: string
  /** The grant type that a client registers for. */
  readonly type: string
  /** The extension of the protocol that it belongs to. */
  readonly extension?: string
  /** True if a person takes part, so that long-lived access (`offline_access`) can be requested. */
  readonly interactive: boolean
  /** False if the client has to be known to the authorization server before. */
  readonly registers?: boolean
  obtain(context: GrantContext): Promise<GrantedToken>
}

export interface GrantedToken {
  response: TokenEndpointResponse
  clientId: string
}
