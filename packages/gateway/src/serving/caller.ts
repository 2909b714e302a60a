import type { JsonObject } from '@tenon/sdk/client'
import type { AuthInfo } from '@tenon/sdk/server'
import type { GatewayCaller } from '../model.ts'

/** The caller where nobody has to prove anything: a gateway on loopback. */
const local: GatewayCaller = { id: 'local', kind: 'local', scopes: [], groups: [], claims: {} }

/** The caller of a request: the member `caller` of its authentication, or one that is made of its principal and claims. */
export function callerIn(auth: AuthInfo | undefined): GatewayCaller {
  if (auth === undefined) return local
  const { caller, principal, scopes = [], ...claims } = auth
  if (isCaller(caller)) return caller
  return { id: principal, kind: 'token', scopes, groups: [], claims: claims as JsonObject }
}

const isCaller = (value: unknown): value is GatewayCaller =>
  typeof value === 'object' && value !== null && typeof (value as GatewayCaller).id === 'string'
