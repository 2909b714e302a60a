import { isOAuthError, type OAuthPurpose, type OAuthRequest } from '@tenon/sdk/auth'
import type { AuthorizationFinding, AuthorizationStepName } from '../protocol.ts'
import { warning } from './explain/known.ts'

const steps: { [Purpose in OAuthPurpose]: AuthorizationStepName } = {
  'resource-metadata': 'resource',
  'issuer-metadata': 'issuer',
  registration: 'client',
  'device-code': 'consent',
  token: 'token',
  revocation: 'revocation',
}

/** The step that a request belongs to. */
export const stepOf = ({ purpose, body }: OAuthRequest): AuthorizationStepName =>
  purpose === 'token' && new URLSearchParams(body).get('grant_type') === 'refresh_token' ? 'refresh' : steps[purpose]

/** The step at which authorization has failed: the one that was running, unless the error is about an earlier one. */
export function failedStep(error: unknown, current: AuthorizationStepName | undefined): AuthorizationStepName {
  if (current === 'retry' || !isOAuthError(error)) return current ?? 'request'
  switch (error.failure) {
    case 'discovery':
      return current === 'resource' || current === 'request' ? current : 'issuer'
    case 'registration':
      return 'client'
    case 'authorization':
      return current === 'redirect' ? 'redirect' : 'consent'
    case 'token':
      return current === 'request' ? 'request' : 'token'
    case 'scope':
      return 'request'
  }
}

/** Why a redirect was not accepted; undefined for other requests of browsers, such as an icon. */
export function strayFinding(url: URL, page: URL): AuthorizationFinding | undefined {
  const given = url.searchParams
  if (!['code', 'error', 'state'].some((name) => given.has(name))) return undefined
  const wanted = new URL(page.searchParams.get('redirect_uri') ?? page)
  if (url.pathname !== wanted.pathname) {
    return warning(`Somebody came back to ${url.pathname}, and not to ${wanted.pathname}`, {
      expected: 'The person is sent to the redirect URI exactly as it was asked for (RFC 6749 section 4.1.2).',
      next: 'It was ignored. Let the authorization server use redirect_uri as it is given.',
    })
  }
  return warning(given.has('state') ? 'Somebody came back with another state' : 'Somebody came back without a state', {
    expected: 'state comes back unchanged (RFC 6749 section 4.1.2): it tells this sign-in from one of somebody else.',
    next: 'It was ignored. Let the authorization server return state as it was sent.',
  })
}
