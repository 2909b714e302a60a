import type { AuthorizationExchange, AuthorizationFinding, AuthorizationStep } from '../../protocol.ts'
import { expectedIssuer, failure, type Known } from './known.ts'

type Advice = Omit<AuthorizationFinding, 'level' | 'text'>

/** Why a step ended the flow: the error of the library, the rule of the specification, and a next step. */
export function explainFailure(step: AuthorizationStep, text: string, known: Known): AuthorizationFinding {
  return failure(text, adviceFor(step, known))
}

function adviceFor({ name, exchanges }: AuthorizationStep, known: Known): Advice {
  const last = exchanges.at(-1)
  switch (name) {
    case 'resource':
      return adviceForResource(known)
    case 'issuer':
      return adviceForIssuer(known)
    case 'client':
      return adviceForClient(last)
    case 'consent':
      return { next: 'Connect again, and sign in on the page that opens.' }
    case 'redirect':
      return adviceForRedirect(known)
    case 'refresh':
    case 'token':
      return adviceForToken(last)
    case 'request':
      return last?.state === 'failed' ? { next: 'Diagnosis looks at every part of the way to the server.' } : {}
    case 'retry':
      if (last?.state === 'failed') return { next: 'Diagnosis looks at every part of the way to the server.' }
      return {
        expected: 'A server takes the tokens of the authorization server that it names.',
        next: 'Compare aud, iss and scope of the token with what the server wants; its log may say more.',
      }
    default:
      return {}
  }
}

function adviceForResource({ resource, server }: Known): Advice {
  if (resource === undefined) {
    return {
      expected: 'The document that the challenge names, or the one at the well-known place, is JSON with a resource.',
      next: 'Look at the reply below: a wrong address, a page instead of JSON, or a server that fails.',
    }
  }
  return {
    expected: 'resource is the address of the server, or contains it at the same origin (RFC 9728 section 3.3).',
    next: `Set resource to ${server.href}. Behind a proxy the server has to know its public address.`,
  }
}

function adviceForIssuer(known: Known): Advice {
  const { issuer } = known
  const wanted = expectedIssuer(known)
  if (issuer === undefined) {
    return {
      expected: 'Authorization servers publish metadata (RFC 8414) or OpenID Connect Discovery.',
      next: 'Serve it at one of the addresses that were tried, or correct authorization_servers.',
    }
  }
  if (issuer.issuer !== wanted) {
    return {
      expected: 'issuer is, character for character, what authorization_servers names (RFC 8414 section 3.3).',
      next: `Set issuer to ${wanted}, or name ${String(issuer.issuer)} in authorization_servers. A slash at the end counts.`,
    }
  }
  return {
    expected: 'The metadata names authorization_endpoint and token_endpoint, and lists S256 for PKCE.',
    next: 'Correct the metadata of the authorization server.',
  }
}

function adviceForClient(last: AuthorizationExchange | undefined): Advice {
  if (last === undefined) {
    return {
      expected: 'Authorization servers take URLs as client ids, or let clients register themselves.',
      next: 'Register the workbench there by hand with the redirect URI http://127.0.0.1/callback, and give its client id under Settings.',
    }
  }
  const error = codeOf(last)
  if (error === 'invalid_redirect_uri') {
    return {
      expected: 'Native applications come back to 127.0.0.1 at any port (RFC 8252 section 7.3).',
      next: 'Let clients register redirect URIs on this machine.',
    }
  }
  return {
    expected: 'A registration is answered with HTTP 201 and a client_id (RFC 7591 section 3.2).',
    next:
      last.status === 401 || last.status === 403
        ? 'It lets in only those that it knows: register by hand, and give the client id under Settings.'
        : 'Look at the reply below, or register by hand and give the client id under Settings.',
  }
}

function adviceForRedirect({ back, issuer }: Known): Advice {
  const error = back?.searchParams.get('error')
  if (error === 'access_denied') return { next: 'The person, or the authorization server, said no. Try again.' }
  const iss = back?.searchParams.get('iss')
  if (iss !== issuer?.issuer) {
    return {
      expected: 'iss is the issuer of the metadata (RFC 9207); anything else could be the answer of an attacker.',
      next: `Send iss=${String(issuer?.issuer)} with the way back.`,
    }
  }
  if (error != null) return { next: 'Look up the error in RFC 6749 section 4.1.2.1.' }
  return { expected: 'The way back has a code, and the state that was sent (RFC 6749 section 4.1.2).' }
}

const tokenErrors: ReadonlyMap<string, string> = new Map([
  ['invalid_grant', 'The code or refresh token is used up, expired, or belongs to another client or redirect URI.'],
  ['invalid_client', 'The client is not known, or its secret is wrong: look at Settings, or start over.'],
  ['unauthorized_client', 'This client may not use this way to a token.'],
  ['invalid_scope', 'Ask for other scopes under Settings.'],
  ['invalid_target', 'The authorization server does not know the resource.'],
])

function adviceForToken(last: AuthorizationExchange | undefined): Advice {
  const known = tokenErrors.get(codeOf(last) ?? '')
  if (known !== undefined) return { next: known }
  const type = last?.replyHeaders?.['content-type']
  if (type !== undefined && !/\bjson\b/i.test(type)) {
    return {
      expected: 'The token endpoint answers with application/json, also when it refuses (RFC 6749 section 5).',
      next: `It answered with ${type}: token_endpoint may be the address of a page, or a login is in front of it.`,
    }
  }
  return {
    expected: 'HTTP 200 with access_token and token_type, or HTTP 400 with an error (RFC 6749 section 5).',
    next: 'Look at the reply below.',
  }
}

const codeOf = (exchange: AuthorizationExchange | undefined): string | undefined => {
  const reply = exchange?.reply as { error?: unknown } | undefined
  return typeof reply?.error === 'string' ? reply.error : undefined
}
