import type { Core, Visit } from '../core.ts'
import type { Parameters } from '../http/request-body.ts'
import { OAuthRefusal } from '../http/responses.ts'
import type { KnownClient } from '../state/records.ts'
import { newAccessToken } from '../tokens/access-token.ts'
import { keyOf, tokenAnswer } from '../tokens/token-response.ts'
import { resourceFor } from './resources.ts'

/** Tokens for a program that acts for itself. Only for configured clients with credentials. */
export async function clientCredentialsGrant(
  core: Core,
  visit: Visit,
  client: KnownClient,
  form: Parameters,
): Promise<Response> {
  if (client.kind !== 'configured' || client.method === 'none') {
    throw new OAuthRefusal('unauthorized_client', 'Only clients with credentials may act for themselves')
  }
  const jkt = await keyOf(core, visit, client)
  const scopes = scopesOf(core, client, form.get('scope'))
  const resource = resourceFor(core, form.get('resource'))
  const access = await newAccessToken(core, { clientId: client.id, scopes, resource, jkt })
  core.tell({ type: 'issued', clientId: client.id, detail: 'client_credentials' })
  return tokenAnswer(core, { access, jkt, scopes })
}

function scopesOf(core: Core, { scopes: allowed }: KnownClient, asked: string | undefined): readonly string[] {
  const requested = core.scopes.requested(asked).filter((scope) => scope !== 'offline_access' && scope !== 'openid')
  if (allowed === undefined) return requested
  if (asked === undefined) return allowed
  const granted = requested.filter((scope) => allowed.includes(scope))
  if (granted.length > 0 || requested.length === 0) return granted
  throw new OAuthRefusal('invalid_scope', 'scope: expected some that this client may have')
}
