import { MetadataProblem, readMetadata } from '../clients/client-metadata.ts'
import type { Core, Visit } from '../core.ts'
import { isJsonObject } from '../http/json.ts'
import { readJsonBody } from '../http/request-body.ts'
import { json, OAuthRefusal } from '../http/responses.ts'
import type { RegisteredClient } from '../state/records.ts'
import { newSecret } from '../state/secrets.ts'

/** Dynamic client registration (RFC 7591), open to all: it gives no access, only a name on the consent page. */
export async function register(core: Core, { request, address }: Visit): Promise<Response> {
  if (!core.clients.canRegister) throw new OAuthRefusal('access_denied', 'Clients cannot register here', 403)
  const about = await readJsonBody(request)
  if (!isJsonObject(about)) throw new OAuthRefusal('invalid_client_metadata', 'Expected an object')
  const metadata = metadataFrom(about)
  const secret = metadata.method.startsWith('client_secret') ? newSecret() : undefined
  const client = await core.clients.register(metadata, secret)
  if (client === undefined) throw new OAuthRefusal('temporarily_unavailable', 'There are too many clients', 503)
  core.tell({ type: 'registered', clientId: client.id, detail: client.name, ...(address !== undefined && { address }) })
  return json(described(client, secret), 201)
}

function metadataFrom(about: { [member: string]: unknown }): ReturnType<typeof readMetadata> {
  try {
    return readMetadata(about as Parameters<typeof readMetadata>[0], 'client_secret_basic')
  } catch (error) {
    if (error instanceof MetadataProblem) throw new OAuthRefusal(error.error, error.message)
    throw error
  }
}

/** The registered metadata, which may be less than the requested. */
const described = (client: RegisteredClient, secret: string | undefined): object => ({
  client_id: client.id,
  client_id_issued_at: Math.floor(client.registeredAt / 1_000),
  ...(secret !== undefined && { client_secret: secret, client_secret_expires_at: 0 }),
  client_name: client.name,
  redirect_uris: client.redirectUris,
  grant_types: client.grantTypes,
  response_types: client.grantTypes.includes('authorization_code') ? ['code'] : [],
  token_endpoint_auth_method: client.method,
  ...(client.keys && { jwks: { keys: client.keys } }),
  ...(client.jwksUri !== undefined && { jwks_uri: client.jwksUri }),
  ...(client.dpopBound && { dpop_bound_access_tokens: true }),
})
