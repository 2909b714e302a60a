import { ErrorCode, isRpcError } from '../../errors.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { CallOptions, ChangeKind } from '../types.ts'
import { unlessAborted } from '../unless-aborted.ts'
import { type CacheableRequest, PendingFetch } from './pending-fetch.ts'

/** How much a client keeps of what its server allows to be kept. */
export interface CacheOptions {
  /** 500. */
  maxEntries?: number
  /** 8 Mi, of text as JavaScript holds it. */
  maxBytes?: number
}

/** What the cache is told by the client around it. */
export interface CacheSettings extends Required<CacheOptions> {
  /** Whether results that are meant for one authorization may be kept: not where it may change from call to call. */
  keepsPrivate: boolean
  /** Counts how often credentials changed. */
  auth?: { readonly renewals: number }
}

interface Entry extends CacheableRequest {
  /** Text, because whoever gets a result may change it. */
  text: string
  bytes: number
  staleAt: number
}

// `server/discover` is asked only to learn what holds now: at the start, and as a sign of life.
const cacheable: ReadonlySet<string> = new Set([
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
])

const listsOf: Readonly<Record<ChangeKind, readonly string[]>> = {
  tools: ['tools/list'],
  prompts: ['prompts/list'],
  resources: ['resources/list', 'resources/templates/list'],
}

/**
 * Results that the server says stay fresh for a while, for one connection and its authorization. Equal requests at the
 * same time are sent once.
 */
export class ResponseCache {
  readonly #settings: CacheSettings
  /** The least recently used first. */
  readonly #entries = new Map<string, Entry>()
  readonly #flights = new Set<PendingFetch>()
  /** The flight that began last, by key. */
  readonly #latest = new Map<string, PendingFetch>()
  /** Methods whose last result was not to be kept: waiting for another one's answer would be in vain. */
  readonly #unshared = new Set<string>()
  #bytes = 0
  #renewals = 0

  constructor(settings: CacheSettings) {
    this.#settings = settings
  }

  /** Whether a call is one whose result may be kept. Own `_meta` may change the answer, so such calls are not. */
  serves(method: string, { meta }: CallOptions): boolean {
    return cacheable.has(method) && meta === undefined
  }

  /** The result of a request: a fresh one that is kept, one that is on its way, or what `send` brings. */
  async fetch(request: CacheableRequest, options: CallOptions, send: () => Promise<JsonObject>): Promise<JsonObject> {
    const { auth } = this.#settings
    // Who may do more, or is somebody else, sees other things.
    if (auth !== undefined && auth.renewals !== this.#renewals) {
      this.#renewals = auth.renewals
      this.clear()
    }
    const key = `${request.method} ${JSON.stringify(request.params)}`
    if (options.fresh === true || options.signal?.aborted) return this.#send(key, request, options, send)
    // Without a pause before `#send`: the next equal request must find the flight.
    const found = this.#kept(key) ?? this.#join(key, request.method, options)
    const text = found instanceof Promise ? await found : found
    return text === undefined ? this.#send(key, request, options, send) : (JSON.parse(text) as JsonObject)
  }

  /** A list has changed. */
  changed(kind: ChangeKind): void {
    const methods = listsOf[kind]
    this.#forget(({ method }) => methods.includes(method))
  }

  /** A resource has changed, and with it what contains it or is part of it. */
  updated(uri: string): void {
    this.#forget(({ method, params }) => method === 'resources/read' && related(String(params.uri), uri))
  }

  clear(): void {
    this.#forget(() => true)
    this.#unshared.clear()
  }

  #kept(key: string): string | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#delete(key, entry)
    if (entry.staleAt <= performance.now()) return undefined
    this.#set(key, entry)
    return entry.text
  }

  #join(key: string, method: string, options: CallOptions): Promise<string | undefined> | undefined {
    const flight = this.#latest.get(key)
    if (flight === undefined || !flight.joinable || flight.outdated || !isPlain(options) || this.#unshared.has(method))
      return undefined
    return unlessAborted(method, flight.text, options.signal)
  }

  async #send(
    key: string,
    request: CacheableRequest,
    options: CallOptions,
    send: () => Promise<JsonObject>,
  ): Promise<JsonObject> {
    const flight = new PendingFetch(request, isPlain(options))
    this.#flights.add(flight)
    this.#latest.set(key, flight)
    try {
      const result = await send()
      flight.land(this.#keep(key, flight, result))
      return result
    } catch (error) {
      // Whoever joined did not give up.
      if (options.signal?.aborted) flight.land(undefined)
      else flight.fail(error)
      this.#discardPages(request, error)
      throw error
    } finally {
      this.#flights.delete(flight)
      if (this.#latest.get(key) === flight) this.#latest.delete(key)
    }
  }

  /** The text of a result for others, if they may have it. It is kept unless a later request will bring a newer one. */
  #keep(key: string, flight: PendingFetch, result: JsonObject): string | undefined {
    const { method, params } = flight
    const isLatest = this.#latest.get(key) === flight
    const old = this.#entries.get(key)
    if (isLatest && old !== undefined) this.#delete(key, old)
    const lifetime = this.#lifetime(result)
    if (lifetime > 0) this.#unshared.delete(method)
    else this.#unshared.add(method)
    if (lifetime <= 0 || flight.outdated) return undefined
    const staleAt = performance.now() + lifetime
    const text = JSON.stringify(result)
    const bytes = 2 * (key.length + text.length)
    if (isLatest && bytes <= this.#settings.maxBytes) this.#set(key, { method, params, text, bytes, staleAt })
    return text
  }

  #lifetime({ resultType = 'complete', ttlMs, cacheScope }: JsonObject): number {
    const mayKeep = resultType === 'complete' && (cacheScope === 'public' || this.#settings.keepsPrivate)
    return mayKeep && typeof ttlMs === 'number' ? ttlMs : 0
  }

  /** Pages lead to each other: a cursor that is refused means that those before it are out of date. */
  #discardPages({ method, params }: CacheableRequest, error: unknown): void {
    const refused = isRpcError(error) && error.remote && error.code === ErrorCode.InvalidParams
    if (refused && params.cursor !== undefined) this.#forget((entry) => entry.method === method)
  }

  #forget(concerns: (request: CacheableRequest) => boolean): void {
    for (const [key, entry] of this.#entries) if (concerns(entry)) this.#delete(key, entry)
    for (const flight of this.#flights) if (concerns(flight)) flight.outdated = true
  }

  #set(key: string, entry: Entry): void {
    this.#entries.set(key, entry)
    this.#bytes += entry.bytes
    const { maxEntries, maxBytes } = this.#settings
    for (const [oldest, { bytes }] of this.#entries) {
      if (this.#entries.size <= maxEntries && this.#bytes <= maxBytes) return
      this.#delete(oldest, { bytes })
    }
  }

  #delete(key: string, { bytes }: Pick<Entry, 'bytes'>): void {
    this.#entries.delete(key)
    this.#bytes -= bytes
  }
}

/** A call with times of its own can neither wait for others nor make them wait. */
const isPlain = ({ timeoutMs, maxTotalMs, onProgress }: CallOptions): boolean =>
  timeoutMs === undefined && maxTotalMs === undefined && onProgress === undefined

const related = (one: string, other: string): boolean => one.startsWith(other) || other.startsWith(one)
