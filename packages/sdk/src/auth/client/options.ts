import type { CryptoKey, CryptoKeyPair } from 'oauth4webapi'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { NetworkOptions } from '../guarded-fetch.ts'
import type { OnOAuthRequest } from '../watched-request.ts'
import type { Grant } from './grants/grant.ts'
import type { AuthStore, Lock } from './stores/store.ts'

/** A client that the authorization server already knows. */
export interface StaticClient {
  id: string
  secret?: string
  /** Signs assertions instead of sending a secret (`private_key_jwt`): a key of Web Crypto, or PKCS#8 in PEM. */
  privateKey?: CryptoKey | string
  /** The algorithm of `privateKey`, if it is PEM. ES256. */
  algorithm?: string
  /** The authorization server that knows it. No other one gets to see the credentials. */
  issuer?: string
  /** How it shows its secret, if not as the metadata of the server says. */
  method?: 'client_secret_basic' | 'client_secret_post' | 'none'
}

/** The metadata of a client for its registration. */
export interface RegistrationMetadata {
  client_name?: string
  client_uri?: string
  logo_uri?: string
  /** `native` for programs on the user's machine, `web` for applications on a server. Found from the redirect URI. */
  application_type?: 'native' | 'web'
  software_id?: string
  software_version?: string
}

/**
 * Ways around authorization servers that do not keep to the rules. Each weakens a check; give only those that are
 * needed.
 */
export interface Deviations {
  /** Sends no `resource`, for servers that refuse requests with it, such as Microsoft Entra ID. */
  omitResource?: boolean
  /** Uses metadata that names another issuer, with a warning. */
  issuerMismatch?: 'refuse' | 'warn'
  /** Goes on with servers that do not say that they support PKCE, as some OpenID providers do not. It is used all the same. */
  unadvertisedPkce?: boolean
}

/** How tokens are obtained and kept. Everything is optional. */
export interface OAuthOptions {
  /** How a token is obtained: `authorizationCode()` unless given. */
  grant?: Grant
  /** A client that was registered before. */
  client?: StaticClient
  /** The https URL of a client ID metadata document, used with servers that support those. */
  clientMetadataUrl?: string
  /** The metadata of the client for its registration; false never registers. */
  registration?: RegistrationMetadata | false
  /** Requested in any case, with the scopes of the challenge. Default: the scopes that the server supports. */
  scopes?: readonly string[]
  /** Picks one of several authorization servers; the first by default. */
  chooseIssuer?: (issuers: readonly string[]) => MaybePromise<string>
  /** The store of tokens and registrations. Default: memory. */
  store?: AuthStore
  /** Held while a token is obtained, so that several processes obtain one. */
  lock?: Lock
  /** Binds tokens to a key (DPoP): when a server asks for it, always, or never. `auto` by default. */
  dpop?: 'auto' | 'always' | 'never' | CryptoKeyPair
  network?: NetworkOptions
  deviations?: Deviations
  onWarning?: (message: string) => void
  /** For inspectors: called before every request, which waits, and with its reply. Both with their secrets. */
  onRequest?: OnOAuthRequest
}
