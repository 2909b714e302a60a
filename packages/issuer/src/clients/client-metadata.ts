import type { JsonObject } from '@tenon/sdk/client'
import type { JWK } from 'jose'
import { deviceType } from '../endpoints/metadata.ts'
import { isJsonObject } from '../http/json.ts'
import { displayName } from '../pages/html.ts'
import type { ClientMethod } from '../state/records.ts'
import { problemOfRedirectUri } from './redirect-uris.ts'

/** A problem in the metadata of a client. */
export class MetadataProblem extends Error {
  readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata'

  constructor(message: string, error: MetadataProblem['error'] = 'invalid_client_metadata') {
    super(message)
    this.error = error
  }
}

export interface ClientMetadata {
  name: string | undefined
  redirectUris: readonly string[]
  grantTypes: readonly string[]
  method: ClientMethod
  keys: readonly JWK[] | undefined
  jwksUri: string | undefined
  dpopBound: boolean
}

const maxRedirectUris = 20
const maxKeys = 10
const methods: readonly string[] = ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt']
/** Other grants give tokens without a user: they are for configured clients. */
const grantTypes: readonly string[] = ['authorization_code', 'refresh_token', deviceType]

/** Reads metadata of RFC 7591. Members that are not known are left alone. */
export function readMetadata(about: JsonObject, defaultMethod: ClientMethod): ClientMetadata {
  const { client_name: name, token_endpoint_auth_method: method = defaultMethod } = about
  if (name !== undefined && (typeof name !== 'string' || name.length > 1_024)) {
    throw new MetadataProblem('client_name: expected a short text')
  }
  if (!methods.includes(method as string)) {
    throw new MetadataProblem(`token_endpoint_auth_method: expected one of ${methods.join(', ')}`)
  }
  const types = grantTypesOf(about)
  assertResponseTypes(about)
  return {
    name: name === undefined || displayName(name) === '' ? undefined : displayName(name),
    redirectUris: redirectUrisOf(about, types),
    grantTypes: types,
    method: method as ClientMethod,
    ...keysOf(about, method === 'private_key_jwt'),
    dpopBound: about.dpop_bound_access_tokens === true,
  }
}

function grantTypesOf({ grant_types = ['authorization_code'] }: JsonObject): string[] {
  if (!isTexts(grant_types)) throw new MetadataProblem('grant_types: expected texts')
  const known = grant_types.filter((type) => grantTypes.includes(type))
  if (known.some((type) => type !== 'refresh_token')) return known
  throw new MetadataProblem(`grant_types: expected some of ${grantTypes.join(', ')}`)
}

function assertResponseTypes({ response_types: types }: JsonObject): void {
  if (types === undefined || (isTexts(types) && types.every((type) => type === 'code'))) return
  throw new MetadataProblem('response_types: expected code')
}

function redirectUrisOf({ redirect_uris: uris = [] }: JsonObject, types: readonly string[]): string[] {
  const refuse = (why: string): MetadataProblem => new MetadataProblem(`redirect_uris: ${why}`, 'invalid_redirect_uri')
  if (!isTexts(uris) || uris.length > maxRedirectUris) throw refuse(`expected at most ${maxRedirectUris} texts`)
  if (uris.length === 0 && types.includes('authorization_code')) throw refuse('expected at least one')
  const problem = uris.map(problemOfRedirectUri).find((found) => found !== undefined)
  if (problem !== undefined) throw refuse(problem)
  return uris
}

function keysOf({ jwks, jwks_uri: uri }: JsonObject, needed: boolean): Pick<ClientMetadata, 'keys' | 'jwksUri'> {
  const list = isJsonObject(jwks) ? jwks.keys : undefined
  const keys = Array.isArray(list) && list.length <= maxKeys && list.every(isPublicKey) ? (list as JWK[]) : undefined
  if (jwks !== undefined && keys === undefined)
    throw new MetadataProblem(`jwks: expected at most ${maxKeys} public keys`)
  const isHttps = typeof uri === 'string' && URL.canParse(uri) && new URL(uri).protocol === 'https:'
  if (uri !== undefined && !isHttps) throw new MetadataProblem('jwks_uri: expected an https URL')
  if (needed && keys === undefined && !isHttps) throw new MetadataProblem('private_key_jwt needs jwks or jwks_uri')
  return { keys, jwksUri: isHttps ? uri : undefined }
}

/** A private key that was published is lost, and a shared secret is none any more. */
const isPublicKey = (key: unknown): boolean =>
  isJsonObject(key) && typeof key.kty === 'string' && !('d' in key) && !('k' in key)

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')
