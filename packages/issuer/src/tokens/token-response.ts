import type { Core, Visit } from '../core.ts'
import { invalidGrant, json, OAuthRefusal } from '../http/responses.ts'
import type { GrantRecord, KnownClient } from '../state/records.ts'
import { hashOf, newId, newSecret } from '../state/secrets.ts'
import { accessTokenTtlS, newAccessToken } from './access-token.ts'

/** The key that a token request proves to have. Clients that registered for it get no tokens without one. */
export async function keyOf(core: Core, { request }: Visit, client: KnownClient): Promise<string | undefined> {
  const jkt = await core.proofs.thumbprintOf(request)
  // xauth.dpop.as-bound-enforced
  if (jkt === undefined && client.dpopBound)
    throw new OAuthRefusal('invalid_dpop_proof', 'This client has to send a proof')
  return jkt
}

/** Whether a client is given refresh tokens for a grant. */
export const staysIn = ({ faults }: Core, { grantTypes }: KnownClient, scopes: readonly string[]): boolean =>
  !faults.noRefresh && (grantTypes.includes('refresh_token') || scopes.includes('offline_access'))

interface Issuing {
  jkt: string | undefined
  /** Fewer than the grant has. */
  scopes?: readonly string[]
  nonce?: string | undefined
  /** The refresh token of a grant that goes on; it is kept already. */
  refresh?: string | undefined
}

/** The tokens at the beginning of a grant, and of each time after: the refresh token is a new one every time. */
export async function answerForGrant(
  core: Core,
  client: KnownClient,
  grant: GrantRecord,
  { jkt, scopes = grant.scopes, nonce, refresh: next }: Issuing,
): Promise<Response> {
  const isNew = grant.family === undefined
  const first = isNew && staysIn(core, client, grant.scopes) ? await newRefreshToken() : undefined
  assertAlive(core, grant)
  if (isNew) bindToKey(client, grant, jkt)
  if (first !== undefined) {
    grant.family = first.familyHash
    keepRefreshToken(core, grant, first.hash)
  }
  const { id: grantId, user, resource } = grant
  const access = await newAccessToken(core, { clientId: client.id, user, scopes, resource, jkt, grantId })
  const idToken = scopes.includes('openid') ? await newIdToken(core, grant, nonce) : undefined
  await core.state.save()
  assertAlive(core, grant)
  return tokenAnswer(core, { access, jkt, scopes, refresh: next ?? first?.text, idToken })
}

/** A public client has nothing but its key to prove that a refresh token is its own (RFC 9449 section 5). */
export function bindToKey({ method }: KnownClient, grant: GrantRecord, jkt: string | undefined): void {
  if (method === 'none' && jkt !== undefined) grant.jkt = jkt
}

interface Tokens {
  access: string
  jkt: string | undefined
  scopes: readonly string[]
  refresh?: string | undefined
  idToken?: string | undefined
}

export function tokenAnswer(core: Core, { access, jkt, scopes, refresh, idToken }: Tokens): Response {
  const answer = {
    access_token: access,
    // xauth.dpop.as-binding
    token_type: jkt === undefined ? 'Bearer' : 'DPoP',
    expires_in: accessTokenTtlS(core),
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    ...(refresh !== undefined && { refresh_token: refresh }),
    ...(idToken !== undefined && { id_token: idToken }),
  }
  return json(answer, 200, { pragma: 'no-cache' })
}

/** Another request may have used the same code or token meanwhile. */
function assertAlive({ state }: Core, grant: GrantRecord): void {
  if (state.grants.get(grant.id) !== grant) throw invalidGrant('It was used twice')
}

interface RefreshToken {
  text: string
  familyHash: string
  hash: string
}

/**
 * A refresh token is made of two parts. The first is the same for all of a grant: with another second part than the
 * current one it is an old token, stolen or used twice.
 */
async function newRefreshToken(): Promise<RefreshToken> {
  const [family, secret] = [newSecret(), newSecret()]
  return { text: `${family}.${secret}`, familyHash: await hashOf(family), hash: await hashOf(secret) }
}

export function keepRefreshToken(core: Core, grant: GrantRecord, hash: string): void {
  const { refreshTokenTtlS = 30 * 24 * 3_600 } = core.options
  grant.refresh = hash
  grant.expiresAt = core.now() + refreshTokenTtlS * 1_000
  core.state.putGrant(grant)
}

/** An id token of OpenID Connect, about the user who agreed. */
function newIdToken(core: Core, { user, clientId, agreedAt }: GrantRecord, nonce: string | undefined): Promise<string> {
  const iat = Math.floor(core.now() / 1_000)
  const claims = { iss: core.issuer, sub: user.subject, aud: clientId, iat, exp: iat + 600, auth_time: agreedAt }
  return core.keys.sign('JWT', {
    ...user.claims,
    ...claims,
    ...(user.name !== undefined && { name: user.name }),
    ...(nonce !== undefined && { nonce }),
  })
}

/** A grant that begins, and is known at once. Without a refresh token it ends with its access token. */
export function newGrant(
  core: Core,
  given: Pick<GrantRecord, 'clientId' | 'user' | 'scopes' | 'resource'> & { code?: string },
): GrantRecord {
  const agreedAt = Math.floor(core.now() / 1_000)
  const expiresAt = core.now() + accessTokenTtlS(core) * 1_000 + 60_000
  const grant = { ...given, id: newId(), agreedAt, expiresAt }
  core.state.putGrant(grant)
  return grant
}
