import type { AuthorizationFinding, AuthorizationStep } from '../../protocol.ts'
import { type Explanation, expectedIssuer, factsOf, type Known, note, warning } from './known.ts'
import { aboutType } from './resource.ts'

const meanings: ReadonlyMap<string, string> = new Map([
  ['issuer', 'has to be exactly who was asked'],
  ['authorization_endpoint', 'the page where the person agrees'],
  ['token_endpoint', 'where codes are exchanged for tokens'],
  ['registration_endpoint', 'where clients register themselves (RFC 7591)'],
  ['revocation_endpoint', 'where tokens are given back'],
  ['client_id_metadata_document_supported', 'whether a URL can be a client id'],
  ['code_challenge_methods_supported', 'how a stolen code is made useless (PKCE); S256 is needed'],
  ['authorization_response_iss_parameter_supported', 'whether it signs the way back with iss (RFC 9207)'],
  ['token_endpoint_auth_methods_supported', 'how clients prove who they are'],
  ['grant_types_supported', 'the ways to a token'],
  ['scopes_supported', 'the scopes that can be requested'],
])

/** The metadata of the authorization server (RFC 8414, OpenID Connect Discovery). */
export function explainIssuer({ exchanges }: AuthorizationStep, known: Known): Explanation {
  const { issuer } = known
  if (issuer === undefined) return { facts: [], findings: [without(known)] }
  return { facts: factsOf(issuer, meanings), findings: [...aboutMembers(known), ...aboutType(exchanges)] }
}

const without = (known: Known): AuthorizationFinding =>
  warning(`${expectedIssuer(known)} has no metadata that can be used`, {
    expected: 'Authorization servers publish metadata (RFC 8414) or OpenID Connect Discovery.',
    next: 'Serve it at one of the addresses that were tried. Only servers of 2025-03-26, which issue tokens themselves, can do without: /authorize, /token and /register are used then.',
  })

function aboutMembers(known: Known): AuthorizationFinding[] {
  const { registration_endpoint, client_id_metadata_document_supported: documents } = known.issuer!
  const { authorization_response_iss_parameter_supported: signsBack } = known.issuer!
  const isOpen = registration_endpoint !== undefined || documents === true
  return [
    ...aboutPkce(known),
    ...(isOpen || known.clientId !== undefined
      ? []
      : [
          warning('Clients that it does not know cannot use it', {
            expected: 'It takes URLs as client ids, or lets clients register themselves.',
            next: 'Register the workbench there by hand, and give its client id under Settings.',
          }),
        ]),
    ...(signsBack === true
      ? []
      : [note('It does not say that the way back is signed with iss (RFC 9207), which stops mix-up attacks')]),
  ]
}

function aboutPkce({ issuer }: Known): AuthorizationFinding[] {
  const methods = issuer!.code_challenge_methods_supported
  if (Array.isArray(methods) && methods.includes('S256')) return []
  return [
    warning('It does not say that it supports PKCE with S256', {
      expected: 'Clients have to refuse authorization servers whose code_challenge_methods_supported lacks S256.',
      next: 'Add "code_challenge_methods_supported": ["S256"] to the metadata, if it does.',
    }),
  ]
}
