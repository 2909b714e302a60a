import type { JWK } from 'jose'
import { ExpiringMap } from './expiring-map.ts'
import type { Code, Device, GrantRecord, Hop, RegisteredClient, RevokedToken, SavedState, Ticket } from './records.ts'
import type { StateFile } from './state-file.ts'

const maxGrants = 100_000
const maxPending = 10_000

/** Everything an issuer remembers. Of secrets there are only hashes. */
export class IssuerState {
  /** The last one signs. */
  readonly keys: JWK[]
  readonly clients: Map<string, RegisteredClient>
  /** By id. */
  readonly grants: ExpiringMap<GrantRecord>
  /** Access tokens that were revoked one by one, by `jti`. */
  readonly revoked: ExpiringMap<RevokedToken>
  // Keyed by the hash of a secret; short-lived, and gone after a restart.
  readonly codes: ExpiringMap<Code>
  readonly tickets: ExpiringMap<Ticket>
  readonly hops: ExpiringMap<Hop>
  readonly devices: ExpiringMap<Device>
  readonly deviceTickets: ExpiringMap<Ticket<Device>>
  /** Devices by the code that their users type. */
  readonly userCodes: Map<string, Device> = new Map()
  /** Clients whose users have agreed once, while `faults.stepUp` is on. */
  readonly agreedBefore: Set<string> = new Set()
  readonly #byCode = new Map<string, string>()
  readonly #byFamily = new Map<string, string>()
  readonly #file: StateFile | undefined

  constructor(now: () => number, file?: StateFile, kept?: SavedState) {
    this.#file = file
    this.keys = kept?.keys ?? []
    this.clients = new Map(kept?.clients.map((client) => [client.id, client]))
    this.grants = new ExpiringMap(maxGrants, now, (grant) => this.#unindex(grant))
    this.revoked = new ExpiringMap(maxGrants, now)
    this.codes = new ExpiringMap(maxPending, now)
    this.tickets = new ExpiringMap(maxPending, now)
    this.hops = new ExpiringMap(maxPending, now)
    this.devices = new ExpiringMap(maxPending, now, ({ userCode }) => this.userCodes.delete(userCode))
    this.deviceTickets = new ExpiringMap(maxPending, now)
    for (const grant of kept?.grants ?? []) this.putGrant(grant)
    for (const token of kept?.revoked ?? []) this.revoked.set(token.jti, token)
  }

  putGrant(grant: GrantRecord): void {
    if (grant.code !== undefined) this.#byCode.set(grant.code, grant.id)
    if (grant.family !== undefined) this.#byFamily.set(grant.family, grant.id)
    this.grants.set(grant.id, grant)
  }

  grantOfCode(code: string): GrantRecord | undefined {
    return this.grants.get(this.#byCode.get(code) ?? '')
  }

  grantOfFamily(family: string): GrantRecord | undefined {
    return this.grants.get(this.#byFamily.get(family) ?? '')
  }

  /** Ends a grant: its refresh token is gone, and its access tokens are no longer active. */
  endGrant(grant: GrantRecord): void {
    this.grants.delete(grant.id)
    this.#unindex(grant)
  }

  /** Resolves when all changes are on disk. Called before a response tells a client of the change. */
  async save(): Promise<void> {
    await this.#file?.save(() => ({
      version: 1,
      keys: this.keys,
      clients: [...this.clients.values()],
      grants: this.grants.values(),
      revoked: this.revoked.values(),
    }))
  }

  #unindex({ code, family }: GrantRecord): void {
    if (code !== undefined) this.#byCode.delete(code)
    if (family !== undefined) this.#byFamily.delete(family)
  }
}
