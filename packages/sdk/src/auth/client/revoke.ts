import * as oauth from 'oauth4webapi'
import { clientFor, type Obtaining } from './obtain.ts'
import type { TokenRecord } from './store.ts'
import { explained, requestOptions } from './token-request.ts'

/** Tells the authorization server that tokens are no longer needed (RFC 7009); false if it cannot be told. */
export async function revoke(plan: Obtaining, { refreshToken, accessToken }: TokenRecord): Promise<boolean> {
  const { as } = plan.source
  if (as.revocation_endpoint === undefined) return false
  const { client, authenticate } = await clientFor(plan)
  try {
    // Whoever takes back a refresh token takes back the access tokens that came of it.
    const token = refreshToken ?? accessToken
    const options = requestOptions(plan, 'revocation')
    await oauth.processRevocationResponse(await oauth.revocationRequest(as, client, authenticate, token, options))
    return true
  } catch (error) {
    throw explained('token', 'The revocation endpoint', error, plan.trace)
  }
}
