import type { Core, Visit } from '../core.ts'
import type { Parameters } from '../http/request-body.ts'
import { invalidGrant, invalidRequest, type OAuthRefusal } from '../http/responses.ts'
import type { GrantRecord, KnownClient } from '../state/records.ts'
import { hashOf, newSecret, sameHash } from '../state/secrets.ts'
import { answerForGrant, boundTo, keyOf, refreshable, staysIn } from '../tokens/token-response.ts'
import { assertSameResource } from './resources.ts'
import { narrowed } from './scopes.ts'

/** New tokens for a refresh token, which is good once (auth.sec.rotate-refresh). */
export async function refreshGrant(core: Core, visit: Visit, client: KnownClient, form: Parameters): Promise<Response> {
  const text = form.get('refresh_token')
  if (text === undefined) throw invalidRequest('refresh_token: expected a refresh token')
  const jkt = await keyOf(core, visit, client)
  const used = await readUsed(text)
  const { grant, isFirst, scopes } = await rotated(core, client, form, { used, jkt })
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

interface Brought {
  used: UsedToken
  jkt: string | undefined
}

/** The grant of a token, after the token was used. Of two requests with one token, one is the first. */
async function rotated(core: Core, client: KnownClient, form: Parameters, { used, jkt }: Brought): Promise<Rotated> {
  const familyHash = await hashOf(used.family)
  for (;;) {
    const held = await core.state.grantOfFamily(familyHash)
    if (held === undefined) throw invalidGrant(unknown)
    const { value: grant, version } = held
    // A client that has the token of another one got it from a leak.
    if (grant.clientId !== client.id) throw await endReused(core, grant, 'another client')
    // Wrong by mistake: the token stays good.
    if (grant.jkt !== undefined && grant.jkt !== jkt)
      throw invalidGrant('DPoP: expected a proof by the key of the token')
    assertSameResource(grant.resource, form.get('resource'))
    const scopes = narrowed(grant.scopes, form.get('scope'))
    const next = await afterUse(core, client, grant, used)
    if (next === undefined) return { grant, isFirst: false, scopes }
    const bound = boundTo(client, next, jkt)
    if (await core.state.replaceGrant(bound, version)) return { grant: bound, isFirst: true, scopes }
  }
}

interface Rotated {
  grant: GrantRecord
  /** False if the token was used before, a moment ago. */
  isFirst: boolean
  scopes: readonly string[]
}

/** Users leave, at the identity provider or here. */
async function assertActive(core: Core, grant: GrantRecord): Promise<void> {
  if ((await core.options.isActive?.(grant.user)) !== false) return
  await core.state.endGrant(grant.id)
  core.tell({ type: 'revoked', clientId: grant.clientId, subject: grant.user.subject, detail: 'not active' })
  throw invalidGrant(unknown)
}

const unknown = 'refresh_token: it is not known, has expired, or was used'

/**
 * The grant with the next refresh token in the place of the one that is used; undefined if that was done before. A client
 * that repeats its request within the grace, because the answer was lost or two of its tabs asked at once, gets the same
 * next token again: a grant never has two that are good.
 */
async function afterUse(
  core: Core,
  client: KnownClient,
  grant: GrantRecord,
  { hash, salt, nextHash }: UsedToken,
): Promise<GrantRecord | undefined> {
  const { refresh, ...rest } = grant
  if (refresh === undefined || !sameHash(refresh, hash)) {
    if (isRepeated(core, grant, hash)) return undefined
    throw await endReused(core, grant)
  }
  const used = { ...rest, used: { hash, salt, at: core.now() } }
  return staysIn(core, client, grant.scopes) ? refreshable(core, used, nextHash) : used
}

function isRepeated(core: Core, { used }: GrantRecord, hash: string): boolean {
  const { refreshGraceS = 10, store } = core.options
  if (used === undefined || !sameHash(used.hash, hash)) return false
  const [ageMs, graceMs] = [core.now() - used.at, refreshGraceS * 1_000]
  // A clock that was set back grants nothing; that of another machine, which shares the store, may be ahead.
  return ageMs < graceMs && (ageMs >= 0 || (store !== undefined && ageMs > -graceMs))
}

/** Two have the token, and one of them is a thief: neither goes on. */
async function endReused(core: Core, grant: GrantRecord, detail?: string): Promise<OAuthRefusal> {
  await core.state.endGrant(grant.id)
  const { clientId, user } = grant
  core.tell({ type: 'refresh_reused', clientId, subject: user.subject, ...(detail !== undefined && { detail }) })
  return invalidGrant(unknown)
}
