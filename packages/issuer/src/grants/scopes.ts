import { McpError } from '@tenon/sdk/auth/server'
import { OAuthRefusal } from '../http/responses.ts'

const maxScopes = 100
const maxScopeLength = 128

/** RFC 6749 section 3.3. */
const scopePattern = /^[\x21\x23-\x5b\x5d-\x7e]+$/

const isScope = (text: unknown): boolean => typeof text === 'string' && scopePattern.test(text)

/** Refuses scopes that cannot be granted by name: malformed ones, and the one that the issuer itself understands. */
export function assertScopeNames(scopes: readonly string[], option: string): void {
  const refuse = (why: string): McpError => new McpError('invalid_definition', `${option}: ${why}`)
  if (!Array.isArray(scopes)) throw refuse('expected an array of scopes')
  const wrong = scopes.find((scope) => !isScope(scope))
  if (wrong !== undefined) throw refuse(`${JSON.stringify(wrong)} is no scope`)
  if (scopes.includes('offline_access')) throw refuse('offline_access is nothing a resource asks for')
}

/** The scopes of a token, as a text or as a list. */
export function scopesInClaims({ scope, scp }: { readonly [claim: string]: unknown }): string[] {
  const found = scope ?? scp
  const scopes = typeof found === 'string' ? found.split(' ') : found
  return Array.isArray(scopes) ? scopes.filter((each) => typeof each === 'string' && each !== '') : []
}

/** Understood by the issuer itself, on top of the scopes of servers. */
const own: ReadonlyMap<string, string> = new Map([
  ['openid', 'Know who you are'],
  ['offline_access', 'Keep this access while you are away, until you take it back'],
])

/** The scopes that can be granted. */
export class Scopes {
  readonly #known: ReadonlyMap<string, string | undefined> | undefined

  constructor(given: readonly string[] | { readonly [scope: string]: string } | undefined) {
    const entries = Array.isArray(given)
      ? given.map((scope: string): [string, undefined] => [scope, undefined])
      : Object.entries((given ?? {}) as { [scope: string]: string })
    assertScopeNames(
      entries.map(([scope]) => scope),
      'scopes',
    )
    this.#known = given === undefined ? undefined : new Map(entries)
  }

  /** Undefined: any scope. */
  get supported(): string[] | undefined {
    return this.#known && [...this.#known.keys()]
  }

  describe(scope: string): string | undefined {
    return this.#known?.get(scope) ?? own.get(scope)
  }

  /** The known scopes of a request (sec.scopes.as-subset). Refuses a request without any. */
  requested(text: string | undefined): string[] {
    const asked = [...new Set((text ?? '').split(' ').filter((scope) => scope !== ''))]
    if (asked.length > maxScopes || !asked.every((scope) => isScope(scope) && scope.length <= maxScopeLength)) {
      throw new OAuthRefusal('invalid_scope', 'scope: expected names, separated by spaces')
    }
    const known = asked.filter((scope) => this.#known === undefined || this.#known.has(scope) || own.has(scope))
    if (asked.length > 0 && known.length === 0) {
      throw new OAuthRefusal('invalid_scope', `scope: expected some of ${this.supported!.join(' ')}`)
    }
    return known
  }
}

/** Fewer scopes than were granted, if a client wants that. Never more (RFC 6749 section 6). */
export function narrowed(granted: readonly string[], text: string | undefined): readonly string[] {
  if (text === undefined) return granted
  const asked = [...new Set(text.split(' ').filter((scope) => scope !== ''))]
  if (asked.every((scope) => granted.includes(scope))) return asked
  throw new OAuthRefusal('invalid_scope', 'scope: expected no more than what was granted')
}
