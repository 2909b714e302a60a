import type { Core } from '../core.ts'
import { OAuthRefusal } from '../http/responses.ts'

const maxLength = 2_048

/** The resource of a token (RFC 8707), exactly as the client writes it. */
export function resourceFor({ options, issuer }: Pick<Core, 'options' | 'issuer'>, asked: string | undefined): string {
  const { resources } = options
  if (asked === undefined) return resources?.[0] ?? issuer
  const isUri = asked.length <= maxLength && URL.canParse(asked) && !asked.includes('#')
  if (!isUri) throw new OAuthRefusal('invalid_target', 'resource: expected an absolute URI without a fragment')
  if (resources === undefined || resources.includes(asked)) return asked
  throw new OAuthRefusal('invalid_target', 'resource: no tokens are issued for this resource')
}

/** A token request may name the resource again, and no other one. */
export function assertSameResource(granted: string, asked: string | undefined): void {
  if (asked === undefined || asked === granted) return
  throw new OAuthRefusal('invalid_target', 'resource: expected the one that was authorized')
}
