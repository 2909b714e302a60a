import type { Faults } from '../faults.ts'
import type { ConfiguredClient, IssuerOptions } from '../options.ts'
import { displayName } from '../pages/html.ts'
import type { KnownClient, RegisteredClient } from '../state/records.ts'
import { hashOf, newId } from '../state/secrets.ts'
import type { IssuerState } from '../state/state.ts'
import { type ClientMetadata, MetadataProblem, readMetadata } from './client-metadata.ts'
import type { Documents } from './documents.ts'

const maxIdLength = 2_048
/** Clients that are looked at together. */
const pageSize = 50

interface Parts {
  options: IssuerOptions
  state: IssuerState
  documents: Documents
  faults: Faults
  now: () => number
}

/** The clients: configured ones, registered ones, and those that publish a document about themselves. */
export class Clients {
  readonly #configured: ReadonlyMap<string, Promise<KnownClient>>
  readonly #parts: Parts
  readonly #maxRegistered: number

  constructor(parts: Parts) {
    const { clients = [], registration = true } = parts.options
    this.#parts = parts
    this.#configured = new Map(clients.map((client) => [client.id, configured(client)]))
    this.#maxRegistered = registration === false ? 0 : ((registration === true ? {} : registration).maxClients ?? 1_000)
  }

  get canRegister(): boolean {
    return this.#maxRegistered > 0 && !this.#parts.faults.noRegistration
  }

  get takesDocuments(): boolean {
    return this.#parts.options.clientDocuments !== false
  }

  /** Undefined for an unknown client. Throws a `MetadataProblem` for bad metadata. */
  async find(id: string): Promise<KnownClient | undefined> {
    if (id.length > maxIdLength) return undefined
    return (await this.#configured.get(id)) ?? (await this.#parts.state.clients.get(id)) ?? (await this.#described(id))
  }

  /** The public keys of a client at its `jwks_uri`. */
  async keysAt(url: string): Promise<unknown> {
    return (await this.#parts.documents.read(url)).keys
  }

  /** Undefined if there are too many clients, and all are in use. */
  async register(metadata: ClientMetadata, secret: string | undefined): Promise<RegisteredClient | undefined> {
    const client: RegisteredClient = {
      ...clientOf(newId(), metadata),
      ...(secret !== undefined && { secretHash: await hashOf(secret) }),
      kind: 'registered',
      registeredAt: this.#parts.now(),
    }
    const { clients } = this.#parts.state
    await clients.set(client.id, client)
    if (await this.#list(client.id)) return client
    await clients.delete(client.id)
    return undefined
  }

  /** Puts a client on the list of all; false if there is no room. */
  async #list(id: string): Promise<boolean> {
    const { clientIds, clients } = this.#parts.state
    for (;;) {
      const held = await clientIds.read('')
      const { ids, dropped } = await this.#withRoom(held?.value ?? [])
      if (ids === undefined) return false
      const isListed = held ? await clientIds.replace('', [...ids, id], held.version) : await clientIds.add('', [id])
      if (!isListed) continue
      if (dropped !== undefined) await clients.delete(dropped)
      return true
    }
  }

  /** Drops the oldest client without a grant: registering costs nothing, so it is worth nothing. */
  async #withRoom(all: readonly string[]): Promise<{ ids?: readonly string[]; dropped?: string }> {
    if (all.length < this.#maxRegistered) return { ids: all }
    const { granted } = this.#parts.state
    for (let first = 0; first < all.length; first += pageSize) {
      const page = all.slice(first, first + pageSize)
      const inUse = await Promise.all(page.map((id) => granted.get(id)))
      const index = inUse.indexOf(undefined)
      // Those in use before it go to the end: the next one has not to look at them again.
      if (index >= 0) {
        const unused = first + index
        return { ids: [...all.slice(unused + 1), ...all.slice(0, unused)], dropped: all[unused]! }
      }
    }
    return {}
  }

  async #described(id: string): Promise<KnownClient | undefined> {
    const url = documentUrl(id)
    const { clientDocuments = true } = this.#parts.options
    if (url === undefined || clientDocuments === false) return undefined
    // auth.cimd.as-trust-policy
    if (clientDocuments !== true && !clientDocuments(url)) return undefined
    const document = await this.#parts.documents.read(id).catch(() => {
      throw new MetadataProblem('the document about the client cannot be read')
    })
    // auth.cimd.as-validates-client-id
    if (document.client_id !== id) throw new MetadataProblem('the document is about another client')
    const metadata = readMetadata(document, 'none')
    if (metadata.method !== 'none' && metadata.method !== 'private_key_jwt') {
      throw new MetadataProblem('what everybody can read holds no secret: expected none or private_key_jwt')
    }
    if (metadata.name === undefined) throw new MetadataProblem('client_name: expected a text')
    return { ...clientOf(id, metadata), kind: 'document' }
  }
}

/** The URL that a client id is; undefined if it is none at which a document may be (auth.cimd.url-has-path). */
function documentUrl(id: string): URL | undefined {
  if (!id.startsWith('https://') || !URL.canParse(id) || id.includes('#')) return undefined
  const url = new URL(id)
  const isPlain = url.username === '' && url.password === '' && !/\/\.{1,2}(\/|$)/.test(id)
  return isPlain && url.pathname !== '/' ? url : undefined
}

const clientOf = (id: string, metadata: ClientMetadata): Omit<KnownClient, 'kind'> => ({
  id,
  name: metadata.name ?? id,
  redirectUris: metadata.redirectUris,
  grantTypes: metadata.grantTypes,
  method: metadata.method,
  ...(metadata.keys && { keys: metadata.keys }),
  ...(metadata.jwksUri !== undefined && { jwksUri: metadata.jwksUri }),
  dpopBound: metadata.dpopBound,
})

async function configured(given: ConfiguredClient): Promise<KnownClient> {
  const { id, name = id, redirectUris = [], secret, keys, scopes, dpopBound = false } = given
  const isConfidential = secret !== undefined || keys !== undefined
  const defaults = [
    ...(redirectUris.length > 0 ? ['authorization_code', 'refresh_token'] : []),
    ...(isConfidential ? ['client_credentials'] : []),
  ]
  return {
    id,
    name: displayName(name),
    kind: 'configured',
    redirectUris,
    grantTypes: given.grantTypes ?? defaults,
    method: keys !== undefined ? 'private_key_jwt' : secret !== undefined ? 'client_secret_basic' : 'none',
    ...(secret !== undefined && { secretHash: await hashOf(secret) }),
    ...(keys && { keys }),
    ...(scopes && { scopes }),
    dpopBound,
  }
}
