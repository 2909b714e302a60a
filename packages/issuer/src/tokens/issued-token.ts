import { isMcpError } from '@tenon/sdk/auth/server'
import { createLocalJWKSet, type JWTPayload, jwtVerify } from 'jose'
import type { Core } from '../core.ts'
import type { GrantRecord } from '../state/records.ts'
import { hashOf, sameHash } from '../state/secrets.ts'
import { grantIdOf } from './access-token.ts'
import { signingAlgorithm } from './signing-keys.ts'

/** A token of this issuer that is still good. */
export type IssuedToken =
  | { kind: 'refresh'; clientId: string; grant: GrantRecord }
  | { kind: 'access'; clientId: string; jti: string; exp: number; claims: JWTPayload }

const maxLength = 8_192

/** Reads a token; undefined if another issuer made it, it has expired, or it was revoked. */
export async function readToken(core: Core, text: string): Promise<IssuedToken | undefined> {
  if (text.length > maxLength) return undefined
  return text.split('.').length === 3 ? readAccessToken(core, text) : readRefreshToken(core, text)
}

async function readRefreshToken({ state }: Core, text: string): Promise<IssuedToken | undefined> {
  const [family = '', secret = ''] = text.split('.')
  const hash = await hashOf(secret)
  const grant = (await state.grantOfFamily(await hashOf(family)))?.value
  if (grant?.refresh === undefined || !sameHash(grant.refresh, hash)) return undefined
  return { kind: 'refresh', clientId: grant.clientId, grant }
}

async function readAccessToken(core: Core, text: string): Promise<IssuedToken | undefined> {
  const { state, keys, issuer } = core
  try {
    const { payload } = await jwtVerify(text, createLocalJWKSet({ keys: await keys.published() }), {
      algorithms: [signingAlgorithm],
      issuer,
      typ: 'at+jwt',
      currentDate: new Date(core.now()),
    })
    const { jti = '', exp = 0, client_id } = payload
    const grantId = grantIdOf(jti)
    if ((await state.revoked.get(jti)) !== undefined || (grantId !== '' && !(await state.isAlive(grantId))))
      return undefined
    return { kind: 'access', clientId: String(client_id), jti, exp, claims: payload }
  } catch (error) {
    // The store does not answer, which says nothing about the token.
    if (isMcpError(error)) throw error
    return undefined
  }
}
