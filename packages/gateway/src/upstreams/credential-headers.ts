import type { UpstreamOptions } from '@tenon/bridge'
import type { CredentialSource, GatewayCaller } from '../model.ts'

type ClientAuth = NonNullable<UpstreamOptions['auth']>

/** Sends the credentials of a caller with every request; after a refusal they are looked up once more. */
export const credentialHeaders = (upstream: string, source: CredentialSource, caller: GatewayCaller): ClientAuth => ({
  async headers({ signal }) {
    const { headers } = await source.credentialsFor(caller, upstream, signal)
    return { ...headers }
  },
  async challenged({ status, refusals }) {
    if (status !== 401 || refusals > 0 || source.refused === undefined) return false
    await source.refused(caller, upstream)
    return true
  },
})
