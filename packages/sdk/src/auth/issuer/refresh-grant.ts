import { sameSecret } from '../same-secret.ts'
import { invalidGrant, invalidRequest } from './answers.ts'
import type { Parameters } from './body.ts'
import type { Core, Visit } from './core.ts'
import type { Client, Grant } from './records.ts'
import { assertSameResource } from './resources.ts'
import { narrowed } from './scopes.ts'
import { hashOf } from './secrets.ts'
import { answerForGrant, keyOf } from './token-answer.ts'

/** New tokens for a refresh token, which is good once (auth.sec.rotate-refresh). */
export async function refreshGrant(core: Core, visit: Visit, client: Client, form: Parameters): Promise<Response> {
  const text = form.get('refresh_token')
  if (text === undefined) throw invalidRequest('refresh_token: expected a refresh token')
  const [family = '', secret = ''] = text.split('.')
  const jkt = await keyOf(core, visit, client)
  const [familyHash, hash] = [await hashOf(family), await hashOf(secret)]
  const grant = core.state.grantOfFamily(familyHash)
  if (grant === undefined || grant.clientId !== client.id) throw invalidGrant(unknown)
  // Wrong by mistake: the token stays good.
  if (grant.jkt !== undefined && grant.jkt !== jkt) throw invalidGrant('DPoP: expected a proof by the key of the token')
  assertSameResource(grant.resource, form.get('resource'))
  const scopes = narrowed(grant.scopes, form.get('scope'))
  useUp(core, grant, hash)
  await assertActive(core, grant)
  core.tell({ type: 'refreshed', clientId: client.id, subject: grant.user.subject })
  return answerForGrant(core, client, grant, { jkt, scopes, family })
}

/** Users leave, at the identity provider or here. */
async function assertActive(core: Core, grant: Grant): Promise<void> {
  if ((await core.options.isActive?.(grant.user)) !== false) return
  core.state.endGrant(grant)
  core.tell({ type: 'revoked', clientId: grant.clientId, subject: grant.user.subject, detail: 'not active' })
  await core.state.save()
  throw invalidGrant(unknown)
}

const unknown = 'refresh_token: it is not known, has expired, or was used'

/** From here on the token is an old one, also for whoever comes before the new one is there. */
function useUp(core: Core, grant: Grant, hash: string): void {
  const isCurrent = grant.refresh !== undefined && sameSecret(grant.refresh, hash)
  delete grant.refresh
  if (isCurrent) return
  // Two have it, and one of them is a thief: neither goes on.
  core.state.endGrant(grant)
  core.tell({ type: 'refresh_reused', clientId: grant.clientId, subject: grant.user.subject })
  core.state.save().catch((error: unknown) => core.options.onError?.(error))
  throw invalidGrant(unknown)
}
