import type { Core, Visit } from '../core.ts'
import type { Parameters } from '../http/request-body.ts'
import { invalidGrant, invalidRequest, type OAuthRefusal } from '../http/responses.ts'
import type { GrantRecord, KnownClient } from '../state/records.ts'
import { hashOf, newSecret, sameHash } from '../state/secrets.ts'
import { answerForGrant, bindToKey, keepRefreshToken, keyOf, staysIn } from '../tokens/token-response.ts'
import { assertSameResource } from './resources.ts'
import { narrowed } from './scopes.ts'

/** New tokens for a refresh token, which is good once (auth.sec.rotate-refresh). */
export async function refreshGrant(core: Core, visit: Visit, client: KnownClient, form: Parameters): Promise<Response> {
  const text = form.get('refresh_token')
  if (text === undefined) throw invalidRequest('refresh_token: expected a refresh token')
  const jkt = await keyOf(core, visit, client)
  const used = await readUsed(text)
  const familyHash = await hashOf(used.family)
  // From here to the rotation nothing is awaited: of two requests with one token, one is the first.
  const grant = core.state.grantOfFamily(familyHash)
  if (grant === undefined) throw invalidGrant(unknown)
  // A client that has the token of another one got it from a leak.
  if (grant.clientId !== client.id) throw endReused(core, grant, 'another client')
  // Wrong by mistake: the token stays good.
  if (grant.jkt !== undefined && grant.jkt !== jkt) throw invalidGrant('DPoP: expected a proof by the key of the token')
  assertSameResource(grant.resource, form.get('resource'))
  const scopes = narrowed(grant.scopes, form.get('scope'))
  const isFirst = rotate(core, client, grant, used)
  if (isFirst) bindToKey(client, grant, jkt)
  const refresh = isFirst ? used.next : await successorOf(used, grant.used!.salt)
  await assertActive(core, grant)
  core.tell({ type: 'refreshed', clientId: client.id, subject: grant.user.subject })
  const stays = grant.refresh !== undefined
  return answerForGrant(core, client, grant, { jkt, scopes, refresh: stays ? `${used.family}.${refresh}` : undefined })
}

/** A token that is used, and the secret of the one that comes after it if this is the first time. */
interface UsedToken {
  family: string
  secret: string
  hash: string
  salt: string
  next: string
  nextHash: string
}

async function readUsed(text: string): Promise<UsedToken> {
  const [family = '', secret = ''] = text.split('.')
  const salt = newSecret()
  const next = await successorOf({ secret }, salt)
  return { family, secret, hash: await hashOf(secret), salt, next, nextHash: await hashOf(next) }
}

/** The salt is in the state and the secret is not, so neither alone gives the next token. */
const successorOf = ({ secret }: Pick<UsedToken, 'secret'>, salt: string): Promise<string> =>
  hashOf(`${salt}.${secret}`)

/** Users leave, at the identity provider or here. */
async function assertActive(core: Core, grant: GrantRecord): Promise<void> {
  if ((await core.options.isActive?.(grant.user)) !== false) return
  core.state.endGrant(grant)
  core.tell({ type: 'revoked', clientId: grant.clientId, subject: grant.user.subject, detail: 'not active' })
  await core.state.save()
  throw invalidGrant(unknown)
}

const unknown = 'refresh_token: it is not known, has expired, or was used'

/**
 * Puts the next refresh token in the place of the one that is used; false if that was done before. A client that repeats
 * its request within the grace, because the answer was lost or two of its tabs asked at once, gets the same next token
 * again: a grant never has two that are good.
 */
function rotate(core: Core, client: KnownClient, grant: GrantRecord, { hash, salt, nextHash }: UsedToken): boolean {
  if (grant.refresh === undefined || !sameHash(grant.refresh, hash)) {
    if (isRepeated(core, grant, hash)) return false
    throw endReused(core, grant)
  }
  grant.used = { hash, salt, at: core.now() }
  delete grant.refresh
  if (staysIn(core, client, grant.scopes)) keepRefreshToken(core, grant, nextHash)
  return true
}

function isRepeated(core: Core, { used }: GrantRecord, hash: string): boolean {
  const { refreshGraceS = 10 } = core.options
  if (used === undefined || !sameHash(used.hash, hash)) return false
  const ageMs = core.now() - used.at
  // A clock that was set back grants nothing.
  return ageMs >= 0 && ageMs < refreshGraceS * 1_000
}

/** Two have the token, and one of them is a thief: neither goes on. */
function endReused(core: Core, grant: GrantRecord, detail?: string): OAuthRefusal {
  core.state.endGrant(grant)
  const { clientId, user } = grant
  core.tell({ type: 'refresh_reused', clientId, subject: user.subject, ...(detail !== undefined && { detail }) })
  core.state.save().catch((error: unknown) => core.options.onError?.(error))
  return invalidGrant(unknown)
}
