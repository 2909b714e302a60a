import type { Core, Visit } from '../core.ts'
import type { Parameters } from '../http/request-body.ts'
import { invalidGrant, invalidRequest } from '../http/responses.ts'
import type { Code, KnownClient } from '../state/records.ts'
import { hashOf, newId, sameHash } from '../state/secrets.ts'
import { answerForGrant, keyOf, newGrant, shortestGrant } from '../tokens/token-response.ts'
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
  const grantId = newId()
  const code = await takeCode(core, key, client, grantId)
  assertFits(code, { client, form, proof, jkt })
  assertSameResource(code.request.resource, form.get('resource'))
  const { user, scopes } = code
  const about = { id: grantId, user, scopes, resource: code.request.resource, code: key }
  const { grant, refresh } = await newGrant(core, client, about, jkt)
  core.tell({ type: 'issued', clientId: client.id, subject: user.subject, detail: 'authorization_code' })
  return answerForGrant(core, client, grant, { jkt, nonce: code.request.nonce, refresh })
}

/**
 * Uses a code up for a grant. One that comes twice was stolen, by the first or by the second client: its grant ends, also
 * if it is about to begin.
 */
async function takeCode(core: Core, key: string, client: KnownClient, grantId: string): Promise<Code> {
  const { codes, usedCodes } = core.state
  const code = await codes.get(key)
  if (code !== undefined && (await usedCodes.add(key, { grantId, expiresAt: shortestGrant(core) }))) {
    await codes.delete(key)
    return code
  }
  const used = await usedCodes.get(key)
  if (used !== undefined) await endReused(core, client, used.grantId)
  throw invalidGrant('code: it is not known, has expired, or was used')
}

async function endReused({ state, tell }: Core, client: KnownClient, grantId: string): Promise<void> {
  const grant = await state.grants.get(grantId)
  await state.endGrant(grantId)
  if (grant !== undefined) tell({ type: 'code_reused', clientId: client.id, subject: grant.user.subject })
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
