import type { NetworkOptions } from '@tenon/sdk/auth/server'
import { McpError } from '@tenon/sdk/client'
import type { GatewayCaller } from '../../model.ts'
import { AuthorizationServers } from '../authorization-servers.ts'
import type { ClientCredentialsConfig, IdJagConfig, TokenConfig, TokenExchangeConfig } from '../config.ts'
import { type CredentialProvider, placed, tokenIn } from '../provider.ts'
import { TokenCache } from '../token-cache.ts'
import { type IssuedToken, issuedToken, requestToken, tokenClient } from '../token-requests.ts'
import { type Subject, type SubjectSources, subjectOf } from './subjects.ts'

/** Everything that grants need beside their configuration. */
export interface GrantWorld {
  /** The address of the upstream. */
  readonly url: string | undefined
  readonly network: NetworkOptions
  readonly subjects: SubjectSources
  readonly now: () => number
}

const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange'
const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const idJag = 'urn:ietf:params:oauth:token-type:id-jag'

const joined = (scopes: readonly string[] | undefined): string | undefined =>
  scopes === undefined || scopes.length === 0 ? undefined : scopes.join(' ')

/** The gateway acts for itself: one token for all callers, since it is the gateway's own. */
export function clientCredentials(config: ClientCredentialsConfig, world: GrantWorld): CredentialProvider {
  const servers = new AuthorizationServers(config, world.url, world.network)
  return cached(config, world, async () => ({
    key: '',
    obtain: async () => {
      const server = await servers.find()
      const client = await tokenClient(config.client, server.as)
      const { resource } = server
      const parameters = { scope: joined(config.scopes), resource, audience: config.audience }
      return requestToken({ server, client, type: 'client_credentials', parameters })
    },
  }))
}

/** The token of the caller, for one of the upstream (RFC 8693). */
export function tokenExchange(config: TokenExchangeConfig, world: GrantWorld): CredentialProvider {
  const servers = new AuthorizationServers(config, world.url, world.network)
  return cached(config, world, async (caller) => {
    const subject = await subjectOf(caller, config.subject ?? 'caller', world.subjects)
    const obtain = async (): ReturnType<typeof requestToken> => {
      const server = await servers.find()
      const client = await tokenClient(config.client, server.as)
      const { resource } = server
      const parameters = {
        ...subjectParameters(subject),
        requested_token_type: config.requestedTokenType,
        scope: joined(config.scopes),
        resource,
        audience: config.audience,
      }
      return requestToken({ server, client, type: exchange, parameters })
    }
    return { key: keyOf(caller, subject), obtain }
  })
}

/** The identity provider makes a grant out of the identity of the caller, and the upstream's server a token of that. */
export function identityAssertion(config: IdJagConfig, world: GrantWorld): CredentialProvider {
  const servers = new AuthorizationServers(config, world.url, world.network)
  const { issuer, tokenEndpoint } = config.provider
  const providerPlace = { issuer, ...(tokenEndpoint !== undefined && { tokenEndpoint }) }
  const providers = new AuthorizationServers(providerPlace, undefined, world.network)
  return cached(config, world, async (caller) => {
    const subject = await subjectOf(caller, config.subject ?? 'sign-in', world.subjects)
    const obtain = async (): ReturnType<typeof requestToken> => {
      const [server, provider] = await Promise.all([servers.find(), providers.find()])
      const scope = joined(config.scopes)
      const grant = await requestToken({
        server: provider,
        client: await tokenClient(config.provider.client, provider.as),
        type: exchange,
        parameters: {
          ...subjectParameters(subject),
          requested_token_type: idJag,
          audience: server.as.issuer,
          resource: server.resource,
          scope,
        },
        types: ['n_a'],
      })
      if (grant.issued_token_type !== idJag) {
        throw new McpError('unauthorized', `The identity provider ${issuer} issued something other than an ID-JAG`)
      }
      const client = await tokenClient(config.client, server.as)
      const parameters = { assertion: grant.access_token, resource: server.resource, scope }
      return requestToken({ server, client, type: jwtBearer, parameters })
    }
    return { key: keyOf(caller, subject), obtain }
  })
}

const subjectParameters = ({ token, type }: Subject): { [name: string]: string } => ({
  subject_token: token,
  subject_token_type: type,
})

/** A person may call with two tokens of different rights: a token that one of them brought is not for the other. */
const keyOf = ({ id }: GatewayCaller, { fingerprint }: Subject): string => JSON.stringify([id, fingerprint])

interface Plan {
  readonly key: string
  readonly obtain: () => ReturnType<typeof requestToken>
}

/** Tokens without a person in between: they are obtained when they are needed, and again when they end. */
function cached(
  config: TokenConfig,
  world: GrantWorld,
  plan: (caller: GatewayCaller) => Promise<Plan>,
): CredentialProvider {
  const cache = new TokenCache(world.now)
  return {
    credentialsFor: async (caller, signal) => {
      const { key, obtain } = await plan(caller)
      const fresh = async (): Promise<IssuedToken> => issuedToken(await obtain(), world.now())
      return placed(config, await cache.get(key, fresh, signal))
    },
    refused: async (caller, used) => cache.refused((await plan(caller)).key, tokenIn(config, used)),
  }
}
