import {
  type ConfiguredClient,
  type Issuer,
  issuer,
  type UpstreamOptions,
  type UpstreamTokens,
  type User,
} from '@tenon/issuer'
import type { JsonObject } from '@tenon/sdk/client'
import { type ClaimNames, personOf } from './callers.ts'
import type { OwnIssuerConfig, ProviderConfig } from './config.ts'

interface OwnIssuerOptions {
  readonly url: string
  readonly resources: readonly string[]
  readonly scopes: readonly string[]
  readonly claims: ClaimNames
  readonly clients: readonly ConfiguredClient[]
  /** Called with the tokens of the identity provider when a person signed in there. */
  readonly onSignIn: (subject: string, tokens: UpstreamTokens) => Promise<void>
  readonly onError: (error: unknown) => void
}

/** The authorization server of the gateway. The tokens that it issues have the groups and the name of the provider's. */
export function ownIssuer(config: OwnIssuerConfig, options: OwnIssuerOptions): Issuer {
  const { url, resources, scopes, clients, claims: names, onSignIn, onError } = options
  const { provider, users, file } = config
  const people = users?.map(({ subject, name, groups = [] }) => ({
    subject,
    ...(name !== undefined && { name }),
    claims: { [names.groupsClaim]: groups },
  }))
  return issuer({
    url,
    resources,
    clients,
    ...(scopes.length > 0 && { scopes: ['openid', ...scopes] }),
    ...(people && { users: people }),
    ...(provider && { upstream: upstreamOf(provider, names, onSignIn) }),
    ...(file !== undefined && { file }),
    onError,
  })
}

function upstreamOf(
  provider: ProviderConfig,
  names: ClaimNames,
  onSignIn: OwnIssuerOptions['onSignIn'],
): UpstreamOptions {
  const { issuer, clientId, clientSecret, scopes = ['openid'], authorizationEndpoint, tokenEndpoint } = provider
  return {
    issuer,
    clientId,
    scopes,
    ...(clientSecret !== undefined && { clientSecret }),
    ...(authorizationEndpoint !== undefined && { authorizationEndpoint }),
    ...(tokenEndpoint !== undefined && { tokenEndpoint }),
    user: async (tokens: UpstreamTokens): Promise<User | undefined> => {
      const claims = (tokens.claims ?? {}) as JsonObject
      if (typeof claims.sub !== 'string' || claims.sub === '') return undefined
      const { name, groups } = personOf({ issuer, subject: claims.sub, scopes: [], claims }, names)
      await onSignIn(claims.sub, tokens)
      return { subject: claims.sub, ...(name !== undefined && { name }), claims: { name, [names.groupsClaim]: groups } }
    },
  }
}
