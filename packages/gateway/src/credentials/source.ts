import { McpError } from '@tenon/sdk/client'
import type { CredentialSource } from '../model.ts'
import { Accounts, type AccountWorld } from './accounts/accounts.ts'
import type { CredentialConfig, CredentialsConfig } from './config.ts'
import { clientCredentials, type GrantWorld, identityAssertion, tokenExchange } from './grants/machine-grants.ts'
import type { CredentialProvider } from './provider.ts'
import { resolveSecrets, type SecretSources } from './secrets.ts'
import { staticCredentials } from './static-credentials.ts'

interface SourceOptions extends Omit<GrantWorld, 'url'> {
  readonly secrets: SecretSources
  /** The address of an upstream, if it has one. */
  readonly urlOf: (upstream: string) => string | undefined
  /** Undefined if there is no address that people could connect their accounts at. */
  readonly accounts: Pick<AccountWorld, 'vault' | 'base'> | undefined
}

/** The credentials of all upstreams, and the accounts of people among them. */
interface Credentials {
  readonly source: CredentialSource
  readonly accounts: ReadonlyMap<string, Accounts>
}

const nothing: CredentialProvider = { credentialsFor: async () => ({}), refused: async () => {} }

/** Makes the source of credentials. An upstream that is not listed gets none. */
export async function createCredentials(config: CredentialsConfig, options: SourceOptions): Promise<Credentials> {
  const providers = new Map<string, CredentialProvider>()
  for (const [upstream, one] of config) providers.set(upstream, await providerOf(upstream, one, options))
  const of = (upstream: string): CredentialProvider => providers.get(upstream) ?? nothing
  return {
    source: {
      credentialsFor: (caller, upstream, signal) => of(upstream).credentialsFor(caller, signal),
      refused: (caller, upstream, used) => of(upstream).refused(caller, used),
    },
    accounts: new Map([...providers].flatMap(([name, one]) => (one instanceof Accounts ? [[name, one] as const] : []))),
  }
}

async function providerOf(
  upstream: string,
  config: CredentialConfig,
  options: SourceOptions,
): Promise<CredentialProvider> {
  const path = `credentials.${upstream}`
  // These look their secrets up again.
  if (config.type === 'static') return staticCredentials(config, path, options.secrets)
  const resolved = await resolveSecrets(config, path, options.secrets)
  const world = { ...options, url: options.urlOf(upstream) }
  switch (resolved.type) {
    case 'client-credentials':
      return clientCredentials(resolved, world)
    case 'token-exchange':
      return tokenExchange(resolved, world)
    case 'id-jag':
      return identityAssertion(resolved, world)
    case 'account':
      if (options.accounts === undefined) {
        throw new McpError('invalid_argument', `${path}: accounts need the public URL of the gateway`)
      }
      return new Accounts(upstream, resolved, { ...world, ...options.accounts })
    default:
      return nothing
  }
}
