import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  type JSONWebKeySet,
  type JWTPayload,
  jwtVerify,
} from 'jose'
import { authenticate } from '../clients/client-authentication.ts'
import type { Documents } from '../clients/documents.ts'
import type { Core, Visit } from '../core.ts'
import type { Parameters } from '../http/request-body.ts'
import { invalidGrant, invalidRequest, OAuthRefusal } from '../http/responses.ts'
import type { TrustedAssertions, User } from '../options.ts'
import type { KnownClient } from '../state/records.ts'
import { newAccessToken } from '../tokens/access-token.ts'
import { publicKeyAlgorithms } from '../tokens/algorithms.ts'
import { tokenAnswer } from '../tokens/token-response.ts'
import { readIssuerMetadata } from '../upstream/issuer-metadata.ts'
import { assertUser } from '../validate-options.ts'
import { resourceFor } from './resources.ts'
import { scopesInClaims } from './scopes.ts'

const maxLength = 16_384
const maxAgeS = 3_600
const idJagType = 'oauth-id-jag+jwt'

/**
 * Tokens for an assertion of a trusted issuer: about a user that an authenticated client acts for (an ID-JAG), or about
 * a program that is not registered here (workload identity).
 */
export async function jwtBearerGrant(core: Core, visit: Visit, form: Parameters): Promise<Response> {
  const assertion = form.get('assertion')
  if (assertion === undefined || assertion.length > maxLength) throw invalidRequest('assertion: expected a JWT')
  const isIdJag = typeOf(assertion) === idJagType
  const client = isIdJag ? await authenticate(core, visit, form, 'token') : undefined
  const trust = trustFor(core, assertion)
  core.limits.countClient('token', trust.issuer)
  const claims = await verified(core, trust, assertion)
  if (client !== undefined) await assertForClient(core, claims, client)
  const user = await userFrom(trust, claims)
  if (user === undefined) throw invalidGrant('assertion: whoever it is about may not use this')
  assertUser(user, 'trusts.user')
  const resource = resourceOf(core, claims, form.get('resource'))
  const scopes = scopesOf(core, trust, claims, form.get('scope'))
  const jkt = await core.proofs.thumbprintOf(visit.request)
  const clientId = client?.id ?? user.subject
  const access = await newAccessToken(core, { clientId, user, scopes, resource, jkt })
  core.tell({ type: 'issued', clientId, subject: user.subject, detail: 'jwt-bearer' })
  return tokenAnswer(core, { access, jkt, scopes })
}

function typeOf(assertion: string): string | undefined {
  try {
    return decodeProtectedHeader(assertion).typ?.toLowerCase()
  } catch {
    throw invalidRequest('assertion: expected a JWT')
  }
}

/** xauth.wif.as-issuer-trust */
function trustFor({ options }: Core, assertion: string): TrustedAssertions {
  let iss: string | undefined
  try {
    iss = decodeJwt(assertion).iss
  } catch {}
  const trust = options.trusts!.find(({ issuer }) => issuer === iss)
  if (trust === undefined) throw invalidGrant('assertion: its issuer is not trusted here')
  return trust
}

/** xauth.ema.as-signature, xauth.ema.as-claims, xauth.ema.short-lived */
async function verified(core: Core, trust: TrustedAssertions, assertion: string): Promise<JWTPayload> {
  const keys = trust.keys ?? (await publishedKeys(core, trust))
  try {
    const { payload } = await jwtVerify(assertion, createLocalJWKSet({ keys } as unknown as JSONWebKeySet), {
      algorithms: [...publicKeyAlgorithms],
      issuer: trust.issuer,
      audience: [core.issuer, core.endpoints.url('token')],
      requiredClaims: ['exp', 'iat', 'sub'],
      maxTokenAge: maxAgeS,
      clockTolerance: 5,
      currentDate: new Date(core.now()),
    })
    return payload
  } catch {
    throw invalidGrant('assertion: it is not signed by its issuer, not for this one, or has expired')
  }
}

async function publishedKeys(core: Core, { issuer, jwksUri }: TrustedAssertions): Promise<readonly unknown[]> {
  const documents = core.trusted.get(issuer)!
  try {
    const { keys } = await documents.read(jwksUri ?? (await jwksUriOf(documents, issuer)))
    if (Array.isArray(keys)) return keys
  } catch (error) {
    core.options.onError?.(error)
  }
  throw new OAuthRefusal('temporarily_unavailable', 'The keys of the issuer of the assertion cannot be read', 503)
}

async function jwksUriOf(documents: Documents, issuer: string): Promise<string> {
  const { jwks_uri } = await readIssuerMetadata(issuer, ['jwks_uri'], (url) => documents.read(url))
  return jwks_uri as string
}

/** xauth.ema.replay, and xauth.ema.idjag-typ: it is for one client, and good once. */
async function assertForClient(core: Core, claims: JWTPayload, client: KnownClient): Promise<void> {
  const { client_id, jti, iss, exp } = claims
  if (client_id !== client.id) throw invalidGrant('assertion: it was issued to another client')
  const isNamed = typeof jti === 'string' && jti.length <= 256
  if (!isNamed || !(await core.usedAssertions.add(`${iss} ${jti}`, exp! * 1_000 + 5_000)))
    throw invalidGrant('assertion: it was used before, or has no jti')
}

/** The same name at two issuers is two people (xauth.ema.account-linking). */
async function userFrom(trust: TrustedAssertions, claims: JWTPayload): Promise<User | undefined> {
  return trust.user === undefined ? { subject: `${trust.issuer}#${claims.sub}` } : trust.user(claims)
}

/** xauth.ema.as-audience-restrict, xauth.ema.as-aud-resource */
function resourceOf(core: Core, { resource }: JWTPayload, asked: string | undefined): string {
  if (resource === undefined) return resourceFor(core, asked)
  if (typeof resource !== 'string' || (asked !== undefined && asked !== resource)) {
    throw invalidGrant('resource: expected the one that the assertion names')
  }
  if (core.options.resources !== undefined && !core.options.resources.includes(resource)) {
    throw invalidGrant('assertion: no tokens are issued for its resource')
  }
  return resourceFor(core, resource)
}

/**
 * xauth.ema.scope-subset: the requested scopes, within those of the assertion, within those that its issuer may give.
 */
function scopesOf(
  core: Core,
  trust: TrustedAssertions,
  claims: JWTPayload,
  asked: string | undefined,
): readonly string[] {
  const said = claims.scope === undefined && claims.scp === undefined ? undefined : scopesInClaims(claims)
  const may = trust.scopes ?? said ?? []
  const most = said === undefined ? may : said.filter((scope) => may.includes(scope))
  return core.scopes.requested(asked ?? most.join(' ')).filter((scope) => most.includes(scope))
}
