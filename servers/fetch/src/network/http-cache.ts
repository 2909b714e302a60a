import type { IncomingHttpHeaders } from 'node:http'

/** A response that was read to its end, or to the limit. */
export interface Stored {
  /** The address that answered, after redirects. */
  readonly url: string
  readonly status: number
  /** A confirmation that it is current (304) replaces the headers and the time. */
  headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly truncated: boolean
  /** In milliseconds since 1970, as the other times here. */
  readonly storedAt: number
  freshUntil: number
  /** The site forbids to keep it, or it is no success. It serves the next parts of the same page and nothing else. */
  readonly transient: boolean
}

/** How long the parts of a page are cut from one download. */
const continuationMs = 600_000

/** Responses in memory, the least used ones forgotten first. */
export class HttpCache {
  readonly #entries = new Map<string, Stored>()
  readonly #maxBytes: number
  readonly #maxEntries: number
  #bytes = 0

  constructor({ maxBytes, maxEntries = 500 }: { maxBytes: number; maxEntries?: number }) {
    this.#maxBytes = maxBytes
    this.#maxEntries = maxEntries
  }

  get(key: string): Stored | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry
  }

  set(key: string, entry: Stored): void {
    this.delete(key)
    if (entry.bytes.length > this.#maxBytes) return
    this.#entries.set(key, entry)
    this.#bytes += entry.bytes.length
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes && this.#entries.size <= this.#maxEntries) break
      this.delete(oldest)
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key)
    if (entry !== undefined) this.#bytes -= entry.bytes.length
    this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
    this.#bytes = 0
  }
}

export const isFresh = (entry: Stored, now: number): boolean => !entry.transient && now < entry.freshUntil

export const mayContinue = (entry: Stored, now: number): boolean => now - entry.storedAt < continuationMs

/** The headers that ask whether an entry is still current; undefined if it has nothing to ask with. */
export function validators({ headers, transient }: Stored): { [name: string]: string } | undefined {
  const { etag, 'last-modified': modified } = headers
  if (transient || (etag === undefined && modified === undefined)) return undefined
  return {
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(modified !== undefined && { 'if-modified-since': modified }),
  }
}

/** Until when a response may be used without asking, and whether it may be kept at all (RFC 9111). */
export function freshness(
  status: number,
  headers: IncomingHttpHeaders,
  now: number,
): Pick<Stored, 'freshUntil' | 'transient'> {
  const directives = new Map(
    (headers['cache-control'] ?? '').split(',').map((directive) => {
      const [name = '', value = ''] = directive.trim().toLowerCase().split('=')
      return [name, value.replaceAll('"', '')] as const
    }),
  )
  const transient = directives.has('no-store') || status !== 200 || headers.vary?.includes('*') === true
  return { transient, freshUntil: directives.has('no-cache') ? now : now + lifetimeMs(directives, headers) }
}

const longestMs = 86_400_000

function lifetimeMs(directives: ReadonlyMap<string, string>, headers: IncomingHttpHeaders): number {
  const age = Math.max(0, Number(headers.age) || 0) * 1_000
  const maxAge = directives.get('max-age')
  if (maxAge !== undefined) return clamp((Number.parseInt(maxAge, 10) || 0) * 1_000 - age)
  if (headers.expires === undefined) return 0
  const date = Date.parse(headers.date ?? '')
  return clamp(Date.parse(headers.expires) - (Number.isNaN(date) ? Date.now() : date) - age)
}

const clamp = (ms: number): number => Math.min(Math.max(ms || 0, 0), longestMs)
