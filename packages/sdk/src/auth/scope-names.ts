import { McpError } from '../errors.ts'

/** RFC 6749 section 3.3. Anything else would break out of the challenge. */
const scopePattern = /^[\x21\x23-\x5b\x5d-\x7e]+$/

export const isScope = (text: unknown): text is string => typeof text === 'string' && scopePattern.test(text)

/** Checks configured scopes; throws at once instead of sending a challenge that no client can meet. */
export function assertScopes(scopes: readonly string[], option: string): void {
  if (!Array.isArray(scopes)) throw new McpError('invalid_definition', `${option}: expected an array of scopes`)
  for (const scope of scopes) {
    if (!isScope(scope)) throw new McpError('invalid_definition', `${option}: ${JSON.stringify(scope)} is no scope`)
    // auth.refresh.server-no-offline-access: it is about the client and its issuer.
    if (scope === 'offline_access')
      throw new McpError('invalid_definition', `${option}: offline_access is nothing a resource asks for`)
  }
}
