import { MetadataProblem } from '../clients/client-metadata.ts'
import { isRegistered } from '../clients/redirect-uris.ts'
import type { Core, Visit } from '../core.ts'
import { resourceFor } from '../grants/resources.ts'
import { type Parameters, parametersOf } from '../http/request-body.ts'
import { OAuthRefusal, PageRefusal } from '../http/responses.ts'
import type { User } from '../options.ts'
import { consentPage } from '../pages/consent-page.ts'
import type { AuthorizationRequest, KnownClient, Ticket } from '../state/records.ts'
import { hashOf, newSecret } from '../state/secrets.ts'
import type { Shelf } from '../state/shelf.ts'
import { assertUser } from '../validate-options.ts'
import { sendBackError, type WayBack } from './authorization-response.ts'

const ticketTtlMs = 10 * 60_000
const maxStateLength = 4_096
const sha256Pattern = /^[\w-]{43}$/

/** The authorization endpoint: checks the request, and asks the user. */
export async function authorize(core: Core, visit: Visit): Promise<Response> {
  const parameters = parametersOf(visit.query)
  const way = await wayBack(core, parameters)
  core.limits.countClient('authorize', way.client.id)
  let request: AuthorizationRequest
  try {
    request = requestFrom(core, way, parameters)
  } catch (error) {
    if (!(error instanceof OAuthRefusal)) throw error
    return sendBackError(core, way, error.error, error.message)
  }
  const user = await userOf(core, visit.request)
  return user instanceof Response ? user : ask(core, visit, request, user)
}

/** Users are sent on only if the redirect URI belongs to the client (auth.sec.untrusted-redirect). */
async function wayBack(core: Core, parameters: Parameters): Promise<WayBack> {
  const redirectUri = parameters.get('redirect_uri')
  const client = await knownClient(core, parameters.get('client_id'))
  if (redirectUri === undefined || !isRegistered(redirectUri, client.redirectUris)) {
    throw new PageRefusal('The application wants you to go on to an address that it has not registered.')
  }
  return { client, redirectUri, state: parameters.get('state') }
}

async function knownClient(core: Core, id: string | undefined): Promise<KnownClient> {
  try {
    const client = id === undefined ? undefined : await core.clients.find(id)
    if (client !== undefined) return client
  } catch (error) {
    if (!(error instanceof MetadataProblem)) throw error
    throw new PageRefusal(`What the application says about itself cannot be used: ${error.message}.`)
  }
  throw new PageRefusal('The application that sent you here is not known.')
}

function requestFrom(core: Core, way: WayBack, parameters: Parameters): AuthorizationRequest {
  const { client, state } = way
  const challenge = parameters.get('code_challenge')
  const jkt = parameters.get('dpop_jkt')
  const refuse = (error: string, description: string): OAuthRefusal => new OAuthRefusal(error, description)
  for (const name of ['request', 'request_uri']) {
    if (parameters.has(name)) throw refuse(`${name}_not_supported`, `${name}: not supported`)
  }
  if (parameters.get('response_type') !== 'code')
    throw refuse('unsupported_response_type', 'response_type: expected code')
  if ((parameters.get('response_mode') ?? 'query') !== 'query')
    throw refuse('invalid_request', 'response_mode: expected query')
  if (!client.grantTypes.includes('authorization_code'))
    throw refuse('unauthorized_client', 'The client may not use codes')
  if (parameters.get('code_challenge_method') !== 'S256' || challenge === undefined || !sha256Pattern.test(challenge)) {
    throw refuse('invalid_request', 'code_challenge: expected one made with S256')
  }
  if (state !== undefined && state.length > maxStateLength) throw refuse('invalid_request', 'state: too long')
  if (jkt !== undefined && !sha256Pattern.test(jkt)) throw refuse('invalid_request', 'dpop_jkt: expected a thumbprint')
  // Users are asked every time, so there is never an answer without them.
  if (parameters.get('prompt') === 'none') throw refuse('consent_required', 'prompt: users are always asked')
  return {
    ...way,
    scopes: core.scopes.requested(parameters.get('scope')),
    resource: resourceFor(core, parameters.get('resource')),
    challenge,
    nonce: parameters.get('nonce')?.slice(0, 512),
    jkt,
  }
}

/** The user of the browser; undefined if the page asks, or the identity provider will. */
export async function userOf({ options, upstream }: Core, request: Request): Promise<User | Response | undefined> {
  if (upstream !== undefined || options.signIn === undefined) return undefined
  const user = await options.signIn(request)
  if (user === undefined) throw new PageRefusal('You are not signed in.', 403)
  if (!(user instanceof Response)) assertUser(user, 'signIn')
  return user
}

/** sec.deputy.per-client-consent: asks every time, so no client can use the consent for another one. */
async function ask(core: Core, visit: Visit, request: AuthorizationRequest, user: User | undefined): Promise<Response> {
  return showTicket(core, core.state.tickets, visit, request, user, (ticket) =>
    consentPage(core, { request, ticket, user }),
  )
}

/** Shows a page that only this browser can send back, and only once. */
export async function showTicket<Asked>(
  core: Core,
  tickets: Shelf<Ticket<Asked>>,
  { request: visited }: Visit,
  request: Asked,
  user: User | undefined,
  show: (ticket: string) => Response,
): Promise<Response> {
  const browser = core.browser.read(visited) ?? newSecret()
  const ticket = newSecret()
  const expiresAt = core.now() + ticketTtlMs
  await tickets.set(await hashOf(ticket), {
    request,
    browser: await hashOf(browser),
    subject: user?.subject,
    expiresAt,
  })
  return core.browser.set(show(ticket), browser)
}
