import { destinationOf, isLoopbackUri } from '../clients/redirect-uris.ts'
import type { Core } from '../core.ts'
import { redirect } from '../http/responses.ts'
import { leavingPage } from '../pages/page.ts'
import type { AuthorizationRequest, KnownClient } from '../state/records.ts'

/** The part of a request that is needed to send the user back. */
export type WayBack = Pick<AuthorizationRequest, 'client' | 'redirectUri' | 'state'>

/** The redirect of a response, errors too: always with `state` and `iss` (auth.iss.as-includes). */
export function locationOf(core: Core, { redirectUri, state }: WayBack, answer: { [name: string]: string }): string {
  const iss = core.faults.badIss === 'missing' ? undefined : issOf(core)
  const parameters = { ...answer, ...(state !== undefined && { state }), ...(iss !== undefined && { iss }) }
  // Joined as text: the URI was compared as text, and goes out as it was.
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${new URLSearchParams(parameters)}`
}

const issOf = ({ faults, issuer }: Core): string => (faults.badIss === 'wrong' ? 'https://wrong.example' : issuer)

export const sendBack = (core: Core, way: WayBack, answer: { [name: string]: string }): Response =>
  redirect(locationOf(core, way, answer))

/** An error response before consent: redirects at once only to trusted clients, others are linked to. */
export function sendBackError(core: Core, way: WayBack, error: string, description: string): Response {
  const answer = { error, error_description: description }
  if (isTrusted(way.client, way.redirectUri)) return sendBack(core, way, answer)
  return leavingPage(
    `The application asked for something that cannot be done: ${description}`,
    destinationOf(way.redirectUri).host,
    locationOf(core, way, answer),
  )
}

const isTrusted = ({ kind }: KnownClient, redirectUri: string): boolean =>
  kind === 'configured' || isLoopbackUri(redirectUri)
