import { base64url } from 'jose'

/** 256 random bits. */
export const newSecret = (): string => base64url.encode(crypto.getRandomValues(new Uint8Array(32)))

/** For names that are not secret: 128 bits. */
export const newId = (): string => base64url.encode(crypto.getRandomValues(new Uint8Array(16)))

/**
 * The hash that is kept of a secret. A look-up by hash takes no longer the more of a guess is right, so a `Map` may be
 * keyed by it.
 */
export async function hashOf(secret: string): Promise<string> {
  return base64url.encode(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret))))
}

/** Compares two hashes in a time that does not depend on the place where they differ. */
export const sameHash = (one: string, other: string): boolean =>
  one.length === other.length &&
  [...one].reduce((difference, _, i) => difference | (one.charCodeAt(i) ^ other.charCodeAt(i)), 0) === 0
