import * as oauth from 'oauth4webapi'
import { reachOfHost } from '../address.ts'
import type { GuardedFetch } from '../guarded-fetch.ts'
import { isOAuthError, OAuthError } from '../oauth-error.ts'
import type { Trace } from '../trace.ts'
import { keyAuthentication, methodToRegister, secretAuthentication } from './client-authentication.ts'
import type { Grant, ResolvedClient } from './grants/grant.ts'
import type { OAuthOptions, RegistrationMetadata, StaticClient } from './options.ts'
import type { ClientRecord, Entry } from './stores/store.ts'
import { explained, requestOptions } from './token-request.ts'

interface Registering {
  as: oauth.AuthorizationServer
  grant: Grant
  options: OAuthOptions
  record: Entry<ClientRecord>
  knownIssuer: string | undefined
  scopes: readonly string[]
  guard: GuardedFetch
  trace: Trace
  signal: AbortSignal
}

/** The client id for an authorization server, in the order of auth.reg.priority. */
export async function resolveClient(plan: Registering, redirectUri?: string): Promise<ResolvedClient> {
  const { as, options, record } = plan
  if (options.client !== undefined) return staticClient(options.client, plan)
  if (options.clientMetadataUrl !== undefined && as.client_id_metadata_document_supported === true) {
    return resolved({ id: options.clientMetadataUrl }, as, false)
  }
  const known = await record.get()
  if (known !== undefined && isUsable(known, redirectUri)) return resolved(known, as, true)
  if (as.registration_endpoint === undefined || options.registration === false || plan.grant.registers === false)
    throw noClient(plan)
  const registered = await register(plan, options.registration ?? {}, redirectUri)
  await record.set(registered)
  return resolved(registered, as, true)
}

function resolved(known: ClientRecord, as: oauth.AuthorizationServer, registered: boolean): ResolvedClient {
  const { id, secret, method } = known
  return { client: { client_id: id }, authenticate: secretAuthentication(as, secret, method), registered }
}

async function staticClient(given: StaticClient, { as, knownIssuer, trace }: Registering): Promise<ResolvedClient> {
  const { id, secret, privateKey, method, issuer = knownIssuer } = given
  // auth.asbind.prereg-mismatch-error: credentials go only to the server that issued them. Without `issuer`, that is
  // the first one that accepted them.
  if (issuer !== undefined && issuer !== as.issuer) {
    const message = `The client belongs to the authorization server ${issuer}, and the server now names ${as.issuer}`
    throw new OAuthError('registration', message, trace)
  }
  const authenticate =
    privateKey === undefined ? secretAuthentication(as, secret, method) : await keyAuthentication(given)
  return { client: { client_id: id }, authenticate, registered: false }
}

function isUsable({ secretExpiresAt, redirectUri: known }: ClientRecord, redirectUri: string | undefined): boolean {
  const isFresh = secretExpiresAt === undefined || secretExpiresAt > Date.now()
  return isFresh && (redirectUri === undefined || redirectUri === known)
}

async function register(
  plan: Registering,
  about: RegistrationMetadata,
  redirectUri: string | undefined,
): Promise<ClientRecord> {
  const metadata = metadataOf(plan, about, redirectUri)
  try {
    return await sendRegistration(plan, metadata, redirectUri)
  } catch (error) {
    if (about.application_type !== undefined || !mayBeAboutType(error)) throw error
    // auth.reg.retry-adjusted: servers differ in their rules for each application type, so the other one is tried too.
    const other = { ...metadata, application_type: metadata.application_type === 'web' ? 'native' : 'web' }
    return sendRegistration(plan, other, redirectUri).catch(() => Promise.reject(error))
  }
}

const mayBeAboutType = (error: unknown): boolean =>
  isOAuthError(error) && (error.error === 'invalid_redirect_uri' || error.error === 'invalid_client_metadata')

type ClientMetadata = Partial<oauth.OmitSymbolProperties<oauth.Client>>

async function sendRegistration(
  plan: Registering,
  metadata: ClientMetadata,
  redirectUri: string | undefined,
): Promise<ClientRecord> {
  const { as, trace } = plan
  const { [oauth.customFetch]: send, ...options } = requestOptions(plan)
  try {
    const response = await oauth.dynamicClientRegistrationRequest(as, metadata, {
      ...options,
      [oauth.customFetch]: async (url, init) =>
        asCreated(await plan.guard.fetch(url, init as RequestInit, 'registration')),
    })
    return recordOf(await oauth.processDynamicClientRegistrationResponse(response), redirectUri)
  } catch (error) {
    throw explained('registration', `The registration at ${as.registration_endpoint}`, error, trace)
  }
}

function metadataOf(
  { as, grant, scopes }: Registering,
  about: RegistrationMetadata,
  redirectUri: string | undefined,
): ClientMetadata {
  const method = methodToRegister(as)
  return {
    client_name: 'Tenon',
    // auth.reg.application-type: without it servers assume `web`, and refuse redirects to this machine.
    application_type: applicationType(redirectUri),
    ...(about as { [name: string]: string }),
    grant_types: grant.interactive ? [grant.type, 'refresh_token'] : [grant.type],
    ...(redirectUri !== undefined && { redirect_uris: [redirectUri], response_types: ['code'] }),
    ...(method !== undefined && { token_endpoint_auth_method: method }),
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
  }
}

function applicationType(redirectUri: string | undefined): 'native' | 'web' {
  if (redirectUri === undefined) return 'native'
  const { protocol, hostname } = new URL(redirectUri)
  return protocol === 'https:' && reachOfHost(hostname) !== 'loopback' ? 'web' : 'native'
}

/** Several servers answer 200, and leave out when a secret expires. */
async function asCreated(response: Response): Promise<Response> {
  if (response.status !== 200 && response.status !== 201) return response
  const { headers } = response
  const text = await response.text()
  try {
    const body = { client_secret_expires_at: 0, ...JSON.parse(text) }
    return new Response(JSON.stringify(body), { status: 201, headers })
  } catch {
    return new Response(text, { status: 201, headers })
  }
}

function recordOf(client: oauth.OmitSymbolProperties<oauth.Client>, redirectUri: string | undefined): ClientRecord {
  const { client_id, client_secret, client_secret_expires_at: expires, token_endpoint_auth_method: method } = client
  return {
    id: client_id,
    ...(typeof client_secret === 'string' && { secret: client_secret }),
    ...(typeof expires === 'number' && expires > 0 && { secretExpiresAt: expires * 1_000 }),
    ...(typeof method === 'string' && { method }),
    ...(redirectUri !== undefined && { redirectUri }),
  }
}

function noClient({ as, grant, options, trace }: Registering): OAuthError {
  const document = options.clientMetadataUrl === undefined ? 'has none' : 'it does not support'
  const isOff = options.registration === false || grant.registers === false
  const registration = isOff ? 'is turned off' : 'it does not offer'
  const message =
    `There is no client id for the authorization server ${as.issuer}: give \`client\` with one that it knows ` +
    `(a metadata document ${document}, registration ${registration})`
  return new OAuthError('registration', message, trace)
}
