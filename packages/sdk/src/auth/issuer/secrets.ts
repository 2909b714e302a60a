import { base64url } from 'jose'
import { sha256 } from '../resource/sha256.ts'

/** Nobody guesses it: 256 bits. */
export const randomSecret = (): string => base64url.encode(crypto.getRandomValues(new Uint8Array(32)))

/** For names that are looked up and not secret: 128 bits. */
export const randomId = (): string => base64url.encode(crypto.getRandomValues(new Uint8Array(16)))

/**
 * What is kept of a secret. Finding a random secret by its hash takes no longer the more of it is right, so a `Map` may
 * be asked for it.
 */
export const hashOf = (secret: string): Promise<string> => sha256(secret)
