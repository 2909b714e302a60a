import type { AuthorizationExchange, AuthorizationFinding, AuthorizationStep } from '../../protocol.ts'
import { type Explanation, factsOf, type Known, note, warning } from './known.ts'

const meanings: ReadonlyMap<string, string> = new Map([
  ['resource', 'who tokens have to be for'],
  ['authorization_servers', 'who issues them; the first one is used'],
  ['scopes_supported', 'the scopes that can be requested'],
  ['bearer_methods_supported', 'how the token is sent'],
  ['dpop_bound_access_tokens_required', 'whether tokens have to be bound to a key'],
])

/** The metadata of the server (RFC 9728). */
export function explainResource({ exchanges }: AuthorizationStep, known: Known): Explanation {
  const { resource, server } = known
  if (resource === undefined) {
    const place = exchanges[0]?.url ?? `${server.origin}/.well-known/oauth-protected-resource`
    return { facts: [], findings: [without(place)] }
  }
  return { facts: factsOf(resource, meanings), findings: [...aboutMembers(known), ...aboutType(exchanges)] }
}

const without = (place: string): AuthorizationFinding =>
  warning('The server has no metadata that can be used', {
    expected:
      'Since 2025-06-18 servers have to say who issues their tokens, in protected resource metadata (RFC 9728).',
    next: `Serve JSON with resource and authorization_servers at ${place}. Without it clients take the server for one of 2025-03-26, which issues tokens itself.`,
  })

function aboutMembers({ resource, server }: Known): AuthorizationFinding[] {
  const listed = resource!.authorization_servers
  const count = Array.isArray(listed) ? listed.length : 0
  return [
    ...(count === 0
      ? [
          warning('It names no authorization server', {
            expected: 'authorization_servers has at least one.',
            next: `Without one, ${server.origin} itself is asked.`,
          }),
        ]
      : []),
    ...(count > 1 ? [note(`It names ${count} authorization servers; the first one is used`)] : []),
    ...(resource!.resource !== server.href
      ? [note(`Tokens are for ${String(resource!.resource)}, which contains ${server.href}`)]
      : []),
  ]
}

/** Documents that clients may refuse to read as JSON. */
export function aboutType(exchanges: readonly AuthorizationExchange[]): AuthorizationFinding[] {
  const last = exchanges.findLast(({ status }) => status === 200)
  const type = last?.replyHeaders?.['content-type']
  if (last === undefined || /\bjson\b/i.test(type ?? '')) return []
  return [
    warning(`The document is sent as ${type ?? 'nothing in particular'}`, {
      expected: 'Metadata is sent as application/json (RFC 9728 section 3.2, RFC 8414 section 3.2).',
      next: 'Set Content-Type: application/json. Some clients refuse it otherwise.',
    }),
  ]
}
