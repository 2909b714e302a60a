import type { NetworkOptions } from '@tenon/sdk/auth/server'
import type { JWK } from 'jose'
import type { Faults } from './faults.ts'
import type { RateLimitOptions } from './http/rate-limits.ts'
import type { UpstreamOptions } from './upstream/upstream.ts'

/** Who agrees to something. */
export interface User {
  /** What tokens say as `sub`: stable, and never given to somebody else. */
  subject: string
  /** What the consent page calls them. Default: `subject`. */
  name?: string
  /** More claims for their access tokens, such as `email`. */
  claims?: { readonly [claim: string]: unknown }
}

/** A client that is known from the start. */
export interface ConfiguredClient {
  id: string
  /** What the consent page calls it. Default: `id`. */
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

/** Whose statements about users or programs are taken instead of consent: ID-JAGs and workload identities. */
export interface TrustedAssertions {
  /** As it is written in `iss`. */
  issuer: string
  /** Its public keys, or where they are. Default: where its metadata says. */
  keys?: readonly JWK[]
  jwksUri?: string
  /** Who a verified assertion stands for; undefined refuses it. Default: its `sub`, at its issuer. */
  user?: (claims: { readonly [claim: string]: unknown }) => User | undefined | Promise<User | undefined>
  /** The most that is granted, within what the assertion says. Default: what the assertion says, and nothing if it says nothing. */
  scopes?: readonly string[]
}

/** What happened, for whoever watches. It never holds a secret. */
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
   * Finds out who is using the browser: a user, or a response that lets them sign in and leads back to `request.url`.
   * Undefined: nobody, and nothing is granted.
   */
  signIn?: (request: Request) => User | Response | undefined | Promise<User | Response | undefined>
  /** For development, instead of `signIn`: whoever uses the browser says which of these they are. This machine only. */
  users?: readonly User[]
  /** Users sign in at an identity provider that does not let clients register. */
  upstream?: UpstreamOptions
  /** Asked before tokens are renewed: false ends what the user agreed to. Default: nobody leaves. */
  isActive?: (user: User) => boolean | Promise<boolean>
  /** Who tokens may be for. Default: any resource that a client names. The first one if a client names none. */
  resources?: readonly string[]
  /** What can be granted, with a sentence for the consent page or without. Default: whatever is asked for. */
  scopes?: readonly string[] | { readonly [scope: string]: string }
  clients?: readonly ConfiguredClient[]
  /** Lets clients register themselves (RFC 7591), this many at most. Default: 1,000. */
  registration?: boolean | { maxClients?: number }
  /** Takes URLs of metadata documents as client ids; a function says which ones. Default: all. */
  clientDocuments?: boolean | ((url: URL) => boolean)
  /** Whose assertions are taken (`urn:ietf:params:oauth:grant-type:jwt-bearer`). Default: nobody's. */
  trusts?: readonly TrustedAssertions[]
  /** Where keys, clients and grants are kept, readable to this user only. Default: in memory. */
  file?: string
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
  /** ms since 1970, for tests: the clock of tokens, ages and rates. Default: `Date.now`, and a clock that nobody sets for ages and rates. */
  now?: () => number
  onEvent?: (event: IssuerEvent) => void
  /** Hears of what should not happen, such as a file that cannot be written. */
  onError?: (error: unknown) => void
}
