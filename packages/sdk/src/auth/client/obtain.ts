import * as oauth from 'oauth4webapi'
import type { GuardedFetch } from '../guarded-fetch.ts'
import { isOAuthError } from '../oauth-error.ts'
import type { Trace } from '../trace.ts'
import type { DpopKey } from './dpop.ts'
import type { Grant, GrantContext, GrantedToken, ResolvedClient } from './grants/grant.ts'
import type { OAuthOptions } from './options.ts'
import { resolveClient } from './registration.ts'
import type { Records, TokenRecord } from './stores/store.ts'
import { requestToken } from './token-request.ts'
import type { TokenSource } from './token-source.ts'

export interface Obtaining {
  server: URL
  /** The authorization server that gave tokens before. */
  knownIssuer: string | undefined
  source: TokenSource
  grant: Grant
  options: OAuthOptions
  records: Records
  scopes: readonly string[]
  dpop: DpopKey | undefined
  guard: GuardedFetch
  trace: Trace
  signal: AbortSignal
}

/** The authorization server does not know the client, or not any more. */
const unknownClient: ReadonlySet<string | undefined> = new Set(['invalid_client', 'unauthorized_client'])

/** Obtains a token by the grant. A client that registered itself and is no longer known registers again, once. */
export async function obtain(plan: Obtaining): Promise<GrantedToken> {
  let used: ResolvedClient | undefined
  const context = contextOf(plan, (client) => {
    used = client
  })
  try {
    return await plan.grant.obtain(context)
  } catch (error) {
    if (!isOAuthError(error) || !unknownClient.has(error.error) || used?.registered !== true) throw error
    await forgetClient(plan, used.client.client_id)
    return plan.grant.obtain(context)
  }
}

/** A new token for a refresh token; undefined if that is no longer good. */
export async function refresh(plan: Obtaining, tokens: TokenRecord): Promise<oauth.TokenEndpointResponse | undefined> {
  const { as, record } = plan.source
  const { refreshToken } = tokens
  if (refreshToken === undefined) return undefined
  const client = await clientFor(plan).catch(() => undefined)
  // A refresh token belongs to the client that it was given to.
  if (client === undefined || client.client.client_id !== tokens.clientId) return undefined
  const resource = sentResource(plan, record.resource)
  try {
    return await requestToken({
      ...plan,
      as,
      client,
      send: (options) =>
        oauth.refreshTokenGrantRequest(as, client.client, client.authenticate, refreshToken, {
          ...options,
          ...(resource !== undefined && { additionalParameters: { resource } }),
        }),
    })
  } catch (error) {
    if (!isOAuthError(error)) throw error
    if (unknownClient.has(error.error) && client.registered) await forgetClient(plan, client.client.client_id)
    else if (error.error !== 'invalid_grant') throw error
    return undefined
  }
}

const sentResource = ({ options }: Obtaining, resource: string | undefined): string | undefined =>
  options.deviations?.omitResource ? undefined : resource

/** The client to use. */
export const clientFor = (plan: Obtaining, redirectUri?: string): Promise<ResolvedClient> => {
  const { as, record } = plan.source
  return resolveClient({ ...plan, as, record: plan.records.client(record.issuer) }, redirectUri)
}

function contextOf(plan: Obtaining, use: (client: ResolvedClient) => void): GrantContext {
  const { as, record } = plan.source
  return {
    ...plan,
    as,
    resource: record.resource,
    sentResource: sentResource(plan, record.resource),
    hasMetadata: record.defaults !== true,
    allowsUnadvertisedPkce: plan.options.deviations?.unadvertisedPkce === true,
    client: async (redirectUri) => {
      const client = await clientFor(plan, redirectUri)
      use(client)
      return client
    },
    knownRedirectUri: async () => (await plan.records.client(record.issuer).get())?.redirectUri,
  }
}

/** Forgets a registration, unless another one has taken its place. */
async function forgetClient({ records, source }: Obtaining, clientId: string): Promise<void> {
  const entry = records.client(source.record.issuer)
  if ((await entry.get())?.id === clientId) await entry.delete()
}
