import * as oauth from 'oauth4webapi'
import { isMcpError } from '../../errors.ts'
import { excerpt } from '../../http-client/http-error.ts'
import { isObject } from '../../jsonrpc/classify.ts'
import type { GuardedFetch } from '../guarded-fetch.ts'
import { isOAuthError, OAuthError, type OAuthFailure } from '../oauth-error.ts'
import type { Trace } from '../trace.ts'
import type { OAuthPurpose } from '../watched-request.ts'
import type { DpopKey } from './dpop.ts'
import type { ResolvedClient } from './grants/grant.ts'

type RequestOptions = oauth.TokenEndpointRequestOptions

interface TokenRequest {
  as: oauth.AuthorizationServer
  client: ResolvedClient
  dpop: DpopKey | undefined
  guard: GuardedFetch
  trace: Trace
  signal: AbortSignal
  send(options: RequestOptions): Promise<Response>
}

/** Sends a token request; once more if the server wants a nonce in the proof (xauth.dpop.as-nonce). */
export async function requestToken(request: TokenRequest): Promise<oauth.TokenEndpointResponse> {
  const { as, client, dpop, trace } = request
  const attempt = async (): Promise<oauth.TokenEndpointResponse> => {
    const options = { ...requestOptions(request), ...(dpop && { DPoP: dpop.handle }) }
    return oauth.processGenericTokenEndpointResponse(as, client.client, await request.send(options))
  }
  try {
    try {
      return await attempt()
    } catch (error) {
      if (dpop === undefined || !oauth.isDPoPNonceError(error)) throw error
      return await attempt()
    }
  } catch (error) {
    throw explained('token', 'The token endpoint', error, trace)
  }
}

/** The options of every request to an authorization server: guarded, and abortable. */
export function requestOptions(
  { guard, signal }: Pick<TokenRequest, 'guard' | 'signal'>,
  purpose: OAuthPurpose = 'token',
): RequestOptions {
  return {
    signal,
    // Which plain http is allowed is decided by the guard.
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: async (url, init) => withoutIdToken(await guard.fetch(url, init as RequestInit, purpose)),
  }
}

/** Nothing here looks at an id token, so one that cannot be verified shall not spoil the rest. */
async function withoutIdToken(response: Response): Promise<Response> {
  if (response.status !== 200) return response
  const { status, headers } = response
  const text = await response.text()
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {}
  if (!isObject(body) || !('id_token' in body)) return new Response(text, { status, headers })
  const { id_token: _, ...rest } = body
  return new Response(JSON.stringify(rest), { status, headers })
}

/** An error of the protocol as ours. Causes are left out: they hold codes and tokens. */
export function explained(failure: OAuthFailure, what: string, thrown: unknown, trace: Trace): Error {
  if (isOAuthError(thrown) || (isMcpError(thrown) && thrown.code === 'cancelled')) return thrown
  if (isMcpError(thrown)) return new OAuthError(failure, `${what} failed: ${thrown.message}`, trace, { cause: thrown })
  const error = codeOf(thrown)
  if (error === undefined) {
    return new OAuthError(failure, `${what} failed: ${messageOf(thrown)}`, trace)
  }
  const { error_description: description } = thrown as oauth.ResponseBodyError
  const said = description === undefined ? '' : `: ${excerpt(description, undefined)}`
  return new OAuthError(failure, `${what} refused with ${excerpt(error, undefined)}${said}`, trace, { error })
}

/** The message of oauth4webapi, with the status if that is the problem. */
function messageOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return 'unknown'
  return thrown.cause instanceof Response ? `${thrown.message} (HTTP ${thrown.cause.status})` : thrown.message
}

function codeOf(thrown: unknown): string | undefined {
  if (thrown instanceof oauth.ResponseBodyError || thrown instanceof oauth.AuthorizationResponseError) {
    return thrown.error
  }
  // An authorization server that answers 401 with a challenge refuses the client (RFC 6749 section 5.2).
  if (thrown instanceof oauth.WWWAuthenticateChallengeError) {
    return thrown.cause.find(({ parameters }) => parameters.error !== undefined)?.parameters.error ?? 'invalid_client'
  }
  return undefined
}
