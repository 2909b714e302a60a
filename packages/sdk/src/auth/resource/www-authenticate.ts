import type { RefusalReason } from './refused.ts'

export type Scheme = 'Bearer' | 'DPoP'

/** The content of a challenge. Values are made of characters that need no escaping. */
interface ChallengeParts {
  scheme: Scheme
  metadataUrl: string
  scopes: readonly string[]
  error: string | undefined
  algorithms?: readonly string[]
}

/** One challenge of `WWW-Authenticate` (RFC 6750 section 3, RFC 9728 section 5.1, RFC 9449 section 7.1). */
export function challengeText({ scheme, metadataUrl, scopes, error, algorithms }: ChallengeParts): string {
  const params = [
    ['resource_metadata', metadataUrl],
    ['scope', scopes.join(' ')],
    ['error', error ?? ''],
    ['algs', (algorithms ?? []).join(' ')],
  ]
  const told = params.filter(([, value]) => value !== '').map(([name, value]) => `${name}="${value}"`)
  return `${scheme} ${told.join(', ')}`
}

/** The statuses that are not 401 (auth.errors.status-codes). The messages say no more than the status does. */
const statuses: ReadonlyMap<RefusalReason, { status: number; message: string }> = new Map([
  ['malformed', { status: 400, message: 'Bad request: the Authorization header is not understood' }],
  ['scope', { status: 403, message: 'Forbidden: the token lacks a scope' }],
  ['limited', { status: 429, message: 'Too many failed attempts' }],
  ['unavailable', { status: 503, message: 'Tokens cannot be checked at the moment' }],
])

/** The error for the peer: the kind of problem, and never the check that found it. */
export function errorFor(reason: RefusalReason): string | undefined {
  switch (reason) {
    case 'missing':
      // RFC 6750 section 3.1: a request without a token gets no error code.
      return undefined
    case 'malformed':
      return 'invalid_request'
    case 'scope':
      return 'insufficient_scope'
    case 'nonce':
      return 'use_dpop_nonce'
    case 'proof':
    case 'replay':
      return 'invalid_dpop_proof'
    default:
      return 'invalid_token'
  }
}

export const statusFor = (reason: RefusalReason): { status: number; message: string } =>
  statuses.get(reason) ?? { status: 401, message: 'Unauthorized' }
