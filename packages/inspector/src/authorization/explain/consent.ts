import type { AuthorizationFact } from '../../protocol.ts'
import { type Explanation, type Known, note, warning } from './known.ts'

const meanings: ReadonlyMap<string, string> = new Map([
  ['response_type', 'the person comes back with a code, never with a token'],
  ['client_id', 'who asks'],
  ['redirect_uri', 'where the person comes back to: a small server on this machine'],
  ['code_challenge', 'PKCE: the hash of a secret that only the workbench knows, so that a stolen code is useless'],
  ['code_challenge_method', 'PKCE: how the hash is made'],
  ['state', 'comes back unchanged, so that nobody else can send the person back with a code of theirs'],
  ['resource', 'who the token is for (RFC 8707); it is worth nothing elsewhere'],
  ['scope', 'the requested scopes'],
  ['prompt', 'the person is asked, so that long-lived access can be granted'],
  ['dpop_jkt', 'the key that the token is bound to (RFC 9449)'],
])

/** The parameters of the page where the person agrees. */
export function explainConsent({ page, back }: Known): Explanation {
  if (page === undefined) return { facts: [], findings: [] }
  const facts: AuthorizationFact[] = [
    { name: 'page', value: page.origin + page.pathname, meaning: 'where the person agrees' },
    ...[...page.searchParams].map(([name, value]) => {
      const meaning = meanings.get(name)
      return { name, value, ...(meaning !== undefined && { meaning }) }
    }),
  ]
  if (back !== undefined) return { facts, findings: [] }
  const redirect = page.searchParams.get('redirect_uri')
  return {
    facts,
    findings: [
      note(`If the page complains about the redirect URI, ${redirect} has to be registered for this client`, {
        expected: 'Authorization servers take any port for redirects to 127.0.0.1 (RFC 8252 section 7.3).',
      }),
    ],
  }
}

/** The redirect that brought the person back: its issuer, and whether it belongs to the request. */
export function explainRedirect(known: Known): Explanation {
  const { back, page, issuer } = known
  if (back === undefined) return { facts: [], findings: [] }
  const given = back.searchParams
  const isState = given.get('state') === page?.searchParams.get('state')
  const facts: AuthorizationFact[] = [...given].map(([name, value]) => {
    if (name === 'state') return { name, value, meaning: isState ? 'is the one that was sent' : 'is another one' }
    if (name === 'iss') return { name, value, meaning: issMeaning(value, issuer?.issuer) }
    if (name === 'code') return { name, value, meaning: 'good for one token, for a moment' }
    return { name, value }
  })
  const promised = issuer?.authorization_response_iss_parameter_supported === true
  if (given.has('iss') || !promised) return { facts, findings: [] }
  return {
    facts,
    findings: [
      warning('iss is missing', {
        expected: 'The metadata promises it (authorization_response_iss_parameter_supported, RFC 9207).',
        next: 'Send iss with every way back, or do not promise it.',
      }),
    ],
  }
}

const issMeaning = (value: string, issuer: unknown): string =>
  value === issuer ? 'is the authorization server that was asked' : `is not ${String(issuer)}, which was asked`
