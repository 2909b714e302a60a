import { authenticate } from '../clients/client-authentication.ts'
import type { Core, Visit } from '../core.ts'
import { readForm } from '../http/request-body.ts'
import { invalidRequest } from '../http/responses.ts'
import { readToken } from '../tokens/issued-token.ts'

/** Revokes tokens (RFC 7009). For tokens of other clients the response is the same. */
export async function revokeToken(core: Core, visit: Visit): Promise<Response> {
  const form = await readForm(visit.request)
  const client = await authenticate(core, visit, form, 'revoke')
  const text = form.get('token')
  if (text === undefined) throw invalidRequest('token: expected a token')
  const found = await readToken(core, text)
  if (found !== undefined && found.clientId === client.id) {
    if (found.kind === 'refresh') await core.state.endGrant(found.grant.id)
    else await core.state.revoked.set(found.jti, { jti: found.jti, expiresAt: found.exp * 1_000 })
    core.tell({ type: 'revoked', clientId: client.id, detail: found.kind })
  }
  return new Response(null, { status: 200, headers: { 'cache-control': 'no-store' } })
}
