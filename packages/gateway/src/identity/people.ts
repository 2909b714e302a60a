import type { Issuer } from '@tenon/issuer'
import type { NetworkOptions } from '@tenon/sdk/auth/server'
import { McpError } from '@tenon/sdk/client'
import { SignIns } from '../credentials/accounts/sign-ins.ts'
import type { Vault } from '../vault/vault.ts'
import type { ClaimNames } from './callers.ts'
import type { IdentityConfig, ProviderConfig } from './config.ts'
import { ownIssuer } from './own-issuer.ts'

interface PeopleOptions {
  readonly base: URL | undefined
  readonly vault: Vault | undefined
  readonly claims: ClaimNames
  readonly network: NetworkOptions
  readonly now: () => number
  readonly servers: readonly string[]
  readonly onError: (error: unknown) => void
}

/** The client of the page at the issuer of the gateway. */
const pageClient = 'gateway-accounts'

/** The issuer of the gateway, and the way in which people sign in. */
export function createPeople(
  identity: IdentityConfig,
  options: PeopleOptions,
): { own: Issuer | undefined; signIns: SignIns | undefined } {
  const { base, vault, claims, network, now, servers, onError } = options
  const world = base && vault && { vault, base: base.origin, claims, now }
  const { issuer: config, signIn } = identity
  if (config === undefined) {
    const signIns = signIn && world && new SignIns(signIn, signIn, { ...world, network, keepsIdentity: true })
    return { own: undefined, signIns }
  }
  if (base === undefined) throw new McpError('invalid_argument', 'identity.issuer: needs the public URL of the gateway')
  const url = `${base.origin}/issuer`
  let signIns: SignIns | undefined
  const own = ownIssuer(config, {
    url,
    claims,
    onError,
    resources: [`${base.origin}/mcp`, ...servers.map((name) => `${base.origin}/servers/${name}/mcp`)],
    scopes: [
      ...new Set(
        [identity.scopes ?? [], ...Object.values(identity.servers ?? {}).map((one) => one.scopes ?? [])].flat(),
      ),
    ],
    clients: [
      { id: pageClient, name: 'The page of your accounts', redirectUris: [`${base.origin}/accounts/signed-in`] },
    ],
    onSignIn: async (subject, { idToken, refreshToken }) => {
      if (idToken !== undefined) await signIns?.keep(`${url}|${subject}`, { idToken, refreshToken })
    },
  })
  const page: ProviderConfig = { issuer: url, clientId: pageClient }
  const direct = { ...network, fetch: fetchOf(own) }
  signIns = world && new SignIns(page, config.provider ?? page, { ...world, network: direct, keepsIdentity: false })
  return { own, signIns }
}

/** Requests to the issuer of the gateway stay in this process: its public address may not be reachable from here. */
export const fetchOf = (own: Issuer): typeof fetch =>
  ((url: string, init: RequestInit) => own.fetch(new Request(url, init))) as typeof fetch
