import type { BearerAuth } from '@tenon/sdk/auth/server'
import type { JsonObject } from '@tenon/sdk/client'
import type { AuthInfo } from '@tenon/sdk/server'
import type { GatewayCaller } from '../model.ts'

/** `ctx.auth` behind the gateway. */
export interface GatewayAuth extends AuthInfo {
  readonly caller: GatewayCaller
}

/** The caller that `auth` of the gateway admitted; undefined for other ways to authenticate. */
export const callerOf = (auth: AuthInfo | undefined): GatewayCaller | undefined =>
  auth !== undefined && typeof auth.caller === 'object' ? (auth as GatewayAuth).caller : undefined

export const authOf = (caller: GatewayCaller): GatewayAuth => ({ principal: caller.id, scopes: caller.scopes, caller })

export interface ClaimNames {
  readonly groupsClaim: string
  readonly nameClaim: string | undefined
}

const usualNames = ['name', 'email', 'preferred_username']

/** Everybody on this machine. */
export const localCaller = (): GatewayCaller => ({ id: 'local', kind: 'local', scopes: [], groups: [], claims: {} })

/** The caller of a verified token. */
export function callerOfToken(
  { issuer, subject, clientId, scopes, claims }: BearerAuth,
  names: ClaimNames,
): GatewayCaller {
  return personOf({ issuer, subject, clientId, scopes, claims: claims as JsonObject }, names)
}

interface Person {
  readonly issuer: string
  readonly subject: string | undefined
  readonly clientId?: string | undefined
  readonly scopes: readonly string[]
  readonly claims: JsonObject
}

/** The id of a person at an issuer, the same for a token and for a sign-in. */
export function personOf(
  { issuer, subject, clientId, scopes, claims }: Person,
  { groupsClaim, nameClaim }: ClaimNames,
): GatewayCaller {
  const name = (nameClaim === undefined ? usualNames : [nameClaim])
    .map((claim) => claimAt(claims, claim))
    .find((value) => typeof value === 'string' && value !== '')
  return {
    // An issuer has neither | nor ?, so no subject looks like one of another issuer, or like a client.
    id: subject === undefined ? `${issuer}?client_id=${clientId}` : `${issuer}|${subject}`,
    kind: 'token',
    ...(typeof name === 'string' && { name }),
    issuer,
    scopes,
    groups: groupsIn(claimAt(claims, groupsClaim)),
    claims,
  }
}

/** A claim by its name, which may be a URL with dots, or else by a path such as `realm_access.roles`. */
function claimAt(claims: JsonObject, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  return name.split('.').reduce<unknown>((value, member) => {
    const isOwn = typeof value === 'object' && value !== null && Object.hasOwn(value, member)
    return isOwn ? (value as JsonObject)[member] : undefined
  }, claims)
}

function groupsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.split(/[\s,]+/).filter((group) => group !== '')
  return Array.isArray(value) ? value.filter((group): group is string => typeof group === 'string') : []
}
