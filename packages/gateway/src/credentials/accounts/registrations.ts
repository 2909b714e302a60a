import { McpError } from '@tenon/sdk/client'
import * as oauth from 'oauth4webapi'
import type { Vault } from '../../vault/vault.ts'
import type { TokenServer } from '../authorization-servers.ts'
import type { ClientConfig, TokenConfig } from '../config.ts'
import { explained, type TokenClient, tokenClient } from '../token-requests.ts'

/** The gateway owns its registrations; no caller has an empty id. */
const gateway = ''

interface Registration {
  readonly vault: Vault
  readonly redirectUri: string
}

/** The gateway as a client: as configured, or as it registered itself (RFC 7591), once for everybody. */
export async function clientAt(
  server: TokenServer,
  config: TokenConfig,
  registration: Registration,
): Promise<TokenClient> {
  const known = await knownClient(server, config, registration)
  if (known !== undefined) return known
  const { vault, redirectUri } = registration
  const name = nameOf(server.as.issuer, redirectUri)
  return vault.hold(gateway, name, async () => {
    const other = await knownClient(server, config, registration)
    if (other !== undefined) return other
    const made = await register(server, redirectUri)
    await vault.set(gateway, name, JSON.stringify(made))
    return tokenClient(made, server.as)
  })
}

/** The same without a new registration, whose id would fit no token that is there already. */
export async function knownClient(
  { as }: TokenServer,
  config: TokenConfig,
  { vault, redirectUri }: Registration,
): Promise<TokenClient | undefined> {
  if (config.client !== undefined) return tokenClient(config.client, as)
  const kept = await vault.get(gateway, nameOf(as.issuer, redirectUri))
  return kept === undefined ? undefined : tokenClient(JSON.parse(kept) as ClientConfig, as)
}

const nameOf = (issuer: string, redirectUri: string): string => `client ${issuer} ${redirectUri}`

/** Forgets a registration that the authorization server does not know any more: the next connection makes another one. */
export function forgetClient(issuer: string, { vault, redirectUri }: Registration): Promise<void> {
  return vault.delete(gateway, nameOf(issuer, redirectUri))
}

async function register({ as, requests }: TokenServer, redirectUri: string): Promise<ClientConfig> {
  if (as.registration_endpoint === undefined) {
    throw new McpError(
      'unauthorized',
      `The authorization server ${as.issuer} lets no clients register: give \`client\``,
    )
  }
  const metadata = {
    client_name: 'MCP gateway',
    application_type: 'web',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'client_secret_basic',
  }
  const client = await explained(as.issuer, async () =>
    oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(as, metadata, requests),
    ),
  )
  const { client_id: id, client_secret: secret, token_endpoint_auth_method: method } = client
  const isPost = method === 'client_secret_post'
  return {
    id,
    ...(typeof secret === 'string' && { secret, method: isPost ? 'client_secret_post' : 'client_secret_basic' }),
  }
}
