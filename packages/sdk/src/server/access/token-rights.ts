import type { AuthInfo } from '../../jsonrpc/auth-info.ts'
import { isObject } from '../../jsonrpc/classify.ts'
import { canonicalJson, printOf } from '../questions/canonical-json.ts'

/** Claims that change when a token is renewed, and give no rights. */
const renewed: ReadonlySet<string> = new Set(['exp', 'iat', 'nbf', 'jti', 'auth_time', 'scope', 'scp'])

/**
 * The same short text for tokens with the same rights, also after they were renewed; empty without authentication. It is
 * part of the ids of streams: messages for a token are not for another one of the same principal that may do less.
 */
export function rightsOf(auth: AuthInfo | undefined): string {
  if (auth === undefined) return ''
  const { claims, scopes, ...rest } = auth
  const rights = [lasting(rest), scopes && [...scopes].sort(), isObject(claims) ? lasting(claims) : claims]
  return printOf(canonicalJson(rights))
}

const lasting = (claims: object): object =>
  Object.fromEntries(Object.entries(claims).filter(([name]) => !renewed.has(name)))

/** Whether two tokens of one principal have the same rights. */
export const hasSameRights = (a: AuthInfo | undefined, b: AuthInfo | undefined): boolean =>
  a?.principal === b?.principal && rightsOf(a) === rightsOf(b)
