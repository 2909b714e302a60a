import type { AuthorizationFact, AuthorizationFinding, AuthorizationStep } from '../../protocol.ts'
import { hidden } from '../../protocol-servers.ts'
import { type Explanation, factsOf, type Known, note, warning, wordsOf } from './known.ts'

const meanings: ReadonlyMap<string, string> = new Map([
  ['token_type', 'how it is sent'],
  ['expires_in', 'for how many seconds it is good'],
  ['scope', 'the granted scopes'],
  ['refresh_token', 'gets the next token without asking the person'],
])

/** The reply of the token endpoint, and the claims of the token. */
export function explainToken({ exchanges }: AuthorizationStep, known: Known): Explanation {
  const { token, claims } = known
  if (token === undefined) return { facts: [], findings: refused(exchanges.at(-1)?.status) }
  const facts: AuthorizationFact[] = factsOf(token, meanings).map((fact) =>
    fact.name === 'refresh_token' ? { ...fact, value: hidden } : fact,
  )
  return {
    facts,
    findings: [
      ...aboutReply(known),
      ...(claims === undefined
        ? [note('The token is no JWT: only the authorization server can read it')]
        : aboutClaims(known)),
    ],
  }
}

const refused = (status: number | undefined): AuthorizationFinding[] =>
  status === undefined || status < 400 ? [] : [warning(`The token endpoint refused with HTTP ${status}`)]

function aboutReply({ token, page }: Known): AuthorizationFinding[] {
  const { scope, expires_in, refresh_token } = token!
  const asked = wordsOf(page?.searchParams.get('scope'))
  const missing = scope === undefined ? [] : asked.filter((word) => !wordsOf(scope).includes(word))
  return [
    ...(missing.length > 0 ? [warning(`Asked for, and not granted: ${missing.join(' ')}`)] : []),
    ...(expires_in === undefined ? [note('It does not say for how long the token is good')] : []),
    ...(refresh_token === undefined ? [note('Without a refresh token the person is asked again when it expires')] : []),
  ]
}

function aboutClaims({ claims, page, resource, issuer }: Known): AuthorizationFinding[] {
  const { aud, exp, iss } = claims!
  const wanted = page?.searchParams.get('resource') ?? resource?.resource
  const audiences = [aud].flat()
  return [
    ...(wanted !== undefined && !audiences.includes(wanted)
      ? [
          warning(`The token is for ${audiences.map(String).join(', ')}, and not for ${String(wanted)}`, {
            expected: 'The audience is the resource that was asked for (RFC 8707), and servers refuse others.',
            next: 'Let the authorization server put the parameter resource into aud.',
          }),
        ]
      : []),
    ...(typeof exp === 'number' && exp * 1_000 < Date.now() ? [warning('The token has already expired')] : []),
    ...(iss !== undefined && issuer !== undefined && iss !== issuer.issuer
      ? [warning(`The token is issued by ${String(iss)}, and not by ${String(issuer.issuer)}`)]
      : []),
  ]
}
