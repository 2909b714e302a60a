import type { NetworkOptions, RecordStore } from '@tenon/sdk/auth/server'
import type { JWK } from 'jose'
import type { Faults } from './faults.ts'
import type { RateLimitOptions } from './http/rate-limits.ts'
import type { UpstreamOptions } from './upstream/upstream.ts'

/** A user, who agrees or refuses. */
export interface User {
  /** The `sub` of tokens: stable, and never given to another user. */
  subject: string
  /** The name on the consent page. Default: `subject`. */
  name?: string
  /** More claims for their access tokens, such as `email`. */
  claims?: { readonly [claim: string]: unknown }
}

/** A client that is known from the start. */
export interface ConfiguredClient {
  id: string
  /** The name on the consent page. Default: `id`. */
  name?: string
  /** Compared as they are written; on this machine the port may differ. */
  redirectUris?: readonly string[]
  /** For `client_secret_basic` and `client_secret_post`. */
  secret?: string
  /** Its public keys, for `private_key_jwt`. */
  keys?: readonly JWK[]
  /** Default: codes and refresh tokens with `redirectUris`, and client credentials with a secret or keys. */
  grantTypes?: readonly string[]
  /** The most it gets without a user. Default: all scopes of the issuer. */
  scopes?: readonly string[]
  /** Refuses it tokens that belong to no key. Default false. */
  dpopBound?: boolean
}

/** A trusted issuer, whose assertions count as consent: ID-JAGs and workload identities. */
export interface TrustedAssertions {
  /** As it is written in `iss`. */
  issuer: string
  /** Its public keys, or where they are. Default: where its metadata says. */
  keys?: readonly JWK[]
  jwksUri?: string
  /** The user of a verified assertion; undefined refuses it. Default: its `sub`, at its issuer. */
  user?: (claims: { readonly [claim: string]: unknown }) => User | undefined | Promise<User | undefined>
  /** The most that is granted of the scopes in the assertion. Default: all of them, and none if it has none. */
  scopes?: readonly string[]
}

/** An event for logs and metrics. It never holds a secret. */
export interface IssuerEvent {
  type:
    | 'registered'
    | 'consent'
    | 'denied'
    | 'issued'
    | 'refreshed'
    | 'revoked'
    | 'code_reused'
    | 'refresh_reused'
    | 'refused'
    | 'limited'
  clientId?: string
  subject?: string
  detail?: string
  address?: string
}

/** How an authorization server behaves. */
export interface IssuerOptions {
  /** The issuer, exactly as tokens and metadata name it: https, or http on this machine. */
  url: string
  /**
   * Returns the user of the browser, or a response that lets them sign in and leads back to `request.url`. Undefined:
   * not signed in, and nothing is granted.
   */
  signIn?: (request: Request) => User | Response | undefined | Promise<User | Response | undefined>
  /** For development, instead of `signIn`: the consent page asks which of these the user is. This machine only. */
  users?: readonly User[]
  /** Users sign in at an identity provider that does not let clients register. */
  upstream?: UpstreamOptions
  /** Called before tokens are renewed: false ends the grant. Default: all users stay active. */
  isActive?: (user: User) => boolean | Promise<boolean>
  /** The resources that tokens may be for. Default: any that a client names. The first one if a client names none. */
  resources?: readonly string[]
  /** The scopes that can be granted, with a sentence for the consent page or without. Default: any. */
  scopes?: readonly string[] | { readonly [scope: string]: string }
  clients?: readonly ConfiguredClient[]
  /** Lets clients register themselves (RFC 7591), this many at most. Default: 1,000. */
  registration?: boolean | { maxClients?: number }
  /** Takes URLs of metadata documents as client ids; a function says which ones. Default: all. */
  clientDocuments?: boolean | ((url: URL) => boolean)
  /** Issuers whose assertions are accepted (`urn:ietf:params:oauth:grant-type:jwt-bearer`). Default: none. */
  trusts?: readonly TrustedAssertions[]
  /** The file for keys, clients and grants, readable to this user only. Default: in memory. */
  file?: string
  /**
   * Keeps everything where several processes find it, the keys that sign included: instead of `file`. Default: in memory.
   * Rates are counted by each process.
   */
  store?: RecordStore
  /** Default 600 s. */
  accessTokenTtlS?: number
  /** How long a refresh token may lie unused. Default 30 days. */
  refreshTokenTtlS?: number
  /**
   * For how long a client that used a refresh token may repeat its request, after a lost answer for example, and gets the
   * same next one. After that a used token ends the grant. Up to 60 s; 0: at once. Default 10 s.
   */
  refreshGraceS?: number
  /** Default 60 s. */
  codeTtlS?: number
  /** More names under which requests may reach it, where a proxy changes `Host`. */
  allowedHosts?: readonly string[]
  /** Allows plain http beyond this machine, such as between containers. Default false. */
  allowInsecureHttp?: boolean
  rateLimits?: RateLimitOptions | false
  /** Bounds of the requests that it sends itself: for documents, keys, and to the identity provider. */
  network?: NetworkOptions
  /** Misbehaves, for tests of clients. Can be changed while it runs. */
  faults?: Faults
  /**
   * ms since 1970, for tests: the clock of tokens, ages and rates. Default: `Date.now`, and a monotonic clock for ages
   * and rates.
   */
  now?: () => number
  onEvent?: (event: IssuerEvent) => void
  /** Called for unexpected failures, such as a file that cannot be written. */
  onError?: (error: unknown) => void
}
