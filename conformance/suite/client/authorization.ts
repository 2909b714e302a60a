import {
  authorizationCode,
  clientCredentials,
  enterpriseManaged,
  type OAuthOptions,
  oauth,
  type RedirectReceiver,
  workloadIdentity,
} from '@tenon/sdk/auth'
import type { ClientAuth } from '@tenon/sdk/client'
import type { ScenarioContext } from './scenarios.ts'

/** The authorization servers of the suite have no user: their page redirects at once. */
const redirect = (): RedirectReceiver => ({
  uri: 'http://127.0.0.1:3999/callback',
  visit: async (page) => {
    const { headers } = await fetch(page, { redirect: 'manual' })
    return new URL(headers.get('location') ?? '', page)
  },
  close: () => {},
})

const user: OAuthOptions = {
  grant: authorizationCode({ redirect }),
  registration: { client_name: 'tenon-conformance-client' },
  onWarning: (message) => console.error('warning:', message),
}

type Plan = (context: ScenarioContext) => OAuthOptions

const asUser: Plan = () => user

const plans: ReadonlyMap<string, Plan> = new Map<string, Plan>([
  ['auth/metadata-default', asUser],
  ['auth/metadata-var1', asUser],
  ['auth/metadata-var2', asUser],
  ['auth/metadata-var3', asUser],
  ['auth/basic-cimd', () => ({ ...user, clientMetadataUrl: 'https://conformance-test.local/client-metadata.json' })],
  ['auth/scope-from-www-authenticate', asUser],
  ['auth/scope-from-scopes-supported', asUser],
  ['auth/scope-omitted-when-undefined', asUser],
  ['auth/scope-step-up', asUser],
  ['auth/scope-retry-limit', asUser],
  ['auth/token-endpoint-auth-basic', asUser],
  ['auth/token-endpoint-auth-post', asUser],
  ['auth/token-endpoint-auth-none', asUser],
  [
    'auth/pre-registration',
    (context) => ({ ...user, client: { ...knownClient(context), issuer: text(context, 'issuer') } }),
  ],
  ['auth/resource-mismatch', asUser],
  ['auth/offline-access-scope', asUser],
  ['auth/offline-access-not-supported', asUser],
  ['auth/authorization-server-migration', asUser],
  ['auth/iss-supported', asUser],
  ['auth/iss-not-advertised', asUser],
  ['auth/iss-supported-missing', asUser],
  ['auth/iss-wrong-issuer', asUser],
  ['auth/iss-unexpected', asUser],
  ['auth/iss-normalized', asUser],
  ['auth/metadata-issuer-mismatch', asUser],
  ['auth/2025-03-26-oauth-metadata-backcompat', asUser],
  ['auth/2025-03-26-oauth-endpoint-fallback', asUser],
  ['auth/client-credentials-basic', (context) => ({ grant: clientCredentials(), client: knownClient(context) })],
  [
    'auth/client-credentials-jwt',
    (context) => ({
      grant: clientCredentials(),
      client: {
        id: text(context, 'client_id'),
        privateKey: text(context, 'private_key_pem'),
        algorithm: text(context, 'signing_algorithm'),
      },
    }),
  ],
  [
    'auth/enterprise-managed-authorization',
    (context) => ({
      grant: enterpriseManaged({
        idp: {
          issuer: text(context, 'idp_issuer'),
          tokenEndpoint: text(context, 'idp_token_endpoint'),
          clientId: text(context, 'idp_client_id'),
        },
        assertion: () => text(context, 'idp_id_token'),
      }),
      client: knownClient(context),
    }),
  ],
  ['auth/wif-jwt-bearer', (context) => ({ grant: workloadIdentity({ assertion: () => text(context, 'valid_jwt') }) })],
  ['auth/dpop', asUser],
  ['auth/dpop-nonce', asUser],
])

const knownClient = (context: ScenarioContext): NonNullable<OAuthOptions['client']> => ({
  id: text(context, 'client_id'),
  secret: text(context, 'client_secret'),
})

const text = (context: ScenarioContext, member: string): string => String(context[member])

export const authScenarios: readonly string[] = [...plans.keys()]

/** The authorization of the client in a scenario, if any. */
export function authFor(scenario: string, context: ScenarioContext): { auth?: ClientAuth } {
  const plan = plans.get(scenario)
  return plan === undefined ? {} : { auth: oauth(plan(context)) }
}
