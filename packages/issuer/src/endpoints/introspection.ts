import { authenticate } from '../clients/client-authentication.ts'
import type { Core, Visit } from '../core.ts'
import { readForm } from '../http/request-body.ts'
import { invalidRequest, json, OAuthRefusal } from '../http/responses.ts'
import { type IssuedToken, readToken } from '../tokens/issued-token.ts'

/** Tells servers about tokens (RFC 7662): those that were configured about all, other clients about their own. */
export async function introspect(core: Core, visit: Visit): Promise<Response> {
  const form = await readForm(visit.request)
  const client = await authenticate(core, visit, form, 'introspect')
  if (client.method === 'none') throw new OAuthRefusal('invalid_client', 'Only clients with credentials may ask', 401)
  const text = form.get('token')
  if (text === undefined) throw invalidRequest('token: expected a token')
  const found = await readToken(core, text)
  const mayKnow = found !== undefined && (client.kind === 'configured' || found.clientId === client.id)
  return json(mayKnow ? { active: true, ...described(core, found) } : { active: false })
}

function described(core: Core, found: IssuedToken): object {
  if (found.kind === 'access') {
    const { cnf } = found.claims
    return { ...found.claims, token_type: cnf === undefined ? 'Bearer' : 'DPoP' }
  }
  const { clientId, user, scopes, resource, expiresAt } = found.grant
  return {
    iss: core.issuer,
    client_id: clientId,
    sub: user.subject,
    scope: scopes.join(' '),
    aud: resource,
    exp: Math.floor(expiresAt / 1_000),
    token_type: 'refresh_token',
  }
}
