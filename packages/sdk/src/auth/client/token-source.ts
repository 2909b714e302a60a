import type { AuthorizationServer } from 'oauth4webapi'
import type { Challenge } from '../challenge.ts'
import { type DiscoveryOptions, defaultEndpoints, discoverIssuer, discoverResource } from '../discovery.ts'
import { OAuthError } from '../oauth-error.ts'
import type { OAuthOptions } from './options.ts'
import type { ServerRecord } from './stores/store.ts'

/** The authorization server of a server, and facts about its tokens. */
export interface TokenSource {
  record: ServerRecord
  as: AuthorizationServer
  /** The scopes that the resource lists. */
  scopes: string[] | undefined
  dpopRequired: boolean
}

/** Finds the authorization server of a server that asks for a token. */
export async function findTokenSource(
  server: URL,
  challenge: Challenge | undefined,
  options: OAuthOptions,
  discovery: DiscoveryOptions,
): Promise<TokenSource> {
  const metadata = await discoverResource(server, challenge?.params.get('resource_metadata'), discovery)
  const listed = metadata?.authorizationServers ?? []
  const { scopes, dpopRequired = false } = metadata ?? {}
  const about = { scopes, dpopRequired }
  const resource = metadata === undefined ? {} : { resource: metadata.resource }
  if (listed.length === 0) {
    // auth.mar25.base-url: servers of 2025-03-26 are their own authorization servers.
    const as = await discoverIssuer(server.origin, discovery)
    const record = { issuer: server.origin, ...resource }
    if (as !== undefined) return { record, as, ...about }
    return { record: { ...record, defaults: true }, as: defaultEndpoints(server), ...about }
  }
  const issuer = await chooseIssuer(listed, options, discovery)
  return { record: { issuer, ...resource }, as: await knownIssuer(issuer, discovery), ...about }
}

/** The place of an earlier authorization, without asking the server again. */
export async function recallTokenSource(
  record: ServerRecord,
  server: URL,
  discovery: DiscoveryOptions,
): Promise<TokenSource> {
  const as = record.defaults ? defaultEndpoints(server) : await knownIssuer(record.issuer, discovery)
  return { record, as, scopes: undefined, dpopRequired: false }
}

async function knownIssuer(issuer: string, discovery: DiscoveryOptions): Promise<AuthorizationServer> {
  const as = await discoverIssuer(issuer, discovery)
  if (as !== undefined) return as
  throw new OAuthError('discovery', `The authorization server ${issuer} has no metadata`, discovery.trace)
}

async function chooseIssuer(
  listed: readonly string[],
  { chooseIssuer: choose, client }: OAuthOptions,
  { trace }: DiscoveryOptions,
): Promise<string> {
  const own = client?.issuer !== undefined && listed.includes(client.issuer) ? client.issuer : listed[0]!
  const chosen = choose === undefined ? own : await choose(listed)
  if (listed.includes(chosen)) return chosen
  throw new OAuthError('discovery', `chooseIssuer returned ${chosen}, which the server does not list`, trace)
}
