import type { ParseIssue } from '@tenon/sdk/schema'
import { type ReadSection, sectionIssues } from '../identity/section-issues.ts'
import { credentialKinds } from './config-schema.ts'

export interface ClientConfig {
  readonly id: string
  readonly secret?: string
  readonly privateKey?: string
  readonly algorithm?: string
  readonly method?: 'client_secret_basic' | 'client_secret_post'
}

/** Where a token comes from, and where it goes. */
export interface TokenConfig {
  readonly issuer?: string
  readonly tokenEndpoint?: string
  readonly authorizationEndpoint?: string
  readonly client?: ClientConfig
  readonly scopes?: readonly string[]
  readonly resource?: string
  readonly audience?: string
  readonly header?: string
  readonly env?: string
}

type Texts = { readonly [name: string]: string }
type Subject = 'caller' | 'sign-in'

export interface StaticConfig {
  readonly type: 'static'
  readonly headers?: Texts
  readonly env?: Texts
}

export interface ClientCredentialsConfig extends TokenConfig {
  readonly type: 'client-credentials'
  readonly client: ClientConfig
}

export interface TokenExchangeConfig extends TokenConfig {
  readonly type: 'token-exchange'
  readonly client: ClientConfig
  readonly subject?: Subject
  readonly requestedTokenType?: string
}

export interface IdJagConfig extends TokenConfig {
  readonly type: 'id-jag'
  readonly client: ClientConfig
  readonly provider: { readonly issuer: string; readonly tokenEndpoint?: string; readonly client: ClientConfig }
  readonly subject?: Subject
}

export interface AccountConfig extends TokenConfig {
  readonly type: 'account'
  readonly title?: string
}

/** The credentials of one upstream, as they are written. Secrets are still references. */
export type CredentialConfig =
  | { readonly type: 'none' }
  | StaticConfig
  | ClientCredentialsConfig
  | TokenExchangeConfig
  | IdJagConfig
  | AccountConfig

/** The section `credentials`, by the name of the upstream. */
export type CredentialsConfig = ReadonlyMap<string, CredentialConfig>

/** Reads the section `credentials` of an already parsed file. Nothing is opened, and no secret is looked up. */
export function readCredentials(section: unknown): ReadSection<CredentialsConfig> {
  const given = section ?? {}
  if (!isRecord(given)) return { issues: [{ path: [], message: 'expected upstreams with their credentials' }] }
  const entries = Object.entries(given)
  const issues = entries.flatMap(([name, value]) =>
    issuesOf(name, value).map(({ path, message }) => ({ path: [name, ...path], message })),
  )
  return issues.length > 0 ? { issues } : { value: new Map(entries as [string, CredentialConfig][]) }
}

function issuesOf(name: string, value: unknown): ParseIssue[] {
  if (!/^[\w.-]{1,100}$/.test(name)) return [{ path: [], message: 'expected the name of an upstream' }]
  if (!isRecord(value)) return [{ path: [], message: 'expected an object with `type`' }]
  const schema = typeof value.type === 'string' ? credentialKinds.get(value.type) : undefined
  if (schema === undefined) {
    const known = [...credentialKinds.keys()].join(', ')
    const found = typeof value.type === 'string' ? JSON.stringify(value.type.slice(0, 50)) : 'none'
    return [{ path: ['type'], message: `expected one of ${known}, got ${found}` }]
  }
  const issues = sectionIssues(schema, value)
  return issues.length > 0 ? issues : contradictionsIn(value as unknown as CredentialConfig)
}

function contradictionsIn(value: CredentialConfig): ParseIssue[] {
  if (value.type === 'none' || value.type === 'static') return []
  const issues: ParseIssue[] = []
  const { header, env, client, tokenEndpoint, issuer } = value
  if (header !== undefined && env !== undefined) {
    issues.push({ path: ['env'], message: 'expected `header` or `env`, got both' })
  }
  if (client?.secret !== undefined && client.privateKey !== undefined) {
    issues.push({ path: ['client', 'privateKey'], message: 'expected `secret` or `privateKey`, got both' })
  }
  if (tokenEndpoint !== undefined && issuer === undefined) {
    issues.push({ path: ['issuer'], message: 'is required beside `tokenEndpoint`' })
  }
  return issues
}

const isRecord = (value: unknown): value is { [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
