import type { UsedIds } from '../../internal/used-ids.ts'
import type { Clients } from './clients.ts'
import type { BrowserCookie } from './cookies.ts'
import type { Documents } from './documents.ts'
import type { Endpoints } from './endpoints.ts'
import type { Faults } from './faults.ts'
import type { Keys } from './keys.ts'
import type { IssuerEvent, IssuerOptions } from './options.ts'
import type { ProofChecks } from './proofs.ts'
import type { RateLimits } from './rate-limits.ts'
import type { Scopes } from './scopes.ts'
import type { State } from './state.ts'
import type { UpstreamHop } from './upstream.ts'

/** What every endpoint works with. */
export interface Core {
  readonly options: IssuerOptions
  /** The issuer, as it is written. */
  readonly issuer: string
  readonly endpoints: Endpoints
  readonly scopes: Scopes
  readonly state: State
  readonly keys: Keys
  readonly clients: Clients
  readonly proofs: ProofChecks
  /** Assertions of clients and of those who are trusted. */
  readonly usedAssertions: UsedIds
  readonly limits: RateLimits
  readonly faults: Faults
  /** Where the keys of trusted issuers are read. */
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
