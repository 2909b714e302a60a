import type { Core, Visit } from '../core.ts'
import { invalidGrant, json, OAuthRefusal } from '../http/responses.ts'
import type { GrantRecord, KnownClient } from '../state/records.ts'
import { hashOf, newSecret } from '../state/secrets.ts'
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
  /** It is kept already. */
  refresh?: string | undefined
}

/** The tokens at the beginning of a grant, and of each time after: the refresh token is a new one every time. */
export async function answerForGrant(
  core: Core,
  client: KnownClient,
  grant: GrantRecord,
  { jkt, scopes = grant.scopes, nonce, refresh }: Issuing,
): Promise<Response> {
  const { id: grantId, user, resource } = grant
  const access = await newAccessToken(core, { clientId: client.id, user, scopes, resource, jkt, grantId })
  const idToken = scopes.includes('openid') ? await newIdToken(core, grant, nonce) : undefined
  // Another request may have used the same code or token meanwhile.
  if (!(await core.state.isAlive(grantId))) throw usedTwice()
  return tokenAnswer(core, { access, jkt, scopes, refresh, idToken })
}

/** A public client has nothing but its key to prove that a refresh token is its own (RFC 9449 section 5). */
export const boundTo = ({ method }: KnownClient, grant: GrantRecord, jkt: string | undefined): GrantRecord =>
  method === 'none' && jkt !== undefined ? { ...grant, jkt } : grant

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

const usedTwice = (): OAuthRefusal => invalidGrant('It was used twice')

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

/** A grant with a refresh token, which lasts as long as that. */
export function refreshable(core: Core, grant: GrantRecord, hash: string): GrantRecord {
  const { refreshTokenTtlS = 30 * 24 * 3_600 } = core.options
  return { ...grant, refresh: hash, expiresAt: core.now() + refreshTokenTtlS * 1_000 }
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

/** Without a refresh token a grant ends with its access token. */
export const shortestGrant = (core: Core): number => core.now() + accessTokenTtlS(core) * 1_000 + 60_000

/** A grant that begins, and its first refresh token. */
export async function newGrant(
  core: Core,
  client: KnownClient,
  given: Pick<GrantRecord, 'id' | 'user' | 'scopes' | 'resource'> & { code?: string },
  jkt: string | undefined,
): Promise<{ grant: GrantRecord; refresh: string | undefined }> {
  const agreedAt = Math.floor(core.now() / 1_000)
  const short = { ...given, clientId: client.id, agreedAt, expiresAt: shortestGrant(core) }
  const bound = boundTo(client, short, jkt)
  const first = staysIn(core, client, given.scopes) ? await newRefreshToken() : undefined
  const grant = first ? refreshable(core, { ...bound, family: first.familyHash }, first.hash) : bound
  if (!(await core.state.addGrant(grant))) throw usedTwice()
  return { grant, refresh: first?.text }
}
