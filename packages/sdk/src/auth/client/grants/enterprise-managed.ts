import * as oauth from 'oauth4webapi'
import type { MaybePromise } from '../../../internal/maybe-promise.ts'
import { discoverIssuer } from '../../discovery.ts'
import { OAuthError } from '../../oauth-error.ts'
import { secretAuthentication } from '../client-authentication.ts'
import { explained, requestOptions } from '../token-request.ts'
import type { Grant, GrantContext } from './grant.ts'
import { jwtBearer, requestGrant } from './program-grants.ts'

const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange'
const idJag = 'urn:ietf:params:oauth:token-type:id-jag'

/** The identity provider at which users of an enterprise sign in. */
export interface IdentityProvider {
  issuer: string
  /** Found from the issuer's metadata if it is not given. */
  tokenEndpoint?: string
  /** This application, as the identity provider knows it. */
  clientId: string
  clientSecret?: string
}

export interface EnterpriseManagedOptions {
  idp: IdentityProvider
  /** The assertion of the identity provider when the user signed in. */
  assertion: () => MaybePromise<string>
  /** The type of the assertion. */
  assertionType?: 'id_token' | 'saml2'
}

/**
 * The identity provider of an enterprise decides about the access of its users: it exchanges their identity for a grant
 * that the authorization server takes (io.modelcontextprotocol/enterprise-managed-authorization).
 */
export function enterpriseManaged(options: EnterpriseManagedOptions): Grant {
  return {
    name: 'enterprise-managed authorization',
    type: jwtBearer,
    extension: 'io.modelcontextprotocol/enterprise-managed-authorization',
    interactive: false,
    obtain: async (context) => {
      const assertion = await exchangeIdentity(options, context)
      return requestGrant(context, await context.client(), jwtBearer, { assertion })
    },
  }
}

/** The grant of the identity provider, a secret like any other (xauth.ema.no-logging). */
async function exchangeIdentity(options: EnterpriseManagedOptions, context: GrantContext): Promise<string> {
  const { idp, assertion, assertionType = 'id_token' } = options
  const { resource, scopes, trace, signal } = context
  // The operator vouches for the address of the identity provider.
  const guard = context.guard.for(new URL(idp.issuer))
  const as = await findIdp(idp, { ...context, guard })
  const client = { client_id: idp.clientId }
  const parameters = {
    requested_token_type: idJag,
    // xauth.ema.exchange-audience
    audience: context.as.issuer,
    subject_token: await assertion(),
    subject_token_type: `urn:ietf:params:oauth:token-type:${assertionType}`,
    ...(resource !== undefined && { resource }),
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
  }
  try {
    const authenticate = secretAuthentication(as, idp.clientSecret, undefined)
    const send = requestOptions({ guard, signal })
    const reply = await oauth.genericTokenEndpointRequest(as, client, authenticate, exchange, parameters, send)
    const recognizedTokenTypes = { n_a: () => {} }
    const granted = await oauth.processGenericTokenEndpointResponse(as, client, reply, { recognizedTokenTypes })
    if (granted.issued_token_type === idJag) return granted.access_token
  } catch (error) {
    throw explained('token', `The identity provider ${idp.issuer}`, error, trace)
  }
  throw new OAuthError('token', `The identity provider ${idp.issuer} issued something other than an ID-JAG`, trace)
}

async function findIdp(
  { issuer, tokenEndpoint }: IdentityProvider,
  context: GrantContext,
): Promise<oauth.AuthorizationServer> {
  if (tokenEndpoint !== undefined) return { issuer, token_endpoint: tokenEndpoint }
  const { guard, trace, signal } = context
  const found = await discoverIssuer(issuer, { guard, trace, signal, onIssuerMismatch: 'refuse', warn: () => {} })
  if (found !== undefined) return found
  throw new OAuthError('discovery', `The identity provider ${issuer} has no metadata: give \`tokenEndpoint\``, trace)
}
