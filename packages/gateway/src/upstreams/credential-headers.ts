import type { UpstreamOptions } from '@tenon/bridge'
import { ErrorCode, isRpcError, RpcError } from '@tenon/sdk/client'
import type { CredentialSource, GatewayCaller, UpstreamCredentials } from '../model.ts'

type ClientAuth = NonNullable<UpstreamOptions['auth']>

/** The credentials of a caller. A failure is one of the caller, not of the upstream, and its reason stays here. */
export async function credentialsOf(
  source: CredentialSource,
  caller: GatewayCaller,
  upstream: string,
  signal: AbortSignal,
): Promise<UpstreamCredentials> {
  try {
    return await source.credentialsFor(caller, upstream, signal)
  } catch (error) {
    if (isRpcError(error)) throw error
    const problem = `There are no credentials for ${upstream}`
    throw new RpcError(ErrorCode.InternalError, problem, { reason: 'credentials' }, { cause: error })
  }
}

/** Sends the credentials of a caller with every request; after a refusal they are looked up once more. */
export const credentialHeaders = (upstream: string, source: CredentialSource, caller: GatewayCaller): ClientAuth => ({
  async headers({ signal }) {
    const { headers } = await credentialsOf(source, caller, upstream, signal)
    return { ...headers }
  },
  async challenged({ status, refusals, sent }) {
    if (status !== 401 || refusals > 0 || source.refused === undefined) return false
    // Others may have been given newer ones meanwhile.
    await source.refused(caller, upstream, { headers: sent })
    return true
  },
})
