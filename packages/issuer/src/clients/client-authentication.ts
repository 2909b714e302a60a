import { isMcpError } from '@tenon/sdk/auth/server'
import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, type JWK, jwtVerify } from 'jose'
import type { Core, Visit } from '../core.ts'
import type { EndpointName } from '../endpoints/endpoint-urls.ts'
import type { Parameters } from '../http/request-body.ts'
import { invalidRequest, OAuthRefusal } from '../http/responses.ts'
import type { KnownClient } from '../state/records.ts'
import { hashOf, sameHash } from '../state/secrets.ts'
import { publicKeyAlgorithms } from '../tokens/algorithms.ts'

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const maxAssertionLength = 8_192
const maxAssertionAgeS = 3_600

interface Shown {
  id: string
  secret?: string
  assertion?: string
  /** Whether it came in `Authorization`: then the refusal has `WWW-Authenticate`. */
  inHeader?: boolean
}

/** The client that a request comes from, proven if it has anything to prove it with. */
export async function authenticate(core: Core, visit: Visit, form: Parameters, at: EndpointName): Promise<KnownClient> {
  const shown = shownBy(visit.request, form)
  core.limits.countClient(at, shown.id)
  const client = await core.clients.find(shown.id).catch(unlessUnavailable)
  if (client !== undefined && (await proves(core, client, shown))) return client
  core.tell({ type: 'refused', clientId: shown.id.slice(0, 256), detail: `${at}: invalid_client` })
  const headers = shown.inHeader ? { 'www-authenticate': 'Basic realm="clients"' } : undefined
  throw new OAuthRefusal('invalid_client', 'The client is not known, or did not prove who it is', 401, headers)
}

/** The store does not answer, which says nothing about the client. */
function unlessUnavailable(error: unknown): undefined {
  if (isMcpError(error) && error.code === 'unavailable') throw error
}

/** RFC 6749 section 2.3: at most one way at a time. */
function shownBy(request: Request, form: Parameters): Shown {
  const header = request.headers.get('authorization')
  const id = form.get('client_id')
  const secret = form.get('client_secret')
  const assertion = form.get('client_assertion')
  const ways = [header ?? undefined, secret, assertion].filter((way) => way !== undefined)
  if (ways.length > 1) throw invalidRequest('A client proves who it is in one way, not in several')
  if (header !== null) return sameClient(basic(header), id)
  if (assertion !== undefined) return sameClient(fromAssertion(assertion, form), id)
  if (id === undefined) throw new OAuthRefusal('invalid_client', 'client_id: expected the id of a client', 401)
  return { id, ...(secret !== undefined && { secret }) }
}

function sameClient(shown: Shown, id: string | undefined): Shown {
  if (id === undefined || id === shown.id) return shown
  throw invalidRequest('client_id: expected the client that the request comes from')
}

function basic(header: string): Shown {
  const [, credentials] = /^basic +([\w+/=-]+)$/i.exec(header) ?? []
  try {
    const [, id, secret] = /^([^:]+):(.*)$/s.exec(atob(credentials!))!
    return { id: formDecoded(id!), secret: formDecoded(secret!), inHeader: true }
  } catch {
    throw new OAuthRefusal('invalid_client', 'Authorization: expected Basic with an id and a secret', 401, {
      'www-authenticate': 'Basic realm="clients"',
    })
  }
}

const formDecoded = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '))

function fromAssertion(assertion: string, form: Parameters): Shown {
  if (form.get('client_assertion_type') !== assertionType)
    throw invalidRequest(`client_assertion_type: expected ${assertionType}`)
  if (assertion.length > maxAssertionLength) throw invalidRequest('client_assertion: too long')
  try {
    const { sub } = decodeJwt(assertion)
    if (typeof sub === 'string') return { id: sub, assertion }
  } catch {}
  throw invalidRequest('client_assertion: expected a JWT with the client as its sub')
}

async function proves(core: Core, client: KnownClient, { secret, assertion }: Shown): Promise<boolean> {
  if (client.method === 'private_key_jwt') return assertion !== undefined && signed(core, client, assertion)
  if (assertion !== undefined) return false
  if (client.secretHash === undefined) return secret === undefined
  return secret !== undefined && sameHash(client.secretHash, await hashOf(secret))
}

/** RFC 7523 section 3. */
async function signed(core: Core, client: KnownClient, assertion: string): Promise<boolean> {
  try {
    const keys = client.keys ?? ((await core.clients.keysAt(client.jwksUri!)) as readonly JWK[])
    const { payload } = await jwtVerify(assertion, createLocalJWKSet({ keys } as unknown as JSONWebKeySet), {
      algorithms: [...publicKeyAlgorithms],
      issuer: client.id,
      subject: client.id,
      audience: [core.issuer, core.endpoints.url('token')],
      requiredClaims: ['exp', 'jti'],
      clockTolerance: 5,
      currentDate: new Date(core.now()),
    })
    if (payload.exp! > core.now() / 1_000 + maxAssertionAgeS || String(payload.jti).length > 256) return false
    return await core.usedAssertions.add(`${client.id} ${payload.jti}`, payload.exp! * 1_000 + 5_000)
  } catch (error) {
    if (isMcpError(error) && error.code === 'unavailable') throw error
    return false
  }
}
