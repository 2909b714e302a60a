import type { Core } from '../core.ts'
import { publicKeyAlgorithms } from '../tokens/algorithms.ts'
import { proofAlgorithms } from '../tokens/dpop-proofs.ts'
import { signingAlgorithm } from '../tokens/signing-keys.ts'

export const jwtBearerType = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
export const deviceType = 'urn:ietf:params:oauth:grant-type:device_code'
const authMethods = ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt']
const confidential = authMethods.slice(1)

/** The metadata of the issuer, for OAuth (RFC 8414) and OpenID Connect Discovery in one document. */
export function metadataOf({ issuer, endpoints, options, scopes, clients, faults }: Core): {
  [member: string]: unknown
} {
  const { supported } = scopes
  const grantTypes = [
    'authorization_code',
    ...(faults.noRefresh ? [] : ['refresh_token']),
    ...['client_credentials', deviceType],
    ...(options.trusts === undefined ? [] : [jwtBearerType]),
  ]
  return {
    issuer,
    authorization_endpoint: endpoints.url('authorize'),
    token_endpoint: endpoints.url('token'),
    jwks_uri: endpoints.url('jwks'),
    ...(clients.canRegister && { registration_endpoint: endpoints.url('register') }),
    revocation_endpoint: endpoints.url('revoke'),
    introspection_endpoint: endpoints.url('introspect'),
    device_authorization_endpoint: endpoints.url('device_authorization'),
    ...(supported && { scopes_supported: [...supported, ...(faults.noRefresh ? [] : ['offline_access'])] }),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: grantTypes,
    token_endpoint_auth_methods_supported: authMethods,
    token_endpoint_auth_signing_alg_values_supported: publicKeyAlgorithms,
    revocation_endpoint_auth_methods_supported: authMethods,
    revocation_endpoint_auth_signing_alg_values_supported: publicKeyAlgorithms,
    introspection_endpoint_auth_methods_supported: confidential,
    introspection_endpoint_auth_signing_alg_values_supported: publicKeyAlgorithms,
    ...(!faults.noPkce && { code_challenge_methods_supported: ['S256'] }),
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: clients.takesDocuments,
    dpop_signing_alg_values_supported: proofAlgorithms,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [signingAlgorithm],
    ...(options.trusts && {
      authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
    }),
  }
}
