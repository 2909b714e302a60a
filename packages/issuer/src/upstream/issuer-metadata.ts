import type { JsonObject } from '@tenon/sdk/client'
import { isJsonObject } from '../http/json.ts'

/** The well-known URLs of an issuer's metadata (RFC 8414, OpenID Connect Discovery), in the order in which clients try them. */
export function metadataUrls(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/+$/, '')
  const places = [
    `/.well-known/oauth-authorization-server${path}`,
    `/.well-known/openid-configuration${path}`,
    `${path}/.well-known/openid-configuration`,
  ]
  return [...new Set(places)].map((place) => `${origin}${place}`)
}

/** The metadata of another issuer, from the first well-known URL whose document has the members that are needed. */
export async function readIssuerMetadata(
  issuer: string,
  needed: readonly string[],
  read: (url: string) => Promise<unknown>,
): Promise<JsonObject> {
  const problems: string[] = []
  for (const url of metadataUrls(issuer)) {
    try {
      return checked(await read(url), issuer, needed)
    } catch (error) {
      problems.push(`${url}: ${(error as Error).message}`)
    }
  }
  throw new Error(`${issuer} has no metadata with ${needed.join(' and ')} (${problems.join('; ')})`)
}

function checked(found: unknown, issuer: string, needed: readonly string[]): JsonObject {
  // Compared as text, or one issuer could speak for another.
  if (!isJsonObject(found) || found.issuer !== issuer) throw new Error('it is about another issuer')
  const missing = needed.find((member) => typeof found[member] !== 'string')
  if (missing !== undefined) throw new Error(`${missing}: expected a text`)
  return found
}
