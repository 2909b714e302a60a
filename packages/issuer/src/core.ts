import type { ReplayStore } from '@tenon/sdk/auth/server'
import type { Clients } from './clients/clients.ts'
import type { Documents } from './clients/documents.ts'
import type { Endpoints } from './endpoints/endpoint-urls.ts'
import type { Faults } from './faults.ts'
import type { Scopes } from './grants/scopes.ts'
import type { BrowserCookie } from './http/browser-cookie.ts'
import type { RequestLimits } from './http/rate-limits.ts'
import type { IssuerEvent, IssuerOptions } from './options.ts'
import type { IssuerState } from './state/state.ts'
import type { ProofChecks } from './tokens/dpop-proofs.ts'
import type { Keys } from './tokens/signing-keys.ts'
import type { UpstreamHop } from './upstream/upstream.ts'

/** The state and services that all endpoints share. */
export interface Core {
  readonly options: IssuerOptions
  /** The issuer, as it is written. */
  readonly issuer: string
  readonly endpoints: Endpoints
  readonly scopes: Scopes
  readonly state: IssuerState
  readonly keys: Keys
  readonly clients: Clients
  readonly proofs: ProofChecks
  /** Used assertions of clients and of trusted issuers. */
  readonly usedAssertions: ReplayStore
  readonly limits: RequestLimits
  readonly faults: Faults
  /** Reads the keys of trusted issuers. */
  readonly trusted: ReadonlyMap<string, Documents>
  readonly browser: BrowserCookie
  readonly upstream: UpstreamHop | undefined
  now(): number
  tell(event: IssuerEvent): void
}

/** A request on its way to an endpoint. */
export interface Visit {
  readonly request: Request
  readonly query: URLSearchParams
  readonly address: string | undefined
}
