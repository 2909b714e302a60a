import type { AuthorizationServer } from 'oauth4webapi'
import { isMcpError } from '../errors.ts'
import { builtin } from '../internal/builtin.ts'
import { isObject } from '../jsonrpc/classify.ts'
import { exceedsDepth } from '../jsonrpc/limits.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import { revisions } from '../model/revision.ts'
import type { GuardedFetch } from './guarded-fetch.ts'
import { OAuthError } from './oauth-error.ts'
import type { Trace } from './trace.ts'
import type { OAuthPurpose } from './watched-request.ts'
import { coversServer, issuerMetadataUrls, resourceMetadataUrls } from './well-known.ts'

/** Protected resource metadata (RFC 9728). */
interface ResourceMetadata {
  /** Exactly as written: it is compared and sent as a string. */
  resource: string
  authorizationServers: string[]
  scopes: string[] | undefined
  dpopRequired: boolean
}

export interface DiscoveryOptions {
  guard: GuardedFetch
  trace: Trace
  signal?: AbortSignal
  /** Whether metadata whose issuer is not the expected one is used all the same. */
  onIssuerMismatch: 'refuse' | 'warn'
  warn: (message: string) => void
}

type Document = { kind: 'found'; json: JsonObject } | { kind: 'absent' } | { kind: 'unknown' }

/** The metadata of a server: from where its challenge says, or from the well-known places. Undefined if it has none. */
export async function discoverResource(
  server: URL,
  named: string | undefined,
  options: DiscoveryOptions,
): Promise<ResourceMetadata | undefined> {
  const { trace } = options
  const urls = resourceMetadataUrls(server)
  if (named !== undefined && URL.canParse(named, server)) urls.unshift(new URL(named, server))
  let isAbsent = named === undefined
  for (const url of unique(urls)) {
    const found = await readDocument(url, 'resource-metadata', options)
    if (found.kind === 'unknown') isAbsent = false
    if (found.kind !== 'found') continue
    const metadata = readResource(found.json)
    if (metadata === undefined) {
      isAbsent = false
      trace.add(url.href, 'has no resource, or members of the wrong type')
      continue
    }
    if (!coversServer(metadata.resource, server)) {
      trace.add(url.href, `is about ${metadata.resource}`)
      // auth.prm.resource-must-match: a token for another resource would be a gift to this server.
      throw new OAuthError('discovery', `The metadata of ${server.href} is about ${quote(metadata.resource)}`, trace)
    }
    return metadata
  }
  if (isAbsent) return undefined
  throw new OAuthError('discovery', `${server.href} asks for authorization, and its metadata cannot be read`, trace)
}

function readResource(json: JsonObject): ResourceMetadata | undefined {
  const { resource, authorization_servers, scopes_supported, dpop_bound_access_tokens_required } = json
  if (typeof resource !== 'string') return undefined
  const servers = strings(authorization_servers ?? [])
  const scopes = scopes_supported === undefined ? undefined : strings(scopes_supported)
  if (servers === undefined || (scopes_supported !== undefined && scopes === undefined)) return undefined
  return { resource, authorizationServers: servers, scopes, dpopRequired: dpop_bound_access_tokens_required === true }
}

/** The metadata of an authorization server, from the first well-known place that has it. Undefined if none has. */
export async function discoverIssuer(
  issuer: string,
  options: DiscoveryOptions,
): Promise<AuthorizationServer | undefined> {
  const { trace, warn } = options
  if (!URL.canParse(issuer)) throw new OAuthError('discovery', `The issuer ${quote(issuer)} is no URL`, trace)
  let isAbsent = true
  for (const url of issuerMetadataUrls(new URL(issuer))) {
    const found = await readDocument(url, 'issuer-metadata', options)
    if (found.kind === 'unknown') isAbsent = false
    if (found.kind !== 'found') continue
    const { issuer: named } = found.json
    const problem = wrongMember(found.json)
    if (problem !== undefined) {
      isAbsent = false
      trace.add(url.href, problem)
      continue
    }
    // auth.asmeta.validate-issuer: simple string comparison, or one server could speak for another.
    if (named === issuer) return found.json as unknown as AuthorizationServer
    isAbsent = false
    trace.add(url.href, `names the issuer ${quote(named)}, expected ${quote(issuer)}`)
    if (options.onIssuerMismatch === 'warn' && typeof named === 'string') {
      warn(`The metadata at ${url.href} names the issuer ${quote(named)}, expected ${quote(issuer)}`)
      return found.json as unknown as AuthorizationServer
    }
  }
  if (isAbsent) return undefined
  throw new OAuthError(
    'discovery',
    `The metadata of the authorization server ${quote(issuer)} cannot be used (deviations.issuerMismatch tolerates another issuer)`,
    trace,
  )
}

const lists = [
  'scopes_supported',
  'code_challenge_methods_supported',
  'token_endpoint_auth_methods_supported',
  'dpop_signing_alg_values_supported',
]
const endpoints = [
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'device_authorization_endpoint',
  'revocation_endpoint',
]

/** The first member of a wrong type, of those that are used. */
function wrongMember(json: JsonObject): string | undefined {
  const list = lists.find((name) => json[name] != null && strings(json[name]) === undefined)
  if (list !== undefined) return `${list}: expected an array of strings`
  const endpoint = endpoints.find((name) => json[name] != null && typeof json[name] !== 'string')
  return endpoint === undefined ? undefined : `${endpoint}: expected a string`
}

/** The endpoints of servers of 2025-03-26 without metadata (auth.mar25.fallback-endpoints). */
export const defaultEndpoints = ({ origin }: URL): AuthorizationServer => ({
  issuer: origin,
  authorization_endpoint: `${origin}/authorize`,
  token_endpoint: `${origin}/token`,
  registration_endpoint: `${origin}/register`,
})

// auth.mar25.version-header-on-discovery. In browsers it would need a preflight, which few servers of metadata answer.
const versionHeader: { [name: string]: string } =
  builtin('node:http') === undefined ? {} : { 'MCP-Protocol-Version': revisions.at(-1)! }

async function readDocument(
  url: URL,
  purpose: OAuthPurpose,
  { guard, trace, signal }: DiscoveryOptions,
): Promise<Document> {
  const headers = { Accept: 'application/json', ...versionHeader }
  try {
    const { status, text } = await guard.send({ purpose, method: 'GET', url, headers, ...(signal && { signal }) })
    if (status !== 200) {
      trace.add(url.href, 'no metadata', status)
      // A server that fails may have some; many answer 401 for missing documents.
      return { kind: status >= 500 || status === 429 ? 'unknown' : 'absent' }
    }
    const json = parse(text)
    trace.add(url.href, json === undefined ? 'is no JSON object' : 'metadata', status)
    // A page for every address is how many web servers say that there is nothing.
    return json === undefined ? { kind: 'absent' } : { kind: 'found', json }
  } catch (error) {
    if (signal?.aborted) throw error
    trace.add(url.href, isMcpError(error) ? error.message : String(error))
    return { kind: 'unknown' }
  }
}

function parse(text: string): JsonObject | undefined {
  if (exceedsDepth(text, 32)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? (value as JsonObject) : undefined
  } catch {
    return undefined
  }
}

const unique = (urls: URL[]): URL[] => [...new Map(urls.map((url) => [url.href, url])).values()]

const strings = (value: unknown): string[] | undefined =>
  Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined

const quote = (value: unknown): string => (typeof value === 'string' ? JSON.stringify(value.slice(0, 200)) : 'none')
