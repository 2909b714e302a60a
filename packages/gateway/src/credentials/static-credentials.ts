import type { UpstreamCredentials } from '../model.ts'
import type { StaticConfig } from './config.ts'
import type { CredentialProvider } from './provider.ts'
import { resolveSecrets, type SecretSources } from './secrets.ts'

/** Fixed headers and variables. They are looked up again after a refusal, because a file may have changed. */
export async function staticCredentials(
  config: StaticConfig,
  path: string,
  sources: SecretSources,
): Promise<CredentialProvider> {
  const lookUp = async (): Promise<UpstreamCredentials> => {
    const { headers, env } = await resolveSecrets(config, path, sources)
    return { ...(headers && { headers }), ...(env && { env }) }
  }
  let current = await lookUp()
  return {
    credentialsFor: async () => current,
    refused: async () => {
      current = await lookUp()
    },
  }
}
