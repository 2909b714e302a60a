export { accountUrlOf } from './credentials/accounts/account-required.ts'
export {
  type AccountConfig,
  type ClientConfig,
  type ClientCredentialsConfig,
  type CredentialConfig,
  type CredentialsConfig,
  type IdJagConfig,
  readCredentials,
  type StaticConfig,
  type TokenExchangeConfig,
} from './credentials/config.ts'
export { credentialsSchema } from './credentials/config-schema.ts'
export { gatewaySecrets } from './credentials/secrets.ts'
export { newApiKey } from './identity/api-keys.ts'
export { callerOf, type GatewayAuth } from './identity/callers.ts'
export { type IdentityConfig, readIdentity } from './identity/config.ts'
export { identitySchema } from './identity/config-schema.ts'
export type { RefusedCaller } from './identity/door.ts'
export { type GatewayIdentity, type IdentityOptions, openIdentity } from './identity/open-identity.ts'
export type { ReadSection } from './identity/section-issues.ts'
export { newVaultKey } from './vault/keyring.ts'
