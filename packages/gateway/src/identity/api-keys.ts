import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { GatewayCaller } from '../model.ts'
import type { KeyConfig } from './config.ts'

/** Tells a key from a token, and lets scanners of repositories find it. */
const prefix = 'tgk_'
const shape = /^tgk_[\w-]{43}$/

/** A new key and its hash. The key is shown once; the configuration gets the hash. */
export function newApiKey(): { readonly key: string; readonly hash: string } {
  const key = prefix + randomBytes(32).toString('base64url')
  return { key, hash: `sha256:${hashOf(key).toString('base64url')}` }
}

/** One round of SHA-256 is enough: a key has 256 random bits, so there is nothing to guess. */
const hashOf = (key: string): Buffer => hash('sha256', key, 'buffer')

interface KnownKey {
  readonly hash: Buffer
  readonly expiresAt: number | undefined
  readonly caller: GatewayCaller
}

/** A caller with a key, and the end of that key in ms since 1970. */
interface KeyHolder {
  readonly caller: GatewayCaller
  readonly expiresAt: number | undefined
}

/** The keys of programs. Only their hashes are known. */
export class ApiKeys {
  readonly #keys: readonly KnownKey[]
  readonly #now: () => number

  constructor(keys: readonly KeyConfig[], now: () => number = Date.now) {
    this.#now = now
    this.#keys = keys.map(({ name, hash, scopes = [], groups = [], expires }) => ({
      hash: Buffer.from(hash.slice('sha256:'.length), 'base64url'),
      expiresAt: expires === undefined ? undefined : Date.parse(expires),
      caller: { id: `key:${name}`, kind: 'key', name, scopes, groups, claims: {} },
    }))
  }

  /** Whether a credential is meant as a key. */
  static looksLike(credential: string): boolean {
    return credential.startsWith(prefix)
  }

  /** Compares with every key, so that the time tells nothing about them. */
  find(credential: string): KeyHolder | undefined {
    if (!shape.test(credential)) return undefined
    const hash = hashOf(credential)
    const [found] = this.#keys.filter((key) => timingSafeEqual(key.hash, hash))
    if (found === undefined || (found.expiresAt !== undefined && found.expiresAt <= this.#now())) return undefined
    return { caller: { ...found.caller }, expiresAt: found.expiresAt }
  }
}
