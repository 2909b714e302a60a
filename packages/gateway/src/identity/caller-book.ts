import type { JsonObject } from '@tenon/sdk/client'
import type { GatewayCaller } from '../model.ts'
import { localCaller, personOf } from './callers.ts'
import type { IdentityConfig } from './config.ts'

/** The traits of a caller that are in its token, and so not in the file. */
export interface CallerTraits {
  readonly groups?: readonly string[] | undefined
  readonly scopes?: readonly string[] | undefined
  readonly claims?: JsonObject | undefined
}

/** The callers that a configuration can have. */
export interface CallerBook {
  /** Those that it names. */
  readonly named: readonly GatewayCaller[]
  /** The forms that other ids have, such as `https://login.example|SUBJECT`. */
  readonly forms: readonly string[]
  /** The caller with this id; undefined if nobody can have it. */
  find(id: string, traits?: CallerTraits): GatewayCaller | undefined
}

/** The callers of the section `identity`; without it this machine is the only one. */
export function callerBook(identity: IdentityConfig | undefined, url: string | undefined): CallerBook {
  const { issuers = [], issuer: own, keys = [], proxy, groupsClaim = 'groups', nameClaim } = identity ?? {}
  const claimNames = { groupsClaim, nameClaim }
  const ownIssuer = own !== undefined && url !== undefined ? `${new URL(url).origin}/issuer` : undefined
  const person = (issuer: string, subject: string, { groups, scopes = [], claims = {} }: CallerTraits) => {
    const found = personOf({ issuer, subject, scopes, claims }, claimNames)
    return groups === undefined ? found : { ...found, groups }
  }
  const named: GatewayCaller[] = [
    ...(identity === undefined || identity.local === true ? [localCaller()] : []),
    ...keys.map(
      ({ name, scopes = [], groups = [] }): GatewayCaller => ({
        id: `key:${name}`,
        kind: 'key',
        name,
        scopes,
        groups,
        claims: {},
      }),
    ),
    ...(ownIssuer === undefined ? [] : (own?.users ?? [])).map(({ subject, name, groups = [] }) => ({
      ...person(ownIssuer!, subject, { groups }),
      ...(name !== undefined && { name }),
    })),
  ]
  const origins = [
    ...issuers.map((one) => (typeof one === 'string' ? one : one.issuer)),
    ...(ownIssuer === undefined ? [] : [ownIssuer]),
  ]
  const certificate = (id: string): GatewayCaller | undefined => {
    const { scopes = [], groups = [] } = proxy ?? {}
    const name = id.slice('cert:'.length)
    if (proxy === undefined || !id.startsWith('cert:') || name === '') return undefined
    return { id, kind: 'certificate', name, scopes, groups, claims: {} }
  }
  return {
    named,
    forms: [...origins.map((origin) => `${origin}|SUBJECT`), ...(proxy === undefined ? [] : ['cert:NAME'])],
    find(id, traits = {}) {
      const known = named.find((caller) => caller.id === id) ?? certificate(id)
      if (known !== undefined) return withTraits(known, traits)
      const issuer = origins.find((origin) => id.startsWith(`${origin}|`) && id.length > origin.length + 1)
      return issuer === undefined ? undefined : person(issuer, id.slice(issuer.length + 1), traits)
    },
  }
}

/** A caller with other traits, to try them out. */
export const withTraits = (caller: GatewayCaller, { groups, scopes, claims }: CallerTraits): GatewayCaller => ({
  ...caller,
  ...(groups !== undefined && { groups }),
  ...(scopes !== undefined && { scopes }),
  ...(claims !== undefined && { claims }),
})
