import type { Challenge } from '@tenon/sdk/auth'
import type { AuthorizationFact, AuthorizationFinding } from '../../protocol.ts'
import type { JsonMembers } from '../exchange.ts'

/** How the authorization server knows who asks. */
export type ClientKind = 'given' | 'document' | 'registered' | 'kept'

/** The documents and values of a flow so far; later steps are judged by them. */
export interface Known {
  server: URL
  /** The client id of the settings. */
  clientId?: string
  /** The status of the request that needed a token. */
  status?: number
  challenge?: Challenge
  /** Challenges of other schemes. */
  otherSchemes: string[]
  /** The metadata of the server. */
  resource?: JsonMembers
  /** The metadata of the authorization server, with any issuer. */
  issuer?: JsonMembers
  client?: { kind: ClientKind; id: string }
  /** The page of the authorization server, with the parameters of the request. */
  page?: URL
  /** The redirect URI of the flow. */
  back?: URL
  /** The reply of the token endpoint, with its secrets. */
  token?: JsonMembers
  claims?: JsonMembers
}

/** The facts and findings of a step. */
export interface Explanation {
  facts: AuthorizationFact[]
  findings: AuthorizationFinding[]
}

export const note = (text: string, more: Omit<AuthorizationFinding, 'level' | 'text'> = {}): AuthorizationFinding => ({
  level: 'note',
  text,
  ...more,
})

export const warning = (
  text: string,
  more: Omit<AuthorizationFinding, 'level' | 'text'> = {},
): AuthorizationFinding => ({ level: 'warning', text, ...more })

export const failure = (
  text: string,
  more: Omit<AuthorizationFinding, 'level' | 'text'> = {},
): AuthorizationFinding => ({ level: 'failure', text, ...more })

/** The issuer that the metadata of the server names; without any the server is its own issuer. */
export function expectedIssuer({ resource, server }: Known): string {
  const listed = resource?.authorization_servers
  return Array.isArray(listed) && typeof listed[0] === 'string' ? listed[0] : server.origin
}

/** The members of a document that have a meaning here, in the order of their meanings. */
export const factsOf = (members: JsonMembers, meanings: ReadonlyMap<string, string>): AuthorizationFact[] =>
  [...meanings]
    .filter(([name]) => Object.hasOwn(members, name))
    .map(([name, meaning]) => ({ name, value: members[name], meaning }))

export const wordsOf = (value: unknown): string[] =>
  typeof value === 'string' ? value.split(/\s+/).filter((word) => word !== '') : []
