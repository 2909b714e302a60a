import * as oauth from 'oauth4webapi'
import { clientFor, type Obtaining } from './obtain.ts'
import type { TokenRecord } from './stores/store.ts'
import { explained, requestOptions } from './token-request.ts'

/** Revokes tokens at the authorization server (RFC 7009); false if it has no endpoint for that. */
export async function revoke(plan: Obtaining, { refreshToken, accessToken }: TokenRecord): Promise<boolean> {
  const { as } = plan.source
  if (as.revocation_endpoint === undefined) return false
  const { client, authenticate } = await clientFor(plan)
  try {
    // Revoking a refresh token revokes its access tokens.
    const token = refreshToken ?? accessToken
    const options = requestOptions(plan, 'revocation')
    await oauth.processRevocationResponse(await oauth.revocationRequest(as, client, authenticate, token, options))
    return true
  } catch (error) {
    throw explained('token', 'The revocation endpoint', error, plan.trace)
  }
}
