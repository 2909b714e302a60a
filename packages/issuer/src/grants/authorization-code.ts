import type { Core, Visit } from '../core.ts'
import type { Parameters } from '../http/request-body.ts'
import { invalidGrant, invalidRequest } from '../http/responses.ts'
import type { Code, KnownClient } from '../state/records.ts'
import { hashOf, sameHash } from '../state/secrets.ts'
import { answerForGrant, keyOf, newGrant } from '../tokens/token-response.ts'
import { assertSameResource } from './resources.ts'

const verifierPattern = /^[\w.~-]{43,128}$/

/** Tokens for a code, with the verifier that only the client knows (PKCE). */
export async function codeGrant(core: Core, visit: Visit, client: KnownClient, form: Parameters): Promise<Response> {
  const verifier = form.get('code_verifier')
  const text = form.get('code')
  if (text === undefined) throw invalidRequest('code: expected a code')
  if (verifier === undefined || !verifierPattern.test(verifier))
    throw invalidRequest('code_verifier: expected 43 to 128 characters')
  const jkt = await keyOf(core, visit, client)
  const key = await hashOf(text)
  const proof = await hashOf(verifier)
  const code = takeCode(core, key, client)
  assertFits(code, { client, form, proof, jkt })
  assertSameResource(code.request.resource, form.get('resource'))
  const { user, scopes } = code
  // Nothing was awaited since the code was taken: a second request finds the grant.
  const grant = newGrant(core, { clientId: client.id, user, scopes, resource: code.request.resource, code: key })
  core.tell({ type: 'issued', clientId: client.id, subject: user.subject, detail: 'authorization_code' })
  return answerForGrant(core, client, grant, { jkt, nonce: code.request.nonce })
}

/** A code that comes twice was stolen, by the first or by the second client: its grant ends. */
function takeCode(core: Core, key: string, client: KnownClient): Code {
  const { state } = core
  const code = state.codes.take(key)
  if (code !== undefined) return code
  const grant = state.grantOfCode(key)
  if (grant !== undefined) {
    state.endGrant(grant)
    core.tell({ type: 'code_reused', clientId: client.id, subject: grant.user.subject })
    state.save().catch((error: unknown) => core.options.onError?.(error))
  }
  throw invalidGrant('code: it is not known, has expired, or was used')
}

interface Brought {
  client: KnownClient
  form: Parameters
  proof: string
  jkt: string | undefined
}

function assertFits({ request }: Code, { client, form, proof, jkt }: Brought): void {
  if (request.client.id !== client.id) throw invalidGrant('code: it was issued to another client')
  const redirectUri = form.get('redirect_uri')
  // OAuth 2.1 leaves it out, OAuth 2.0 does not.
  if (redirectUri !== undefined && redirectUri !== request.redirectUri)
    throw invalidGrant('redirect_uri: expected the same one')
  if (!sameHash(request.challenge, proof)) throw invalidGrant('code_verifier: it does not fit the challenge')
  if (request.jkt !== undefined && request.jkt !== jkt)
    throw invalidGrant('DPoP: expected a proof by the key of the code')
}
