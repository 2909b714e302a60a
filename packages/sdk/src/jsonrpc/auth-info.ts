/** The authenticated caller, if the transport knows it: by connection, or by the token of each HTTP request. */
export interface AuthInfo {
  /** Identifies the caller; two callers with the same principal may see each other's state. */
  readonly principal: string
  readonly scopes?: readonly string[]
  readonly [claim: string]: unknown
}

const maxDepth = 8

/**
 * True if two tokens are equal. Most ways to authenticate make a new object for every request, so identity is not
 * enough; data is compared by value, and everything else, such as instances of classes, by identity.
 */
export const isSameAuth = (a: AuthInfo | undefined, b: AuthInfo | undefined): boolean => isSame(a, b, 0)

function isSame(a: unknown, b: unknown, depth: number): boolean {
  if (Object.is(a, b)) return true
  if (depth > maxDepth || !isData(a) || !isData(b) || Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key], depth + 1))
  )
}

function isData(value: unknown): value is { [key: string]: unknown } {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null
}
