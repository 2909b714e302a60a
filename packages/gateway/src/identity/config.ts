import { BlockList, isIP } from 'node:net'
import type { ParseIssue } from '@tenon/sdk/schema'
import { identitySchema } from './config-schema.ts'
import { type ReadSection, sectionIssues } from './section-issues.ts'

interface IssuerConfig {
  readonly issuer: string
  readonly jwksUri?: string
  readonly algorithms?: readonly string[]
  readonly typ?: string
  readonly introspection?: { readonly endpoint: string; readonly clientId: string; readonly clientSecret: string }
}

export interface KeyConfig {
  readonly name: string
  readonly hash: string
  readonly scopes?: readonly string[]
  readonly groups?: readonly string[]
  readonly expires?: string
}

export interface ProxyConfig {
  readonly addresses: readonly string[]
  readonly header: string
  readonly verified?: { readonly header: string; readonly value: string }
  readonly scopes?: readonly string[]
  readonly groups?: readonly string[]
}

/** An OpenID provider at which the gateway is a client. */
export interface ProviderConfig {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret?: string
  readonly scopes?: readonly string[]
  readonly authorizationEndpoint?: string
  readonly tokenEndpoint?: string
}

export interface OwnIssuerConfig {
  readonly provider?: ProviderConfig
  readonly users?: readonly { readonly subject: string; readonly name?: string; readonly groups?: readonly string[] }[]
  readonly file?: string
}

/** The section `identity`, as it is written. Secrets are still references. */
export interface IdentityConfig {
  readonly local?: boolean
  readonly issuers?: readonly (string | IssuerConfig)[]
  readonly issuer?: OwnIssuerConfig
  readonly scopes?: readonly string[]
  readonly audience?: readonly string[]
  readonly groupsClaim?: string
  readonly nameClaim?: string
  readonly keys?: readonly KeyConfig[]
  readonly proxy?: ProxyConfig
  readonly servers?: {
    readonly [server: string]: { readonly scopes?: readonly string[]; readonly groups?: readonly string[] }
  }
  readonly signIn?: ProviderConfig
  readonly vault?: { readonly database?: string; readonly key?: string; readonly previousKeys?: readonly string[] }
}

/** Reads the section `identity` of an already parsed file. Nothing is opened, and no secret is looked up. */
export function readIdentity(section: unknown): ReadSection<IdentityConfig> {
  const issues = sectionIssues(identitySchema, section ?? {})
  if (issues.length > 0) return { issues }
  const value = (section ?? {}) as IdentityConfig
  const contradictions = [...issuerIssues(value), ...keyIssues(value), ...proxyIssues(value)]
  return contradictions.length > 0 ? { issues: contradictions } : { value }
}

function issuerIssues({ issuers = [], issuer, signIn }: IdentityConfig): ParseIssue[] {
  const names = issuers.map((one) => (typeof one === 'string' ? one : one.issuer))
  const twice = names.flatMap((one, index) =>
    names.indexOf(one) < index ? [{ path: ['issuers', index], message: `${one} is listed twice` }] : [],
  )
  const opaque = issuers.flatMap((one, index) =>
    typeof one === 'object' && one.introspection !== undefined ? [index] : [],
  )
  const both = opaque.slice(1).map((index) => ({
    path: ['issuers', index, 'introspection'],
    message: 'only one issuer may have introspection: a token that does not name its issuer would be shown to others',
  }))
  // A person who signs in elsewhere is another caller than the one of the tokens, and would connect accounts in vain.
  const stranger = signIn !== undefined && !names.includes(signIn.issuer)
  const source = issuer && (issuer.provider === undefined) === (issuer.users === undefined)
  return [
    ...twice,
    ...both,
    ...(stranger ? [{ path: ['signIn', 'issuer'], message: 'expected one of the issuers of tokens' }] : []),
    ...(source ? [{ path: ['issuer'], message: 'expected `provider` or `users`' }] : []),
  ]
}

function keyIssues({ keys = [] }: IdentityConfig): ParseIssue[] {
  return keys.flatMap((key, index) => {
    const issues: ParseIssue[] = []
    const path = (member: string): (string | number)[] => ['keys', index, member]
    if (keys.findIndex(({ name }) => name === key.name) < index)
      issues.push({ path: path('name'), message: `${key.name} is used twice` })
    if (keys.findIndex(({ hash }) => hash === key.hash) < index)
      issues.push({ path: path('hash'), message: 'is used twice' })
    if (key.expires !== undefined && Number.isNaN(Date.parse(key.expires))) {
      issues.push({ path: path('expires'), message: `expected a day or a time in UTC, got ${key.expires}` })
    }
    return issues
  })
}

function proxyIssues({ proxy }: IdentityConfig): ParseIssue[] {
  return (proxy?.addresses ?? []).flatMap((address, index) => {
    try {
      addNetwork(new BlockList(), address)
      return []
    } catch {
      return [{ path: ['proxy', 'addresses', index], message: `expected an address or a network, got ${address}` }]
    }
  })
}

/** Adds an address, or a network such as `10.0.0.0/24`. Throws if it is neither. */
export function addNetwork(known: BlockList, text: string): void {
  const [address = '', prefix] = text.split('/')
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  if (isIP(address) === 0) throw new RangeError(text)
  if (prefix === undefined) known.addAddress(address, family)
  else known.addSubnet(address, Number(prefix), family)
}
