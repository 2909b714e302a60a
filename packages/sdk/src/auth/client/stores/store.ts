import type { MaybePromise } from '../../../internal/maybe-promise.ts'

/** Keeps tokens, registrations and issuers, by key. The values are secrets. */
export interface AuthStore {
  get(key: string): MaybePromise<string | undefined>
  set(key: string, value: string): MaybePromise<void>
  delete(key: string): MaybePromise<void>
  /** Forgets everything; the stores of the library can. */
  clear?(): MaybePromise<void>
}

/** Lets one holder of a key in at a time, here or across processes. */
export interface Lock {
  hold<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

/** Keeps tokens for as long as the process lives. */
export function memoryStore(): AuthStore {
  const values = new Map<string, string>()
  return {
    get: (key) => values.get(key),
    set: (key, value) => void values.set(key, value),
    delete: (key) => void values.delete(key),
    clear: () => values.clear(),
  }
}

/** A token, and everything that is needed to use and to renew it. */
export interface TokenRecord {
  accessToken: string
  type: 'bearer' | 'dpop'
  /** A little before it expires, in milliseconds since 1970. */
  renewAt?: number
  refreshToken?: string
  /** The requested scopes, which may be more than the granted. */
  requested: string[]
  clientId: string
  /** The thumbprint of the key that the token is bound to. */
  key?: string
}

/** A token without its secrets. */
export interface TokenDescription {
  issuer: string
  /** Its resource; undefined with servers of 2025-03-26. */
  resource: string | undefined
  /** The requested scopes, which may be more than the granted. */
  scopes: readonly string[]
  clientId: string
  /** When it is renewed, a little before it expires, in milliseconds since 1970; undefined if that is not known. */
  renewAt: number | undefined
  /** Whether it can be renewed without asking the user. */
  renewable: boolean
}

/** A client that was registered with an authorization server. */
export interface ClientRecord {
  id: string
  secret?: string
  /** Milliseconds since 1970. */
  secretExpiresAt?: number
  method?: string
  redirectUri?: string
}

/** The source of the tokens for a server. */
export interface ServerRecord {
  issuer: string
  /** Undefined with servers of 2025-03-26. */
  resource?: string
  /** The server has no metadata at all. */
  defaults?: boolean
}

/** The records in a store. Tokens are kept by issuer and resource, registrations by issuer (auth.asbind.key-by-issuer). */
export class Records {
  readonly #store: AuthStore

  constructor(store: AuthStore) {
    this.#store = store
  }

  server(server: URL): Entry<ServerRecord> {
    return new Entry(this.#store, `server ${server.href}`)
  }

  client(issuer: string): Entry<ClientRecord> {
    return new Entry(this.#store, `client ${issuer}`)
  }

  tokens({ issuer, resource }: ServerRecord): Entry<TokenRecord> {
    return new Entry(this.#store, `tokens ${issuer} ${resource ?? ''}`)
  }
}

export class Entry<Value> {
  readonly #store: AuthStore
  readonly #key: string

  constructor(store: AuthStore, key: string) {
    this.#store = store
    this.#key = key
  }

  async get(): Promise<Value | undefined> {
    const text = await this.#store.get(this.#key)
    return text === undefined ? undefined : (JSON.parse(text) as Value)
  }

  async set(value: Value): Promise<void> {
    await this.#store.set(this.#key, JSON.stringify(value))
  }

  async delete(): Promise<void> {
    await this.#store.delete(this.#key)
  }
}
