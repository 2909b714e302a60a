import { isObject } from '../read-params.ts'

const maxLength = 65_536

/** The header and claims of a token, if it is a JWT. Its signature is not checked: that is for the server. */
export function readJwt(token: string): { [claim: string]: unknown } | undefined {
  const parts = token.split('.')
  if (parts.length !== 3 || token.length > maxLength) return undefined
  try {
    const claims: unknown = JSON.parse(Buffer.from(parts[1]!, 'base64url').toString())
    return isObject(claims) ? claims : undefined
  } catch {
    return undefined
  }
}
