import type { IncomingMessage } from 'node:http'
import { ToolError } from '@tenon/sdk/server'
import { explainFailure } from './explain-failure.ts'
import { follow, type Network } from './follow.ts'
import { freshness, HttpCache, isFresh, mayContinue, type Stored, validators } from './http-cache.ts'
import type { DownloadLimits } from './limits.ts'
import { readBody } from './read-body.ts'
import { RobotsGuard } from './robots-guard.ts'

export interface DownloaderSettings {
  readonly network: Network
  readonly limits: DownloadLimits
  readonly ignoreRobots: boolean
}

export interface DownloadRequest {
  userAgent: string
  signal: AbortSignal
  /** The next part of a page: cut from the download that the first part came from. */
  continuing?: boolean
  accept?: string
  onProgress?: (bytes: number, total: number | undefined) => void
}

export interface Download {
  readonly stored: Stored
  /** Nothing was downloaded for it. */
  readonly fromCache: boolean
}

const cacheBytes = 50_000_000
const maxAliases = 2_000

/** Downloads URLs within the rules, each of them once while it is current. */
export class Downloader {
  readonly #settings: () => DownloaderSettings
  readonly #cache = new HttpCache({ maxBytes: cacheBytes })
  readonly #robots = new RobotsGuard()
  /** From the key of a requested URL to that of the one that answered. */
  readonly #aliases = new Map<string, string>()

  constructor(settings: () => DownloaderSettings) {
    this.#settings = settings
  }

  async get(requested: URL, request: DownloadRequest): Promise<Download> {
    const { network, limits } = this.#settings()
    const timeout = AbortSignal.timeout(limits.timeoutMs)
    const signal = AbortSignal.any([request.signal, timeout])
    try {
      network.policy.checkUrl(requested)
      return this.#continued(requested, request) ?? (await this.#load(requested, { ...request, signal }))
    } catch (error) {
      throw explainFailure(error, requested, request.signal, limits)
    }
  }

  /** Forgets everything, when the rules have changed. */
  clear(): void {
    this.#cache.clear()
    this.#robots.clear()
    this.#aliases.clear()
  }

  #continued(url: URL, { userAgent, continuing }: DownloadRequest): Download | undefined {
    if (continuing !== true) return undefined
    const alias = this.#aliases.get(keyOf(url, userAgent))
    const stored = alias === undefined ? undefined : this.#cache.get(alias)
    return stored !== undefined && mayContinue(stored, Date.now()) ? { stored, fromCache: true } : undefined
  }

  async #load(start: URL, request: DownloadRequest): Promise<Download> {
    const { network, limits, ignoreRobots } = this.#settings()
    const { userAgent, signal, accept = 'text/html, application/xhtml+xml, text/*;q=0.9, */*;q=0.8' } = request
    const arrived = await follow<Stored>(start, {
      network,
      limits,
      signal,
      before: async (url) => {
        if (!ignoreRobots) await this.#robots.check(url, { userAgent, network, limits, signal })
        const known = this.#cache.get(keyOf(url, userAgent))
        if (known !== undefined && isFresh(known, Date.now())) return { answer: known }
        const conditions = known && validators(known)
        return { headers: { 'user-agent': userAgent, accept, 'accept-encoding': 'gzip, deflate, br', ...conditions } }
      },
    })
    const key = keyOf(arrived.url, userAgent)
    this.#remember(keyOf(start, userAgent), key)
    if ('answer' in arrived) return { stored: arrived.answer, fromCache: true }
    const { url, response } = arrived
    const known = this.#cache.get(key)
    if (response.statusCode === 304 && known !== undefined) {
      response.destroy()
      const headers = { ...known.headers, ...response.headers }
      Object.assign(known, { headers, ...freshness(200, headers, Date.now()) })
      return { stored: known, fromCache: true }
    }
    const stored = await readResponse(url, response, limits, request)
    this.#cache.set(key, stored)
    return { stored, fromCache: false }
  }

  #remember(from: string, to: string): void {
    this.#aliases.delete(from)
    this.#aliases.set(from, to)
    if (this.#aliases.size > maxAliases) this.#aliases.delete(this.#aliases.keys().next().value!)
  }
}

async function readResponse(
  url: URL,
  response: IncomingMessage,
  { maxBytes }: DownloadLimits,
  { signal, onProgress }: DownloadRequest,
): Promise<Stored> {
  const { statusCode: status = 0, headers } = response
  if (status < 200 || status >= 300) {
    response.destroy()
    throw new ToolError(`Failed to fetch ${url.href} - status code ${status}`)
  }
  const total = headers['content-encoding'] === undefined ? Number(headers['content-length']) || undefined : undefined
  const body = await readBody(response, { maxBytes, signal, onProgress: (bytes) => onProgress?.(bytes, total) })
  const now = Date.now()
  return { url: url.href, status, headers, ...body, storedAt: now, ...freshness(status, headers, now) }
}

/** The fragment is not sent, so it makes no difference. Neither does the method: there is one. */
const keyOf = (url: URL, userAgent: string): string => `${userAgent} ${url.href.replace(/#.*$/s, '')}`
