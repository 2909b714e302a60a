import { guardFetch, type NetworkOptions } from '@tenon/sdk/auth/server'
import type { JsonObject } from '@tenon/sdk/client'
import { ExpiringMap } from '../http/expiring-map.ts'
import { isDeeper, isJsonObject } from '../http/json.ts'

interface Cached {
  document: Promise<JsonObject>
  expiresAt: number
}

const maxCached = 1_000
const maxInFlight = 32
const shortestMs = 60_000
const longestMs = 24 * 3_600_000

/**
 * Fetches documents that clients publish about themselves. Strangers named the addresses, so fetches are guarded
 * (auth.cimd.as-ssrf), small, without redirects, and cached while fresh (auth.cimd.as-caches).
 */
export class Documents {
  readonly #guarded: ReturnType<typeof guardFetch>
  readonly #cached: ExpiringMap<Cached>
  readonly #now: () => number
  #inFlight = 0

  constructor(issuer: string, network: NetworkOptions, now: () => number) {
    this.#guarded = guardFetch(issuer, {
      maxBytes: 16 * 1024,
      timeoutMs: 5_000,
      ...network,
      maxRedirects: 0,
    })
    this.#cached = new ExpiringMap(maxCached, now)
    this.#now = now
  }

  /** Throws if there is no such document, and again for a minute without another fetch. */
  read(url: string): Promise<JsonObject> {
    const cached = this.#cached.get(url)
    if (cached !== undefined) return cached.document
    if (this.#inFlight >= maxInFlight) return Promise.reject(new Error('too many documents are being fetched'))
    const entry: Cached = { document: this.#fetch(url, (ms) => this.#keep(url, entry, ms)), expiresAt: 0 }
    this.#keep(url, entry, shortestMs)
    entry.document.catch(() => {})
    return entry.document
  }

  #keep(url: string, entry: Cached, ms: number): void {
    entry.expiresAt = this.#now() + Math.min(Math.max(ms, shortestMs), longestMs)
    this.#cached.set(url, entry)
  }

  async #fetch(url: string, keep: (ms: number) => void): Promise<JsonObject> {
    this.#inFlight += 1
    try {
      const response = await this.#guarded(url, { headers: { accept: 'application/json' } })
      const document = await documentOf(response)
      keep(freshMs(response.headers.get('cache-control')))
      return document
    } finally {
      this.#inFlight -= 1
    }
  }
}

async function documentOf(response: Response): Promise<JsonObject> {
  const { status, headers } = response
  if (status !== 200) throw new Error(`it was answered with ${status}`)
  if (!/^application\/([\w.-]+\+)?json\b/i.test(headers.get('content-type') ?? '')) throw new Error('it is not JSON')
  const value: unknown = await response.json()
  if (!isJsonObject(value)) throw new Error('it is no object')
  if (isDeeper(value, 16)) throw new Error('it nests too deep')
  return value
}

function freshMs(control: string | null): number {
  if (control === null || /\bno-(store|cache)\b/i.test(control)) return 0
  return Number(/\bmax-age=(\d{1,9})\b/i.exec(control)?.[1] ?? 0) * 1_000
}
