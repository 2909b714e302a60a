import type { Core, Visit } from '../core.ts'
import { type Parameters, readForm } from '../http/request-body.ts'
import { PageRefusal } from '../http/responses.ts'
import type { User } from '../options.ts'
import type { AuthorizationRequest, Ticket } from '../state/records.ts'
import { hashOf, newSecret, sameHash } from '../state/secrets.ts'
import type { Shelf } from '../state/shelf.ts'
import { sendBack } from './authorization-response.ts'
import { userOf } from './authorize.ts'

const stale = 'This page is too old, or was sent from somewhere else.'

/** The answer of a user on the consent page. */
export async function consent(core: Core, { request: post }: Visit): Promise<Response> {
  assertOwnPage(core, post)
  const form = await readForm(post)
  const { request, subject, browser } = await ticketOf(core, core.state.tickets, post, form)
  const { client } = request
  if (form.get('decision') !== 'allow') {
    core.tell({ type: 'denied', clientId: client.id, ...(subject !== undefined && { subject }) })
    return sendBack(core, request, { error: 'access_denied', error_description: 'The user refused' })
  }
  // sec.deputy.check-before-forward: the identity provider may ask nothing, so it comes after this page.
  if (core.upstream !== undefined) return core.upstream.start(core, request, browser)
  const user = await agreeing(core, post, form, subject)
  return sendBack(core, request, { code: await newCode(core, request, user) })
}

/** A code for a consent: good once, and not for long. */
export async function newCode(core: Core, request: AuthorizationRequest, user: User): Promise<string> {
  const { codeTtlS = 60 } = core.options
  const code = newSecret()
  core.tell({ type: 'consent', clientId: request.client.id, subject: user.subject, detail: request.scopes.join(' ') })
  await core.state.codes.set(await hashOf(code), {
    request,
    user,
    scopes: withheld(core, request),
    expiresAt: core.now() + codeTtlS * 1_000,
  })
  return code
}

function withheld({ faults, state }: Core, { client, scopes }: AuthorizationRequest): readonly string[] {
  if (faults.stepUp === undefined || state.agreedBefore.has(client.id)) return scopes
  state.agreedBefore.add(client.id)
  return scopes.filter((scope) => !faults.stepUp!.includes(scope))
}

/** Browsers say which page a form was on; those that do not are held by the ticket and the cookie alone. */
export function assertOwnPage({ issuer }: Core, { headers }: Request): void {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  if (origin !== null && origin !== new URL(issuer).origin) throw new PageRefusal(stale, 403)
  if (site !== null && site !== 'same-origin') throw new PageRefusal(stale, 403)
}

/** sec.deputy.ui-csrf: the page was shown to this browser, for this request, and was not answered before. */
export async function ticketOf<Asked>(
  core: Core,
  tickets: Shelf<Ticket<Asked>>,
  request: Request,
  form: Parameters,
): Promise<Ticket<Asked>> {
  const key = await hashOf(form.get('ticket') ?? '')
  const browser = await hashOf(core.browser.read(request) ?? '')
  const held = await tickets.read(key)
  if (held === undefined || !sameHash(held.value.browser, browser)) throw new PageRefusal(stale, 403)
  if (!(await tickets.delete(key, held.version))) throw new PageRefusal(stale, 403)
  return held.value
}

/** The user who agrees, which has to be the one that the page was shown to. */
export async function agreeing(
  core: Core,
  post: Request,
  form: Parameters,
  shownTo: string | undefined,
): Promise<User> {
  const signedIn = await userOf(core, post)
  if (signedIn !== undefined) {
    if (!(signedIn instanceof Response) && signedIn.subject === shownTo) return signedIn
    throw new PageRefusal('You are no longer signed in as the one who was asked.', 403)
  }
  return chosenUser(core, form)
}

/** For development: the user that the form names. */
function chosenUser({ options }: Core, form: Parameters): User {
  const chosen = options.users?.find(({ subject }) => subject === form.get('user'))
  if (chosen === undefined) throw new PageRefusal('Nobody is called that here.')
  return chosen
}
