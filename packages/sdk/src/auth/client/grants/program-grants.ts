import * as oauth from 'oauth4webapi'
import type { MaybePromise } from '../../../internal/maybe-promise.ts'
import { OAuthError } from '../../oauth-error.ts'
import { requestToken } from '../token-request.ts'
import type { Grant, GrantContext, GrantedToken, ResolvedClient } from './grant.ts'

const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

type Parameters = { [name: string]: string }

/** The program acts for itself, with the credentials in `client` (io.modelcontextprotocol/oauth-client-credentials). */
export function clientCredentials(): Grant {
  return {
    name: 'client credentials',
    type: 'client_credentials',
    extension: 'io.modelcontextprotocol/oauth-client-credentials',
    interactive: false,
    // xauth.cc.preregistered
    registers: false,
    obtain: async (context) => {
      const client = await context.client()
      if (client.registered) throw new OAuthError('registration', 'clientCredentials needs `client`', context.trace)
      return requestGrant(context, client, 'client_credentials', {})
    },
  }
}

export interface WorkloadIdentityOptions {
  /** The token that the platform gives to the workload: a JWT whose audience is the authorization server. */
  assertion: (about: { issuer: string; resource: string | undefined }) => MaybePromise<string>
}

/** The program is known by the platform that it runs on, whose JWT is exchanged for a token. */
export function workloadIdentity({ assertion }: WorkloadIdentityOptions): Grant {
  return {
    name: 'workload identity',
    type: jwtBearer,
    interactive: false,
    obtain: async (context) => {
      const { as, resource } = context
      return requestGrant(context, nobody, jwtBearer, { assertion: await assertion({ issuer: as.issuer, resource }) })
    },
  }
}

/** The assertion names the client; there is no client id (xauth.wif.assertion). */
const nobody: ResolvedClient = { client: { client_id: 'none' }, authenticate: () => {}, registered: false }

/** Requests a token for the resource and the scopes of the context. */
export async function requestGrant(
  context: GrantContext,
  client: ResolvedClient,
  type: string,
  parameters: Parameters,
): Promise<GrantedToken> {
  const { as, sentResource, scopes } = context
  const whole = {
    ...parameters,
    ...(sentResource !== undefined && { resource: sentResource }),
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
  }
  const response = await requestToken({
    ...context,
    client,
    send: (options) => oauth.genericTokenEndpointRequest(as, client.client, client.authenticate, type, whole, options),
  })
  return { response, clientId: client.client.client_id }
}

export { jwtBearer }
