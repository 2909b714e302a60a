import type { Core } from '../core.ts'
import type { User } from '../options.ts'
import { newId } from '../state/secrets.ts'
import { importKey, newKey } from './signing-keys.ts'

/** The content of an access token. */
interface TokenContent {
  clientId: string
  /** Undefined for clients that act for themselves. */
  user?: User
  scopes: readonly string[]
  resource: string
  /** The key that it belongs to. */
  jkt: string | undefined
  /** The grant that it ends with. */
  grantId?: string
}

export const accessTokenTtlS = ({ options }: Core): number => options.accessTokenTtlS ?? 600

/** A signed access token (RFC 9068), for one resource. */
export async function newAccessToken(core: Core, content: TokenContent): Promise<string> {
  const { clientId, user, scopes, resource, jkt, grantId = '' } = content
  const { faults } = core
  const iat = Math.floor(core.now() / 1_000)
  const claims = {
    ...user?.claims,
    iss: core.issuer,
    sub: user?.subject ?? clientId,
    aud: faults.wrongAudience ? 'https://wrong.example' : resource,
    client_id: clientId,
    iat,
    exp: faults.expiredTokens ? iat - 60 : iat + accessTokenTtlS(core),
    // The part before the dot finds the grant again, without a list of all tokens.
    jti: `${grantId}.${newId()}`,
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    ...(jkt !== undefined && { cnf: { jkt } }),
  }
  return core.keys.sign('at+jwt', claims, faults.badSignature ? await importKey(await newKey()) : undefined)
}

export const grantIdOf = (jti: string): string => jti.split('.')[0]!
