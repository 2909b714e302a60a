import type { AuthorizationStep } from '../../protocol.ts'
import { type Explanation, failure, type Known, note, warning } from './known.ts'

const meanings: ReadonlyMap<string, string> = new Map([
  ['resource_metadata', 'where the server says how it is protected'],
  ['scope', 'the scopes that the client needs'],
  ['error', 'why the request was refused'],
  ['error_description', 'the same, for people'],
  ['realm', 'a name for the protected resource'],
])

/** The refused request, and the challenge of the server. */
export function explainRequest({ exchanges }: AuthorizationStep, known: Known): Explanation {
  const { challenge, status, otherSchemes } = known
  const answered = exchanges.at(-1)?.status
  if (status === undefined) {
    const text = answered === undefined ? 'There was no answer' : `HTTP ${answered}: the server asks for no credentials`
    return { facts: [], findings: [note(text)] }
  }
  if (challenge === undefined) return { facts: [], findings: [withoutChallenge(status, otherSchemes)] }
  const facts = [...challenge.params].map(([name, value]) => {
    const meaning = meanings.get(name)
    return { name, value, ...(meaning !== undefined && { meaning }) }
  })
  return { facts, findings: status === 403 ? aboutScope(known) : aboutToken(known) }
}

function withoutChallenge(status: number, schemes: string[]) {
  if (schemes.length > 0) {
    return failure(`It asks for ${schemes.join(', ')}, and not for a token`, {
      expected: 'MCP servers ask for tokens with the scheme Bearer (RFC 6750).',
      next: 'If these credentials are right, give them as a header under Settings.',
    })
  }
  if (status === 403) {
    return failure('HTTP 403 without a challenge: another token would change nothing', {
      expected: 'A server that misses a scope says error="insufficient_scope" and which (RFC 6750 section 3.1).',
    })
  }
  return warning('HTTP 401 without WWW-Authenticate', {
    expected: 'A 401 says how to get in (RFC 9110), with resource_metadata for clients of MCP (RFC 9728 section 5.1).',
    next: 'Send WWW-Authenticate: Bearer resource_metadata="…". Until then the well-known places are tried.',
  })
}

function aboutToken({ challenge }: Known) {
  if (challenge!.params.has('resource_metadata')) return []
  return [
    note('The challenge does not say where the metadata is, so the well-known places are tried', {
      expected: 'resource_metadata in WWW-Authenticate spares clients the search (RFC 9728 section 5.1).',
    }),
  ]
}

function aboutScope({ challenge }: Known) {
  const { params } = challenge!
  if (params.get('error') !== 'insufficient_scope') {
    return [
      failure('HTTP 403 that is not about scopes: another token would change nothing', {
        expected: 'A server that misses a scope says error="insufficient_scope" (RFC 6750 section 3.1).',
      }),
    ]
  }
  if (params.has('scope')) return [note(`The token is good, but lacks what this needs: ${params.get('scope')}`)]
  return [
    warning('The server does not say which scope it misses', {
      expected: 'The challenge names the scopes that the request needs, in scope="…".',
    }),
  ]
}
