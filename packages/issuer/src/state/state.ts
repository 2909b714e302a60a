import type { RecordStore } from '@tenon/sdk/auth/server'
import type { JWK } from 'jose'
import type { Code, Device, Expiring, GrantRecord, Hop, RegisteredClient, RevokedToken, Ticket } from './records.ts'
import { Shelf } from './shelf.ts'

/** Longer than the requests that were under way when a grant ended. */
const endedMs = 10 * 60_000
/** A client that nobody agreed to for this long is forgotten. */
const clientMs = 400 * 86_400_000
/** Keys are replaced, and do not end. */
const keysMs = 10 * 365 * 86_400_000

/** Kinds of records that say that something is not good any more. */
export const warnings: ReadonlySet<string> = new Set(['ended', 'used', 'used-code', 'revoked'])

const ofItself = ({ expiresAt }: Expiring): number => expiresAt

/** Everything an issuer remembers. Of secrets there are only hashes, but for the keys that sign. */
export class IssuerState {
  /** One list; the last one signs. */
  readonly keys: Shelf<JWK[]>
  readonly clients: Shelf<RegisteredClient>
  /** One list: the ids of all registered clients, the oldest first. */
  readonly clientIds: Shelf<string[]>
  /** Clients that somebody agreed to, until the last of their grants is over. */
  readonly granted: Shelf<Expiring>
  /** By id. */
  readonly grants: Shelf<GrantRecord>
  /** Grants that ended: a request that is about to write one finds it here. */
  readonly #ended: Shelf<Expiring>
  /** The ids of grants, by the hash of the part that their refresh tokens share, and by the hash of the code. */
  readonly #families: Shelf<GrantName>
  readonly usedCodes: Shelf<GrantName>
  /** Access tokens that were revoked one by one, by `jti`. */
  readonly revoked: Shelf<RevokedToken>
  // Keyed by the hash of a secret; short-lived.
  readonly codes: Shelf<Code>
  readonly tickets: Shelf<Ticket>
  readonly hops: Shelf<Hop>
  readonly devices: Shelf<Device>
  readonly deviceTickets: Shelf<Ticket<DeviceKey>>
  /** Devices by the code that their users type. */
  readonly userCodes: Shelf<DeviceKey & Expiring>
  /** Clients whose users have agreed once, while `faults.stepUp` is on. */
  readonly agreedBefore: Set<string> = new Set()
  readonly #now: () => number

  constructor(store: RecordStore, now: () => number) {
    this.#now = now
    const isOver = ({ expiresAt }: Expiring): boolean => expiresAt <= now()
    const shelf = <Value extends Expiring>(kind: string): Shelf<Value> =>
      new Shelf<Value>(store, kind, ofItself, warnings.has(kind) ? undefined : isOver)
    this.keys = new Shelf(store, 'keys', () => now() + keysMs)
    this.clients = new Shelf(store, 'client', () => now() + clientMs)
    this.clientIds = new Shelf(store, 'clients', () => now() + clientMs)
    this.granted = shelf('granted')
    this.grants = shelf('grant')
    this.#ended = shelf('ended')
    this.#families = shelf('family')
    this.usedCodes = shelf('used-code')
    this.revoked = shelf('revoked')
    this.codes = shelf('code')
    this.tickets = shelf('ticket')
    this.hops = shelf('hop')
    this.devices = shelf('device')
    this.deviceTickets = shelf('device-ticket')
    this.userCodes = shelf('user-code')
  }

  /** Keeps a grant that begins, unless it has ended meanwhile. */
  async addGrant(grant: GrantRecord): Promise<boolean> {
    await this.#index(grant)
    await this.grants.add(grant.id, grant)
    return this.isAlive(grant.id)
  }

  /** Keeps a grant that goes on, unless somebody else changed it. */
  async replaceGrant(grant: GrantRecord, version: string): Promise<boolean> {
    if (!(await this.grants.replace(grant.id, grant, version))) return false
    await this.#index(grant)
    return true
  }

  async grantOfFamily(family: string): Promise<{ value: GrantRecord; version: string } | undefined> {
    const name = await this.#families.get(family)
    return name && this.grants.read(name.grantId)
  }

  /** Ends a grant: its refresh token is gone, and its access tokens are no longer active. False if there is none. */
  async endGrant(grantId: string): Promise<boolean> {
    // First this: a request that keeps the grant at the moment looks for it afterwards.
    await this.#ended.set(grantId, { expiresAt: this.#now() + endedMs })
    return this.grants.delete(grantId)
  }

  async isAlive(grantId: string): Promise<boolean> {
    if ((await this.#ended.get(grantId)) === undefined) return (await this.grants.get(grantId)) !== undefined
    await this.grants.delete(grantId)
    return false
  }

  /** Makes a grant findable for as long as it lasts. */
  async #index({ id: grantId, family, code, clientId, expiresAt }: GrantRecord): Promise<void> {
    await Promise.all([
      family !== undefined && this.#families.set(family, { grantId, expiresAt }),
      code !== undefined && this.usedCodes.set(code, { grantId, expiresAt }),
      this.#use(clientId, expiresAt),
    ])
  }

  async #use(clientId: string, expiresAt: number): Promise<void> {
    const known = await this.granted.get(clientId)
    if (known === undefined || known.expiresAt < expiresAt) await this.granted.set(clientId, { expiresAt })
    const client = await this.clients.get(clientId)
    // Written anew now and then, so that it stays.
    if (client !== undefined && (client.seenAt ?? client.registeredAt) < this.#now() - clientMs / 10)
      await this.clients.set(clientId, { ...client, seenAt: this.#now() })
  }
}

/** The name of a grant, elsewhere than in the grant. */
interface GrantName extends Expiring {
  grantId: string
}

/** A device, by the hash of its secret code. */
interface DeviceKey {
  device: string
}
