import { builtin } from '../../../internal/builtin.ts'
import { heapBytesOf } from '../../../internal/heap-size.ts'
import type { BearerAuth } from '../options.ts'
import type { Source } from './issuers.ts'

/** A token that was found good, and everything that was read from it. */
interface RememberedToken {
  readonly source: Source
  /** The keys that it was checked with. */
  readonly keys: object
  /** In one spelling. */
  readonly audiences: readonly string[]
  readonly auth: BearerAuth
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

interface Kept extends RememberedToken {
  readonly bytes: number
}

interface Bounds {
  maxTokens?: number
  maxBytes?: number
}

/** The key, the entry and its place in the table. */
const entryBytes = 400

/**
 * The tokens that were found good, until they expire or the keys of their issuer change: checking a signature costs
 * more than everything else about a request. The token that was used longest ago makes room.
 */
export class RememberedTokens {
  readonly #maxTokens: number
  readonly #maxBytes: number
  readonly #crypto = builtin('node:crypto')
  /** By hash: a dump of this memory holds no tokens. */
  readonly #known = new Map<string, Kept>()
  #bytes = 0

  constructor({ maxTokens = 10_000, maxBytes = 16 * 1024 * 1024 }: Bounds = {}) {
    this.#maxTokens = maxTokens
    this.#maxBytes = maxBytes
  }

  get size(): number {
    return this.#known.size
  }

  get bytes(): number {
    return this.#bytes
  }

  find(token: string): RememberedToken | undefined {
    if (this.#known.size === 0) return undefined
    const hash = this.#hashOf(token)
    const found = hash === undefined ? undefined : this.#known.get(hash)
    if (hash === undefined || found === undefined) return undefined
    this.#drop(hash, found)
    if (found.expiresAt <= Date.now() || found.source.keysNow?.() !== found.keys) return undefined
    this.#keep(hash, found)
    return found
  }

  add(token: string, found: RememberedToken): void {
    const hash = this.#hashOf(token)
    const bytes = entryBytes + heapBytesOf(found.auth, this.#maxBytes) + heapBytesOf(found.audiences)
    if (hash === undefined || bytes > this.#maxBytes) return
    const before = this.#known.get(hash)
    if (before !== undefined) this.#drop(hash, before)
    this.#keep(hash, { ...found, bytes })
    for (const [oldest, entry] of this.#known) {
      if (this.#known.size <= this.#maxTokens && this.#bytes <= this.#maxBytes) break
      this.#drop(oldest, entry)
    }
  }

  #keep(hash: string, entry: Kept): void {
    this.#known.set(hash, entry)
    this.#bytes += entry.bytes
  }

  #drop(hash: string, { bytes }: Kept): void {
    this.#known.delete(hash)
    this.#bytes -= bytes
  }

  /** Undefined on a platform that hashes only later: a promise for each request would cost what is saved. */
  #hashOf(token: string): string | undefined {
    return this.#crypto?.createHash('sha256').update(token).digest('base64url')
  }
}
