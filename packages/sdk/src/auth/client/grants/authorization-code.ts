import * as oauth from 'oauth4webapi'
import type { MaybePromise } from '../../../internal/maybe-promise.ts'
import { reachOfHost } from '../../address.ts'
import { OAuthError } from '../../oauth-error.ts'
import { explained, requestToken } from '../token-request.ts'
import type { Grant, GrantContext, GrantedToken, ResolvedClient } from './grant.ts'
import { loopbackRedirect } from './loopback.ts'

/** Takes the user to the authorization server, and receives the redirect back. */
export interface RedirectReceiver {
  /** The redirect URI. */
  readonly uri: string
  /** Shows the page to the user; returns the URL that they were sent back to, with its query. */
  visit(page: URL, signal: AbortSignal): Promise<URL>
  close(): MaybePromise<void>
}

/** Makes a receiver for one authorization; `preferred` is the redirect URI that is already registered. */
export type Redirect = (preferred: string | undefined) => MaybePromise<RedirectReceiver>

export interface AuthorizationCodeOptions {
  /** How the user gets to the page and back: `loopbackRedirect()` unless given. */
  redirect?: Redirect
}

/** The user agrees in a browser: authorization code with PKCE. */
export function authorizationCode({ redirect = loopbackRedirect() }: AuthorizationCodeOptions = {}): Grant {
  return {
    name: 'authorization code',
    type: 'authorization_code',
    interactive: true,
    obtain: async (context) => {
      assertPkce(context)
      const receiver = await redirect(await context.knownRedirectUri())
      try {
        return await authorize(context, receiver)
      } finally {
        await receiver.close()
      }
    },
  }
}

async function authorize(context: GrantContext, receiver: RedirectReceiver): Promise<GrantedToken> {
  const { as, trace, signal, sentResource } = context
  assertRedirectUri(receiver.uri)
  const client = await context.client(receiver.uri)
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const page = await pageUrl(context, client, receiver.uri, verifier, state)
  const back = await receiver.visit(page, signal)
  let parameters: URLSearchParams
  try {
    // Checks `iss` before anything else in the answer is believed (auth.iss.*), then `state`.
    parameters = oauth.validateAuthResponse(as, client.client, back, state)
  } catch (error) {
    throw explained('authorization', `The authorization at ${as.issuer}`, error, trace)
  }
  const response = await requestToken({
    ...context,
    client,
    send: (options) =>
      oauth.authorizationCodeGrantRequest(as, client.client, client.authenticate, parameters, receiver.uri, verifier, {
        ...options,
        ...(sentResource !== undefined && { additionalParameters: { resource: sentResource } }),
      }),
  })
  return { response, clientId: client.client.client_id }
}

async function pageUrl(
  { as, sentResource, scopes, guard, trace, dpop }: GrantContext,
  { client }: ResolvedClient,
  redirectUri: string,
  verifier: string,
  state: string,
): Promise<URL> {
  const page = URL.canParse(as.authorization_endpoint ?? '') ? new URL(as.authorization_endpoint!) : undefined
  // sec.authurl.http-schemes-only: this URL is handed to the system.
  const refusal = page === undefined ? 'it names no authorization endpoint' : guard.refusal(page)
  if (page === undefined || refusal !== undefined) {
    throw new OAuthError('discovery', `The authorization server ${as.issuer} cannot be used: ${refusal}`, trace)
  }
  const parameters = {
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: redirectUri,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    ...(sentResource !== undefined && { resource: sentResource }),
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    // OpenID: without it long-lived access is not granted.
    ...(scopes.includes('offline_access') && { prompt: 'consent' }),
    ...(dpop !== undefined && { dpop_jkt: dpop.thumbprint }),
  }
  for (const [name, value] of Object.entries(parameters)) page.searchParams.set(name, value)
  return page
}

/** auth.sec.pkce-absent-refuse. Servers without any metadata cannot say. */
function assertPkce({ as, hasMetadata, allowsUnadvertisedPkce, trace }: GrantContext): void {
  const methods = as.code_challenge_methods_supported
  if (!hasMetadata || methods?.includes('S256') || (methods === undefined && allowsUnadvertisedPkce)) return
  const said = methods === undefined ? 'does not say that it supports PKCE' : 'does not support PKCE with S256'
  const hint = methods === undefined ? ' (deviations.unadvertisedPkce tolerates that)' : ''
  throw new OAuthError('discovery', `The authorization server ${as.issuer} ${said}${hint}`, trace)
}

/** auth.sec.redirect-uri-form: this machine, https, or a scheme of the application's own. */
function assertRedirectUri(uri: string): void {
  const { protocol, hostname } = new URL(uri)
  if (protocol !== 'http:' || reachOfHost(hostname) === 'loopback') return
  throw new OAuthError('authorization', `The redirect URI ${uri} is neither https nor on this machine`)
}
