import type { GatewayCaller, UpstreamCredentials } from '../model.ts'
import type { TokenConfig } from './config.ts'
import type { IssuedToken } from './token-requests.ts'

/** The credentials of one upstream. */
export interface CredentialProvider {
  credentialsFor(caller: GatewayCaller, signal: AbortSignal): Promise<UpstreamCredentials>
  /** The upstream refused these. */
  refused(caller: GatewayCaller, used: UpstreamCredentials | undefined): Promise<void>
}

type Place = Pick<TokenConfig, 'header' | 'env'>

/** A token at its place: a header, or a variable of a program. */
export function placed({ header, env }: Place, { accessToken }: IssuedToken): UpstreamCredentials {
  if (env !== undefined) return { env: { [env]: accessToken } }
  return { headers: header === undefined ? { Authorization: `Bearer ${accessToken}` } : { [header]: accessToken } }
}

/** The token that was placed. */
export function tokenIn(
  { header = 'Authorization', env }: Place,
  used: UpstreamCredentials | undefined,
): string | undefined {
  if (env !== undefined) return used?.env?.[env]
  return used?.headers?.[header]?.replace(/^Bearer /, '')
}
